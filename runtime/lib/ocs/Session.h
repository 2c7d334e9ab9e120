// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conversation with an optical switch.

#ifndef MOERT_OCS_SESSION_H
#define MOERT_OCS_SESSION_H

#include "net/Socket.h"
#include "ocs/Commands.h"
#include "ocs/Tl1.h"

namespace moert {

/// One TCP connection to a switch. Each call ends by its deadline, or when
/// `wakeUp` becomes readable; after a failure that leaves unknown what the
/// switch will still say, the connection is closed.
class Session {
public:
  /// `wakeUp` is a file descriptor that stays the caller's.
  Session(std::string address, int wakeUp)
      : address(std::move(address)), wakeUp(wakeUp) {}

  /// Whether there is a connection; one that the switch has ended meanwhile is
  /// closed, and what it told unasked is passed over.
  bool isConnected();
  Status connect(Deadline deadline);
  void close();

  /// Sends the commands together and waits for the answers to all of them.
  /// `lines[i]` is what the switch says to command i. Fails with words that
  /// tell what was sent and received when the switch denies one or does part
  /// of it only (the answers to the others have been waited for), when it says
  /// what no switch says, hangs up, or does not answer in time.
  Status exchange(const std::vector<Tl1Command> &commands, Deadline deadline,
                  std::vector<std::vector<std::string>> &lines);

  /// Reports a switch that says something out of place, and closes.
  Status fail(moert_status code, const std::string &what,
              const std::string &sent, const std::string &received);

private:
  /// Waits until the socket can do `events`.
  Status waitFor(short events, Deadline deadline, const std::string &sent);
  Status send(const std::string &bytes, Deadline deadline,
              const std::string &sent);
  Status receive(Deadline deadline, const std::string &sent);

  std::string address;
  int wakeUp;
  Socket socket;
  Tl1Reader reader;
  /// The last bytes of the answers to the commands under way, for errors.
  std::string received;
  uint64_t nextTag = 1;
};

} // namespace moert

#endif // MOERT_OCS_SESSION_H
