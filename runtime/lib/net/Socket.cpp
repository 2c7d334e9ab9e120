// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TCP sockets.

#include "net/Socket.h"
#include "net/Message.h"
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace moert;

void Socket::close() {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}

Status moert::parseAddress(const std::string &address, sockaddr_in &result) {
  size_t colon = address.rfind(':');
  std::string host = colon == std::string::npos ? "" : address.substr(0, colon);
  if (host == "localhost")
    host = "127.0.0.1";
  int port = 0;
  std::string number =
      colon == std::string::npos ? "" : address.substr(colon + 1);
  const char *begin = number.data(), *end = begin + number.size();
  result = {};
  result.sin_family = AF_INET;
  // "local" is the default of a configuration without an address.
  if (address.empty() || address == "local")
    return error(MOERT_INVALID_ARGUMENT,
                 "expected an address like 127.0.0.1:29500 or node7:29500, got "
                 "none");
  if (host.empty() || number.empty() ||
      std::from_chars(begin, end, port).ptr != end || port < 1 || port > 65535)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected an address like 127.0.0.1:29500 or node7:29500, got "
                 "'%s'",
                 address.c_str());
  if (inet_pton(AF_INET, host.c_str(), &result.sin_addr) != 1) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_family = AF_INET;
    wanted.ai_socktype = SOCK_STREAM;
    int problem = getaddrinfo(host.c_str(), nullptr, &wanted, &found);
    if (problem != 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the address of a host that is known here, got "
                   "'%s': %s",
                   address.c_str(), gai_strerror(problem));
    std::memcpy(&result, found->ai_addr, sizeof(result));
    freeaddrinfo(found);
  }
  result.sin_port = htons(static_cast<uint16_t>(port));
  return {};
}

/// Returns true if no other machine can reach the address (127.0.0.0/8).
static bool isLoopback(const sockaddr_in &place) {
  return ntohl(place.sin_addr.s_addr) >> 24 == 127;
}

Status moert::parseListeningAddress(const std::string &address,
                                    sockaddr_in &result) {
  Status status = parseAddress(address, result);
  if (!status.ok() || !isLoopback(result))
    return status;
  std::string host = address.substr(0, address.rfind(':'));
  in_addr number;
  if (host != "localhost" && inet_pton(AF_INET, host.c_str(), &number) != 1)
    result.sin_addr.s_addr = htonl(INADDR_ANY);
  return {};
}

Status moert::verifyToken(const std::string &address,
                          const std::string &token) {
  sockaddr_in place;
  Status status = parseListeningAddress(address, place);
  if (!status.ok())
    return status;
  if (token.size() > kLongestToken)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a token of at most %u bytes, got %zu", kLongestToken,
                 token.size());
  if (token.empty() && !isLoopback(place))
    return error(
        MOERT_INVALID_ARGUMENT,
        "expected a token (moert_config::token, MOERT_TOKEN), as other "
        "machines can connect to %s, got none",
        address.c_str());
  return {};
}

void moert::watchPeer(int fd) {
  int one = 1, idleS = 10, intervalS = 5, probes = 3, unsentMs = 30000;
  // These options are optional: a system that lacks one works without it.
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idleS, sizeof(idleS));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &intervalS, sizeof(intervalS));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unsentMs, sizeof(unsentMs));
}

Status moert::listenAt(const std::string &address, Socket &socket) {
  sockaddr_in place;
  Status status = parseListeningAddress(address, place);
  if (!status.ok())
    return status;
  socket =
      Socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  int one = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  if (socket.get() < 0 ||
      bind(socket.get(), reinterpret_cast<sockaddr *>(&place), sizeof(place)) !=
          0 ||
      listen(socket.get(), 512) != 0)
    return error(MOERT_UNAVAILABLE, "cannot listen at %s: %s", address.c_str(),
                 std::strerror(errno));
  return {};
}

Status moert::connectTo(const std::string &address, Deadline deadline,
                        Socket &socket) {
  sockaddr_in place;
  Status status = parseAddress(address, place);
  if (!status.ok())
    return status;
  for (;;) {
    Socket attempt(
        ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    int problem = attempt.get() < 0 ? errno : 0;
    if (!problem && connect(attempt.get(), reinterpret_cast<sockaddr *>(&place),
                            sizeof(place)) != 0)
      problem = errno;
    if (problem == EINPROGRESS) {
      pollfd entry{attempt.get(), POLLOUT, 0};
      socklen_t size = sizeof(problem);
      problem = ETIMEDOUT;
      if (poll(&entry, 1, deadline.remainingMs(1000)) > 0)
        getsockopt(attempt.get(), SOL_SOCKET, SO_ERROR, &problem, &size);
    }
    if (!problem) {
      watchPeer(attempt.get());
      socket = std::move(attempt);
      return {};
    }
    if (deadline.hasPassed())
      return error(MOERT_DEADLINE_EXCEEDED,
                   "rank 0 could not be reached at %s before the deadline: %s",
                   address.c_str(), std::strerror(problem));
    usleep(20000);
  }
}

bool moert::sendAll(int fd, const std::string &bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t sent = send(fd, bytes.data() + done, bytes.size() - done,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      done += static_cast<size_t>(sent);
      continue;
    }
    if (sent < 0 && errno == EINTR)
      continue;
    constexpr int kPatienceMs = 5000;
    pollfd entry{fd, POLLOUT, 0};
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
      return false;
    if (poll(&entry, 1, kPatienceMs) <= 0)
      return false;
  }
  return true;
}
