// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job's layers and their gradients.

#ifndef MOE_PLANNING_JOBNETWORK_H
#define MOE_PLANNING_JOBNETWORK_H

#include "moe/Cost/Collectives.h"
#include "moe/Planning/ConfigJob.h"

namespace moe::planning {

/// A layer of the backward pass with its gradients (SPEC FS-7): the MoE part,
/// which is equal in all MoE layers of a job, and the dense part that follows
/// it up to the next MoE layer.
struct JobLayer {
  bool hasMoE = false;
  /// Elements per rank of the dense part, and of the router and shared experts
  /// of the next MoE layer; all these gradients are reduced over the same
  /// ranks.
  int64_t gradientElements = 0;
  /// Time to compute the gradients of the dense part's inputs and weights.
  double denseUs = 0;
};

/// Returns the layers of one stage in forward order. The job must have been
/// read with `train`. Fails if the machine has no GEMM times.
Result<std::vector<JobLayer>> listJobLayers(const PlannedJob &job,
                                            const cost::Machine &machine);

/// Returns the groups that dense gradients are reduced over: all ranks of a
/// stage that hold the same dense parameters.
Result<cost::RankGroups> getGradientGroups(const PlannedJob &job);

} // namespace moe::planning

#endif // MOE_PLANNING_JOBNETWORK_H
