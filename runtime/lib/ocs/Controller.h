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

/// A request to the controller and its result. The requester and the
/// controller's thread share it.
struct SwitchRequest {
  explicit SwitchRequest(std::optional<std::vector<Circuit>> wanted,
                         bool entersEach = false)
      : wanted(std::move(wanted)), entersEach(entersEach) {}

  /// Cross-connects that the switch must have; none for a query.
  const std::optional<std::vector<Circuit>> wanted;
  /// Whether to enter circuits one by one and leave out those that the switch
  /// denies, unless it denies all.
  const bool entersEach;

  bool isDone() const { return done.load(std::memory_order_acquire); }
  void finish(Status result);

  Signal signal;
  /// The following members may be read after `isDone`.
  Status status;
  /// The cross-connects of the switch before any change.
  std::vector<Circuit> present;
  CircuitDifference difference;
  /// With `entersEach`, the circuits that the switch denied, and its message.
  std::vector<Circuit> refused;
  std::string refusal;
  /// Whether the changes were sent to the switch.
  bool wasTold = false;
  double elapsedUs = 0;

private:
  std::atomic<bool> done{false};
};

/// The options of a switch, from `moert_ocs_config`.
struct SwitchOptions {
  std::string address, user, password;
  moert_ocs_dialect dialect = MOERT_OCS_POLATIS;
  int64_t deadlineUs = 0;
  double linkUpUs = 0;
  OwnedPorts ports;
};

/// Executes requests one after another on a thread. Each request ends within
/// the deadline plus the time for links to be up. After a failure, the next
/// request connects again.
class SwitchController {
public:
  explicit SwitchController(SwitchOptions options);
  /// Ends immediately; current and pending requests fail as ABORTED.
  ~SwitchController();
  SwitchController(const SwitchController &) = delete;
  SwitchController &operator=(const SwitchController &) = delete;

  /// Connects and logs in, which detects a wrong address or password.
  Status open();
  void submit(std::shared_ptr<SwitchRequest> request);
  const SwitchOptions &getOptions() const { return options; }
  /// Returns the maximum time of all submitted requests, in microseconds.
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
  /// Whether a request was taken from the queue and is not done yet.
  bool isBusy = false;
  std::thread thread;
};

} // namespace moert

#endif // MOERT_OCS_CONTROLLER_H
