// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An emulated optical circuit switch.

#ifndef MOERT_OCS_SWITCH_EMULATEDSWITCH_H
#define MOERT_OCS_SWITCH_EMULATEDSWITCH_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

/// A fault to inject into commands.
struct SwitchFault {
  enum class Kind {
    /// Refuse the command.
    Deny,
    /// Execute the command for half of the ports, rounded down.
    Partial,
    /// Execute the command and send no answer.
    Silence,
    /// Execute the command and send an answer that is not TL1.
    Garbage,
    /// Execute the command and end the connection in the middle of the answer.
    Disconnect,
    /// Send DELAY first, and the answer after the time of a change.
    Delay,
    /// Do not execute the command, end all connections and stop listening.
    Death
  };
  Kind kind = Kind::Deny;
  /// Prefix of the affected commands; "" for all but logins.
  std::string verb;
  /// Number of faults to inject; -1 for all commands.
  int64_t times = -1;
};

struct EmulatedSwitchOptions {
  /// Port on 127.0.0.1; 0 for any free port.
  int port = 0;
  /// Use Calient's commands, not Polatis's.
  bool isCalient = false;
  /// Number of ports, counted from 1.
  int32_t numPorts = 64;
  std::string user = "admin", password = "root";
  /// Setting up p circuits takes baseUs + p * perPairUs microseconds (SPEC
  /// MF-8); taking them down takes no time.
  double baseUs = 0, perPairUs = 0;
  /// Time from the setup of circuits until the switch reports their links as
  /// up, in microseconds; 0 for no report.
  double linkUpUs = 0;
  /// Fragment size of answers in bytes; 0 for whole answers.
  size_t fragment = 0;
  /// Circuits per message of a list; 0 for all. Further circuits follow in
  /// additional messages.
  size_t rowsPerMessage = 0;
  /// Send an unsolicited message before each answer.
  bool isTalkative = false;
  /// Echo commands, as switches do on their interactive ports.
  bool hasEcho = false;
  std::vector<SwitchFault> faults;
  /// Broken ports; commands that use them for a circuit are denied.
  std::set<int32_t> deadPorts;
  /// Called with the resulting circuits after each change, before its answer.
  /// If it returns false, the change is undone and denied. If another change is
  /// already queued, the call is deferred to that one, so that a batch that
  /// takes circuits down and sets some up is executed at once.
  std::function<bool(const std::map<int32_t, int32_t> &)> onChange;
};

/// An optical circuit switch that speaks TL1 (SPEC MF-14) on the loopback
/// interface. It shares no code with the client in libmoert, so that each
/// checks the other.
class EmulatedSwitch {
public:
  explicit EmulatedSwitch(EmulatedSwitchOptions options);
  /// Ends all connections.
  ~EmulatedSwitch();
  EmulatedSwitch(const EmulatedSwitch &) = delete;
  EmulatedSwitch &operator=(const EmulatedSwitch &) = delete;

  /// Starts to listen and serve on a thread. On failure, returns false and sets
  /// `reason`.
  bool start(std::string &reason);
  int getPort() const { return port; }

  /// Returns the executed and refused commands in order, without logins.
  std::vector<std::string> getLog() const;
  /// Returns the outgoing port of each incoming port.
  std::map<int32_t, int32_t> getCircuits() const;
  void setCircuits(std::map<int32_t, int32_t> circuits);
  void setFaults(std::vector<SwitchFault> faults);
  /// Holds answers back from now on, or releases them.
  void holdAnswers(bool holds) { isHolding = holds; }

private:
  using Clock = std::chrono::steady_clock;
  struct Answer;
  struct Client;

  void run();
  /// Returns false if the connection has ended.
  bool receive(Client &client);
  bool advance(Client &client, Clock::time_point now);
  void begin(Client &client, const std::string &command, Clock::time_point now);
  /// Calls `onChange` for a pending change, and adapts the delayed answer.
  void carryOut(Client &client);
  /// Ends a connection.
  void leave(Client &client);
  void send(Client &client, const std::string &bytes);
  Answer execute(Client &client, const std::string &command, bool isPartial);
  Answer enter(const std::string &block, bool isPartial);
  Answer remove(const std::string &block, bool isPartial);
  /// Returns the fault for a command, if any, and consumes one use of it.
  std::optional<SwitchFault::Kind> takeFault(const std::string &command);

  EmulatedSwitchOptions options;
  int listener = -1, stopSign = -1, port = 0;
  std::thread thread;
  std::list<Client> clients;
  bool isDead = false;
  std::atomic<bool> isHolding{false};

  /// Guards the members below, and the faults.
  mutable std::mutex mutex;
  std::map<int32_t, int32_t> circuits;
  std::vector<std::string> log;
  uint64_t nextNotice = 1;
};

#endif // MOERT_OCS_SWITCH_EMULATEDSWITCH_H
