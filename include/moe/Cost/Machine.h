// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine model of the planners.
//
// The planners see a platform as plain numbers. `moe::platform` reads them from
// a file and checks them; the ranges given here hold for every machine that
// `checkMachine` accepts. Parameters that a platform may omit carry a text with
// their source.

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

/// A number and its source, for example "MoNTA, Table 8"; the source is empty
/// if it is not stated.
template <typename T> struct Stated {
  T value;
  std::string origin;
};

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The kinds of collectives that have a cost. The buffer of a collective is its
/// size in nccl-tests: the local operand of an all-to-all and of an all-reduce,
/// the RESULT of an all-gather, and the OPERAND of a reduce-scatter.
enum class CollectiveKind : uint8_t {
  AllToAll,
  AllGather,
  ReduceScatter,
  AllReduce
};
constexpr unsigned kNumCollectiveKinds = 4;

/// Returns the name of the op and of the JSON key, for example "all_to_all".
std::string_view getName(CollectiveKind kind);
std::optional<CollectiveKind> parseCollectiveKind(std::string_view name);

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

/// A point of an efficiency curve: a message of `bytes` reaches the fraction
/// `ratio` of the bandwidth.
struct CurvePoint {
  double bytes, ratio;
  friend bool operator==(const CurvePoint &, const CurvePoint &) = default;
};

/// Efficiency as a function of size (SPEC CC-3): linear in the logarithm of the
/// bytes between points and constant outside them; 1 everywhere without points.
/// A constant efficiency does not give the times of small messages, see
/// `getTime`.
class EfficiencyCurve {
public:
  EfficiencyCurve() = default;
  /// The bytes of the points must be positive and strictly increasing, and each
  /// ratio must be above 0 and at most 1; see `check`.
  explicit EfficiencyCurve(std::vector<CurvePoint> points);

  bool isEmpty() const { return points.empty(); }
  const std::vector<CurvePoint> &getPoints() const { return points; }

  double at(Bytes size) const;
  /// Returns true if `size` is outside of the points, so that `at` returns the
  /// value of the first or last one.
  bool isExtrapolatedAt(Bytes size) const;

  /// Returns the time of an operation on a buffer of `size` bytes, of which
  /// `fraction` passes an endpoint of `bandwidth`. `contained` is the latency
  /// that the curve contains, nullopt for a curve without latency.
  ///
  /// A curve measured end to end contains a latency (SPEC CC-3). A constant
  /// efficiency below the first point would scale this latency with the size.
  /// Therefore the time there is at least `contained`. It never exceeds the
  /// time at the first point, whatever latency the platform states, because a
  /// smaller message takes no longer than a measured one.
  Microseconds getTime(Bytes size, double fraction, GBps bandwidth,
                       std::optional<Microseconds> contained) const;

  /// Returns the index of the first invalid point and the problem, or nullopt
  /// if all points are valid.
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

/// A linear model of one collective, measured end to end: alpha + beta * bytes
/// of its buffer (SPEC FS-1).
struct CollectiveFit {
  Microseconds alpha;
  MicrosecondsPerByte beta;
  /// The ranks of the measured group. For a group of another size, the slope is
  /// scaled by the bytes that each rank sends (SPEC CC-2). Without this size,
  /// the slope is not scaled.
  std::optional<int64_t> groupRanks;
  /// The number of these ranks in each instance of the previous level; by
  /// default, as many as fill one. Has no meaning without `groupRanks`.
  std::optional<int64_t> ranksTogether;
  /// The range of measured sizes; nullopt if unknown.
  std::optional<Bytes> minBytes, maxBytes;
  /// Coefficient of determination of the fit; 1 for an exact fit.
  std::optional<double> rSquared;
  std::string origin;
  /// Lines of groups with other sizes or placements, which must be stated and
  /// differ from each other. None of these has others of its own.
  std::vector<CollectiveFit> others = {};

