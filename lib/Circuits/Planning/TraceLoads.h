// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of experts in a trace.

#ifndef MOE_LIB_CIRCUITS_PLANNING_TRACELOADS_H
#define MOE_LIB_CIRCUITS_PLANNING_TRACELOADS_H

#include "moe/Fabric/LoadPrediction.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

/// Loads of all experts by layer, at one step.
using StepLoads = std::vector<fabric::Load>;

/// Loads of the steps of a trace, of all ranks together. Fails for one of what
/// ranks send to ranks, and for steps of other layers than the first has.
Result<std::vector<StepLoads>> readStepLoads(const std::string &file,
                                             int64_t &experts);

} // namespace moe::planning

#endif // MOE_LIB_CIRCUITS_PLANNING_TRACELOADS_H
