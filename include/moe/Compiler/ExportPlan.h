// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON export of a plan for other systems.

#ifndef MOE_COMPILER_EXPORTPLAN_H
#define MOE_COMPILER_EXPORTPLAN_H

#include "moe/Compiler/PredictionReport.h"

namespace moe {

/// Version in the first member of a plan; must change if readers of this
/// version would misread a plan.
constexpr int64_t kPlanVersion = 1;

/// Returns a module's plan and the times of its schedule on a platform as JSON
/// (docs/reference/plan.schema.json). If the module has not passed the phase
/// `choose`, the plan is empty. `choices` are remarks, which provide the
/// reasons. Emits an error and fails if the module cannot be scheduled or
/// timed.
mlir::FailureOr<std::string>
exportPlan(mlir::ModuleOp module, const platform::Platform &platform,
           const std::vector<ReportedChoice> &choices);

} // namespace moe

#endif // MOE_COMPILER_EXPORTPLAN_H