  /// Returns the number of ranks of the measured group in each instance of a
  /// previous level that spans `innerRanks` ranks.
  int64_t getRanksTogether(int64_t innerRanks) const {
    return ranksTogether.value_or(
        std::min(groupRanks.value_or(innerRanks), innerRanks));
  }
};

/// Returns the line of a group of `groupSize` ranks. This is the line measured
/// at that size, if any. Between two measured sizes, the alphas and the slopes
/// per byte sent are interpolated over the logarithm of the ranks. Outside of
/// them, the nearest line is scaled by the bytes that each rank sends. Sets
/// `isOutside` if there are several lines and the group is smaller or larger
/// than all their groups. The group must be placed like the groups of the
/// lines; for other placements, and for all-to-alls that leave a node only in
/// part, `CollectivePlan` scales the slopes first.
CollectiveFit getLine(const CollectiveFit &fit, int64_t groupSize,
                      bool &isOutside);

/// The algorithm by which a library passes an all-gather, a reduce-scatter or
/// an all-reduce from rank to rank.
enum class StepAlgorithm : uint8_t {
  /// Each rank passes on the data that it receives. This takes n - 1 steps, and
  /// twice as many for an all-reduce.
  Ring,
  /// All-reduces only. The ranks of a node form a chain and the nodes a binary
  /// tree; data moves up the tree and down again.
  Tree,
  /// Like a tree, but the switches of the innermost level reduce and copy for
  /// the ranks of a node. Requires at least 4 ranks of the group in a node.
  NvlsTree
};
/// "ring", "tree", "nvls-tree".
std::string_view getName(StepAlgorithm algorithm);
std::optional<StepAlgorithm> parseStepAlgorithm(std::string_view name);

/// An algorithm in one of its protocols, for example NCCL's LL, LL128 and
/// Simple. Protocols with fast steps reach less of the bandwidth.
struct StepProtocol {
  StepAlgorithm algorithm = StepAlgorithm::Ring;
  std::string name;
  /// Time in addition to the steps.
  Microseconds start;
  /// Time of a step to a rank in the same instance of the previous level, and
  /// to a rank in another instance, without the transfer of bytes.
  Microseconds innerStep, step;
  /// Fraction of the link rates that the protocol reaches, above 0 and at
  /// most 1.
  double share = 1;
  /// The highest rate at which a rank passes on data; nullopt if only links
  /// limit it.
  std::optional<GBps> mostRate;
  /// Fraction of `mostRate` and of the outermost level's bandwidth that is
  /// reached, by bytes of the collective's buffer. If empty, the curve of the
  /// level applies.
  EfficiencyCurve efficiency;
};

/// One level of links. Ranks cross it to reach a rank in the same instance of
/// this level but in another instance of the previous level.
struct Level {
  std::string name;
  /// Number of consecutive ranks in an instance: a larger multiple of the ranks
  /// of the previous level (of 1 for the first level).
  int64_t ranks = 1;
  /// Bandwidth of an endpoint in each direction.
  GBps bandwidth;
  /// Number of consecutive ranks that share an endpoint; 1 if the bandwidth is
  /// per rank. Must divide the ranks of the previous level.
  int64_t ranksPerNic = 1;
  /// Rate that an endpoint reaches in each direction while the others are
  /// nearly idle, if all together reach less; nullopt if it is not stated.
  std::optional<GBps> portRate;
  /// Time of any operation over this level in addition to its bytes.
  Microseconds latency;
  /// Fraction of the bandwidth reached, by bytes of the collective's buffer.
  EfficiencyCurve efficiency;
  /// True if the curve does not contain the latency. Otherwise, a level with a
  /// curve has no latency of its own (SPEC CC-3).
  bool isCurveLatencyFree = false;
  /// Measured models by `CollectiveKind`. A model replaces the result of the
  /// fields above for collectives with this outermost level.
  std::array<std::optional<CollectiveFit>, kNumCollectiveKinds> fits;
  /// The fastest protocol gives the time of an all-gather, a reduce-scatter or
  /// an all-reduce with this outermost level and no measured line.
  std::vector<StepProtocol> protocols;
  std::string origin, portOrigin, latencyOrigin, efficiencyOrigin,
      protocolsOrigin;

