// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of uneven runs through delegates.

#ifndef MOE_LIB_CIRCUITS_COMPILER_DELEGATEDROWS_H
#define MOE_LIB_CIRCUITS_COMPILER_DELEGATEDROWS_H

#include "moe/Dialect/OCS/OCSOps.h"
#include "moe/Transforms/PlannedExchanges.h"

namespace moe {

/// Rows of one plan that go through delegates.
struct DelegatedPlan {
  RaggedPlanOp plan;
  PlannedExchanges exchanges;
  /// Destinations of a delegate at most, and the NUMA nodes of a server.
  int64_t turns, numaNodes;
};

/// What goes by a plan of all ranks of a region, for `routeRows`. Otherwise
/// says in `reason` why it cannot go through delegates.
std::optional<DelegatedPlan> findDelegatedPlan(RaggedPlanOp plan,
                                               ocs::FabricOp fabric,
                                               int64_t numaNodes,
                                               std::string &reason);

/// Lets all exchanges by a plan go through delegates that are found at run time
/// by its counts (SPEC MF-9), also those of a backward pass that is handed
/// these, in place.
void routeRows(DelegatedPlan &delegated, ocs::FabricOp fabric);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_COMPILER_DELEGATEDROWS_H
