// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bootstrap functions of the caller.

#ifndef MOERT_NET_BOOTSTRAP_H
#define MOERT_NET_BOOTSTRAP_H

#include "core/Wait.h"
#include "cpu/Failure.h"
#include <condition_variable>
#include <memory>
#include <string>
#include <thread>

namespace moert {

/// The functions of `moert_config` that connect the ranks of the caller's job.
/// One thread calls `all_gather`; a second thread, which exists if either is
/// set, calls `must_abort` and `aborted`. Therefore a hanging function blocks
/// only its own thread.
class Bootstrap : public std::enable_shared_from_this<Bootstrap> {
public:
  static std::shared_ptr<Bootstrap> start(const moert_config &config);

  /// Calls `all_gather` with this rank's bytes; one call at a time. `what`
  /// describes the purpose for errors. An error has ended the job.
  Status gather(const std::string &own, const std::string &what,
                Deadline deadline, std::string &all);

  /// Ends the job on this rank and notifies `aborted`. Returns the status for
  /// this rank.
  Status fail(Status status, std::vector<int32_t> concerned);
  const Failure &getFailure() const { return failure; }

  /// Ends the threads; abandons a thread that does not end within two seconds.
  void stop();

private:
  explicit Bootstrap(const moert_config &config);
  void serve();
  void watch();
  /// Calls `all_gather` and returns a description of the error, or "".
  std::string callAllGather();

  int (*const allGather)(void *user, const void *mine, void *all, size_t bytes);
  int (*const mustAbort)(void *user);
  void (*const aborted)(void *user, const char *reason);
  void *const user;
  const int32_t rank, worldSize;
  Failure failure;

  std::mutex mutex;
  /// Signals changes of the members below.
  std::condition_variable changed;
  bool isWanted = false, hasReturned = false, stopping = false;
  bool hasServed = false, hasWatched = false;
  /// Owned by the server thread while `isWanted` or during the call.
  std::string mine, everyones, problem;
  std::thread server, watcher;
};

} // namespace moert

#endif // MOERT_NET_BOOTSTRAP_H
