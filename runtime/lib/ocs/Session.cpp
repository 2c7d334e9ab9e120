// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connection to an optical switch.

#include "ocs/Session.h"
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

using namespace moert;

/// Hides the text after the user's name, because a switch may echo a login,
/// even incompletely.
static std::string hideSecret(std::string text) {
  constexpr std::string_view kLogin = "ACT-USER:";
  for (size_t from = 0;
       (from = text.find(kLogin, from)) != std::string::npos;) {
    from += kLogin.size();
    text.replace(from, text.find(';', from) - from, "***");
  }
  return text;
}

Status Session::fail(moert_status code, const std::string &what,
                     const std::string &sent, const std::string &got) {
  Status status = error(code, "switch at %s: %s; sent %s, received %s",
                        address.c_str(), what.c_str(), printWire(sent).c_str(),
                        printWire(hideSecret(got)).c_str());
  close();
  return status;
}

void Session::close() {
  socket.close();
  reader = Tl1Reader();
  received.clear();
}

bool Session::isConnected() {
  char bytes[4096];
  ssize_t count = 0;
  size_t passedOver = 0;
  // A peer that never stops sending is not a switch.
  while (socket.get() >= 0 && passedOver <= Tl1Reader::kMostBytes &&
         (count = recv(socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT)) > 0) {
    passedOver += static_cast<size_t>(count);
    // No answer is pending, so discard complete messages.
    reader.feed(std::string_view(bytes, static_cast<size_t>(count)));
    for (Tl1Message message; reader.next(message);)
      ;
    if (reader.isTooLong())
      break;
  }
  bool isQuiet = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  if (!isQuiet)
    close();
  return isQuiet;
}

Status Session::waitFor(short events, Deadline deadline,
                        const std::string &sent) {
  for (;;) {
    pollfd entries[] = {{socket.get(), events, 0}, {wakeUp, POLLIN, 0}};
    int count = poll(entries, 2, deadline.remainingMs(1000));
    if (count < 0 && errno != EINTR)
      return fail(MOERT_BACKEND_ERROR,
                  std::string("cannot wait: ") + std::strerror(errno), sent,
                  received);
    if (count > 0 && entries[1].revents)
      return fail(MOERT_ABORTED, "the connection was closed by its user", sent,
                  received);
    if (count > 0 && entries[0].revents)
      return {};
    if (deadline.hasPassed())
      return fail(MOERT_DEADLINE_EXCEEDED,
                  events == POLLIN ? "no complete answer before the deadline"
                                   : "not reachable before the deadline",
                  sent, received);
  }
}

Status Session::connect(Deadline deadline) {
  close();
  sockaddr_in place;
  Status status = parseAddress(address, place);
  if (!status.ok())
    return status;
  socket =
      Socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  int problem = socket.get() < 0 ? errno : 0;
  if (!problem && ::connect(socket.get(), reinterpret_cast<sockaddr *>(&place),
                            sizeof(place)) != 0)
    problem = errno;
  if (problem == EINPROGRESS) {
    status = waitFor(POLLOUT, deadline, "");
    if (!status.ok())
      return status;
    socklen_t size = sizeof(problem);
    getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &problem, &size);
  }
  if (problem) {
    close();
    return error(MOERT_UNAVAILABLE, "cannot connect to the switch at %s: %s",
                 address.c_str(), std::strerror(problem));
  }
  int one = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  return {};
}

Status Session::send(const std::string &bytes, Deadline deadline,
                     const std::string &sent) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = ::send(socket.get(), bytes.data() + done,
                           bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      done += static_cast<size_t>(count);
      continue;
    }
    if (count < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
      return fail(MOERT_BACKEND_ERROR,
                  std::string("cannot send: ") + std::strerror(errno), sent,
                  "");
    Status status = waitFor(POLLOUT, deadline, sent);
    if (!status.ok())
      return status;
  }
  return {};
}

