// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meeting point of processes.

#include "net/Hub.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>

using namespace moert;

Status Hub::start(const std::string &address, std::string token,
                  int32_t worldSize, std::unique_ptr<Hub> &hub) {
  Socket listener;
  Status status = verifyToken(address, token);
  if (status.ok())
    status = listenAt(address, listener);
  if (status.ok())
    hub.reset(new Hub(std::move(listener), std::move(token), worldSize));
  return status;
}

Hub::Hub(Socket socket, std::string token, int32_t worldSize)
    : listener(std::move(socket)), worldSize(worldSize),
      rendezvous(std::move(token), worldSize) {
  thread = std::thread([this] { run(); });
}

Hub::~Hub() {
  stopping.store(true);
  thread.join();
}

/// Runs the loop. No exception leaves the thread; an exception ends the job.
void Hub::run() {
  std::string reason;
  try {
    return loop();
  } catch (const std::exception &problem) {
    reason = problem.what();
  }
  try {
    rendezvous.fail(error(MOERT_BACKEND_ERROR,
                          "rank 0, where the ranks meet, cannot go on: %s",
                          reason.c_str()),
                    {});
    for (const auto &connection : connections)
      if (connection->guest.rank >= 0)
        sendAll(connection->socket.get(), connection->guest.toSend);
  } catch (const std::exception &) {
    // There is no memory even for a message, so close the connections instead.
  }
  connections.clear();
  listener.close();
}

void Hub::loop() {
  Deadline::Clock::time_point stopTime{};
  for (;;) {
    auto now = Deadline::Clock::now();
    if (stopping.load()) {
      // Other ranks may still have to learn why the job ended.
      if (stopTime == Deadline::Clock::time_point{})
        stopTime = now + std::chrono::seconds(2);
      if (rendezvous.isDeserted())
        return;
      if (now >= stopTime) {
        // Remaining ranks continue without a hub. A rank that does not receive
        // this message notices that the connection ends.
        rendezvous.sendToAll(MessageWriter().finish(MessageType::Leave));
        for (const auto &connection : connections)
          if (connection->guest.rank >= 0)
            sendAll(connection->socket.get(), connection->guest.toSend);
        return;
      }
    }
    short forNew = now >= fullUntil ? POLLIN : 0;
    std::vector<pollfd> entries{{listener.get(), forNew, 0}};
    for (const auto &connection : connections)
      entries.push_back(
          {connection->socket.get(),
           static_cast<short>(POLLIN |
                              (connection->guest.toSend.empty() ? 0 : POLLOUT)),
           0});
    constexpr int kTickMs = 20;
    if (poll(entries.data(), entries.size(), kTickMs) < 0 && errno != EINTR)
      throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
    size_t numPolled = connections.size();
    if (entries[0].revents & POLLIN)
      accept();
    now = Deadline::Clock::now();
    for (size_t i = 0; i < numPolled; ++i) {
      Connection &connection = *connections[i];
      Rendezvous::Guest &guest = connection.guest;
      if (!guest.gone &&
          (entries[i + 1].revents & (POLLIN | POLLHUP | POLLERR)))
        read(connection);
      // Limit the time of a connection that does not introduce itself.
      if (guest.rank < 0 && now - connection.since > std::chrono::seconds(5))
        guest.gone = true;
    }
    // Flush after reading from all, because one rank's messages concern others.
    for (const auto &connection : connections)
      flush(*connection);
    std::erase_if(connections, [](const auto &connection) {
      return connection->guest.gone;
    });
  }
}

void Hub::accept() {
  for (;;) {
    Socket socket(::accept4(listener.get(), nullptr, nullptr,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0) {
      // An immediate retry would use a whole core until descriptors are free.
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
          errno == ENOMEM)
        fullUntil = Deadline::Clock::now() + std::chrono::milliseconds(100);
      return;
    }
    size_t strangers = std::count_if(
        connections.begin(), connections.end(),
        [](const auto &connection) { return connection->guest.rank < 0; });
    // Unknown connections must not use up the file descriptors of this process.
    if (strangers >= static_cast<size_t>(worldSize) + 64)
      continue;
    watchPeer(socket.get());
    auto connection = std::make_unique<Connection>();
    connection->socket = std::move(socket);
    connection->since = Deadline::Clock::now();
    connections.push_back(std::move(connection));
  }
}

void Hub::read(Connection &connection) {
  Rendezvous::Guest &guest = connection.guest;
  char bytes[65536];
  // A rank that sends without pause must not block the others.
  for (int turn = 0; turn < 16; ++turn) {
    ssize_t got =
        recv(connection.socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno == ECONNRESET))
      return rendezvous.lose(guest, connection.received.isBetweenMessages()
                                        ? "ended without a word"
                                        : "ended in the middle of a message");
    if (got < 0) {
      if (errno == EAGAIN || errno == EINTR)
        return;
      return rendezvous.lose(guest,
                             std::string("was lost: ") + std::strerror(errno));
    }
    connection.received.append(bytes, static_cast<size_t>(got));
    for (;;) {
      MessageType type;
      std::string body;
      int result = connection.received.next(
          type, body, guest.rank < 0 ? kLongestHello : kLongestBody);
      if (result == 0)
        break;
      if (result < 0)
        return rendezvous.violate(guest, "bytes that are no message");
      rendezvous.handle(guest, type, MessageReader(std::move(body)));
      if (guest.gone)
        return;
    }
  }
}

/// Sends as much as the connection accepts without waiting.
void Hub::flush(Connection &connection) {
  std::string &text = connection.guest.toSend;
  if (text.empty())
    return;
  // More than all messages of a running job: the peer no longer reads.
  constexpr size_t kMostWaiting = size_t(256) << 20;
  ssize_t sent = send(connection.socket.get(), text.data(), text.size(),
                      MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0)
    text.erase(0, static_cast<size_t>(sent));
  if (connection.guest.gone)
    return;
  if (sent < 0 && errno != EAGAIN && errno != EINTR)
    rendezvous.lose(connection.guest,
                    std::string("was lost: ") + std::strerror(errno));
  else if (text.size() > kMostWaiting)
    rendezvous.lose(connection.guest, "takes no message any more");
}
