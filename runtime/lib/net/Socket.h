// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TCP sockets.

#ifndef MOERT_NET_SOCKET_H
#define MOERT_NET_SOCKET_H

#include "core/Status.h"
#include "core/Wait.h"
#include <netinet/in.h>

namespace moert {

/// Owns a file descriptor and closes it in the destructor.
class Socket {
public:
  Socket() = default;
  explicit Socket(int fd) : fd(fd) {}
  Socket(Socket &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Socket() { close(); }
  void close();
  int get() const { return fd; }

private:
  int fd = -1;
};

/// Parses "HOST:PORT", where the host is an IPv4 address or a name. The
/// system's resolver looks up names with its own time limits; our deadlines do
/// not apply. "localhost" and numbers are not looked up.
Status parseAddress(const std::string &address, sockaddr_in &result);

/// Listens only at "HOST:PORT", as parsed by `parseListeningAddress`. Accepting
/// never blocks.
Status listenAt(const std::string &address, Socket &socket);

/// Connects, with retries until a listener exists or the deadline passes.
Status connectTo(const std::string &address, Deadline deadline, Socket &socket);

/// Returns the listening address of rank 0, given its address for other ranks.
/// It is the same address, except for a name other than "localhost" that this
/// machine's hosts file maps to 127.x.x.x: then rank 0 listens on all
/// addresses, because other machines resolve the name differently.
Status parseListeningAddress(const std::string &address, sockaddr_in &result);

/// Checks that ranks may meet at `address` with this token: any token on
/// loopback, otherwise a nonempty one, because any machine can connect.
Status verifyToken(const std::string &address, const std::string &token);

/// Sends small messages without delay, and detects within about 30 s that the
/// peer's machine is gone.
void watchPeer(int fd);

/// Sends all bytes or fails; waits at most 5 s for the peer to accept more.
bool sendAll(int fd, const std::string &bytes);

} // namespace moert

#endif // MOERT_NET_SOCKET_H
