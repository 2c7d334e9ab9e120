// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between devices.

#ifndef MOERT_NCCL_NCCLCOMM_H
#define MOERT_NCCL_NCCLCOMM_H

#include "nccl/LiveComm.h"
#include "nccl/NcclContext.h"
#include <deque>

namespace moert::nccl {

/// A communicator on a stream. It records every collective until its end. The
/// context's watcher reports the calls to the hub, if there is one, which finds
/// ranks that call different collectives, and checks how long they take.
///
/// NCCL creates the communicator in nonblocking mode, so that a deadline
/// applies. Then it is replaced by a blocking one, because nonblocking
/// communicators start a thread for every call; or a blocking one is split from
/// the job's `WorldComm` if all ranks create communicators at once. Calls that must wait for other
/// ranks nevertheless, like the first one between two ranks, end when the
/// watcher aborts the communicator. (NCCL before 2.18 cannot create a blocking
/// one this way, so its calls remain nonblocking.)
class NcclComm : public moert_comm {
public:
  NcclComm(NcclContext &context, cuda::Stream stream)
      : context(context), cudaStream(stream) {}
  ~NcclComm() override;

  /// Adopts a communicator of the caller, which this object uses but never
  /// ends.
  void adopt(Comm own) {
    isAdopted = true;
    ++context.numAdopted;
    hold(own);
  }
  /// If `isSplit`, all ranks of the job call this at once.
  Status connect(const std::vector<int32_t> &ranks, int32_t position,
                 uint64_t key, bool isSplit, Deadline deadline);
  Status start(Collective collective) override;
  /// Register and deregister memory that collectives access; see
  /// `Registration`.
  Status registerMemory(void *data, size_t bytes, void *&handle);
  void deregisterMemory(void *handle);

  /// Called by the watcher: reports calls, and checks errors and passed
  /// deadlines. Returns true if a collective is in progress.
  bool check(int64_t deadlineUs);
  /// Starts to end the work on the device.
  void abort();
  /// Describes the first collective that has not ended, for example "all_gather
  /// #3 of group [0, 1] key 1", and whether it has begun. Returns "" if there
  /// is none, or during its call.
  std::string describeFlight(bool &hasBegun);

private:
  /// A collective from its call to its end.
  struct Flight {
    uint64_t number;
    Signature signature;
    /// For a ragged collective, the rows to each member, then from each.
    std::vector<int64_t> sizes;
    /// Null if the stream is captured, because the time of the run is unknown.
    cuda::Event begin = nullptr, end = nullptr;
    bool isCalled = false, isRunning = false, isReported = false;
    /// The time of its call, or when it was first seen to run.
    Deadline::Clock::time_point since;
  };
  void hold(Comm made);
  /// Creates the communicator without the job's `WorldComm`.
  Status bootstrap(const UniqueId &id, Deadline deadline);
  /// Creates a blocking communicator from the first one, which it closes.
  Status makeBlocking(Deadline deadline);
  /// Waits until NCCL has accepted the call, if the communicator is
  /// nonblocking.
  Status settle(Result result, const char *what, Deadline deadline);
  Status launch(const Collective &collective);
  Status exchange(const Collective &collective);
  Status reduceSmallIntegers(const Collective &collective);
  /// Reports new calls to the hub.
  void announce();
  void checkErrors();
  /// Removes ended collectives; queries only a few events, even if many are
  /// pending.
  void retire();
  void reportIfLate(int64_t deadlineUs);

  NcclContext &context;
  cuda::Stream cudaStream;
  std::shared_ptr<LiveComm> live;
  /// `replacement` is where NCCL stores the communicator that replaces `comm`,
  /// maybe after a deadline.
  Comm comm = nullptr, replacement = nullptr;
  bool isAdopted = false;
  uint64_t group = 0, number = 0;
  /// Held only briefly.
  std::mutex flightMutex;
  std::deque<Flight> flights;
  /// Number of the first `flights` that have been reported.
  size_t numAnnounced = 0;
  cuda::Pointer scratch = 0;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_NCCLCOMM_H
