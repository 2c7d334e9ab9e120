// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where processes meet.

#ifndef MOERT_NET_HUB_H
#define MOERT_NET_HUB_H

#include "net/Rendezvous.h"
#include "net/Socket.h"
#include <atomic>
#include <memory>
#include <thread>

namespace moert {

/// A thread in rank 0's process that every rank is connected to. It carries no
/// data of collectives. It brings ranks together, compares what they call,
/// and tells all of them when the job is over: a rank said so, ranks called
/// different things, a connection ended, or a rank's deadline passed.
/// Connections that do not show the token are closed; the job does not notice.
class Hub {
public:
  /// Starts to listen. Where other machines reach the address, a token is
  /// needed: INVALID_ARGUMENT without.
  static Status start(const std::string &address, std::string token,
                      int32_t worldSize, std::unique_ptr<Hub> &hub);
  /// Ends when all ranks have left, or after a moment.
  ~Hub();

private:
  struct Connection {
    Socket socket;
    MessageBuffer received;
    Rendezvous::Guest guest;
    Deadline::Clock::time_point since;
  };

  Hub(Socket listener, std::string token, int32_t worldSize);
  void run();
  void loop();
  void accept();
  void read(Connection &connection);
  void flush(Connection &connection);

  Socket listener;
  const int32_t worldSize;
  Rendezvous rendezvous;
  std::vector<std::unique_ptr<Connection>> connections;
  /// Until then nobody new is let in: there was no room.
  Deadline::Clock::time_point fullUntil{};
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace moert

#endif // MOERT_NET_HUB_H
