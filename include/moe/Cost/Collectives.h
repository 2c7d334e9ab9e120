// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a collective costs.
//
// The one cost of communication (SPEC CC-1 to CC-3). All groups of a
// collective act at once. The bytes that ranks exchange are split by level,
// those of the ranks that share a NIC are added up, and
//
//   time = alpha + max over levels l and their endpoints of
//          max(egress, ingress) / (bandwidth_l * efficiency_l(buffer))
//
// Which ranks talk:
//  - all_to_all: every ordered pair of a group exchanges buffer/n. The pair
//    loads the innermost level that has both ranks, and no other.
//  - all_gather: the hierarchical ring, outermost level first. Inside one
//    instance of level l, the members of the group that share an instance of
//    the level before form a part. The levels further out have left an even
//    share of the result with each member; what a part lacks of it enters the
//    part once, spread evenly over the part's members. The parts stand in a
//    ring, and each hands on to the next all but what that one started with.
//    With s_l members in an instance of level l everywhere, a rank sends
//    1/s_{l-1} - 1/s_l of the result over level l: together (n-1)/n, which is
//    CC-2.
//  - reduce_scatter: the same with every message turned round.
//  - all_reduce: a reduce_scatter and an all_gather, hence twice the bytes.
//
// Efficiency curves are looked up at the buffer of the collective, at every
// level: the size that nccl-tests prints and at which MoNTA reads r1(I/(N*t))
// and r2(I/N) (SPEC MO-2). alpha is the latency of the outermost level that
// the collective crosses, 0 if that level's curve contains it (CC-3); below
// the first point of such a curve the latency that it contains remains
// (EfficiencyCurve::getTime). A collective that crosses no level (one rank)
// takes no time.
//
// A line that was measured end to end replaces all that. It is of groups that
// lay in one way: so many ranks, so many of them in each instance of the level
// before. A group of as many ranks that lies otherwise loads other links: 16
// ranks one a node send 15/16 of an all-to-all through their NICs, 16 ranks on
// two nodes of 8 send 1/2. Where no line is of groups that lie as those asked
// about, slopes are scaled by what the formula above says of both.

#ifndef MOE_COST_COLLECTIVES_H
#define MOE_COST_COLLECTIVES_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"

#include <memory>
#include <span>
#include <unordered_map>

namespace moe::cost {

/// Groups of ranks that act at once: equally large, no rank in two of them.
/// Ranks of the machine in none of them are idle.
class RankGroups {
public:
  /// The groups over some axes of a mesh: the last axis is fastest, and the
  /// members of a group are in the order in which `axes` lists the axes, the
  /// last of them fastest. `axes` are positions in `shape`, each at most once.
  static Result<RankGroups> fromMesh(std::span<const int64_t> shape,
                                     std::span<const unsigned> axes);
  /// Groups given rank by rank; `ranks` holds one group after the other.
  static Result<RankGroups> fromLists(std::vector<int64_t> ranks,
                                      int64_t groupSize);

  int64_t getGroupSize() const { return groupSize; }
  int64_t getNumGroups() const { return int64_t(ranks.size()) / groupSize; }
  std::span<const int64_t> getGroup(int64_t index) const {
    return std::span(ranks).subspan(size_t(index * groupSize),
                                    size_t(groupSize));
  }
  /// One more than the largest rank.
  int64_t getRankLimit() const { return rankLimit; }
  std::span<const int64_t> getRanks() const { return ranks; }

  /// How many consecutive ranks of each group share an instance of a level that
  /// spans `levelRanks` ranks: 1 to all of them. Nothing when the instances do
  /// not cut the groups into runs of one length.
  std::optional<int64_t> countTogether(int64_t levelRanks) const;
  /// True when all ranks of each group share an instance of such a level: for
  /// the innermost one, when no group leaves its node.
  bool stayInside(int64_t levelRanks) const {
    return countTogether(levelRanks) == groupSize;
  }

  friend bool operator==(const RankGroups &, const RankGroups &) = default;

private:
  RankGroups(std::vector<int64_t> ranks, int64_t groupSize, int64_t rankLimit)
      : ranks(std::move(ranks)), groupSize(groupSize), rankLimit(rankLimit) {}

