// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies beside a target.

#ifndef MOE_PLANNING_DISPATCHPOLICIES_H
#define MOE_PLANNING_DISPATCHPOLICIES_H

#include "moe/Dispatch/Policies.h"
#include "moe/Planning/Planner.h"
#include "moe/Traffic/Trace.h"

namespace moe::planning {

/// What one policy does over all layers and steps of a trace.
struct PolicySummary {
  dispatch::Policy policy = dispatch::Policy::Dropless;
  /// Shares of all rows that gates want.
  double dropped = 0, redirected = 0;
  /// Of a dispatch, exchanges of sizes apart.
  double meanUs = 0, worstUs = 0, sizesUs = 0;
  /// The greatest of any layer and step.
  double busiestExpert = 0;
};

/// Applies policies to each layer and step of a trace with a row for each
/// device; that with a fixed ratio if `nodeShare` is given. Fails, naming step
/// and layer, for counts that `dispatch::applyPolicy` does not take.
Result<std::vector<PolicySummary>>
comparePolicies(const traffic::Trace &trace, const dispatch::Demand &demand,
                const dispatch::Topology &topology,
                const dispatch::Links &links,
                const dispatch::DispatchPlan &target, double capacityFactor,
                std::optional<double> nodeShare);

} // namespace moe::planning

#endif // MOE_PLANNING_DISPATCHPOLICIES_H
