// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lifetime of an NCCL communicator.

#ifndef MOERT_NCCL_LIVECOMM_H
#define MOERT_NCCL_LIVECOMM_H

#include "core/Wait.h"
#include "nccl/NcclLibrary.h"
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace moert::nccl {

/// An NCCL communicator and its end. Ending it frees device memory, which may
/// wait for all work on the device, including kernels of other communicators.
/// Therefore a separate thread ends each communicator, and waits for it have a
/// deadline.
class LiveComm : public std::enable_shared_from_this<LiveComm> {
public:
  LiveComm(const Library &nccl, const cuda::Driver &driver,
           cuda::Context context, Comm comm, bool isOurs)
      : nccl(nccl), driver(driver), context(context), comm(comm),
        isOurs(isOurs) {}

  Comm get() const { return comm; }
  /// Held during NCCL calls for this communicator, because they must not
  /// overlap.
  std::timed_mutex calls;
  /// Returns true if the end has begun; no further call is allowed.
  bool isEnding();

  /// Starts to end the work on the device, and then the communicator. A running
  /// call returns.
  void abort();
  /// Ends the communicator after its work; aborts it if the deadline passes.
  void close(Deadline deadline);
  /// Returns false if the deadline passed; the communicator is then abandoned.
  bool waitForEnd(Deadline deadline);
  /// Ends the communicator within some seconds: after its work if the job is
  /// well.
  void end(bool isWell);

  /// Time limit for the end after an abort.
  static constexpr int64_t kEndUs = 5000000;

private:
  /// Runs `runAbort` or `runClose` on a thread, which keeps this object alive.
  void begin(std::thread &thread, void (LiveComm::*work)());
  void runAbort();
  void runClose();
  void finish();

  const Library &nccl;
  const cuda::Driver &driver;
  const cuda::Context context;
  const Comm comm;
  /// A communicator of the caller is released but never ended.
  const bool isOurs;
  std::mutex mutex;
  std::condition_variable changed;
  bool ending = false, aborting = false, gone = false;
  std::thread closer, aborter;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_LIVECOMM_H
