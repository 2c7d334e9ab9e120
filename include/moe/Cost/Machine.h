// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a machine can do.
//
// The planners' view of a platform: plain numbers. `moe::platform` reads it
// from a file and checks it; what is said here about ranges holds for every
// machine that `checkMachine` accepts. Parameters a platform may leave out
// carry a text that says where they come from.

#ifndef MOE_COST_MACHINE_H
#define MOE_COST_MACHINE_H

#include "moe/Cost/Units.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace moe::cost {

/// A number and where it comes from ("MoNTA, Table 8"); empty where nobody
/// says.
template <typename T> struct Stated {
  T value;
  std::string origin;
};

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The kinds of collectives that have a cost. The buffer of a collective is
/// what nccl-tests calls its size: the local operand of an all-to-all and of an
/// all-reduce, the RESULT of an all-gather, the OPERAND of a reduce-scatter.
enum class CollectiveKind : uint8_t {
  AllToAll,
  AllGather,
  ReduceScatter,
  AllReduce
};
constexpr unsigned kNumCollectiveKinds = 4;

/// "all_to_all" and so on: the names of the ops and of the JSON keys.
std::string_view getName(CollectiveKind kind);
std::optional<CollectiveKind> parseCollectiveKind(std::string_view name);

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

/// A point of an efficiency curve: at `bytes` the fraction `ratio` of the
/// bandwidth is reached.
struct CurvePoint {
  double bytes, ratio;
  friend bool operator==(const CurvePoint &, const CurvePoint &) = default;
};

/// Efficiency against size (SPEC CC-3): linear in the logarithm of the bytes
/// between points, flat outside; 1 everywhere without points. Times of small
/// messages do not follow from a flat efficiency: see `getTime`.
class EfficiencyCurve {
public:
  EfficiencyCurve() = default;
  /// Points with bytes > 0 that grow strictly and 0 < ratio <= 1; see `check`.
  explicit EfficiencyCurve(std::vector<CurvePoint> points);

  bool isEmpty() const { return points.empty(); }
  const std::vector<CurvePoint> &getPoints() const { return points; }

  /// The efficiency at a size.
  double at(Bytes size) const;
  /// True when `size` lies outside of the points, so `at` repeats an end.
  bool isExtrapolatedAt(Bytes size) const;

  /// Time of an operation on a buffer of `size` bytes, of which `fraction`
  /// passes an endpoint of `bandwidth`. `contained` is the latency that the
  /// curve contains, none for one without latency.
  ///
  /// A curve measured end to end contains a latency (SPEC CC-3), which an
  /// efficiency that stays flat below the first point would make vanish with
  /// the size. There the time is at least `contained`, and never more than the
  /// time at the first point: a smaller message takes no longer than one that
  /// was measured, whatever the platform
  /// states of its latency.
  Microseconds getTime(Bytes size, double fraction, GBps bandwidth,
                       std::optional<Microseconds> contained) const;

  /// What is wrong with points, and the place of the first that is: empty
  /// when nothing is.
  static std::optional<std::pair<size_t, std::string>>
  check(const std::vector<CurvePoint> &points);

  friend bool operator==(const EfficiencyCurve &a, const EfficiencyCurve &b) {
    return a.points == b.points;
  }

private:
  std::vector<CurvePoint> points;
  std::vector<double> logBytes;
};

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// A linear model of one collective, measured end to end: alpha + beta times
/// the bytes of its buffer (SPEC FS-1).
struct CollectiveFit {
  Microseconds alpha;
  MicrosecondsPerByte beta;
  /// The ranks of the group it was measured on: on a group of another size the
  /// slope is scaled by what a rank sends (SPEC CC-2). Not scaled without.
  std::optional<int64_t> groupRanks;
  /// How many of these lay in each instance of the level before; without, as
  /// many as fill one. Says nothing without `groupRanks`.
  std::optional<int64_t> ranksTogether;
  /// The sizes it was measured at; none if unknown.
  std::optional<Bytes> minBytes, maxBytes;
  /// How well the line fits what was measured: 1 is exactly.
  std::optional<double> rSquared;
  std::string origin;
  /// Lines of groups of other sizes, or that lay otherwise, which are all
  /// stated and differ; none of these has others of its own.
  std::vector<CollectiveFit> others = {};

