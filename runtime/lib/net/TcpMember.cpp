// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections of ranks to the hub.

#include "net/TcpMember.h"
#include "net/SizeDigest.h"
#include <cerrno>
#include <exception>
#include <numeric>
#include <poll.h>
#include <sys/socket.h>

using namespace moert;

/// Time limit for answers of a hub that has welcomed this rank.
constexpr int64_t kAnswerUs = 2000000;

TcpMember::TcpMember(const moert_config &config, Socket socket,
                     std::unique_ptr<Hub> hub)
    : rank(config.rank), worldSize(config.world_size),
      socket(std::move(socket)), hub(std::move(hub)) {
  thread = std::thread([this] {
    // No exception leaves the thread; an exception becomes a failure.
    try {
      loop();
    } catch (const std::exception &problem) {
      raise(error(MOERT_BACKEND_ERROR, "cannot hear rank 0 any more: %s",
                  problem.what()),
            {this->rank});
    }
  });
}

TcpMember::~TcpMember() {
  send(MessageWriter().finish(MessageType::Leave));
  stopping.store(true);
  thread.join();
  socket.close();
}

Status TcpMember::join(const moert_config &config, Deadline deadline,
                       std::unique_ptr<Member> &joined) {
  std::string address = config.address ? config.address : "";
  std::string token = config.token ? config.token : "";
  std::unique_ptr<Hub> hub;
  Socket socket;
  Status status;
  status = verifyToken(address, token);
  if (status.ok() && config.rank == 0)
    status = Hub::start(address, token, config.world_size, hub);
  if (status.ok())
    status = connectTo(address, deadline, socket);
  if (!status.ok())
    return status;
  std::unique_ptr<TcpMember> member(
      new TcpMember(config, std::move(socket), std::move(hub)));
  member->send(MessageWriter()
                   .number(kProtocolVersion)
                   .number(static_cast<uint64_t>(config.world_size))
                   .number(static_cast<uint64_t>(config.rank))
                   .text(token)
                   .finish(MessageType::Hello));
  TcpMember &self = *member;
  // The hub of this process answers immediately. Elsewhere, another program may
  // listen, so reserve a part of the remaining time for the answer.
  constexpr int64_t kMostForAnswerUs = 500000;
  constexpr int kLong = 1 << 30;
  int64_t forAnswerUs =
      std::min(kMostForAnswerUs, int64_t(deadline.remainingMs(kLong)) * 250);
  bool isOwn = config.rank == 0;
  status = self.waitFor(
      [&self] {
        std::lock_guard<std::mutex> lock(self.mutex);
        return self.welcome;
      },
      isOwn ? deadline : deadline.extendedBy(-forAnswerUs),
      isOwn ? deadline.extendedBy(kAnswerUs) : deadline,
      MessageWriter().text("join").number(0).number(0).text("").finish(
          MessageType::Stuck));
  if (status.ok())
    joined = std::move(member);
  return status;
}

void TcpMember::send(const std::string &message) {
  std::lock_guard<std::mutex> lock(sendMutex);
  // After a message that was sent in part, the hub cannot read another one.
  if (cannotSend || socket.get() < 0)
    return;
  // Keep the order of the messages.
  calls += message;
  cannotSend = !sendAll(socket.get(), calls);
  calls.clear();
  if (cannotSend)
    raise(error(MOERT_ABORTED, "rank 0, where the ranks meet, takes no message "
                               "any more"),
          {});
}

void TcpMember::raise(Status status, std::vector<int32_t> concerned) {
  if (failure.raise(std::move(status), std::move(concerned)))
    signal.notify();
}

void TcpMember::fail(const Status &status,
                     const std::vector<int32_t> &concerned) {
  send(MessageWriter()
           .number(status.getCode())
           .ranks(concerned)
           .text(status.getMessage())
           .finish(MessageType::Fail));
  raise(status, concerned);
}

