// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TCP sockets.

#ifndef MOERT_NET_SOCKET_H
#define MOERT_NET_SOCKET_H

#include "core/Status.h"
#include "core/Wait.h"
#include <netinet/in.h>

namespace moert {

/// A file descriptor that is closed at the end.
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

/// Reads "HOST:PORT", where the host is an IPv4 address or a name. A name is
/// asked of the system's resolver, whose time limits are its own: no deadline
/// of ours holds for it. "localhost" and numbers are not looked up.
Status parseAddress(const std::string &address, sockaddr_in &result);

/// Listens at "HOST:PORT", there only, as `parseListeningAddress` reads it.
/// Never blocks on accept.
Status listenAt(const std::string &address, Socket &socket);

/// Connects, again and again until somebody listens or the deadline passes.
Status connectTo(const std::string &address, Deadline deadline, Socket &socket);

/// Where rank 0 listens, for the address by which others reach it: the same,
/// but any of this machine's for a name, other than "localhost", that this
/// machine's hosts file gives 127.x.x.x, as others do not see it so.
Status parseListeningAddress(const std::string &address, sockaddr_in &result);

/// Whether ranks may meet at `address` with this token: any on loopback, and
/// elsewhere one that is not empty, as everybody can connect there.
Status verifyToken(const std::string &address, const std::string &token);

/// Has small messages go at once, and finds out within about half a minute
/// that the other side's machine is gone.
void watchPeer(int fd);

/// Sends all of it or fails; waits some seconds at most.
bool sendAll(int fd, const std::string &bytes);

} // namespace moert

#endif // MOERT_NET_SOCKET_H
