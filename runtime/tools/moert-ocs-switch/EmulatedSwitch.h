// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A switch to try without one.

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

/// Something that goes wrong with a command.
struct SwitchFault {
  enum class Kind {
    /// The command is refused.
    Deny,
    /// Half of the ports, rounded down, are done.
    Partial,
    /// It is done, and no answer comes.
    Silence,
    /// It is done, and the answer is no TL1.
    Garbage,
    /// It is done, and the connection ends in the middle of the answer.
    Disconnect,
    /// DELAY comes first, and the answer after the time of a change.
    Delay,
    /// It is not done: all connections end, and nobody listens any more.
    Death
  };
  Kind kind = Kind::Deny;
  /// Commands that begin so; "" for all but logins.
  std::string verb;
  /// How many of them; -1 for all.
  int64_t times = -1;
};

struct EmulatedSwitchOptions {
  /// Of 127.0.0.1; 0 for any that is free.
  int port = 0;
  /// Commands of Calient, or of Polatis.
  bool isCalient = false;
  /// Ports are numbered from 1.
  int32_t numPorts = 64;
  std::string user = "admin", password = "root";
  /// Setting p circuits up takes baseUs + p * perPairUs (SPEC MF-8); taking
  /// them down, nothing.
  double baseUs = 0, perPairUs = 0;
  /// So long after circuits were set up it tells that their links are.
  double linkUpUs = 0;
  /// Bytes of each piece that answers are sent in; 0 for whole answers.
  size_t fragment = 0;
  /// Circuits of one message of a list; 0 for all. Others follow in messages
  /// of their own.
  size_t rowsPerMessage = 0;
  /// An unasked message before each answer.
  bool isTalkative = false;
  /// Repeats what it is told, as switches do on their ports for people.
  bool hasEcho = false;
  std::vector<SwitchFault> faults;
  /// Ports that no circuit can be set up at: commands that would are denied.
  std::set<int32_t> deadPorts;
  /// Called with the circuits there are after each change, before its answer;
  /// a change for which it says false is undone and denied. A change behind
  /// which another one has come by then waits for that one's call: a batch
  /// that takes circuits down and sets some up is carried out at once.
  std::function<bool(const std::map<int32_t, int32_t> &)> onChange;
};

/// An optical circuit switch that speaks TL1 (SPEC MF-14) on the loopback
/// interface. It knows nothing of the client in libmoert, so that each checks
/// the other.
class EmulatedSwitch {
public:
  explicit EmulatedSwitch(EmulatedSwitchOptions options);
  /// Ends all connections.
  ~EmulatedSwitch();
  EmulatedSwitch(const EmulatedSwitch &) = delete;
  EmulatedSwitch &operator=(const EmulatedSwitch &) = delete;

  /// Listens and serves on a thread; false with the reason when it cannot.
  bool start(std::string &reason);
  int getPort() const { return port; }

  /// Commands that it carried out or refused, without logins, in order.
  std::vector<std::string> getLog() const;
  /// Outgoing ports by incoming ones.
  std::map<int32_t, int32_t> getCircuits() const;
  void setCircuits(std::map<int32_t, int32_t> circuits);
  void setFaults(std::vector<SwitchFault> faults);
  /// Whether answers wait, from now on, until this says otherwise.
  void holdAnswers(bool holds) { isHolding = holds; }

private:
  using Clock = std::chrono::steady_clock;
  struct Answer;
  struct Client;

  void run();
  /// False when the connection is over.
  bool receive(Client &client);
  bool advance(Client &client, Clock::time_point now);
  void begin(Client &client, const std::string &command, Clock::time_point now);
  /// Lets what carries changes out do so; the answer that is due then.
  void carryOut(Client &client);
  /// Ends a connection.
  void leave(Client &client);
  void send(Client &client, const std::string &bytes);
  /// Does the command; its answer, or what is wrong.
  Answer execute(Client &client, const std::string &command, bool isPartial);
  Answer enter(const std::string &block, bool isPartial);
  Answer remove(const std::string &block, bool isPartial);
  /// Uses a fault up.
  std::optional<SwitchFault::Kind> takeFault(const std::string &command);

  EmulatedSwitchOptions options;
  int listener = -1, stopSign = -1, port = 0;
  std::thread thread;
  std::list<Client> clients;
  bool isDead = false;
  std::atomic<bool> isHolding{false};

  /// Guards what follows, and the faults.
  mutable std::mutex mutex;
  std::map<int32_t, int32_t> circuits;
  std::vector<std::string> log;
  uint64_t nextNotice = 1;
};

#endif // MOERT_OCS_SWITCH_EMULATEDSWITCH_H
