// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The controller of an optical switch.

#ifndef MOERT_OCS_CONTROLLER_H
#define MOERT_OCS_CONTROLLER_H

#include "ocs/Session.h"
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace moert {

/// Something the controller is asked for, and what became of it. Whoever asked
/// and the controller's thread hold it together.
struct SwitchRequest {
  explicit SwitchRequest(std::optional<std::vector<Circuit>> wanted,
                         bool entersEach = false)
      : wanted(std::move(wanted)), entersEach(entersEach) {}

  /// What the switch shall have; nothing to only look.
  const std::optional<std::vector<Circuit>> wanted;
  /// Circuits are entered one by one, and those that the switch denies left
  /// out, unless it denies all.
  const bool entersEach;

  bool isDone() const { return done.load(std::memory_order_acquire); }
  void finish(Status result);

  Signal signal;
  /// What follows is read after `isDone`.
  Status status;
  /// The cross-connects of the switch: before, if it was to be changed.
  std::vector<Circuit> present;
  CircuitDifference difference;
  /// With `entersEach`: what the switch denies, and in what words.
  std::vector<Circuit> refused;
  std::string refusal;
  /// Whether the switch was told of the difference.
  bool wasTold = false;
  double elapsedUs = 0;

private:
  std::atomic<bool> done{false};
};

/// What the members of `moert_ocs_config` become.
struct SwitchOptions {
  std::string address, user, password;
  moert_ocs_dialect dialect = MOERT_OCS_POLATIS;
  int64_t deadlineUs = 0;
  double linkUpUs = 0;
  OwnedPorts ports;
};

/// Carries requests out one after the other on a thread of its own. Each ends
/// within the deadline and the time links take to come up. After a failure the
/// next request makes a connection of its own.
class SwitchController {
public:
  explicit SwitchController(SwitchOptions options);
  /// Ends at once: what is under way or left fails as ABORTED.
  ~SwitchController();
  SwitchController(const SwitchController &) = delete;
  SwitchController &operator=(const SwitchController &) = delete;

  /// Connects and logs in, so that a wrong address or password is found here.
  Status open();
  void submit(std::shared_ptr<SwitchRequest> request);
  const SwitchOptions &getOptions() const { return options; }
  /// The longest that what was submitted so far takes, in microseconds.
  int64_t getLongestUs();

private:
  void run();
  Status login(Deadline deadline);
  Status serve(SwitchRequest &request, Deadline deadline);
  Status enterEach(SwitchRequest &request, Deadline deadline);

  SwitchOptions options;
  SwitchCommands commands;
  /// Becomes readable when the controller ends.
  Socket stopSign;
  Session session;
  std::atomic<bool> stopping{false};
  Signal work;
  std::mutex mutex;
  std::deque<std::shared_ptr<SwitchRequest>> queue;
  /// Taken from the queue and not yet done.
  bool isBusy = false;
  std::thread thread;
};

} // namespace moert

#endif // MOERT_OCS_CONTROLLER_H
