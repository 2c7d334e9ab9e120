// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares dispatch policies with a target.

#ifndef MOE_PLANNING_DISPATCHPOLICIES_H
#define MOE_PLANNING_DISPATCHPOLICIES_H

#include "moe/Dispatch/Policies.h"
#include "moe/Planning/Planner.h"
#include "moe/Traffic/Trace.h"

namespace moe::planning {

/// The results of one policy over all layers and steps of a trace.
struct PolicySummary {
  dispatch::Policy policy = dispatch::Policy::Dropless;
  /// Fractions of all rows that the gates request.
  double dropped = 0, redirected = 0;
  /// Times per dispatch. `sizesUs` is the exchange of sizes, which the others
  /// exclude.
  double meanUs = 0, worstUs = 0, sizesUs = 0;
  /// The maximum over all layers and steps.
  double busiestExpert = 0;
};

/// Applies policies to each layer and step of a trace that has one row per
/// device. The fixed-ratio policy requires `nodeShare`. Fails if
/// `dispatch::applyPolicy` rejects counts; the failure names step and layer.
Result<std::vector<PolicySummary>>
comparePolicies(const traffic::Trace &trace, const dispatch::Demand &demand,
                const dispatch::Topology &topology,
                const dispatch::Links &links,
                const dispatch::DispatchPlan &target, double capacityFactor,
                std::optional<double> nodeShare);

} // namespace moe::planning

#endif // MOE_PLANNING_DISPATCHPOLICIES_H
