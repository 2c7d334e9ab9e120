// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines with contention between stages.

#ifndef MOE_LIB_SCHEDULE_CONTENDEDPIPELINE_H
#define MOE_LIB_SCHEDULE_CONTENDEDPIPELINE_H

#include "moe/Schedule/AllToAllStrategy.h"

namespace moe::schedule {

/// A pipelined strategy with contention. The results are equal to `Simulator`'s
/// for its graph, but an event takes only a few nanoseconds, because equal
/// chunks on three streams need no graph. The choice of a strategy needs
/// thousands of events.
class ContendedPipeline {
public:
  ContendedPipeline(Strategy strategy, const StageResources &resources,
                    const Contention &contention);

  /// Returns the makespan of `chunks` equal chunks, or infinity, found early,
  /// if it is above `enoughUs`.
  double getMakespanUs(const StageTimes &stages, int64_t chunks,
                       double enoughUs) const;

  /// Returns a lower bound on the makespan.
  ///
  /// At any time some set of stages runs, each at the speed that the others
  /// leave it. The bound is the least total time of all such sets that does the
  /// work of every stage, in any order: a linear program with a variable for
  /// each set and an equation for each stage. Its dual has the same corners for
  /// any work, so they are computed once, and a bound is a maximum over them.
  double getBoundUs(const StageTimes &stages, int64_t chunks) const;

private:
  void findCorners();

  using Vector = std::array<double, 3>;
  /// True if these stages share a stream.
  bool exchangeWithGather, gatherWithCopy;
  /// The slowdown of each stage in each set of running stages.
  std::array<Vector, 8> slowdowns;
  /// At most the number of choices of three sets out of seven.
  std::array<Vector, 35> corners;
  size_t numCorners = 0;
};

} // namespace moe::schedule

#endif // MOE_LIB_SCHEDULE_CONTENDEDPIPELINE_H
