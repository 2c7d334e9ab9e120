// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the caller's job brings.

#ifndef MOERT_NET_BOOTSTRAP_H
#define MOERT_NET_BOOTSTRAP_H

#include "core/Wait.h"
#include "cpu/Failure.h"
#include <condition_variable>
#include <memory>
#include <string>
#include <thread>

namespace moert {

/// The functions of `moert_config` by which the caller's job brings its ranks
/// together, each called on a thread of its own: `all_gather` on one, and
/// `must_abort` and `aborted` on another, which is there when one of them is.
/// So a call that does not return keeps nobody but its thread.
class Bootstrap : public std::enable_shared_from_this<Bootstrap> {
public:
  static std::shared_ptr<Bootstrap> start(const moert_config &config);

  /// Calls `all_gather` with the own bytes; one call at a time. `what` says in
  /// words what for. An error has ended the job.
  Status gather(const std::string &own, const std::string &what,
                Deadline deadline, std::string &all);

  /// Ends the job here, which `aborted` is told. Returns what this rank is
  /// told.
  Status fail(Status status, std::vector<int32_t> concerned);
  const Failure &getFailure() const { return failure; }

  /// Ends the threads; one whose call does not return in some seconds is left
  /// behind.
  void stop();

private:
  explicit Bootstrap(const moert_config &config);
  void serve();
  void watch();
  /// Calls `all_gather`, and says what went wrong; empty when nothing did.
  std::string callAllGather();

  int (*const allGather)(void *user, const void *mine, void *all, size_t bytes);
  int (*const mustAbort)(void *user);
  void (*const aborted)(void *user, const char *reason);
  void *const user;
  const int32_t rank, worldSize;
  Failure failure;

  std::mutex mutex;
  /// Of what is below.
  std::condition_variable changed;
  bool isWanted = false, hasReturned = false, stopping = false;
  bool hasServed = false, hasWatched = false;
  /// The thread's while `isWanted` or the call is under way.
  std::string mine, everyones, problem;
  std::thread server, watcher;
};

} // namespace moert

#endif // MOERT_NET_BOOTSTRAP_H
