//===- Hub.cpp - Where processes meet ---------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "net/Hub.h"
#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <numeric>
#include <poll.h>
#include <sys/socket.h>

using namespace moert;

Status Hub::start(const std::string &address, std::string token,
                  int32_t worldSize, std::unique_ptr<Hub> &hub) {
  Socket listener;
  Status status = listenAt(address, listener);
  if (status.ok())
    hub.reset(new Hub(std::move(listener), std::move(token), worldSize));
  return status;
}

Hub::Hub(Socket socket, std::string token, int32_t worldSize)
    : listener(std::move(socket)), token(std::move(token)),
      worldSize(worldSize), members(worldSize, nullptr),
      left(worldSize, false) {
  thread = std::thread([this] { loop(); });
}

Hub::~Hub() {
  stopping.store(true);
  thread.join();
}

void Hub::loop() {
  Deadline::Clock::time_point stopTime{};
  for (;;) {
    if (stopping.load()) {
      // Others may still want to hear why the job ended.
      if (stopTime == Deadline::Clock::time_point{})
        stopTime = Deadline::Clock::now() + std::chrono::seconds(2);
      bool nobody = std::all_of(members.begin(), members.end(),
                                [](Guest *guest) { return !guest; });
      if (nobody)
        return;
      if (Deadline::Clock::now() >= stopTime) {
        // Those who stay go on without a hub.
        std::string farewell = MessageWriter().finish(MessageType::Leave);
        for (Guest *guest : members)
          if (guest)
            sendAll(guest->socket.get(), guest->toSend + farewell);
        return;
      }
    }
    std::vector<pollfd> entries{{listener.get(), POLLIN, 0}};
    for (const auto &guest : guests)
      entries.push_back(
          {guest->socket.get(),
           static_cast<short>(POLLIN | (guest->toSend.empty() ? 0 : POLLOUT)),
           0});
    constexpr int kTickMs = 20;
    if (poll(entries.data(), entries.size(), kTickMs) < 0 && errno != EINTR)
      return;
    size_t numPolled = guests.size();
    if (entries[0].revents & POLLIN)
      accept();
    auto now = Deadline::Clock::now();
    for (size_t i = 0; i < numPolled; ++i) {
      Guest &guest = *guests[i];
      short events = entries[i + 1].revents;
      if (!guest.gone && (events & (POLLIN | POLLHUP | POLLERR)))
        read(guest);
      if (!guest.gone && !guest.toSend.empty()) {
        ssize_t sent = send(guest.socket.get(), guest.toSend.data(),
                            guest.toSend.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
          guest.toSend.erase(0, static_cast<size_t>(sent));
        else if (sent < 0 && errno != EAGAIN && errno != EINTR)
          lose(guest);
      }
      // A stranger that says nothing takes no place for long.
      if (guest.rank < 0 && now - guest.since > std::chrono::seconds(5))
        guest.gone = true;
    }
    std::erase_if(guests, [](const auto &guest) { return guest->gone; });
  }
}

void Hub::accept() {
  for (;;) {
    Socket socket(::accept4(listener.get(), nullptr, nullptr,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0)
      return;
    size_t strangers =
        std::count_if(guests.begin(), guests.end(),
                      [](const auto &guest) { return guest->rank < 0; });
    // A crowd of strangers must not use up the files of this process.
    if (strangers >= static_cast<size_t>(worldSize) + 64)
      continue;
    auto guest = std::make_unique<Guest>();
    guest->socket = std::move(socket);
    guest->since = Deadline::Clock::now();
    guests.push_back(std::move(guest));
  }
}

void Hub::read(Guest &guest) {
  char bytes[65536];
  for (;;) {
    ssize_t got = recv(guest.socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      lose(guest);
      return;
    }
    if (got < 0)
      return;
    guest.received.append(bytes, static_cast<size_t>(got));
    for (;;) {
      MessageType type;
      std::string body;
      int result = guest.received.next(type, body);
      if (result == 0)
        break;
      if (result < 0)
        return lose(guest);
      handle(guest, type, MessageReader(std::move(body)));
      if (guest.gone)
        return;
    }
  }
}

void Hub::handle(Guest &guest, MessageType type, MessageReader message) {
  if (guest.rank < 0) {
    if (type == MessageType::Hello)
      return hello(guest, message);
    guest.gone = true;
    return;
  }
  switch (type) {
  case MessageType::Meet:
    return meet(guest, message);
  case MessageType::Call:
    return call(guest, message);
  case MessageType::Stuck:
    return stuck(guest, message);
  case MessageType::Fail: {
    auto code = static_cast<moert_status>(message.number());
    std::vector<int32_t> concerned = message.ranks();
    return fail(Status(code, message.text()), concerned);
  }
  case MessageType::Leave:
    left[guest.rank] = true;
    ++numLeft;
    members[guest.rank] = nullptr;
    guest.gone = true;
    for (const auto &[id, group] : groups)
      findAbandoned(group);
    return;
  default:
    return lose(guest);
  }
}

void Hub::refuse(Guest &guest, const std::string &why) {
  std::string message = MessageWriter().text(why).finish(MessageType::Refused);
  // The answer fits any socket's buffer; when it does not, so be it.
  (void)send(guest.socket.get(), message.data(), message.size(),
             MSG_NOSIGNAL | MSG_DONTWAIT);
  guest.gone = true;
}

/// Takes the same time wherever the texts differ.
static bool isSame(const std::string &a, const std::string &b) {
  unsigned char difference = a.size() != b.size();
  for (size_t i = 0; i < a.size(); ++i)
    difference |=
        static_cast<unsigned char>(a[i] ^ (i < b.size() ? b[i] : '\xff'));
  return difference == 0;
}

void Hub::hello(Guest &guest, MessageReader &message) {
  uint64_t version = message.number(), size = message.number(),
           rank = message.number();
  std::string shown = message.text();
  if (message.isBad() || !isSame(shown, token))
    return refuse(guest, "expected the token of the job, got another one");
  if (version != kProtocolVersion)
    return refuse(guest, format("expected version %u of the protocol, got "
                                "%" PRIu64,
                                kProtocolVersion, version));
  if (size != static_cast<uint64_t>(worldSize) || rank >= size)
    return refuse(guest, format("expected the %d ranks of the job, got rank "
                                "%" PRIu64 " of %" PRIu64,
                                worldSize, rank, size));
  if (members[rank] || left[rank])
    return refuse(guest, format("expected one rank %" PRIu64 ", got a second "
                                "one",
                                rank));
  guest.rank = static_cast<int32_t>(rank);
  members[rank] = &guest;
  if (++numJoined == worldSize)
    for (int32_t other = 0; other < worldSize; ++other)
      sendTo(other, MessageWriter().finish(MessageType::Welcome));
}

void Hub::sendTo(int32_t rank, const std::string &message) {
  if (members[rank])
    members[rank]->toSend += message;
}

void Hub::lose(Guest &guest) {
  guest.gone = true;
  if (guest.rank < 0)
    return;
  members[guest.rank] = nullptr;
  left[guest.rank] = true;
  fail(error(MOERT_ABORTED,
             "rank %d is gone: its connection ended without a word",
             guest.rank),
       {});
}

void Hub::fail(const Status &status, const std::vector<int32_t> &concerned) {
  if (failed)
    return;
  failed = true;
  for (int32_t rank = 0; rank < worldSize; ++rank) {
    bool concernsIt =
        std::find(concerned.begin(), concerned.end(), rank) != concerned.end();
    sendTo(rank, MessageWriter()
                     .number(status.getCode())
                     .number(concernsIt)
                     .text(status.getMessage())
                     .finish(MessageType::Fail));
  }
}

std::vector<int32_t> Hub::findMissing(const Group &group, uint64_t number) {
  std::vector<int32_t> missing;
  for (size_t i = 0; i < group.ranks.size(); ++i)
    if (group.calls[i] <= number)
      missing.push_back(group.ranks[i]);
  return missing;
}

Whereabouts Hub::findWhereabouts(int32_t rank) const {
  if (left[rank])
    return {"has left the job", {}};
  Whereabouts found;
  auto add = [&](const std::string &what, const std::vector<int32_t> &missing) {
    found.words += (found.words.empty() ? "waits in " : " and ") + what +
                   " for ranks " + printRanks(missing.data(), missing.size());
    found.waitsFor.insert(found.waitsFor.end(), missing.begin(), missing.end());
  };
  // Groups in which it is ahead of somebody.
  for (const auto &[id, group] : groups) {
    auto it = std::find(group.ranks.begin(), group.ranks.end(), rank);
    if (it == group.ranks.end())
      continue;
    uint64_t own = group.calls[it - group.ranks.begin()];
    auto open = own ? group.open.find(own - 1) : group.open.end();
    if (open != group.open.end())
      add(format("%s, #%" PRIu64 " of %s", open->second.words.c_str(), own - 1,
                 group.name.c_str()),
          findMissing(group, own - 1));
  }
  for (const auto &[name, meeting] : meetings) {
    std::vector<int32_t> missing;
    bool isHere = false;
    for (size_t i = 0; i < meeting.ranks.size(); ++i) {
      isHere |= meeting.present[i] && meeting.ranks[i] == rank;
      if (!meeting.present[i])
        missing.push_back(meeting.ranks[i]);
    }
    if (isHere)
      add("the creation of the communicator of " + name, missing);
  }
  if (found.words.empty())
    found.words = "is in no collective";
  return found;
}

std::string Hub::describe(std::vector<int32_t> missing) const {
  return describeBlame(missing,
                       [&](int32_t rank) { return findWhereabouts(rank); });
}

/// A member that left before it came never will: the others need not wait.
void Hub::findAbandoned(const Group &group) {
  for (const auto &[number, call] : group.open) {
    std::vector<int32_t> gone = findMissing(group, number);
    std::erase_if(gone, [&](int32_t rank) { return !left[rank]; });
    if (!gone.empty())
      return fail(error(MOERT_ABORTED,
                        "%s, #%" PRIu64 " of %s: expected all ranks to come, "
                        "%s",
                        call.words.c_str(), number, group.name.c_str(),
                        describe(gone).c_str()),
                  group.ranks);
  }
}

void Hub::meet(Guest &guest, MessageReader &message) {
  std::string name = message.text();
  std::vector<int32_t> ranks = message.ranks();
  uint64_t position = message.number();
  std::string data = message.text();
  if (message.isBad() || position >= ranks.size() ||
      ranks[position] != guest.rank)
    return lose(guest);
  Meeting &meeting = meetings[name];
  if (meeting.ranks.empty()) {
    meeting.ranks = ranks;
    meeting.data.resize(ranks.size());
    meeting.present.resize(ranks.size());
  }
  if (meeting.ranks != ranks)
    return fail(error(MOERT_MISMATCH,
                      "expected all members of %s to list the same order, got "
                      "%s on rank %d",
                      name.c_str(),
                      printRanks(ranks.data(), ranks.size()).c_str(),
                      guest.rank),
                ranks);
  if (meeting.present[position])
    return lose(guest);
  meeting.present[position] = true;
  meeting.data[position] = std::move(data);
  if (++meeting.count < ranks.size())
    return;
  MessageWriter answer;
  answer.text(name).number(nextGroup);
  for (const std::string &part : meeting.data)
    answer.text(part);
  for (int32_t rank : ranks)
    sendTo(rank, answer.finish(MessageType::Met));
  Group &group = groups[nextGroup++];
  group.ranks = ranks;
  group.name = name;
  group.calls.assign(ranks.size(), 0);
  meetings.erase(name);
}

void Hub::call(Guest &guest, MessageReader &message) {
  uint64_t id = message.number(), position = message.number(),
           number = message.number();
  std::string words = message.text();
  std::vector<int64_t> sizes = message.numbers();
  auto it = groups.find(id);
  if (message.isBad() || it == groups.end() ||
      position >= it->second.ranks.size() ||
      it->second.ranks[position] != guest.rank)
    return lose(guest);
  Group &group = it->second;
  group.calls[position] = number + 1;
  auto [entry, isFirst] =
      group.open.try_emplace(number, Group::Call{words, guest.rank, 0, {}});
  Group::Call &first = entry->second;
  if (!isFirst && first.words != words)
    return fail(error(MOERT_MISMATCH,
                      "collective #%" PRIu64
                      " of %s: expected all ranks to call the same, got %s on "
                      "rank %d and %s on rank %d",
                      number, group.name.c_str(), first.words.c_str(),
                      first.rank, words.c_str(), guest.rank),
                group.ranks);
  if (!sizes.empty()) {
    first.sizes.resize(group.ranks.size());
    first.sizes[position] = std::move(sizes);
  }
  if (++first.count < group.ranks.size())
    return numLeft ? findAbandoned(group) : void();
  if (!first.sizes.empty())
    compareSizes(group, number);
  group.open.erase(number);
}

/// What every member sends must be what its peer expects.
void Hub::compareSizes(const Group &group, uint64_t number) {
  const Group::Call &call = group.open.at(number);
  size_t n = group.ranks.size();
  for (const std::vector<int64_t> &sizes : call.sizes)
    if (sizes.size() != 2 * n)
      return;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (call.sizes[i][j] != call.sizes[j][n + i])
        return fail(error(MOERT_MISMATCH,
                          "ragged_all_to_all #%" PRIu64
                          " of %s: rank %d expects %" PRId64
                          " rows from rank %d, which sends %" PRId64,
                          number, group.name.c_str(), group.ranks[j],
                          call.sizes[j][n + i], group.ranks[i],
                          call.sizes[i][j]),
                    group.ranks);
}

void Hub::stuck(Guest &guest, MessageReader &message) {
  std::string name = message.text();
  uint64_t id = message.number(), number = message.number();
  std::string words = message.text();
  std::vector<int32_t> missing, concerned;
  if (name == "join") {
    for (int32_t rank = 0; rank < worldSize; ++rank)
      (members[rank] ? concerned : missing).push_back(rank);
    return fail(error(MOERT_DEADLINE_EXCEEDED,
                      "expected all %d ranks to join the job before the "
                      "deadline, missing are ranks %s",
                      worldSize,
                      printRanks(missing.data(), missing.size()).c_str()),
                concerned);
  }
  if (auto it = meetings.find(name); it != meetings.end()) {
    concerned = it->second.ranks;
    for (size_t i = 0; i < concerned.size(); ++i)
      if (!it->second.present[i])
        missing.push_back(concerned[i]);
    return fail(error(MOERT_DEADLINE_EXCEEDED,
                      "expected all members to create the communicator of %s "
                      "before the deadline, %s",
                      name.c_str(), describe(missing).c_str()),
                concerned);
  }
  auto it = groups.find(id);
  if (it == groups.end())
    return lose(guest);
  concerned = it->second.ranks;
  for (size_t i = 0; i < concerned.size(); ++i)
    if (it->second.calls[i] <= number)
      missing.push_back(concerned[i]);
  if (missing.empty())
    return fail(error(MOERT_DEADLINE_EXCEEDED,
                      "%s #%" PRIu64 " of %s did not end before the deadline, "
                      "though all ranks came to it; rank %d waited",
                      words.c_str(), number, it->second.name.c_str(),
                      guest.rank),
                concerned);
  fail(error(MOERT_DEADLINE_EXCEEDED,
             "%s #%" PRIu64 " of %s: expected all ranks to come before the "
             "deadline, %s",
             words.c_str(), number, it->second.name.c_str(),
             describe(missing).c_str()),
       concerned);
}
