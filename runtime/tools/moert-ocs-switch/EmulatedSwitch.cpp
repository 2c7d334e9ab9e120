// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An emulated optical circuit switch.

#include "EmulatedSwitch.h"
#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <set>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/// The answer to a command.
struct EmulatedSwitch::Answer {
  std::string code = "COMPLD";
  std::vector<std::string> lines;
  /// Number of circuits that the command set up.
  size_t numEntered = 0;
};

struct EmulatedSwitch::Client {
  int fd = -1;
  bool isLoggedIn = false;
  bool isOver = false;
  std::string input;
  std::deque<std::string> commands;
  /// End and delayed answer of a command that takes time.
  std::optional<Clock::time_point> due;
  std::string delayed;
  bool isCutOff = false;
  /// Circuits before a command that has changed them, and the tag of the
  /// command.
  std::optional<std::map<int32_t, int32_t>> before;
  std::string tag;
  /// Circuits before the first of several changes that are executed together
  /// with the last one.
  std::optional<std::map<int32_t, int32_t>> carriedOut;
  /// The times when links are up, with the number of circuits.
  std::deque<std::pair<Clock::time_point, size_t>> links;
};

/// Polling interval for answers that are held back.
constexpr std::chrono::milliseconds kLook(1);

static std::chrono::nanoseconds makeTime(double us) {
  return std::chrono::nanoseconds(static_cast<int64_t>(us * 1e3));
}

EmulatedSwitch::EmulatedSwitch(EmulatedSwitchOptions options)
    : options(std::move(options)) {}

EmulatedSwitch::~EmulatedSwitch() {
  if (thread.joinable()) {
    uint64_t one = 1;
    [[maybe_unused]] ssize_t written = write(stopSign, &one, sizeof(one));
    thread.join();
  }
  for (const Client &client : clients)
    close(client.fd);
  for (int fd : {listener, stopSign})
    if (fd >= 0)
      close(fd);
}

bool EmulatedSwitch::start(std::string &reason) {
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  stopSign = eventfd(0, EFD_CLOEXEC);
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  place.sin_port = htons(static_cast<uint16_t>(options.port));
  int one = 1;
  socklen_t size = sizeof(place);
  if (listener < 0 || stopSign < 0 ||
      setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 ||
      bind(listener, reinterpret_cast<sockaddr *>(&place), size) != 0 ||
      listen(listener, 16) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&place), &size) != 0) {
    reason = std::string("cannot listen at 127.0.0.1:") +
             std::to_string(options.port) + ": " + std::strerror(errno);
    return false;
  }
  port = ntohs(place.sin_port);
  thread = std::thread([this] { run(); });
  return true;
}

std::vector<std::string> EmulatedSwitch::getLog() const {
  std::lock_guard<std::mutex> lock(mutex);
  return log;
}

std::map<int32_t, int32_t> EmulatedSwitch::getCircuits() const {
  std::lock_guard<std::mutex> lock(mutex);
  return circuits;
}

void EmulatedSwitch::setCircuits(std::map<int32_t, int32_t> present) {
  std::lock_guard<std::mutex> lock(mutex);
  circuits = std::move(present);
}

void EmulatedSwitch::setFaults(std::vector<SwitchFault> faults) {
  std::lock_guard<std::mutex> lock(mutex);
  options.faults = std::move(faults);
}

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

void EmulatedSwitch::run() {
  for (;;) {
    std::vector<pollfd> entries = {{stopSign, POLLIN, 0},
                                   {listener, POLLIN, 0}};
    std::optional<Clock::time_point> next;
    auto note = [&](Clock::time_point time) {
      next = next ? std::min(*next, time) : time;
    };
    for (const Client &client : clients) {
      entries.push_back({client.fd, POLLIN, 0});
      if (client.due)
        note(isHolding ? Clock::now() + kLook : *client.due);
      if (!client.links.empty())
        note(client.links.front().first);
    }
    timespec timeout = {};
    if (next) {
      auto left = std::max(std::chrono::nanoseconds(*next - Clock::now()),
                           std::chrono::nanoseconds(0));
      timeout.tv_sec = left.count() / 1000000000;
      timeout.tv_nsec = left.count() % 1000000000;
    }
    if (ppoll(entries.data(), entries.size(), next ? &timeout : nullptr,
              nullptr) < 0 &&
        errno != EINTR)
      return;
    if (entries[0].revents)
      return;
    size_t index = 2;
    for (auto it = clients.begin(); it != clients.end();) {
      Client &client = *it;
      bool goesOn = !entries[index++].revents || receive(client);
      if (goesOn && advance(client, Clock::now())) {
        ++it;
        continue;
      }
      leave(client);
      it = clients.erase(it);
    }
    if (isDead) {
      for (Client &client : clients)
        leave(client);
      clients.clear();
      close(listener);
      listener = -1;
      return;
    }
    if (entries[1].revents) {
      int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      int one = 1;
      if (fd >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        clients.emplace_back().fd = fd;
      }
    }
  }
}

