// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time of the same collectives with plain MPI.

// moert-bench-mpi, under mpirun, measures MPI_Alltoall and MPI_Allgather, and
// prints the results like moert-bench.

#include "Measure.h"
#include <cstring>
#include <mpi.h>
#include <thread>

using namespace bench;

/// Measures the processor time of ranks that wait for a slow one, which sleeps.
static void measureWaits(int rank, int n) {
  std::vector<char> from(kWaitedBlock, 0), to(kWaitedBlock * n, 0);
  constexpr int kBlock = kWaitedBlock;
  for (int delayUs : getDelaysUs()) {
    double wall = 0, cpu = 0;
    int rounds = getRounds(delayUs);
    for (int i = -1; i < rounds; ++i) {
      // The first round warms up.
      if (i == 0)
        wall = nowUs(), cpu = cpuUs();
      if (rank == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(delayUs));
      MPI_Allgather(from.data(), kBlock, MPI_BYTE, to.data(), kBlock, MPI_BYTE,
                    MPI_COMM_WORLD);
    }
    wall = nowUs() - wall;
    double own = cpuUs() - cpu, all = 0;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
      print("openmpi", "waiting", n, static_cast<size_t>(delayUs),
            getShare(all, wall, n));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, n = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (argc > 1 && std::strcmp(argv[1], "waiting") == 0) {
    measureWaits(rank, n);
    MPI_Finalize();
    return 0;
  }
  size_t most = getSizes().back();
  std::vector<char> from(most, 0), to(most, 0);
  for (bool gather : {false, true})
    for (size_t bytes : getSizes()) {
      int block = static_cast<int>(bytes / n), calls = getCalls(bytes);
      double best = 1e300;
      for (int repetition = 0; repetition <= kRepetitions; ++repetition) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = nowUs();
        for (int i = 0; i < calls; ++i) {
          if (gather)
            MPI_Allgather(from.data(), block, MPI_BYTE, to.data(), block,
                          MPI_BYTE, MPI_COMM_WORLD);
          else
            MPI_Alltoall(from.data(), block, MPI_BYTE, to.data(), block,
                         MPI_BYTE, MPI_COMM_WORLD);
        }
        double us = (nowUs() - start) / calls, slowest = 0;
        MPI_Allreduce(&us, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (repetition > 0)
          best = std::min(best, slowest);
      }
      if (rank == 0)
        print("openmpi", gather ? "all_gather" : "all_to_all", n, bytes, best);
    }
  MPI_Finalize();
}
