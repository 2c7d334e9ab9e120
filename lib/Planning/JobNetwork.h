// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job's layers and their gradients.

#ifndef MOE_PLANNING_JOBNETWORK_H
#define MOE_PLANNING_JOBNETWORK_H

#include "moe/Cost/Collectives.h"
#include "moe/Planning/ConfigJob.h"

namespace moe::planning {

/// A layer of the backward pass as gradients see it (SPEC FS-7): its MoE part,
/// which all MoE layers of a job have alike, and the dense part behind it, up
/// to the next one.
struct JobLayer {
  bool hasMoE = false;
  /// Of the dense part on a rank, and of router and shared experts of the next
  /// MoE layer, whose gradients are reduced over the same ranks.
  int64_t gradientElements = 0;
  /// The gradients of the dense part's inputs and weights.
  double denseUs = 0;
};

/// The layers of a stage of a job that was read to train, in forward order.
/// Fails where the machine has no times of GEMMs.
Result<std::vector<JobLayer>> listJobLayers(const PlannedJob &job,
                                            const cost::Machine &machine);

/// The groups that dense gradients are reduced over: all ranks of a stage that
/// hold the same dense parameters.
Result<cost::RankGroups> getGradientGroups(const PlannedJob &job);

} // namespace moe::planning

#endif // MOE_PLANNING_JOBNETWORK_H