bool EmulatedSwitch::receive(Client &client) {
  char bytes[4096];
  ssize_t count = recv(client.fd, bytes, sizeof(bytes), MSG_DONTWAIT);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  if (count == 0)
    return false;
  client.input.append(bytes, static_cast<size_t>(count));
  // No client sends this much at once.
  if (client.input.size() > 1 << 20)
    return false;
  for (size_t end; (end = client.input.find(';')) != std::string::npos;) {
    std::string command = client.input.substr(0, end);
    client.input.erase(0, end + 1);
    command.erase(
        0, std::min(command.find_first_not_of("\r\n\t "), command.size()));
    client.commands.push_back(std::move(command));
  }
  return true;
}

void EmulatedSwitch::send(Client &client, const std::string &bytes) {
  size_t step = options.fragment ? options.fragment : bytes.size();
  for (size_t done = 0; done < bytes.size() && !client.isOver; done += step) {
    size_t size = std::min(step, bytes.size() - done);
    if (options.fragment && done > 0)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    // Answers are short enough for the buffers of the system.
    if (::send(client.fd, bytes.data() + done, size,
               MSG_NOSIGNAL | MSG_DONTWAIT) != static_cast<ssize_t>(size))
      client.isOver = true;
  }
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Splits a text at a separator.
static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

static std::string makeMessage(const std::string &line,
                               const std::vector<std::string> &lines,
                               char end) {
  std::string text = "\r\n\n   EMULATED 26-01-01 00:00:00\r\n" + line + "\r\n";
  for (const std::string &other : lines)
    text += "   " + other + "\r\n";
  return text + end;
}

std::optional<SwitchFault::Kind>
EmulatedSwitch::takeFault(const std::string &command) {
  std::lock_guard<std::mutex> lock(mutex);
  for (SwitchFault &fault : options.faults) {
    bool applies = fault.verb.empty() ? !command.starts_with("ACT-USER")
                                      : command.starts_with(fault.verb);
    if (!applies || fault.times == 0)
      continue;
    if (fault.times > 0)
      --fault.times;
    return fault.kind;
  }
  return std::nullopt;
}

bool EmulatedSwitch::advance(Client &client, Clock::time_point now) {
  while (!client.isOver) {
    if (!client.links.empty() && client.links.front().first <= now) {
      size_t count = client.links.front().second;
      client.links.pop_front();
      send(client,
           makeMessage("A  " + std::to_string(nextNotice++) + " REPT EVT",
                       {"\"LINKS UP:" + std::to_string(count) + "\""}, ';'));
      continue;
    }
    if (client.due) {
      if (isHolding || *client.due > now)
        return true;
      client.due.reset();
      carryOut(client);
      send(client, client.delayed);
      if (client.isCutOff)
        return false;
      continue;
    }
    if (client.commands.empty())
      return true;
    std::string command = std::move(client.commands.front());
    client.commands.pop_front();
    begin(client, command, now);
  }
  return false;
}

void EmulatedSwitch::carryOut(Client &client) {
  if (!options.onChange || (!client.before && !client.carriedOut))
    return;
  bool moreComes = !client.isCutOff && !client.commands.empty() &&
                   (client.commands.front().starts_with("ENT-") ||
                    client.commands.front().starts_with("DLT-"));
  if (moreComes) {
    if (!client.carriedOut)
      client.carriedOut = std::move(client.before);
    client.before.reset();
    return;
  }
  if (!options.onChange(getCircuits())) {
    setCircuits(client.before ? *client.before : *client.carriedOut);
    client.links.clear();
    if (!client.delayed.empty())
      client.delayed = makeMessage(
          "M  " + client.tag + " DENY",
          {"SROF", "/* the change could not be carried out */"}, ';');
    // Keep earlier changes that were already acknowledged, if possible.
    if (client.before && client.carriedOut && !options.onChange(getCircuits()))
      setCircuits(*client.carriedOut);
  }
  client.before.reset();
  client.carriedOut.reset();
}

void EmulatedSwitch::leave(Client &client) {
  client.commands.clear();
  client.before.reset();
  carryOut(client);
  close(client.fd);
}

void EmulatedSwitch::begin(Client &client, const std::string &command,
                           Clock::time_point now) {
  if (options.hasEcho)
    send(client, command + ";\r\n");
  std::vector<std::string> parts = split(command, ':');
  std::string tag = parts.size() > 3 ? parts[3] : "0";
  bool isLogin = command.starts_with("ACT-USER");
  std::optional<SwitchFault::Kind> fault = takeFault(command);
  if (fault == SwitchFault::Kind::Death) {
    isDead = client.isOver = true;
    return;
  }
  std::map<int32_t, int32_t> before = getCircuits();
  Answer answer;
  if (fault == SwitchFault::Kind::Deny)
    answer = {"DENY", {"SROF", "/* ROTATION FAILED */"}, 0};
  else
    answer = execute(client, command, fault == SwitchFault::Kind::Partial);
  if (!isLogin) {
    std::lock_guard<std::mutex> lock(mutex);
    log.push_back(command);
  }

  std::string text;
  if (options.isTalkative)
    text += makeMessage("*C " + std::to_string(nextNotice++) + " REPT ALM ENV",
                        {"\"FAN:CR;<slow>\"", "/* turns; slowly */"}, ';');
  if (fault == SwitchFault::Kind::Delay)
    text += makeMessage("M  " + tag + " DELAY", {}, ';');
  size_t most = options.rowsPerMessage
                    ? options.rowsPerMessage
                    : std::max<size_t>(answer.lines.size(), 1);
  std::string reply;
  for (size_t from = 0; from == 0 || from < answer.lines.size(); from += most) {
    size_t to = std::min(from + most, answer.lines.size());
    reply += makeMessage("M  " + tag + " " + answer.code,
                         {answer.lines.begin() + static_cast<long>(from),
                          answer.lines.begin() + static_cast<long>(to)},
                         to < answer.lines.size() ? '>' : ';');
  }
  if (fault == SwitchFault::Kind::Silence)
    reply.clear();
  if (fault == SwitchFault::Kind::Garbage)
    reply = "HTTP/1.1 400 Bad Request\r\n\r\n;";
  client.isCutOff = fault == SwitchFault::Kind::Disconnect;
  if (client.isCutOff)
    reply.resize(reply.size() / 2);

  double us = answer.numEntered > 0 || fault == SwitchFault::Kind::Delay
                  ? options.baseUs + options.perPairUs *
                                         static_cast<double>(answer.numEntered)
                  : 0;
  if (fault == SwitchFault::Kind::Delay) {
    send(client, text);
    text.clear();
  }
  client.due = now + makeTime(us);
  client.tag = tag;
  client.before.reset();
  if (getCircuits() != before)
    client.before = std::move(before);
  client.delayed = text + reply;
  if (answer.numEntered > 0 && options.linkUpUs > 0)
    client.links.emplace_back(*client.due + makeTime(options.linkUpUs),
                              answer.numEntered);
}

/// Reads ports joined by '&'; returns false for any other text.
static bool readPorts(const std::string &text, int32_t numPorts,
                      std::vector<int32_t> &ports) {
  for (const std::string &part : split(text, '&')) {
    int32_t port = 0;
    const char *end = part.data() + part.size();
    auto [last, failure] = std::from_chars(part.data(), end, port);
    if (failure != std::errc() || last != end || port < 1 || port > numPorts)
      return false;
    ports.push_back(port);
  }
  return true;
}

EmulatedSwitch::Answer EmulatedSwitch::execute(Client &client,
                                               const std::string &command,
                                               bool isPartial) {
  std::vector<std::string> parts = split(command, ':');
  if (parts.size() < 4 || parts[3].empty())
    return {"DENY", {"IISP", "/* expected VERB::BLOCK:TAG:... */"}, 0};
  const std::string &verb = parts[0], &block = parts[2];
  if (verb == "ACT-USER") {
    if (block != options.user || parts.size() < 6 ||
        parts[5] != options.password)
      return {"DENY", {"PIUI", "/* wrong user or password */"}, 0};
    client.isLoggedIn = true;
    return {};
  }
  if (!client.isLoggedIn)
    return {"DENY", {"PLNA", "/* log in first */"}, 0};
  std::string object = options.isCalient ? "CRS" : "PATCH";
  // Calient's command also contains a group, and marks circuits as
  // bidirectional.
  bool isComplete = !options.isCalient || verb != "ENT-CRS" ||
                    (parts.size() == 6 && parts[5] == "moe,2WAY");
  if (verb == "ENT-" + object && isComplete)
    return enter(block, isPartial);
  if (verb == "DLT-" + object)
    return remove(block, isPartial);
  if (verb != "RTRV-" + object)
    return {"DENY", {"ICNV", "/* expected another command */"}, 0};
  Answer answer;
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[in, out] : circuits)
    answer.lines.push_back("\"" + std::to_string(in) + "," +
                           std::to_string(out) +
                           (options.isCalient ? ":moe:2WAY\"" : "\""));
  return answer;
}

