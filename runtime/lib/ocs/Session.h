// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connection to an optical switch.

#ifndef MOERT_OCS_SESSION_H
#define MOERT_OCS_SESSION_H

#include "net/Socket.h"
#include "ocs/Commands.h"
#include "ocs/Tl1.h"

namespace moert {

/// One TCP connection to a switch. Each call ends by its deadline, or when
/// `wakeUp` becomes readable. After a failure that leaves later messages of the
/// switch ambiguous, the connection is closed.
class Session {
public:
  /// The caller keeps the ownership of the file descriptor `wakeUp`.
  Session(std::string address, int wakeUp)
      : address(std::move(address)), wakeUp(wakeUp) {}

  /// Returns true if there is a connection. Closes a connection that the switch
  /// has ended, and discards unsolicited messages.
  bool isConnected();
  Status connect(Deadline deadline);
  void close();

  /// Sends the commands together and waits for all answers. `lines[i]` receives
  /// the answer to command i. Fails if the switch denies a command or executes
  /// only a part of it (after waiting for the other answers), sends an invalid
  /// message, ends the connection, or does not answer in time; the message
  /// quotes the traffic.
  Status exchange(const std::vector<Tl1Command> &commands, Deadline deadline,
                  std::vector<std::vector<std::string>> &lines);

  /// Reports an unexpected message of the switch, and closes the connection.
  Status fail(moert_status code, const std::string &what,
              const std::string &sent, const std::string &received);

private:
  Status waitFor(short events, Deadline deadline, const std::string &sent);
  Status send(const std::string &bytes, Deadline deadline,
              const std::string &sent);
  Status receive(Deadline deadline, const std::string &sent);

  std::string address;
  int wakeUp;
  Socket socket;
  Tl1Reader reader;
  /// The last bytes of the answers to the current commands, for errors.
  std::string received;
  uint64_t nextTag = 1;
};

} // namespace moert

#endif // MOERT_OCS_SESSION_H
