// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a job of ranks that meet.

#include "net/Rendezvous.h"
#include <algorithm>
#include <cinttypes>

using namespace moert;

std::string Rendezvous::printFailure(int32_t rank) const {
  bool concernsIt = std::find(failureConcerns.begin(), failureConcerns.end(),
                              rank) != failureConcerns.end();
  return MessageWriter()
      .number(failure.getCode())
      .number(concernsIt)
      .text(failure.getMessage())
      .finish(MessageType::Fail);
}

void Rendezvous::fail(const Status &status,
                      const std::vector<int32_t> &concerned) {
  if (failed)
    return;
  failed = true;
  failure = status;
  failureConcerns = concerned;
  for (int32_t rank = 0; rank < worldSize; ++rank)
    if (members[rank])
      members[rank]->toSend += printFailure(rank);
}

void Rendezvous::failByWord(Guest &guest, MessageReader &message) {
  uint64_t code = message.number();
  std::vector<int32_t> concerned = message.ranks();
  std::string words = message.text();
  if (!message.isWhole() || code < MOERT_INVALID_ARGUMENT ||
      code > MOERT_BACKEND_ERROR)
    return violate(guest, "a failure that cannot be read");
  fail(Status(static_cast<moert_status>(code), std::move(words)), concerned);
}

std::vector<int32_t> Rendezvous::findMissing(const Group &group,
                                             uint64_t number) {
  std::vector<int32_t> missing;
  for (size_t i = 0; i < group.ranks.size(); ++i)
    if (group.calls[i] <= number)
      missing.push_back(group.ranks[i]);
  return missing;
}

Whereabouts Rendezvous::findWhereabouts(int32_t rank) const {
  if (left[rank])
    return {"has left the job", {}};
  Whereabouts found;
  auto add = [&](const std::string &what, const std::vector<int32_t> &missing) {
    found.words += (found.words.empty() ? "waits in " : " and ") + what +
                   " for ranks " + printRanks(missing.data(), missing.size());
    found.waitsFor.insert(found.waitsFor.end(), missing.begin(), missing.end());
  };
  // Find groups where the rank is ahead of another member.
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
      add(meeting.makesGroup ? "the creation of " + meeting.what : meeting.what,
          missing);
  }
  if (found.words.empty())
    found.words = "is in no collective";
  return found;
}

std::string Rendezvous::describe(std::vector<int32_t> missing) const {
  return describeBlame(missing,
                       [&](int32_t rank) { return findWhereabouts(rank); });
}

/// Fails a meeting if a member has left before it arrived.
void Rendezvous::findAbandoned(const Meeting &meeting) {
  std::vector<int32_t> gone;
  for (size_t i = 0; i < meeting.ranks.size(); ++i)
    if (!meeting.present[i] && left[meeting.ranks[i]])
      gone.push_back(meeting.ranks[i]);
  if (!gone.empty())
    fail(error(MOERT_ABORTED, "%s: expected all members to come, %s",
               meeting.what.c_str(), describe(gone).c_str()),
         meeting.ranks);
}

/// Fails a collective if a member has left before it called it, so that the
/// others need not wait.
void Rendezvous::findAbandoned(const Group &group) {
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
