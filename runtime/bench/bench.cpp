// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time of all-to-alls and all-gathers on a backend.

// moert-bench [BACKEND] [RANKS] prints `BACKEND COLLECTIVE RANKS BYTES US`. US
// is the time per call in a sequence of calls, in microseconds: the slowest
// rank's time, and the best of several repetitions. Up to 64 KiB, it also
// prints `BACKEND-waited`, where the host waits after each call.

#include "Measure.h"
#include "moert.h"
#include <cstring>
#include <numeric>
#include <thread>

using namespace bench;

static void require(moert_status status) {
  if (status == MOERT_OK)
    return;
  std::fprintf(stderr, "moert-bench: %s\n", moert_last_error(nullptr));
  std::exit(1);
}

/// Measures the processor time of ranks that wait for a slow one. All ranks are
/// threads of this process, and the slow one sleeps.
static void measureWaits(const moert_config &config, moert_stream *stream,
                         moert_comm *comm, void *source, void *target) {
  for (int delayUs : getDelaysUs()) {
    double wall = 0, cpu = 0;
    int rounds = getRounds(delayUs);
    for (int i = -1; i < rounds; ++i) {
      // The first round warms up.
      if (i == 0)
        wall = nowUs(), cpu = cpuUs();
      if (config.rank == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(delayUs));
      require(moert_all_gather(comm, source, target, kWaitedBlock, MOERT_I8));
      require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
    }
    if (config.rank == 0)
      print(config.backend, "waiting", config.world_size,
            static_cast<size_t>(delayUs),
            getShare(cpuUs() - cpu, nowUs() - wall, config.world_size));
  }
}

static void runRank(const moert_config &config, bool waits) {
  moert_context *context;
  require(moert_init(&config, &context));
  moert_stream *stream;
  require(moert_stream_create(context, "bench", 0, &stream));
  int n = config.world_size;
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  moert_comm *comm;
  require(moert_comm_create(stream, ranks.data(), n, 0, MOERT_DEADLINE_DEFAULT,
                            &comm));
  size_t most = getSizes().back();
  moert_buffer *from, *to, *times;
  require(moert_buffer_create(context, most, MOERT_MEMORY_DEVICE, &from));
  require(moert_buffer_create(context, most, MOERT_MEMORY_DEVICE, &to));
  require(moert_buffer_create(context, sizeof(double), MOERT_MEMORY_DEVICE,
                              &times));
  void *source = moert_buffer_data(from), *target = moert_buffer_data(to);
  require(moert_fill_zero(stream, source, most, MOERT_I8));
  require(moert_fill_zero(stream, target, most, MOERT_I8));
  if (waits) {
    measureWaits(config, stream, comm, source, target);
    require(moert_finalize(context, MOERT_DEADLINE_DEFAULT));
    return;
  }
  for (bool gather : {false, true})
    for (size_t bytes : getSizes()) {
      size_t block = bytes / n;
      auto call = [&] {
        require(gather
                    ? moert_all_gather(comm, source, target, block, MOERT_I8)
                    : moert_all_to_all(comm, source, target, block, MOERT_I8));
      };
      for (bool waits : {false, true}) {
        if (waits && bytes > 65536)
          continue;
        double best = 1e300;
        int calls = getCalls(bytes);
        for (int repetition = 0; repetition <= kRepetitions; ++repetition) {
          require(moert_barrier(comm));
          require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
          double start = nowUs();
          for (int i = 0; i < calls; ++i) {
            call();
            if (waits)
              require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
          }
          require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
          double us = (nowUs() - start) / calls;
          void *value = moert_buffer_data(times);
          require(moert_copy(stream, value, &us, sizeof(us)));
          require(
              moert_all_reduce(comm, value, value, 1, MOERT_F64, MOERT_MAX));
          require(moert_copy(stream, &us, value, sizeof(us)));
          require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT));
          // The first repetition warms up.
          if (repetition > 0)
            best = std::min(best, us);
        }
        if (config.rank == 0)
          print(std::string(config.backend) + (waits ? "-waited" : ""),
                gather ? "all_gather" : "all_to_all", n, bytes, best);
      }
    }
  require(moert_finalize(context, MOERT_DEADLINE_DEFAULT));
}

int main(int argc, char **argv) {
  moert_config config;
  moert_config_default(&config);
  if (argc > 1)
    config.backend = argv[1];
  if (std::strcmp(config.backend, "host") != 0) {
    require(moert_config_from_environment(&config));
    runRank(config, /*waits=*/false);
    return 0;
  }
  int n = argc > 2 ? std::atoi(argv[2]) : 2;
  bool waits = argc > 3 && std::strcmp(argv[3], "waiting") == 0;
  if (n < (waits ? 2 : 1) || n > 1024 || argc > (waits ? 4 : 3)) {
    std::fputs("usage: moert-bench [BACKEND] [RANKS]\n"
               "       moert-bench host RANKS waiting\n",
               stderr);
    return 2;
  }
  config.world_size = n;
  std::vector<std::thread> threads;
  for (config.rank = 0; config.rank < n; ++config.rank)
    threads.emplace_back([=] { runRank(config, waits); });
  for (std::thread &thread : threads)
    thread.join();
}
