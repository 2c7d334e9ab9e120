// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of collectives.
//
// All predictions use this cost of communication (SPEC CC-1 to CC-3). All
// groups of a collective act at once. The bytes that ranks exchange are split
// by level and summed over the ranks that share a NIC, and
//
//   time = alpha + max over levels l and their endpoints of
//          max(egress, ingress) / (bandwidth_l * efficiency_l(buffer))
//
// The ranks exchange these bytes:
//  - all_to_all: every ordered pair of a group exchanges buffer/n. The pair
//    loads the innermost level that has both ranks, and no other.
//  - all_gather: the hierarchical ring, outermost level first. Inside one
//    instance of level l, the members of the group that share an instance of
//    the previous level form a part. The outer levels have left an even share
//    of the result with each member; the rest enters each part once, spread
//    evenly over its members. The parts form a ring, and each sends its
//    successor everything except the successor's initial data. If each instance
//    of level l has s_l members, a rank sends 1/s_{l-1} - 1/s_l of the result
//    over level l, in total (n-1)/n (CC-2).
//  - reduce_scatter: like all_gather, with every message reversed.
//  - all_reduce: a reduce_scatter and an all_gather, hence twice the bytes.
//
// Efficiency curves are evaluated at the buffer of the collective at every
// level, because nccl-tests prints this size and MoNTA evaluates r1(I/(N*t))
// and r2(I/N) at it (SPEC MO-2). alpha is the latency of the outermost level
// that the collective crosses, 0 if that level's curve contains it (CC-3);
// below the first point of such a curve the latency that it contains remains
// (EfficiencyCurve::getTime). A collective that crosses no level (one rank)
// takes no time.
//
// Networks allow that hierarchical ring, but libraries use other algorithms. If
// a level states protocols, an all-gather, a reduce-scatter or an all-reduce
// that leaves an instance of the previous level takes the minimum over them of
//
//   start + steps inside * innerStep + steps over the level * step
//         + max over levels l of passed on_l / rate_l / share
//
// For n ranks on N instances of the previous level:
//  - ring: N - 1 steps over the level and n - N inside; each rank, and each
//    node as a whole, passes on (n-1)/n of the buffer. An all-reduce is two.
//  - tree: 2 floor(log2 N) steps over the level, 2 (n/N - 1) inside. Two
//    trees share the buffer. Each node is a leaf of one, and passes on
//    min(N, 4)/2 of the buffer.
// The bytes that a node passes on are spread over the NICs of its members. The
// rate of an inner level is the slope of its measured line, or follows from its
// curve if it has no line. The line's alpha is omitted, because the steps
// contain it.
//
// A line that was measured end to end replaces all of these formulas. It
// applies to one placement of groups: a number of ranks, and the number of them
// in each instance of the previous level. An equally large group with another
// placement loads other links. For example, 16 ranks, one per node, send 15/16
// of an all-to-all through their NICs; 16 ranks on two nodes of 8 send 1/2. If
// no line has the placement of a group, slopes are scaled by the ratio of the
// formulas above for both placements.

#ifndef MOE_COST_COLLECTIVES_H
#define MOE_COST_COLLECTIVES_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"

#include <memory>
#include <span>
#include <unordered_map>

namespace moe::cost {

/// Disjoint groups of equally many ranks that act at once. Ranks of the machine
/// outside of them are idle.
class RankGroups {
public:
  /// Creates the groups over some axes of a mesh whose last axis is fastest.
  /// The members of a group are in the order in which `axes` lists the axes,
  /// the last of them fastest. `axes` are positions in `shape`, each at most
  /// once.
  static Result<RankGroups> fromMesh(std::span<const int64_t> shape,
                                     std::span<const unsigned> axes);
  /// Creates groups from `ranks`, which lists one group after the other.
  static Result<RankGroups> fromLists(std::vector<int64_t> ranks,
                                      int64_t groupSize);

  int64_t getGroupSize() const { return groupSize; }
  int64_t getNumGroups() const { return int64_t(ranks.size()) / groupSize; }
  std::span<const int64_t> getGroup(int64_t index) const {
    return std::span(ranks).subspan(size_t(index * groupSize),
                                    size_t(groupSize));
  }
  /// Returns the largest rank plus one.
  int64_t getRankLimit() const { return rankLimit; }
  std::span<const int64_t> getRanks() const { return ranks; }