Status Session::receive(Deadline deadline, const std::string &sent) {
  // Also limits a switch that never stops sending.
  if (deadline.hasPassed())
    return fail(MOERT_DEADLINE_EXCEEDED,
                "no complete answer before the deadline", sent, received);
  Status status = waitFor(POLLIN, deadline, sent);
  if (!status.ok())
    return status;
  char bytes[4096];
  ssize_t count = recv(socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
    return {};
  if (count <= 0)
    return fail(MOERT_BACKEND_ERROR,
                count == 0
                    ? std::string("it hung up before it had answered")
                    : std::string("cannot receive: ") + std::strerror(errno),
                sent, received);
  std::string_view got(bytes, static_cast<size_t>(count));
  reader.feed(got);
  constexpr size_t kKept = 4096;
  received.append(got);
  if (received.size() > 2 * kKept)
    received.erase(0, received.size() - kKept);
  if (reader.isTooLong())
    return fail(MOERT_BACKEND_ERROR, "its message has no end", sent, received);
  return {};
}

Status Session::exchange(const std::vector<Tl1Command> &commands,
                         Deadline deadline,
                         std::vector<std::vector<std::string>> &lines) {
  std::string bytes, sent;
  std::vector<std::string> tags, texts;
  for (const Tl1Command &command : commands) {
    tags.push_back(std::to_string(nextTag++));
    texts.push_back(command.print(tags.back()));
    bytes += texts.back() + "\r\n";
    sent.append(sent.empty() ? "" : " ").append(command.show(tags.back()));
  }
  received.clear();
  lines.assign(commands.size(), {});
  Status status = send(bytes, deadline, sent);
  if (!status.ok())
    return status;

  std::vector<bool> isAnswered(commands.size());
  size_t left = commands.size(), answerBytes = 0;
  Status refusal;
  while (left > 0) {
    Tl1Message message;
    while (left > 0 && reader.next(message)) {
      using Kind = Tl1Message::Kind;
      if (message.kind == Kind::Autonomous)
        continue;
      size_t index = 0;
      if (message.kind == Kind::Unknown) {
        // A switch may echo commands.
        while (index < texts.size() && texts[index] != message.text)
          ++index;
        if (index == texts.size())
          return fail(MOERT_BACKEND_ERROR, "expected messages of TL1", sent,
                      message.text);
        continue;
      }
      while (index < tags.size() && tags[index] != message.tag)
        ++index;
      if (index == tags.size() || isAnswered[index])
        return fail(MOERT_BACKEND_ERROR,
                    "it answers to a tag that nothing waits for", sent,
                    message.text);
      if (message.kind == Kind::Acknowledgment) {
        // Other codes mean that no answer will follow.
        if (message.code != "IP" && message.code != "PF" &&
            message.code != "OK")
          return fail(MOERT_BACKEND_ERROR, "it does not take the command", sent,
                      message.text);
        continue;
      }
      // Limit the total size of an answer, which may consist of many messages.
      answerBytes += message.text.size();
      if (answerBytes > Tl1Reader::kMostBytes)
        return fail(MOERT_BACKEND_ERROR, "its answer has no end", sent,
                    message.text);
      lines[index].insert(lines[index].end(), message.lines.begin(),
                          message.lines.end());
      bool isRefused = message.code == "DENY" || message.code == "PRTL";
      if (isRefused && refusal.ok())
        refusal =
            error(MOERT_BACKEND_ERROR,
                  "switch at %s: it %s; sent %s, "
                  "received %s",
                  address.c_str(),
                  message.code == "DENY" ? "denies a command"
                                         : "has done a part of a command only",
                  printWire(commands[index].show(tags[index])).c_str(),
                  printWire(hideSecret(message.text)).c_str());
      // After DELAY, the real answer will follow.
      if (message.isContinued || message.code == "DELAY")
        continue;
      isAnswered[index] = true;
      --left;
    }
    if (left == 0)
      break;
    status = receive(deadline, sent);
    if (!status.ok())
      return status;
  }
  return refusal;
}
