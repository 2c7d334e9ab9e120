// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes for step schedules.

#ifndef MOE_LIB_COMPILER_STEPSCHEDULES_H
#define MOE_LIB_COMPILER_STEPSCHEDULES_H

#include "moe/Dialect/MoE/PlanEnums.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// The options that build a step's schedule.
struct StepRecipe {
  ChunkOrder order;
  DegreePhases phases = DegreePhases::Each;
  GradientMethod method = GradientMethod::Partition;
  GradientPlaces beside = GradientPlaces::All;
  bool pipelines = true, fills = false;
  ChunkSizes sizes = ChunkSizes::Even;
  /// True to slice data first that ranks would send more than once.
  bool drops = true;
  /// True if gradient all-reduces have separate streams. NCCL runs them
  /// concurrently with collectives of other communicators, over the links that
  /// these leave idle. Therefore all-reduces inside nodes have a separate
  /// stream, too.
  bool sendsApart = false;
  /// True if the forward pass of each sub-batch runs during the backward pass
  /// of the previous one, so there must be two sub-batches at least.
  bool merges = false;

  /// Except for FSMoE's own schedule, the schedules in its paper model one kind
  /// of link.
  CollectiveStreams getCollectives() const {
    if (sendsApart)
      return CollectiveStreams::GradientsApart;
    return order == ChunkOrder::OneStream ? CollectiveStreams::One
                                          : CollectiveStreams::ByLinks;
  }
};

/// Must not be called for Layers, which leaves steps unchanged, or for Best,
/// which is known only after all others have been scheduled.
StepRecipe getRecipe(ScheduleChoice choice);

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPSCHEDULES_H
