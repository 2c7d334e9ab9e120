// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection of the fastest strategy for an all-to-all.
//
// If all tensor-parallel ranks hold the same tokens, an all-to-all over the
// expert-parallel ranks moves every byte once per tensor-parallel rank. MoNTA
// (SPEC MO-1 to MO-7) drops the copies, exchanges the remaining data and
// gathers it again over fast links, either whole or in overlapping chunks.

#ifndef MOE_SCHEDULE_ALLTOALLSTRATEGY_H
#define MOE_SCHEDULE_ALLTOALLSTRATEGY_H

#include "moe/Schedule/TaskGraph.h"
#include <optional>

namespace moe::schedule {

/// The strategies of MoNTA's table 6, simplest first.
enum class Strategy : uint8_t {
  /// The unchanged all-to-all.
  Baseline,
  /// Local slice, all-to-all, all-gather, run in sequence.
  O1,
  /// O1 in chunks on two streams: one for all-to-alls, and one for all-gathers
  /// and the copies that put chunks in place.
  O2,
  /// O1 in chunks, with one stream each for all-to-alls, all-gathers and
  /// copies.
  O3,
};
constexpr size_t kNumStrategies = 4;

/// Returns "baseline", "o1", "o2" or "o3".
const char *getName(Strategy strategy);

/// Times of one chunk's stages without concurrent work (SPEC MO-2).
struct StageTimes {
  double allToAllUs = 0, allGatherUs = 0, copyUs = 0;
};

/// Resources of the stages, which determine their contention.
struct StageResources {
  ResourceId allToAll = 1, allGather = 2, copy = 3;
};

/// The costs of one exchange. `MachineExchange` implements them for a machine.
class ExchangeCosts {
public:
  virtual ~ExchangeCosts();

  /// Returns the time of the unchanged all-to-all (SPEC MO-3).
  virtual double getBaselineUs() const = 0;
  /// Returns the stage times of one of `chunks` equal chunks after a local
  /// slice, for a strategy other than the baseline.
  virtual StageTimes getStageTimes(int64_t chunks, Strategy strategy) const = 0;
  /// Returns the size of the smallest message per chunk in bytes (SPEC MO-5).
  virtual double getMessageBytes(int64_t chunks) const = 0;
  /// Returns the resources of the stages. If all-to-all and all-gather use the
  /// same resource, they take turns: the same links carry both, so overlap
  /// would gain nothing.
  virtual StageResources getResources() const { return StageResources(); }
  /// Returns how stages slow each other down.
  virtual Contention getContention() const { return Contention(); }
  /// Returns the relative difference, >= 0 and below 1, within which two times
  /// count as equal.
  virtual double getUncertainty() const { return 0; }
  /// Returns why a strategy other than the baseline cannot be used; empty if it
  /// can.
  virtual std::string getWhyNot(Strategy strategy) const { return ""; }
};

struct ChunkLimits {
  /// Counts from 1 to `maxChunks` are tried, or only `chunks` if set.
  int64_t maxChunks = 64;
  std::optional<int64_t> chunks;
  /// Minimum message size in bytes.
  double minMessageBytes = 0;
};

/// The best configuration of one strategy.
struct StrategyTime {
  /// False if the strategy cannot be used for the reason in `whyNot`.
  bool possible = false;
  int64_t chunks = 1;
  double timeUs = 0;
  /// Times of one chunk's stages; the baseline has only an all-to-all.
  StageTimes stages;
  std::string whyNot;
};

/// The results of all strategies and the chosen one (SPEC MO-7).
struct StrategyPlan {
  Strategy chosen = Strategy::Baseline;
  /// Each strategy has its fastest number of chunks, except the chosen one,
  /// which has the smallest number that is as good as the overall fastest.
  std::array<StrategyTime, kNumStrategies> strategies;
  /// The fastest strategy. The chosen one may take longer, but by no more than
  /// the uncertainty.
  Strategy fastest = Strategy::Baseline;
  int64_t fastestChunks = 1;
  double leastUs = 0;
  /// The fastest strategy apart from the chosen one, and how much longer it
  /// takes (below 0 if a simpler strategy was chosen); nullopt if there is no
  /// other.
  std::optional<Strategy> runnerUp;
  double gapUs = 0;

  const StrategyTime &get(Strategy strategy) const {
    return strategies[size_t(strategy)];
  }
};

/// Finds the best strategy. The planner keeps its work memory, so a search
/// allocates memory only for messages.
class StrategyPlanner {
public:
  /// Compares all strategies with all chunk counts. Times within the
  /// uncertainty of the costs, or within rounding, of the fastest count as
  /// equal, and the simpler strategy and the smaller count win among them.
  /// Chunk counts stop at the first one with messages that are too small. The
  /// times of pipelined strategies are simulated; without contention they have
  /// a closed form (SPEC MO-6).
  StrategyPlan plan(const ExchangeCosts &costs, const ChunkLimits &limits);

private:
  StrategyTime planPipelined(const ExchangeCosts &costs,
                             const ChunkLimits &limits, Strategy strategy,
                             const Contention &contention);
  /// Returns the smallest number of chunks that takes at most `enoughUs`. The
  /// strategy's best configuration, planned before, does.
  StrategyTime findFewest(Strategy strategy, const ExchangeCosts &costs,
                          const Contention &contention, double enoughUs);

  struct Tried {
    double boundUs;
    int64_t chunks;
    StageTimes stages;
  };
  /// The tried configurations per strategy, in the order of their chunks.
  std::array<std::vector<Tried>, kNumStrategies> tried;
  std::vector<Tried> byBound;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_ALLTOALLSTRATEGY_H
