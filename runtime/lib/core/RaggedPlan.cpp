// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of ragged exchanges.

#include "core/RaggedPlan.h"
#include "core/Types.h"
#include "kernels/Verify.h"
#include <string>

using namespace moert;

int64_t RaggedPlan::getCount(int64_t at, int64_t from, int64_t expert) const {
  return loadInteger(countsType, counts,
                     (at * ranks + from) * experts + expert);
}

Status RaggedPlan::verify() const {
  Status status = firstError({
      verifyInteger("counts", countsType),
      verifyInteger("offsets and sizes", type),
      verifySizes({{"ranks", ranks, 1},
                   {"joined ranks", joined, 1},
                   {"experts", experts, 1},
                   {"a limit", limit, 0}}),
      verifySizes({{"a position", position, 0, ranks - 1},
                   {"a joined position", joinedPosition, 0, joined - 1}}),
      verifyVolume("the counts", {joined, ranks, experts}),
      verifyPointer("the counts", counts, {1}),
      verifyPointer("the offsets to send from", sendOffsets, {1}),
      verifyPointer("the sizes to send", sendSizes, {1}),
      verifyPointer("the offsets to receive at", receiveOffsets, {1}),
      verifyPointer("the sizes to receive", receiveSizes, {1}),
      verifyPointer("the offsets of runs", runOffsets, {1}),
      verifyPointer("the sizes of runs", runSizes, {1}),
  });
  if (!status.ok())
    return status;
  if (experts % ranks != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected experts that divide by the %lld ranks, got %lld",
                 static_cast<long long>(ranks),
                 static_cast<long long>(experts));
  if (limit > getLargestInteger(type) / joined)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected the limit of %lld rows, %lld times, to fit %s",
                 static_cast<long long>(limit), static_cast<long long>(joined),
                 getTypeName(type));
  return {};
}

std::string RaggedPlan::describe(int64_t at, int64_t to) const {
  auto place = static_cast<long long>(to);
  if (members)
    return format("rank %d, position %lld of its group",
                  static_cast<int>(members[at * ranks + to]), place);
  if (joined == 1)
    return format("the one at position %lld", place);
  return format("the one at position %lld of group %lld of %lld", place,
                static_cast<long long>(at), static_cast<long long>(joined));
}

Status RaggedPlan::verifyCounts() const {
  int64_t own = experts / ranks;
  for (int64_t at = 0; at < joined; ++at)
    for (int64_t to = 0; to < ranks; ++to) {
      int64_t rows = 0;
      for (int64_t from = 0; from < ranks; ++from)
        for (int64_t expert = to * own; expert < (to + 1) * own; ++expert) {
          int64_t count = getCount(at, from, expert);
          if (count < 0)
            return error(MOERT_INVALID_ARGUMENT,
                         "expected counts of at least 0, got %lld of expert "
                         "%lld from position %lld",
                         static_cast<long long>(count),
                         static_cast<long long>(expert),
                         static_cast<long long>(from));
          // A sum that overflows exceeds every limit.
          rows = rows > INT64_MAX - count ? INT64_MAX : rows + count;
        }
      if (rows <= limit)
        continue;
      return error(MOERT_INVALID_ARGUMENT,
                   "expected at most %lld rows for a rank, got %lld for %s: a "
                   "greater limit (--receive-factor) takes them",
                   static_cast<long long>(limit), static_cast<long long>(rows),
                   describe(at, to).c_str());
    }
  return {};
}

void RaggedPlan::writeRuns() const {
  int64_t own = experts / ranks;
  for (int64_t at = 0, run = 0; at < joined; ++at) {
    int64_t offset = at * limit;
    for (int64_t from = 0; from < ranks; ++from)
      for (int64_t e = 0; e < own; ++e, ++run) {
        int64_t count = getCount(at, from, position * own + e);
        storeInteger(type, runOffsets, run, offset);
        storeInteger(type, runSizes, run, count);
        offset += count;
      }
  }
}

Status RaggedPlan::make() const {
  if (Status status = verifyCounts(); !status.ok())
    return status;
  // Each count is within the limit, because the sum over all positions is.
  auto countRows = [&](int64_t from, int64_t to) {
    int64_t own = experts / ranks, rows = 0;
    for (int64_t e = to * own; e < (to + 1) * own; ++e)
      rows += getCount(joinedPosition, from, e);
    return rows;
  };
  int64_t sendAt = 0, receiveAt = 0, most = getLargestInteger(type);
  for (int64_t peer = 0; peer < ranks; ++peer) {
    int64_t sent = countRows(position, peer);
    int64_t received = countRows(peer, position);
    if (sent > most - sendAt)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the rows of position %lld for all others to fit "
                   "%s, got %lld before position %lld and %lld for it",
                   static_cast<long long>(position), getTypeName(type),
                   static_cast<long long>(sendAt), static_cast<long long>(peer),
                   static_cast<long long>(sent));
    storeInteger(type, sendOffsets, peer, sendAt);
    storeInteger(type, sendSizes, peer, sent);
    storeInteger(type, receiveOffsets, peer, receiveAt);
    storeInteger(type, receiveSizes, peer, received);
    sendAt += sent;
    receiveAt += received;
  }
  writeRuns();
  return {};
}