  const std::optional<CollectiveFit> &getFit(CollectiveKind kind) const {
    return fits[unsigned(kind)];
  }
  /// Returns the latency to add to an operation: 0 if the curve contains it.
  Microseconds getCountedLatency() const {
    return hasLatencyInCurve() ? Microseconds(0) : latency;
  }
  /// Returns the time of an endpoint that carries `fraction` of a buffer,
  /// without the counted latency.
  Microseconds getTime(Bytes buffer, double fraction) const {
    return efficiency.getTime(buffer, fraction, bandwidth,
                              getContainedLatency());
  }
  /// Returns the least latency in the curve; nullopt if it contains none.
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
  /// Bytes copied per second; each is read once and written once.
  GBps bandwidth;
  /// Time of any copy in addition to its bytes. Not counted if there is a
  /// curve, because the curve contains it.
  Microseconds latency;
  EfficiencyCurve efficiency;
  std::string origin, efficiencyOrigin;
};

/// GEMM time: alpha + beta * multiply-accumulates (SPEC FS-1).
struct GemmCost {
  Microseconds alpha;
  MicrosecondsPerMac beta;
  std::string origin;
};

/// A resource that the tasks of a rank share (SPEC MO-9).
enum class Resource : uint8_t {
  /// Collectives that leave the innermost level.
  Inter,
  /// Collectives within the innermost level.
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

/// The slowdown of tasks on resource `slowed`, which take `factor` (>= 1) times
/// as long while a task on `by` runs.
struct ContentionFactor {
  Resource slowed, by;
  double factor = 1;
  std::string origin;
};

/// Circuits of a reconfigurable fabric, per server (SPEC MF-2, MF-8).
struct Circuits {
  /// The ranks of a server.
  int64_t serverRanks = 1;
  /// Number of optical NICs; each is one end of a circuit.
  int64_t opticalDegree = 0;
  /// Number of NICs on the packet-switched fabric.
  int64_t epsNics = 0;
  /// Rate of each NIC in each direction.
  GBps nicRate;
  /// Time to change p pairs of ports in one command: base + p * perPair.
  Microseconds reconfigurationBase, reconfigurationPerPair;
  /// 99th percentile of the reconfiguration time; nullopt if unknown.
  std::optional<Microseconds> reconfigurationP99;
  /// Time after the change until the NICs are up again.
  Microseconds linkUp;
  /// Number of ports of the switch; nullopt if unlimited.
  std::optional<int64_t> ports;
  std::string origin;
};

/// Returns true if no plan may send a chunk's message of `bytes`, because
/// latency would dominate it. This is the only rule for minimum messages (SPEC
/// MO-5).
constexpr bool isTooSmall(double bytes, double minimumBytes) {
  return bytes < minimumBytes;
}

/// Returns, for example, "messages of 512 bytes with 4 chunks, at least 1024
/// expected".
std::string explainTooSmall(double bytes, int64_t chunks, double minimumBytes);

struct Machine {
  std::string name;
  /// Levels from the innermost outward; at least one.
  std::vector<Level> levels;
  std::optional<CopyEngine> copy;
  std::optional<GemmCost> gemm;
  /// The minimum for `isTooSmall` (MO-5's I_min).
  Stated<Bytes> minimumMessage{Bytes(0), "default"};
  std::optional<Stated<Bytes>> memoryPerRank;
  std::vector<ContentionFactor> contention;
  /// Additional time of each operation of a pipelined chain of at least two
  /// chunks (SPEC MO-8). Applies to O2 and O3, not to O1.
  Stated<Microseconds> pipelineStall{Microseconds(0), "default"};
  /// Relative uncertainty of predicted times, >= 0 and below 1. Planners treat
  /// times that differ by no more as equal, and choose the simplest candidate
  /// among equals.
  Stated<double> uncertainty{0, "default"};
  std::optional<Circuits> circuits;

  /// Returns the number of ranks in the outermost level.
  int64_t getNumRanks() const {
    return levels.empty() ? 0 : levels.back().ranks;
  }
  /// Returns the factor by which `by` slows `slowed` down; 1 if none is stated.
  double getContention(Resource slowed, Resource by) const;
};

/// A problem with the levels of a machine.
struct LevelProblem {
  /// Index of the level; nullopt if there are no levels.
  std::optional<size_t> level;
  /// The level's key in a platform file, for example "ranks".
  std::string key;
  /// "expected ..., got ...".
  std::string reason;
};

/// Returns the first problem with the levels of a machine, if any.
std::optional<LevelProblem> checkLevels(const std::vector<Level> &levels);

/// Returns the time of a copy of `bytes`, at which the efficiency is evaluated
/// (SPEC MO-2, D2D).
Microseconds getCopyTime(const CopyEngine &copy, Bytes bytes);

/// Returns true if `bytes` is outside of the measured sizes of copies.
bool isCopyExtrapolated(const CopyEngine &copy, Bytes bytes);

/// Returns the time of `gemms` GEMMs with `macs` in total.
Microseconds getGemmTime(const GemmCost &gemm, Macs macs, int64_t gemms = 1);

} // namespace moe::cost

#endif // MOE_COST_MACHINE_H
