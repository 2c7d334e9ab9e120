// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between processes.

#ifndef MOERT_MPI_MPICOMM_H
#define MOERT_MPI_MPICOMM_H

#include "cpu/CpuContext.h"
#include "mpi/MpiJob.h"

namespace moert {

/// One member of a communicator between MPI processes. Before they move data,
/// all members exchange descriptions of their calls, so that all find a
/// difference. Receivers reduce in group order.
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
  /// Like `allReduce`, in pieces between which it yields to more urgent
  /// collectives.
  Status allReduceInTurns(const Collective &collective, Deadline deadline);
  /// Waits for more urgent collectives of this rank, as long as this one may
  /// still be delayed.
  void yield();

  int32_t getPriority() const { return stream ? stream->priority : 0; }

  MpiJob &job;
  const int tag;
  std::chrono::microseconds mayWait{0};
  // Written by the stream's thread and read by other threads.
  std::atomic<uint64_t> number{0};
  std::atomic<CollectiveKind> kind{CollectiveKind::Barrier};
};

} // namespace moert

#endif // MOERT_MPI_MPICOMM_H
