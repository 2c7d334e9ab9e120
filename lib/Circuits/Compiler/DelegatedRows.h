// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of uneven runs through delegates.

#ifndef MOE_LIB_CIRCUITS_COMPILER_DELEGATEDROWS_H
#define MOE_LIB_CIRCUITS_COMPILER_DELEGATEDROWS_H

#include "moe/Dialect/OCS/OCSOps.h"
#include "moe/Transforms/PlannedExchanges.h"

namespace moe {

/// Rows of one plan that are routed through delegates.
struct DelegatedPlan {
  RaggedPlanOp plan;
  PlannedExchanges exchanges;
  /// Maximum number of destinations per delegate, and number of NUMA nodes per
  /// server.
  int64_t turns, numaNodes;
};

/// Returns the exchanges by a plan of all ranks in a region, for `routeRows`.
/// Otherwise, sets `reason` to why they cannot use delegates.
std::optional<DelegatedPlan> findDelegatedPlan(RaggedPlanOp plan,
                                               ocs::FabricOp fabric,
                                               int64_t numaNodes,
                                               std::string &reason);

/// Routes all exchanges by a plan through delegates that are found at run time
/// from its counts (SPEC MF-9), in place. This includes the exchanges of a
/// backward pass that receives the plan's results.
void routeRows(DelegatedPlan &delegated, ocs::FabricOp fabric);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_COMPILER_DELEGATEDROWS_H
