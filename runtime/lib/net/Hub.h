// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meeting point of processes.

#ifndef MOERT_NET_HUB_H
#define MOERT_NET_HUB_H

#include "net/Rendezvous.h"
#include "net/Socket.h"
#include <atomic>
#include <memory>
#include <thread>

namespace moert {

/// A thread in rank 0's process that every rank connects to. It does not
/// transfer data of collectives. It connects ranks, compares the collectives
/// that they call, and notifies all of them when the job has ended: a rank
/// reported it, ranks called different collectives, a connection ended, or the
/// deadline of a rank passed. It closes connections without the right token;
/// they do not affect the job.
class Hub {
public:
  /// Starts to listen. An address that other machines can reach requires a
  /// token, else INVALID_ARGUMENT.
  static Status start(const std::string &address, std::string token,
                      int32_t worldSize, std::unique_ptr<Hub> &hub);
  /// Ends when all ranks have left, or after 2 s.
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
  /// Accept no connections until then, because file descriptors ran out.
  Deadline::Clock::time_point fullUntil{};
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace moert

#endif // MOERT_NET_HUB_H
