// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages that slow each other down.

#ifndef MOE_LIB_SCHEDULE_CONTENDEDPIPELINE_H
#define MOE_LIB_SCHEDULE_CONTENDEDPIPELINE_H

#include "moe/Schedule/AllToAllStrategy.h"

namespace moe::schedule {

/// A pipelined strategy with contention: what `Simulator` finds for its graph,
/// at a few nanoseconds an event, since equal chunks on three streams need no
/// graph. A choice of strategy asks for thousands of events.
class ContendedPipeline {
public:
  ContendedPipeline(Strategy strategy, const StageResources &resources,
                    const Contention &contention);

  /// The makespan of so many equal chunks; infinity, found early, when it is
  /// above `enoughUs`.
  double getMakespanUs(const StageTimes &stages, int64_t chunks,
                       double enoughUs) const;

  /// A lower bound on the makespan.
  ///
  /// At any time some set of stages runs, each at the speed that the others
  /// leave it. The bound is the least total time of all such sets that does
  /// the work of every stage, whatever the order: a linear program with a
  /// variable for each set and an equation for each stage. Its dual has the
  /// same corners for any work, so they are found once and a bound is a
  /// maximum over them.
  double getBoundUs(const StageTimes &stages, int64_t chunks) const;

private:
  void findCorners();

  using Vector = std::array<double, 3>;
  /// Which stages are on one stream: {all-to-all, all-gather} and
  /// {all-gather, copy}.
  bool exchangeWithGather, gatherWithCopy;
  /// How much longer each stage takes in each set of running stages.
  std::array<Vector, 8> slowdowns;
  /// At most the choices of three sets of seven.
  std::array<Vector, 35> corners;
  size_t numCorners = 0;
};

} // namespace moe::schedule

#endif // MOE_LIB_SCHEDULE_CONTENDEDPIPELINE_H
