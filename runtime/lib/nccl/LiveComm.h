// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator of NCCL, from making to end.

#ifndef MOERT_NCCL_LIVECOMM_H
#define MOERT_NCCL_LIVECOMM_H

#include "core/Wait.h"
#include "nccl/NcclLibrary.h"
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace moert::nccl {

/// A communicator of NCCL and how it ends. To end one frees memory of the
/// device, which can wait for all that runs there, kernels of other
/// communicators among them: so each is ended by a thread of its own, and
/// nobody waits for it longer than a deadline.
class LiveComm : public std::enable_shared_from_this<LiveComm> {
public:
  LiveComm(const Library &nccl, const cuda::Driver &driver,
           cuda::Context context, Comm comm, bool isOurs)
      : nccl(nccl), driver(driver), context(context), comm(comm),
        isOurs(isOurs) {}

  Comm get() const { return comm; }
  /// Held by who calls NCCL for this communicator: its calls must not overlap.
  std::timed_mutex calls;
  /// Whether its end has begun: no call may be made any more.
  bool isEnding();

  /// Begins to end what is on the device, and then the communicator. A call
  /// that is under way returns.
  void abort();
  /// Ends it after its work; when the deadline passes, by `abort`.
  void close(Deadline deadline);
  /// False when the deadline passed: it is left behind.
  bool waitForEnd(Deadline deadline);

private:
  /// Runs one of the two that follow on a thread, which keeps this object.
  void begin(std::thread &thread, void (LiveComm::*work)());
  void runAbort();
  void runClose();
  void finish();

  const Library &nccl;
  const cuda::Driver &driver;
  const cuda::Context context;
  const Comm comm;
  /// One of the caller's is let go of, and never ended.
  const bool isOurs;
  std::mutex mutex;
  std::condition_variable changed;
  bool ending = false, aborting = false, gone = false;
  std::thread closer, aborter;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_LIVECOMM_H