  /// How many ranks of its group lay in each instance of a level before that
  /// spans `innerRanks`.
  int64_t getRanksTogether(int64_t innerRanks) const {
    return ranksTogether.value_or(
        std::min(groupRanks.value_or(innerRanks), innerRanks));
  }
};

/// The line of a group of so many ranks: the one that was measured there;
/// between two measured ones, what lies between their alphas and between their
/// slopes a byte sent, by the logarithm of the ranks; outside of them that of
/// the nearest, scaled by what a rank sends. `isOutside` is set where there are
/// several and the group is smaller or larger than all of them. The group lies
/// as those of the lines do; for others, and for all-to-alls of which only a part
/// leaves a node, `CollectivePlan` has scaled the slopes.
CollectiveFit getLine(const CollectiveFit &fit, int64_t groupSize,
                      bool &isOutside);

/// One level of links: what ranks cross to reach another rank that is in the
/// same instance of this level, but not of the level before it.
struct Level {
  std::string name;
  /// Consecutive ranks that an instance spans: a multiple of what the level
  /// before spans, and more than that (1 before the first).
  int64_t ranks = 1;
  /// Bandwidth of an endpoint, each direction.
  GBps bandwidth;
  /// How many consecutive ranks share an endpoint: 1 when the bandwidth is
  /// per rank. A divisor of what the level before spans.
  int64_t ranksPerNic = 1;
  /// What an endpoint reaches while the others have little to do, each
  /// direction, where all together reach less; none where nobody says.
  std::optional<GBps> portRate;
  /// Time that any operation over this level takes beside its bytes.
  Microseconds latency;
  /// Fraction of the bandwidth reached, by bytes of the collective's buffer.
  EfficiencyCurve efficiency;
  /// The curve does not contain the latency; without this, a level with a
  /// curve has no latency of its own (SPEC CC-3).
  bool isCurveLatencyFree = false;
  /// Measured models, by `CollectiveKind`; one replaces what follows from the
  /// fields above, for a collective that has this as its outermost level.
  std::array<std::optional<CollectiveFit>, kNumCollectiveKinds> fits;
  std::string origin, portOrigin, latencyOrigin, efficiencyOrigin;

  const std::optional<CollectiveFit> &getFit(CollectiveKind kind) const {
    return fits[unsigned(kind)];
  }
  /// The latency an operation pays: 0 when the curve contains it.
  Microseconds getCountedLatency() const {
    return hasLatencyInCurve() ? Microseconds(0) : latency;
  }
  /// Time of an endpoint that carries `fraction` of a buffer, without the
  /// counted latency.
  Microseconds getTime(Bytes buffer, double fraction) const {
    return efficiency.getTime(buffer, fraction, bandwidth,
                              getContainedLatency());
  }
  /// The latency that the curve contains at least; none if it contains none.
  std::optional<Microseconds> getContainedLatency() const {
    return hasLatencyInCurve() ? std::optional(latency) : std::nullopt;
  }

private:
  bool hasLatencyInCurve() const {
    return !efficiency.isEmpty() && !isCurveLatencyFree;
  }
};

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

/// Copies within a device's memory.
struct CopyEngine {
  /// Bytes copied a second: each is read once and written once.
  GBps bandwidth;
  /// Time any copy takes beside its bytes; not counted with a curve, which
  /// contains it.
  Microseconds latency;
  EfficiencyCurve efficiency;
  std::string origin, efficiencyOrigin;
};

/// GEMM time is alpha + beta times the multiply-accumulates (SPEC FS-1).
struct GemmCost {
  Microseconds alpha;
  MicrosecondsPerMac beta;
  std::string origin;
};