  std::vector<int64_t> ranks;
  int64_t groupSize, rankLimit;
};

/// What an operation costs at one level.
struct LevelCost {
  /// The level, by its place in the machine.
  unsigned level = 0;
  /// The most bytes that one rank sends or receives over the level, and that
  /// the busiest endpoint does: more than the former where ranks share a NIC.
  Bytes rankBytes, endpointBytes;
  /// The busiest endpoint: ranks from `endpoint * ranksPerNic` on.
  int64_t endpoint = 0;
  /// The part of the bandwidth reached: what the curve says at the buffer, or
  /// less below its first point, where latency is most of the time.
  double efficiency = 1;
  /// Time of the busiest endpoint, without alpha.
  Microseconds time;
};

/// The cost of one operation with its reasons.
struct CostBreakdown {
  Microseconds time;
  /// The part of the time that does not depend on bytes.
  Microseconds alpha;
  /// Levels that carry bytes, innermost first.
  std::vector<LevelCost> levels;
  /// The slowest of `levels`, by its place there; none if it is empty.
  std::optional<size_t> bottleneck;
  /// A measured model gave the time: alpha and beta of the outermost level.
  bool isFit = false;
  /// The buffer is outside of what the bottleneck's curve, or the fit, was
  /// measured at.
  bool isExtrapolated = false;
};

/// A kind of collective over groups on a machine, ready to be asked about
/// sizes. Keeps what it needs of the machine.
class CollectivePlan {
public:
  /// Fails when the groups have ranks that the machine lacks.
  static Result<CollectivePlan>
  create(const Machine &machine, const RankGroups &groups, CollectiveKind kind);

  /// Time for a buffer of so many bytes on each rank (see CollectiveKind for
  /// whose bytes these are). Some ten nanoseconds a level.
  Microseconds getTime(Bytes buffer) const;

  /// The same, with its reasons.
  CostBreakdown explain(Bytes buffer) const;

  /// True when the buffer is outside of what the curve of the slowest level,
  /// or the fit, was measured at.
  bool isExtrapolated(Bytes buffer) const;

  /// Bytes that one rank sends over a level for each byte of the buffer, the
  /// most of all ranks.
  double getRankFraction(unsigned level) const;

  /// What a task that runs this uses: Inter if it leaves the innermost level.
  Resource getResource() const {
    return isInside ? Resource::Intra : Resource::Inter;
  }
  int64_t getGroupSize() const { return groupSize; }

private:
  /// A level with traffic. Fractions are of the buffer.
  struct PlannedLevel {
    unsigned level;
    double rankFraction, endpointFraction;
    int64_t endpoint;
    GBps bandwidth;
    EfficiencyCurve efficiency;
    std::optional<Microseconds> containedLatency;

    Microseconds getTime(Bytes buffer) const {
      return efficiency.getTime(buffer, endpointFraction, bandwidth,
                                containedLatency);
    }
  };

  CollectivePlan() = default;

  static std::vector<PlannedLevel> listLevels(const Machine &machine,
                                              const RankGroups &groups,
                                              CollectiveKind kind);
  void takeLine(const Machine &machine, const RankGroups &groups,
                CollectiveKind kind, const CollectiveFit &stated);

  std::vector<PlannedLevel> levels;
  Microseconds alpha;
  /// The line of the outermost level for groups of this size, and whether all
  /// lines are of groups smaller, or all of groups larger, or none is of groups
  /// that lie as these.
  std::optional<CollectiveFit> fit;
  bool isOutsideOfFits = false;
  int64_t groupSize = 1;
  /// All groups stay inside the innermost level.
  bool isInside = true;
};

/// Plans of one machine, each made once. Not to be shared between threads.
class CostModel {
public:
  explicit CostModel(Machine machine) : machine(std::move(machine)) {}

  const Machine &getMachine() const { return machine; }

  /// The plan, which lives as long as the model. Finding one again looks at
  /// every rank of the groups: keep the pointer where time counts.
  Result<const CollectivePlan *> getPlan(const RankGroups &groups,
                                         CollectiveKind kind);

private:
  struct Key {
    RankGroups groups;
    CollectiveKind kind;
    friend bool operator==(const Key &, const Key &) = default;
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };

  Machine machine;
  std::unordered_map<Key, std::unique_ptr<CollectivePlan>, Hash> plans;
};

} // namespace moe::cost

#endif // MOE_COST_COLLECTIVES_H
