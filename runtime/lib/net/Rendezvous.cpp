// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Agreement of ranks that meet.

#include "net/Rendezvous.h"
#include <algorithm>
#include <cinttypes>

using namespace moert;

/// Maximum number of concurrent meetings per rank; each of its threads waits in
/// one.
constexpr uint32_t kMostMeetings = 1024;

Rendezvous::Rendezvous(std::string token, int32_t worldSize)
    : token(std::move(token)), worldSize(worldSize),
      members(worldSize, nullptr), left(worldSize, false),
      numMeetings(worldSize, 0) {}

bool Rendezvous::isDeserted() const {
  return std::all_of(members.begin(), members.end(),
                     [](Guest *guest) { return !guest; });
}

void Rendezvous::sendToAll(const std::string &message) {
  for (Guest *guest : members)
    if (guest)
      guest->toSend += message;
}

void Rendezvous::handle(Guest &guest, MessageType type, MessageReader message) {
  if (guest.rank < 0) {
    if (type == MessageType::Hello)
      return hello(guest, message);
    guest.gone = true;
    return;
  }
  switch (type) {
  case MessageType::Meet:
    return meet(guest, message, true);
  case MessageType::Exchange:
    return meet(guest, message, false);
  case MessageType::Call:
    return call(guest, message);
  case MessageType::Stuck:
    return stuck(guest, message);
  case MessageType::Fail:
    return failByWord(guest, message);
  case MessageType::Leave:
    return leave(guest);
  case MessageType::Sizes:
    return takeSizes(guest, message);
  case MessageType::Hello:
  case MessageType::Welcome:
  case MessageType::Refused:
  case MessageType::Met:
    break;
  }
  violate(guest, format("a message of type %u", static_cast<unsigned>(type)));
}

void Rendezvous::refuse(Guest &guest, const std::string &why) {
  guest.toSend += MessageWriter().text(why).finish(MessageType::Refused);
  guest.gone = true;
}

//===----------------------------------------------------------------------===//
// Joining and leaving
//===----------------------------------------------------------------------===//

/// Compares two texts in a time that does not depend on where they differ.
static bool isSame(const std::string &a, const std::string &b) {
  unsigned char difference = a.size() != b.size();
  for (size_t i = 0; i < a.size(); ++i)
    difference |=
        static_cast<unsigned char>(a[i] ^ (i < b.size() ? b[i] : '\xff'));
  return difference == 0;
}

void Rendezvous::hello(Guest &guest, MessageReader &message) {
  uint64_t version = message.number(), size = message.number(),
           rank = message.number();
  std::string shown = message.text();
  if (!message.isWhole() || !isSame(shown, token))
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
  ++numJoined;
  if (failed)
    guest.toSend += printFailure(guest.rank);
  else if (hasStarted())
    sendToAll(MessageWriter().finish(MessageType::Welcome));
}

void Rendezvous::leave(Guest &guest) {
  left[guest.rank] = true;
  ++numLeft;
  members[guest.rank] = nullptr;
  guest.gone = true;
  for (const auto &entry : meetings)
    findAbandoned(entry.second);
  for (auto &[id, group] : groups) {
    findAbandoned(group);
    // The rank will not answer requests either.
    for (auto &[number, answers] : group.requested)
      for (size_t i = 0; i < answers.size() && !failed; ++i)
        if (group.ranks[i] == guest.rank && !answers[i])
          takeSizes(group, number, i, {});
  }
}

void Rendezvous::lose(Guest &guest, const std::string &how) {
  guest.gone = true;
  if (guest.rank < 0)
    return;
  members[guest.rank] = nullptr;
  left[guest.rank] = true;
  fail(error(MOERT_ABORTED, "rank %d is gone: its connection %s", guest.rank,
             how.c_str()),
       {});
}

void Rendezvous::violate(Guest &guest, const std::string &what) {
  if (guest.rank >= 0 && !hasStarted()) {
    // The peer is not part of the job, although it knew the token; the real
    // rank may still join.
    members[guest.rank] = nullptr;
    --numJoined;
  }
  std::string words = format("expected what ranks of a job say, got %s from "
                             "rank %d",
                             what.c_str(), guest.rank);
  if (guest.rank >= 0 && hasStarted()) {
    members[guest.rank] = nullptr;
    left[guest.rank] = true;
    fail(Status(MOERT_BACKEND_ERROR, words), {});
  }
  if (guest.rank >= 0)
    guest.toSend += MessageWriter().text(words).finish(MessageType::Refused);
  guest.gone = true;
}