EmulatedSwitch::Answer EmulatedSwitch::enter(const std::string &block,
                                             bool isPartial) {
  std::vector<std::string> sides = split(block, ',');
  std::vector<int32_t> in, out;
  if (sides.size() != 2 || !readPorts(sides[0], options.numPorts, in) ||
      !readPorts(sides[1], options.numPorts, out) || in.size() != out.size())
    return {"DENY", {"IDNV", "/* expected ports in,out */"}, 0};
  std::lock_guard<std::mutex> lock(mutex);
  std::set<int32_t> used;
  for (const auto &[a, b] : circuits)
    used.insert({a, b});
  for (const std::vector<int32_t> &side : {in, out})
    for (int32_t port : side)
      if (!used.insert(port).second)
        return {"DENY",
                {"SABT", "/* port " + std::to_string(port) + " is in use */"},
                0};
  for (const std::vector<int32_t> &side : {in, out})
    for (int32_t port : side)
      if (options.deadPorts.count(port))
        return {"DENY", {"SROF", "/* ROTATION FAILED */"}, 0};
  size_t count = isPartial ? in.size() / 2 : in.size();
  for (size_t i = 0; i < count; ++i)
    circuits[in[i]] = out[i];
  return {isPartial ? "PRTL" : "COMPLD", {}, count};
}