  /// Returns the number of consecutive ranks of each group that share an
  /// instance of a level with `levelRanks` ranks, or nullopt if the instances
  /// do not cut the groups into runs of one length.
  std::optional<int64_t> countTogether(int64_t levelRanks) const;
  /// Returns true if all ranks of each group share an instance of a level with
  /// `levelRanks` ranks; for the innermost level, if no group leaves its node.
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

/// The cost of an operation at one level.
struct LevelCost {
  /// Index of the level in the machine.
  unsigned level = 0;
  /// The most bytes that one rank sends or receives over the level, and the
  /// bytes of the busiest endpoint, which are more if ranks share a NIC.
  Bytes rankBytes, endpointBytes;
  /// The busiest endpoint, which serves ranks from `endpoint * ranksPerNic` on.
  int64_t endpoint = 0;
  /// The reached fraction of the bandwidth: the curve's value at the buffer, or
  /// less below the curve's first point, because latency dominates there.
  double efficiency = 1;
  /// Time of the busiest endpoint, without alpha.
  Microseconds time;
  /// Number of ranks of the group whose measured line gave the rate within a
  /// protocol; nullopt if the bandwidth gave it.
  std::optional<int64_t> lineRanks = std::nullopt;
};

/// The cost of one operation and its derivation.
struct CostBreakdown {
  Microseconds time;
  /// The part of the time that does not depend on bytes.
  Microseconds alpha;
  /// The levels that carry bytes, innermost first.
  std::vector<LevelCost> levels;
  /// Index of the slowest of `levels`; nullopt if there are none.
  std::optional<size_t> bottleneck;
  /// True if a measured model gave the time: alpha and beta of the outermost
  /// level.
  bool isFit = false;
  /// The protocol of the outermost level that gave the time, for example "ring,
  /// LL128"; empty if none did.
  std::string protocol;
  /// True if the protocol's highest rate gave the time
  /// (StepProtocol::mostRate), not the links. The bottleneck is the outermost
  /// level then.
  bool isAtProtocolLimit = false;
  /// The smallest and largest buffer of the curve that gave the rate, which is
  /// the protocol's own curve if it states one; nullopt if no curve did.
  std::optional<std::pair<Bytes, Bytes>> curveSizes;
  /// True if the buffer is outside of the measured sizes of the bottleneck's
  /// curve or of the fit.
  bool isExtrapolated = false;
};

/// A kind of collective over groups on a machine, prepared for evaluation at
/// many sizes. Does not refer to the machine after creation.
class CollectivePlan {
public:
  /// Fails if the groups have ranks that the machine lacks.
  static Result<CollectivePlan>
  create(const Machine &machine, const RankGroups &groups, CollectiveKind kind);

  /// Returns the time for a buffer of that many bytes on each rank (see
  /// CollectiveKind for the buffer). Takes about ten nanoseconds per level.
  Microseconds getTime(Bytes buffer) const;

  /// Returns the time and its derivation.
  CostBreakdown explain(Bytes buffer) const;

  /// Returns true if the buffer is outside of the measured sizes of the slowest
  /// level's curve or of the fit.
  bool isExtrapolated(Bytes buffer) const;

  /// Returns the bytes sent over a level per byte of the buffer by the rank
  /// that sends most.
  double getRankFraction(unsigned level) const;

  /// Returns the resource that the collective occupies: Inter if it leaves the
  /// innermost level.
  Resource getResource() const {
    return isInside ? Resource::Intra : Resource::Inter;
  }
  int64_t getGroupSize() const { return groupSize; }

private:
  /// A level with traffic. Fractions are relative to the buffer.
  struct PlannedLevel {
    unsigned level;
    double rankFraction, endpointFraction;
    int64_t endpoint;
    GBps bandwidth;
    EfficiencyCurve efficiency;
    std::optional<Microseconds> containedLatency;
    /// A line whose slope replaces bandwidth and efficiency, the ranks of its
    /// group, and whether this group is smaller or larger than all measured
    /// ones.
    std::optional<CollectiveFit> line = std::nullopt;
    std::optional<int64_t> lineRanks = std::nullopt;
    bool isOutsideOfLines = false;

    Microseconds getTime(Bytes buffer) const {
      return line ? buffer * line->beta
                  : efficiency.getTime(buffer, endpointFraction, bandwidth,
                                       containedLatency);
    }
    bool isExtrapolatedAt(Bytes buffer) const;
  };

  /// The collective under one protocol.
  struct Way {
    std::string name;
    Microseconds alpha;
    std::vector<PlannedLevel> levels;
    double share;
    /// Time per byte of the buffer at the highest rate of a rank; 0 without a
    /// limit.
    MicrosecondsPerByte least;
    /// The protocol's own curve; may be empty.
    EfficiencyCurve efficiency;

    /// Returns the time of the links of one level.
    Microseconds getTime(const PlannedLevel &level, Bytes buffer) const {
      return level.getTime(buffer) / share;
    }
    /// Returns the time at the highest rate.
    Microseconds getLeastTime(Bytes buffer) const {
      double reached = efficiency.isEmpty() ? 1 : efficiency.at(buffer);
      return buffer * least / reached;
    }
    Microseconds getTime(Bytes buffer) const;
  };

  CollectivePlan() = default;

  /// Lists the traffic of an algorithm per level, by default of the
  /// hierarchical ring.
  static std::vector<PlannedLevel>
  listLevels(const Machine &machine, const RankGroups &groups,
             CollectiveKind kind,
             std::optional<StepAlgorithm> algorithm = std::nullopt);
  void takeLine(const Machine &machine, const RankGroups &groups,
                CollectiveKind kind, const CollectiveFit &stated);
  void takeProtocols(const Machine &machine, const RankGroups &groups,
                     CollectiveKind kind);
  /// Returns the fastest way, or null if there is none.
  const Way *findWay(Bytes buffer) const;
  /// Returns true if the rate that gave the time is outside of what was
  /// measured.
  bool isExtrapolated(Bytes buffer, const Way *way) const;

  std::vector<PlannedLevel> levels;
  Microseconds alpha;
  /// The line of the outermost level for groups of this size. `isOutsideOfFits`
  /// is true if the groups of all lines are smaller, if all are larger, or if
  /// none has the placement of these groups.
  std::optional<CollectiveFit> fit;
  bool isOutsideOfFits = false;
  /// One way per protocol of the outermost level, if this level has no line of
  /// the collective's kind.
  std::vector<Way> ways;
  int64_t groupSize = 1;
  /// True if all groups stay inside the innermost level.
  bool isInside = true;
};

/// The plans of one machine, each created once. Not thread-safe.
class CostModel {
public:
  explicit CostModel(Machine machine) : machine(std::move(machine)) {}

  const Machine &getMachine() const { return machine; }

  /// Returns the plan, which lives as long as the model. A repeated lookup
  /// visits every rank of the groups, so callers for which time matters should
  /// keep the pointer.
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