//===----------------------------------------------------------------------===//
// Groups and their calls
//===----------------------------------------------------------------------===//

/// Returns a description of an error in the members that rank `own`, at
/// `position`, lists, or "".
std::string Rendezvous::findProblem(const std::vector<int32_t> &ranks,
                                    int32_t own, uint64_t position) const {
  std::vector<bool> seen(worldSize, false);
  for (int32_t rank : ranks) {
    if (rank < 0 || rank >= worldSize)
      return format("a group with rank %d, of %d ranks,", rank, worldSize);
    if (seen[rank])
      return format("a group that has rank %d twice", rank);
    seen[rank] = true;
  }
  if (position >= ranks.size() || ranks[position] != own)
    return format("a group in which it is not at position %" PRIu64, position);
  return "";
}

void Rendezvous::meet(Guest &guest, MessageReader &message, bool makesGroup) {
  std::string name = message.text();
  std::vector<int32_t> ranks = message.ranks();
  uint64_t position = message.number();
  std::string data = message.text();
  std::string problem = message.isWhole()
                            ? findProblem(ranks, guest.rank, position)
                            : "a meeting that cannot be read";
  if (problem.empty() && numMeetings[guest.rank] >= kMostMeetings)
    problem = format("more than %u meetings at a time", kMostMeetings);
  if (!problem.empty())
    return violate(guest, problem);
  Meeting &meeting = meetings[name];
  if (meeting.ranks.empty()) {
    meeting.ranks = ranks;
    meeting.data.resize(ranks.size());
    meeting.present.resize(ranks.size());
    meeting.what = makesGroup ? "the communicator of " + name : name;
    meeting.makesGroup = makesGroup;
  }
  if (meeting.makesGroup != makesGroup)
    return violate(guest, "a meeting of another kind than its name is of");
  if (meeting.ranks != ranks)
    return fail(error(MOERT_MISMATCH,
                      "expected all members of %s to list the same order, got "
                      "%s on rank %d",
                      name.c_str(),
                      printRanks(ranks.data(), ranks.size()).c_str(),
                      guest.rank),
                ranks);
  if (meeting.present[position])
    return violate(guest, "a meeting a second time");
  meeting.present[position] = true;
  ++numMeetings[guest.rank];
  meeting.data[position] = std::move(data);
  if (++meeting.count < ranks.size())
    return numLeft ? findAbandoned(meeting) : void();
  MessageWriter answer;
  answer.text(name).number(nextGroup);
  for (const std::string &part : meeting.data)
    answer.text(part);
  std::string text = answer.finish(MessageType::Met);
  for (int32_t rank : ranks) {
    --numMeetings[rank];
    if (members[rank])
      members[rank]->toSend += text;
  }
  if (makesGroup) {
    Group &group = groups[nextGroup++];
    group.ranks = ranks;
    group.name = name;
    group.calls.assign(ranks.size(), 0);
  }
  meetings.erase(name);
}

void Rendezvous::call(Guest &guest, MessageReader &message) {
  uint64_t id = message.number(), position = message.number(),
           number = message.number();
  std::string words = message.text();
  std::vector<int64_t> digest = message.numbers();
  auto it = groups.find(id);
  if (!message.isWhole() || it == groups.end() ||
      position >= it->second.ranks.size() ||
      it->second.ranks[position] != guest.rank)
    return violate(guest, "a collective of a group that it is no member of");
  Group &group = it->second;
  if (number != group.calls[position])
    return violate(guest,
                   format("collective #%" PRIu64 " of %s where #%" PRIu64
                          " is next",
                          number, group.name.c_str(), group.calls[position]));
  if (digest.size() > 1)
    return violate(
        guest, format("%zu digests of a collective's sizes", digest.size()));
  group.calls[position] = number + 1;
  auto [entry, isFirst] =
      group.open.try_emplace(number, Group::Call{words, guest.rank, 0, 0, 0});
  Group::Call &first = entry->second;
  if (!isFirst && first.words != words)
    return fail(error(MOERT_MISMATCH,
                      "collective #%" PRIu64
                      " of %s: expected all ranks to call the same, got %s on "
                      "rank %d and %s on rank %d",
                      number, group.name.c_str(), first.words.c_str(),
                      first.rank, words.c_str(), guest.rank),
                group.ranks);
  if (!digest.empty()) {
    ++first.numDigests;
    first.digest += static_cast<uint64_t>(digest.front());
  }
  if (++first.count < group.ranks.size())
    return numLeft ? findAbandoned(group) : void();
  size_t numDigests = first.numDigests;
  bool fits = first.digest == 0;
  group.open.erase(number);
  if (numDigests != 0 && numDigests != group.ranks.size())
    return fail(error(MOERT_MISMATCH,
                      "ragged_all_to_all #%" PRIu64
                      " of %s: %zu of %zu ranks do not say their sizes",
                      number, group.name.c_str(),
                      group.ranks.size() - numDigests, group.ranks.size()),
                group.ranks);
  if (!fits)
    requestSizes(id, number);
}