void TcpMember::loop() {
  MessageBuffer received;
  char bytes[65536];
  while (!stopping.load()) {
    constexpr int kTickMs = 50;
    pollfd entry{socket.get(), POLLIN, 0};
    if (poll(&entry, 1, kTickMs) <= 0)
      continue;
    ssize_t got = recv(socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
      continue;
    if (got <= 0) {
      if (!stopping.load())
        raise(error(MOERT_ABORTED, "rank 0, where the ranks meet, is gone: "
                                   "its connection ended without a word"),
              {});
      return;
    }
    received.append(bytes, static_cast<size_t>(got));
    MessageType type;
    std::string body;
    for (;;) {
      int result = received.next(type, body);
      if (result == 0)
        break;
      // The peer is not a hub of ours, so stop reading.
      if (result < 0) {
        raise(error(MOERT_BACKEND_ERROR,
                    "expected rank 0 of the job to listen at the address, got "
                    "somebody who speaks another language"),
              {rank});
        return;
      }
      MessageReader message(body);
      // The hub ends before this rank and sends nothing more.
      if (type == MessageType::Leave)
        return;
      if (type == MessageType::Sizes) {
        uint64_t group = message.number(), number = message.number();
        tellSizes(group, number);
      } else if (type == MessageType::Fail) {
        auto code = static_cast<moert_status>(message.number());
        bool concernsMe = message.number() != 0;
        raise(Status(code, message.text()),
              concernsMe ? std::vector<int32_t>{rank} : std::vector<int32_t>{});
      } else if (type == MessageType::Refused) {
        raise(Status(MOERT_INVALID_ARGUMENT, message.text()), {rank});
      } else {
        std::lock_guard<std::mutex> lock(mutex);
        if (type == MessageType::Welcome)
          welcome = true;
        else if (type == MessageType::Met)
          met.emplace(message.text(), message);
      }
      signal.notify();
    }
  }
}

Status TcpMember::waitFor(const std::function<bool()> &isDone,
                          Deadline deadline, Deadline last,
                          const std::string &stuck) {
  auto isOver = [&] { return failure.isRaised() || isDone(); };
  if (!signal.wait(isOver, deadline)) {
    // The hub knows which ranks are missing, and notifies all ranks.
    send(stuck);
    signal.wait(isOver, last);
  }
  if (isDone())
    return {};
  if (failure.isRaised())
    return failure.getStatusOf(rank);
  return error(MOERT_DEADLINE_EXCEEDED,
               "rank 0, where the ranks meet, did not answer");
}

Status TcpMember::meet(const std::string &name,
                       const std::vector<int32_t> &ranks, int32_t position,
                       const std::string &data, Deadline deadline,
                       std::vector<std::string> &all, uint64_t &group) {
  return meet(MessageType::Meet, name, ranks, position, data, deadline, all,
              group);
}

Status TcpMember::exchange(const std::string &name, const std::string &data,
                           Deadline deadline, std::vector<std::string> &all) {
  std::vector<int32_t> ranks(worldSize);
  std::iota(ranks.begin(), ranks.end(), 0);
  uint64_t group = 0;
  return meet(MessageType::Exchange, name, ranks, rank, data, deadline, all,
              group);
}

Status TcpMember::meet(MessageType type, const std::string &name,
                       const std::vector<int32_t> &ranks, int32_t position,
                       const std::string &data, Deadline deadline,
                       std::vector<std::string> &all, uint64_t &group) {
  send(MessageWriter()
           .text(name)
           .ranks(ranks)
           .number(static_cast<uint64_t>(position))
           .text(data)
           .finish(type));
  Status status = waitFor(
      [&] {
        std::lock_guard<std::mutex> lock(mutex);
        return met.count(name) != 0;
      },
      deadline, deadline.extendedBy(kAnswerUs),
      MessageWriter().text(name).number(0).number(0).text("").finish(
          MessageType::Stuck));
  if (!status.ok())
    return status;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = met.find(name);
  MessageReader message = it->second;
  met.erase(it);
  group = message.number();
  all.clear();
  for (size_t i = 0; i < ranks.size(); ++i)
    all.push_back(message.text());
  if (!message.isWhole())
    return error(MOERT_BACKEND_ERROR, "the hub's answer cannot be read");
  return {};
}

void TcpMember::addCall(uint64_t group, int32_t position, uint64_t number,
                        const std::string &words,
                        const std::vector<int64_t> &sizes) {
  std::vector<int64_t> digest;
  if (!sizes.empty())
    digest.push_back(static_cast<int64_t>(
        digestSizes(static_cast<uint64_t>(position), sizes)));
  std::string message = MessageWriter()
                            .number(group)
                            .number(static_cast<uint64_t>(position))
                            .number(number)
                            .text(words)
                            .numbers(digest)
                            .finish(MessageType::Call);
  std::lock_guard<std::mutex> lock(sendMutex);
  if (cannotSend)
    return;
  calls += message;
  if (sizes.empty())
    return;
  keptSizes.push_back({group, number, sizes});
  if (keptSizes.size() > kMostKeptSizes)
    keptSizes.pop_front();
}

void TcpMember::tellSizes(uint64_t group, uint64_t number) {
  std::vector<int64_t> sizes;
  {
    std::lock_guard<std::mutex> lock(sendMutex);
    for (const KeptSizes &kept : keptSizes)
      if (kept.group == group && kept.number == number)
        sizes = kept.sizes;
  }
  send(MessageWriter().number(group).number(number).numbers(sizes).finish(
      MessageType::Sizes));
}

void TcpMember::flush() {
  {
    std::lock_guard<std::mutex> lock(sendMutex);
    if (calls.empty())
      return;
  }
  send("");
}

void TcpMember::reportStuck(uint64_t group, uint64_t number,
                            const std::string &words) {
  send(MessageWriter().text("").number(group).number(number).text(words).finish(
      MessageType::Stuck));
}
