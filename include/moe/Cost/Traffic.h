// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that ranks of groups exchange.
//
// All groups exchange the same bytes at the same time. A rank is identified by
// its place in its group. No representation stores a number per pair of ranks:
// all blocks of a collective have one size, the bytes of a ring depend on the
// distance, and irregular traffic lists its messages.

#ifndef MOE_COST_TRAFFIC_H
#define MOE_COST_TRAFFIC_H

#include "moe/Cost/Collectives.h"

#include <variant>

namespace moe::cost {

/// A collective that exchanges equal blocks of a buffer of `buffer` bytes (see
/// `CollectiveKind` for the meaning of the buffer).
struct BlockExchange {
  CollectiveKind kind;
  int64_t buffer = 0;
};

/// `bytes[d]` bytes from each place p to place (p + d) mod n; 0 for distances
/// past the end.
struct RingTraffic {
  std::vector<int64_t> bytes;
};

/// Bytes from one place to another.
struct Message {
  int64_t from = 0, to = 0, bytes = 0;

  friend bool operator==(const Message &, const Message &) = default;
};

/// Messages in any order; messages of one pair add up.
struct MessageList {
  std::vector<Message> messages;
  /// True for an all-to-all with unequal blocks, as tokens produce it. Measured
  /// all-to-all times apply to it.
  bool isAllToAll = false;

  friend bool operator==(const MessageList &, const MessageList &) = default;
};

using Traffic = std::variant<BlockExchange, RingTraffic, MessageList>;

/// Calls `visit` with the sending rank, the receiving rank and the bytes (a
/// double) of each message of a ring or list, group by group.
template <typename Visitor>
void forEachMessage(const RankGroups &groups, const RingTraffic &ring,
                    Visitor visit) {
  int64_t size = groups.getGroupSize();
  for (int64_t g = 0; g < groups.getNumGroups(); ++g)
    for (size_t d = 0; d < ring.bytes.size(); ++d)
      for (int64_t from = 0; ring.bytes[d] != 0 && from < size; ++from)
        visit(groups.getGroup(g)[size_t(from)],
              groups.getGroup(g)[size_t((from + int64_t(d)) % size)],
              double(ring.bytes[d]));
}
template <typename Visitor>
void forEachMessage(const RankGroups &groups, const MessageList &list,
                    Visitor visit) {
  for (int64_t g = 0; g < groups.getNumGroups(); ++g)
    for (auto [from, to, bytes] : list.messages)
      visit(groups.getGroup(g)[size_t(from)], groups.getGroup(g)[size_t(to)],
            double(bytes));
}

/// Returns the most bytes that one rank sends to others in groups of
/// `groupSize` ranks (SPEC CC-2). Fails if a place is not in the group, bytes
/// are negative, or the sum overflows.
Result<int64_t> getSentBytes(const Traffic &traffic, int64_t groupSize);

/// Returns the cost of traffic on a machine. Blocks cost as much as their
/// collective. For rings and messages, bytes are split by level like the bytes
/// of an all-to-all. Curves are evaluated at the most bytes that one rank sends
/// or receives, including its own part, because this is the buffer if all parts
/// are equal; fits do not apply. An all-to-all of unequal blocks costs the
/// same, except that if the outermost level crossed has an all-to-all fit, it
/// takes as long as the all-to-all of equal blocks that puts the same load on
/// the busiest endpoint of a level.
///
/// If a level has a port rate and its endpoints carry unequal bytes, the time
/// is the greater of two bounds, but at most the time of equal blocks that load
/// every endpoint like the busiest one. The first bound applies to all
/// endpoints together: the time of equal blocks with the mean load. The second
/// bound applies to the busiest endpoint: the latency plus the time of its
/// bytes at the port rate.
///
/// Fails if `getSentBytes` fails or if the machine lacks ranks of the groups.
/// machine lacks.
Result<CostBreakdown> getTrafficCost(const Machine &machine,
                                     const RankGroups &groups,
                                     const Traffic &traffic);

} // namespace moe::cost

#endif // MOE_COST_TRAFFIC_H