/// Requests the sizes of all members, because digests show a mismatch, but not
/// between which ranks.
void Rendezvous::requestSizes(uint64_t id, uint64_t number) {
  Group &group = groups.at(id);
  group.requested[number].resize(group.ranks.size());
  std::string question =
      MessageWriter().number(id).number(number).finish(MessageType::Sizes);
  for (size_t i = 0; i < group.ranks.size() && !failed; ++i) {
    if (Guest *member = members[group.ranks[i]])
      member->toSend += question;
    else
      takeSizes(group, number, i, {});
  }
}

void Rendezvous::takeSizes(Guest &guest, MessageReader &message) {
  uint64_t id = message.number(), number = message.number();
  std::vector<int64_t> sizes = message.numbers();
  auto it = groups.find(id);
  if (!message.isWhole() || it == groups.end())
    return violate(guest, "sizes that cannot be read");
  Group &group = it->second;
  size_t position =
      std::find(group.ranks.begin(), group.ranks.end(), guest.rank) -
      group.ranks.begin();
  auto requested = group.requested.find(number);
  if (requested == group.requested.end() || position == group.ranks.size() ||
      requested->second[position])
    return violate(guest, "sizes that the hub did not request");
  if (!sizes.empty() && sizes.size() != 2 * group.ranks.size())
    return violate(guest, format("%zu sizes of a collective of %zu ranks",
                                 sizes.size(), group.ranks.size()));
  takeSizes(group, number, position, std::move(sizes));
}

void Rendezvous::takeSizes(Group &group, uint64_t number, size_t position,
                           std::vector<int64_t> sizes) {
  auto &answers = group.requested.at(number);
  answers[position] = std::move(sizes);
  if (std::all_of(answers.begin(), answers.end(),
                  [](const auto &answer) { return answer.has_value(); }))
    compareSizes(group, number);
}

/// Finds a member that sends another number of rows than its peer expects, and
/// ends the job.
void Rendezvous::compareSizes(const Group &group, uint64_t number) {
  const auto &sizes = group.requested.at(number);
  size_t n = group.ranks.size();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (!sizes[i]->empty() && !sizes[j]->empty() &&
          (*sizes[i])[j] != (*sizes[j])[n + i])
        return fail(error(MOERT_MISMATCH,
                          "ragged_all_to_all #%" PRIu64
                          " of %s: rank %d expects %" PRId64
                          " rows from rank %d, which sends %" PRId64,
                          number, group.name.c_str(), group.ranks[j],
                          (*sizes[j])[n + i], group.ranks[i], (*sizes[i])[j]),
                    group.ranks);
  fail(error(MOERT_MISMATCH,
             "ragged_all_to_all #%" PRIu64
             " of %s: ranks expect other numbers of rows than are sent; which "
             "ranks is unknown, because one has left or no longer keeps its "
             "sizes",
             number, group.name.c_str()),
       group.ranks);
}

void Rendezvous::stuck(Guest &guest, MessageReader &message) {
  std::string name = message.text();
  uint64_t id = message.number(), number = message.number();
  std::string words = message.text();
  if (!message.isWhole())
    return violate(guest, "a wait that cannot be read");
  std::vector<int32_t> missing, concerned;
  if (name == "join") {
    // The welcome message is on its way.
    if (hasStarted())
      return;
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
                      "expected all members to %s %s before the deadline, %s",
                      it->second.makesGroup ? "create" : "come to",
                      it->second.what.c_str(), describe(missing).c_str()),
                concerned);
  }
  // The meeting has taken place, and the answer is on its way.
  if (!name.empty())
    return;
  auto it = groups.find(id);
  if (it == groups.end())
    return violate(
        guest, format("a wait in group %" PRIu64 ", which there is not", id));
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