/// What tasks of a rank share, in the terms of SPEC MO-9.
enum class Resource : uint8_t {
  /// Collectives that leave the innermost level.
  Inter,
  /// Collectives inside of it.
  Intra,
  /// Copies on the device.
  Copy,
  /// Experts and the rest.
  Compute
};
constexpr unsigned kNumResources = 4;
/// "inter", "intra", "copy", "compute".
std::string_view getName(Resource resource);
std::optional<Resource> parseResource(std::string_view name);

/// A task of `slowed` takes `factor` (>= 1) times as long while one of `by`
/// runs.
struct ContentionFactor {
  Resource slowed, by;
  double factor = 1;
  std::string origin;
};

/// Circuits of a reconfigurable fabric, per server (SPEC MF-2, MF-8).
struct Circuits {
  /// The ranks of a server.
  int64_t serverRanks = 1;
  /// Optical NICs, each one end of a circuit.
  int64_t opticalDegree = 0;
  /// NICs on the packet-switched fabric.
  int64_t epsNics = 0;
  /// Rate of each NIC, each direction.
  GBps nicRate;
  /// Time to change p pairs of ports in one command: base + p * perPair.
  Microseconds reconfigurationBase, reconfigurationPerPair;
  /// 99th percentile of that; none if unknown.
  std::optional<Microseconds> reconfigurationP99;
  /// Until the NICs are up again after the change.
  Microseconds linkUp;
  /// Ports of the switch; none if any number.
  std::optional<int64_t> ports;
  std::string origin;
};

/// True if no plan sends a chunk's message of `bytes`, because it is mostly
/// latency: the one rule of minimum messages (SPEC MO-5).
constexpr bool isTooSmall(double bytes, double minimumBytes) {
  return bytes < minimumBytes;
}

/// "messages of 512 bytes with 4 chunks, at least 1024 expected".
std::string explainTooSmall(double bytes, int64_t chunks, double minimumBytes);

/// A machine.
struct Machine {
  std::string name;
  /// From the innermost outward, at least one.
  std::vector<Level> levels;
  std::optional<CopyEngine> copy;
  std::optional<GemmCost> gemm;
  /// The minimum for `isTooSmall` (MO-5's I_min).
  Stated<Bytes> minimumMessage{Bytes(0), "default"};
  std::optional<Stated<Bytes>> memoryPerRank;
  std::vector<ContentionFactor> contention;
  /// Time that each operation of a pipelined chain (at least two chunks) takes
  /// beside its own (SPEC MO-8). Applies to O2 and O3, not to O1.
  Stated<Microseconds> pipelineStall{Microseconds(0), "default"};
  /// How far predicted times can be trusted, as a fraction of them, >= 0 and
  /// below 1: planners take times that differ by no more as equal, and of
  /// equals the simplest.
  Stated<double> uncertainty{0, "default"};
  std::optional<Circuits> circuits;

  /// Ranks that the outermost level spans.
  int64_t getNumRanks() const {
    return levels.empty() ? 0 : levels.back().ranks;
  }
  /// The factor by which `by` slows `slowed` down; 1 when the machine has none.
  double getContention(Resource slowed, Resource by) const;
};

/// What is wrong with the levels of a machine.
struct LevelProblem {
  /// The level, by its place; none when there are no levels.
  std::optional<size_t> level;
  /// The key of the level in a platform's file: "ranks", "bandwidth_GBps", ...
  std::string key;
  /// "expected ..., got ...".
  std::string reason;
};

/// The first thing that is wrong with the levels of a machine, if any.
std::optional<LevelProblem> checkLevels(const std::vector<Level> &levels);

/// Time of a copy of so many bytes; the efficiency is looked up at them
/// (SPEC MO-2, D2D).
Microseconds getCopyTime(const CopyEngine &copy, Bytes bytes);

/// True when such a copy is outside of the sizes that copies were measured at.
bool isCopyExtrapolated(const CopyEngine &copy, Bytes bytes);

/// Time of `gemms` GEMMs of `macs` together.
Microseconds getGemmTime(const GemmCost &gemm, Macs macs, int64_t gemms = 1);

} // namespace moe::cost

#endif // MOE_COST_MACHINE_H
