// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks send each other.
//
// The bytes that the ranks of groups send each other at once, all groups alike.
// Ranks are named by their places in their group. No form holds a number for
// each pair of ranks: a collective's blocks are all of one size, a ring's
// depend on the distance, and what has no such symmetry lists its messages.

#ifndef MOE_COST_TRAFFIC_H
#define MOE_COST_TRAFFIC_H

#include "moe/Cost/Collectives.h"

#include <variant>

namespace moe::cost {

/// A collective that exchanges equal blocks of a buffer of so many bytes (see
/// `CollectiveKind` for whose bytes these are).
struct BlockExchange {
  CollectiveKind kind;
  int64_t buffer = 0;
};

/// Runs of sizes that are not known between all pairs: the most that a rank
/// sends, and receives. Counted as if spread evenly and nothing kept.
struct BoundedExchange {
  int64_t sent = 0, received = 0;
};

/// `bytes[d]` from each place p to place (p + d) mod n. What is not there is 0.
struct RingTraffic {
  std::vector<int64_t> bytes;
};

/// Bytes from one place to another.
struct Message {
  int64_t from = 0, to = 0, bytes = 0;

  friend bool operator==(const Message &, const Message &) = default;
};

/// Messages in any order; those of one pair add up.
struct SparseTraffic {
  std::vector<Message> messages;
};

/// An all-to-all whose blocks differ, as tokens make them: its messages in any
/// order; those of one pair add up.
struct UnequalExchange {
  std::vector<Message> messages;
};

using Traffic = std::variant<BlockExchange, BoundedExchange, RingTraffic,
                             SparseTraffic, UnequalExchange>;

/// The most bytes that one rank sends to others in groups of so many (SPEC
/// CC-2). Fails when places are not those of the group, bytes are negative, or
/// the sum does not fit.
Result<int64_t> getSentBytes(const Traffic &traffic, int64_t groupSize);

/// The cost of traffic on a machine. Blocks cost what their collective does,
/// bounded runs an all-to-all of the larger bound. Of rings and messages the
/// bytes are split by level as an all-to-all's are; curves are looked up at the
/// most that one rank sends or receives in all, its own part included, which
/// for equal parts is the buffer, and fits do not apply. Unequal blocks cost
/// the same; but where the outermost level that they cross has a fit of
/// all-to-alls, they take what the all-to-all of equal blocks does that puts as
/// much on the busiest endpoint of a level.
///
/// Where a level has a port rate and its endpoints carry unequal bytes, two
/// things bound the time: all endpoints together, which take what one that
/// carries the mean of them takes of equal blocks, and the busiest one, whose
/// bytes pass it at the port rate after the latency. The greater holds, and
/// never more than equal blocks take that put as much on every endpoint as on
/// the busiest.
///
/// Fails as `getSentBytes` does, and when the groups have ranks that the
/// machine lacks.
Result<CostBreakdown> getTrafficCost(const Machine &machine,
                                     const RankGroups &groups,
                                     const Traffic &traffic);

} // namespace moe::cost

#endif // MOE_COST_TRAFFIC_H
