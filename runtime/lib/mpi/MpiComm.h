// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between processes.

#ifndef MOERT_MPI_MPICOMM_H
#define MOERT_MPI_MPICOMM_H

#include "cpu/CpuContext.h"
#include "mpi/MpiJob.h"

namespace moert {

/// One member of a communicator between MPI processes. Before data move, all
/// members tell each other what they call; whoever differs is found by all.
/// Reductions are done by the receivers, in group order.
class MpiComm : public CpuComm {
public:
  MpiComm(MpiJob &job, int tag) : job(job), tag(tag) {}

  Status run(std::span<const Collective *const> batch) override;
  std::string describeWait() override;

private:
  struct Header {
    uint64_t number;
    int64_t count;
    int32_t kind, type, reduction, unused;
  };
  Status agree(const Collective &collective, Deadline deadline);
  Status agreeOnSizes(const Collective &collective, Deadline deadline);
  Status exchange(MpiRequests &requests, Deadline deadline);
  Status allReduce(const Collective &collective, Deadline deadline);
  /// The same in pieces, between which what is more urgent goes first.
  Status allReduceInTurns(const Collective &collective, Deadline deadline);
  /// Lets more urgent collectives of this rank end, for as long as this one may
  /// be held up yet.
  void yield();

  int32_t getPriority() const { return stream ? stream->priority : 0; }

  MpiJob &job;
  const int tag;
  std::chrono::microseconds mayWait{0};
  // Written by the stream's thread, read by whoever asks for it.
  std::atomic<uint64_t> number{0};
  std::atomic<CollectiveKind> kind{CollectiveKind::Barrier};
};

} // namespace moert

#endif // MOERT_MPI_MPICOMM_H
