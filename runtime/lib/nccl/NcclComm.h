// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between devices.

#ifndef MOERT_NCCL_NCCLCOMM_H
#define MOERT_NCCL_NCCLCOMM_H

#include "nccl/LiveComm.h"
#include "nccl/NcclContext.h"
#include <deque>

namespace moert::nccl {

/// A communicator on a stream. Every collective is remembered until it has
/// ended: the context's watcher tells it to the hub, if there is one, which
/// finds ranks that
/// call different things, and looks at how long it takes.
///
/// NCCL's communicator is made without blocking, so that a deadline holds, and
/// blocks from then on: one that does not starts a thread for every call. A
/// call that has to wait for others after all, as the first between two ranks
/// may, ends when the watcher aborts the communicator. (NCCL before 2.18 cannot
/// make such a one: there calls go on without blocking.)
class NcclComm : public moert_comm {
public:
  NcclComm(NcclContext &context, cuda::Stream stream)
      : context(context), cudaStream(stream) {}
  ~NcclComm() override;

  /// Of the caller's: to be used, but never ended.
  void adopt(Comm own) {
    isAdopted = true;
    ++context.numAdopted;
    hold(own);
  }
  Status connect(const std::vector<int32_t> &ranks, int32_t position,
                 uint64_t key, Deadline deadline);
  Status start(Collective collective) override;
  /// Of memory that collectives read and write: see `Registration`.
  Status registerMemory(void *data, size_t bytes, void *&handle);
  void deregisterMemory(void *handle);

  /// Called by the watcher: tells what was called, looks for errors
  /// and passed deadlines. Whether something is under way.
  bool check(int64_t deadlineUs);
  /// Begins to end what is on the device.
  void abort();
  /// The first collective that has not ended, "all_gather #3 of group [0, 1]
  /// key 1", and whether it has begun; empty when there is none, or when one is
  /// just being called.
  std::string describeFlight(bool &hasBegun);

private:
  /// A collective from its call to its end.
  struct Flight {
    uint64_t number;
    Signature signature;
    /// Of a ragged one: rows to each member, then from each.
    std::vector<int64_t> sizes;
    /// None when its stream is captured: nobody knows when it runs.
    cuda::Event begin = nullptr, end = nullptr;
    bool isCalled = false, isRunning = false, isReported = false;
    /// When it was called, or seen to run.
    Deadline::Clock::time_point since;
  };
  void hold(Comm made);
  /// Lets the first communicator make one that blocks, and closes it.
  Status makeBlocking(Deadline deadline);
  /// Waits, where the communicator does not block, until NCCL has taken a call
  /// in.
  Status settle(Result result, const char *what, Deadline deadline);
  Status launch(const Collective &collective);
  Status exchange(const Collective &collective);
  Status reduceSmallIntegers(const Collective &collective);
  std::string explain(Result result) const;
  /// Tells what the hub does not know yet.
  void announce();
  void checkErrors();
  /// Forgets what has ended; looks at few events however much is under way.
  void retire();
  void reportIfLate(int64_t deadlineUs);

  NcclContext &context;
  cuda::Stream cudaStream;
  std::shared_ptr<LiveComm> live;
  Comm comm = nullptr;
  bool isAdopted = false;
  uint64_t group = 0, number = 0;
  /// Held for moments only.
  std::mutex flightMutex;
  std::deque<Flight> flights;
  /// Of `flights`, from the first on.
  size_t numAnnounced = 0;
  cuda::Pointer scratch = 0;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_NCCLCOMM_H
