// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expert loads in a trace.

#ifndef MOE_LIB_CIRCUITS_PLANNING_TRACELOADS_H
#define MOE_LIB_CIRCUITS_PLANNING_TRACELOADS_H

#include "moe/Fabric/LoadPrediction.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

/// Loads of all experts by layer at one step.
using StepLoads = std::vector<fabric::Load>;

/// Reads the loads per step from a trace, summed over ranks. Fails for a trace
/// of rank-to-rank counts, and if the layers differ from the first step's.
Result<std::vector<StepLoads>> readStepLoads(const std::string &file,
                                             int64_t &experts);

} // namespace moe::planning

#endif // MOE_LIB_CIRCUITS_PLANNING_TRACELOADS_H
