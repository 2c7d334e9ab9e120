// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step's schedule is made of.

#ifndef MOE_LIB_COMPILER_STEPSCHEDULES_H
#define MOE_LIB_COMPILER_STEPSCHEDULES_H

#include "moe/Dialect/MoE/PlanEnums.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// How a schedule of a step is made.
struct StepRecipe {
  ChunkOrder order;
  DegreePhases phases = DegreePhases::Each;
  GradientMethod method = GradientMethod::Partition;
  GradientPlaces beside = GradientPlaces::All;
  bool pipelines = true, fills = false;
  ChunkSizes sizes = ChunkSizes::Even;
  /// What ranks would send more than once is dropped first.
  bool drops = true;
  /// All-reduces of gradients have streams of their own. NCCL runs them
  /// concurrently with collectives of other communicators, over the links that
  /// these leave idle, so those inside nodes have a stream of their own, too.
  bool sendsApart = false;

  /// The schedules of FSMoE's paper but its own know one kind of links.
  CollectiveStreams getCollectives() const {
    if (sendsApart)
      return CollectiveStreams::GradientsApart;
    return order == ChunkOrder::OneStream ? CollectiveStreams::One
                                          : CollectiveStreams::ByLinks;
  }
};

/// Not for Layers, which leaves steps as they are, nor for Best, which is known
/// when all others have been scheduled.
StepRecipe getRecipe(ScheduleChoice choice);

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPSCHEDULES_H