EmulatedSwitch::Answer EmulatedSwitch::remove(const std::string &block,
                                              bool isPartial) {
  std::lock_guard<std::mutex> lock(mutex);
  if (block == "ALL" && !options.isCalient) {
    circuits.clear();
    return {};
  }
  // The block of Calient is a circuit; the block of Polatis is a list of ports.
  std::vector<int32_t> ports;
  std::vector<std::string> sides = split(block, ',');
  for (const std::string &side : sides)
    if (sides.size() != (options.isCalient ? 2u : 1u) ||
        !readPorts(side, options.numPorts, ports))
      return {"DENY", {"IDNV", "/* expected ports */"}, 0};
  if (options.isCalient) {
    auto it = circuits.find(ports[0]);
    if (it == circuits.end() || it->second != ports.back())
      return {"DENY", {"SNVS", "/* no such circuit */"}, 0};
    ports.pop_back();
  }
  size_t count = isPartial ? ports.size() / 2 : ports.size();
  for (size_t i = 0; i < count; ++i) {
    auto it =
        std::find_if(circuits.begin(), circuits.end(), [&](const auto &entry) {
          return entry.first == ports[i] || entry.second == ports[i];
        });
    if (it == circuits.end())
      return {
          "DENY",
          {"SNVS", "/* port " + std::to_string(ports[i]) + " is not in use */"},
          0};
    circuits.erase(it);
  }
  return {isPartial ? "PRTL" : "COMPLD", {}, 0};
}
