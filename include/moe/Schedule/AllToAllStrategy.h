// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best way to do an all-to-all.
//
// An all-to-all over expert-parallel ranks whose tensor-parallel ranks all
// hold the same tokens moves every byte as often as there are such ranks.
// MoNTA (SPEC MO-1 to MO-7) drops the copies, exchanges what is left and
// gathers it again over fast links, whole or in overlapping chunks.

#ifndef MOE_SCHEDULE_ALLTOALLSTRATEGY_H
#define MOE_SCHEDULE_ALLTOALLSTRATEGY_H

#include "moe/Schedule/TaskGraph.h"
#include <optional>

namespace moe::schedule {

/// The strategies of MoNTA's table 6, from the simplest on.
enum class Strategy : uint8_t {
  /// The all-to-all as it is.
  Baseline,
  /// Drop, all-to-all, all-gather, one after the other.
  O1,
  /// O1 in chunks: all-to-alls on one stream, all-gathers and the copies that
  /// put chunks in place on a second one.
  O2,
  /// O1 in chunks: all-to-alls, all-gathers and copies on a stream each.
  O3,
};
constexpr size_t kNumStrategies = 4;

/// "baseline", "o1", "o2" or "o3".
const char *getName(Strategy strategy);

/// Times of one chunk's stages, each with nothing beside it (SPEC MO-2).
struct StageTimes {
  double allToAllUs = 0, allGatherUs = 0, copyUs = 0;
};

/// Resources the stages use, for contention between them.
struct StageResources {
  ResourceId allToAll = 1, allGather = 2, copy = 3;
};

/// What one exchange costs; see `MachineExchange` for the one of a machine.
class ExchangeCosts {
public:
  virtual ~ExchangeCosts();

  /// The all-to-all as it is (SPEC MO-3).
  virtual double getBaselineUs() const = 0;
  /// The stages of one of `chunks` equal chunks after a drop, as a strategy
  /// other than the baseline runs them.
  virtual StageTimes getStageTimes(int64_t chunks, Strategy strategy) const = 0;
  /// Bytes of the smallest message a chunk takes (SPEC MO-5).
  virtual double getMessageBytes(int64_t chunks) const = 0;
  /// What the stages use. When all-to-all and all-gather use the same, they
  /// take turns: the same links carry both, so overlap would gain nothing.
  virtual StageResources getResources() const { return StageResources(); }
  /// How stages slow each other down.
  virtual Contention getContention() const { return Contention(); }
  /// The fraction of them by which times differ that are as good as equal, >= 0
  /// and below 1.
  virtual double getUncertainty() const { return 0; }
  /// Why a strategy other than the baseline cannot be used; empty when it can.
  virtual std::string getWhyNot(Strategy strategy) const { return ""; }
};

/// Which chunk counts are tried.
struct ChunkLimits {
  /// From 1 to `maxChunks`, or only `chunks` when set.
  int64_t maxChunks = 64;
  std::optional<int64_t> chunks;
  /// Messages must not be smaller.
  double minMessageBytes = 0;
};

/// One strategy at its best.
struct StrategyTime {
  /// False when the strategy cannot be used; `whyNot` says why.
  bool possible = false;
  int64_t chunks = 1;
  double timeUs = 0;
  /// Times of one chunk's stages; for the baseline, only the all-to-all.
  StageTimes stages;
  std::string whyNot;
};

/// All strategies, and the best of them (SPEC MO-7).
struct StrategyPlan {
  Strategy chosen = Strategy::Baseline;
  /// Each in its fastest number of chunks, but the chosen one in the fewest
  /// that are as good as the fastest of all.
  std::array<StrategyTime, kNumStrategies> strategies;
  /// The fastest of all. The chosen one may take longer, by no more than the
  /// uncertainty.
  Strategy fastest = Strategy::Baseline;
  int64_t fastestChunks = 1;
  double leastUs = 0;
  /// The fastest of the others, and how much longer it takes (below 0 where a
  /// simpler one was chosen); nothing when there is no other.
  std::optional<Strategy> runnerUp;
  double gapUs = 0;

  const StrategyTime &get(Strategy strategy) const {
    return strategies[size_t(strategy)];
  }
};

/// Finds the best strategy. Holds its work memory; a search allocates nothing
/// but messages.
class StrategyPlanner {
public:
  /// Compares all strategies with all chunk counts; of equal times the simpler
  /// strategy and the smaller count win. Times are equal that differ from the
  /// least by the uncertainty of the costs, or by rounding. Chunk counts stop
  /// at the first one whose messages are too small. Times of the pipelined
  /// strategies are those of a simulation of their streams, which without
  /// contention has a closed form (SPEC MO-6).
  StrategyPlan plan(const ExchangeCosts &costs, const ChunkLimits &limits);

private:
  StrategyTime planPipelined(const ExchangeCosts &costs,
                             const ChunkLimits &limits, Strategy strategy,
                             const Contention &contention);
  /// The fewest chunks that take `enoughUs` or less; the strategy's own best,
  /// planned before, does.
  StrategyTime findFewest(Strategy strategy, const ExchangeCosts &costs,
                          const Contention &contention, double enoughUs);

  struct Tried {
    double boundUs;
    int64_t chunks;
    StageTimes stages;
  };
  /// By strategy, in the order of their chunks.
  std::array<std::vector<Tried>, kNumStrategies> tried;
  std::vector<Tried> byBound;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_ALLTOALLSTRATEGY_H
