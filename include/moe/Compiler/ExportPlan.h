// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan for those who run it elsewhere.

#ifndef MOE_COMPILER_EXPORTPLAN_H
#define MOE_COMPILER_EXPORTPLAN_H

#include "moe/Compiler/PredictionReport.h"

namespace moe {

/// The first member of a plan; another one when readers of this one would
/// misread it.
constexpr int64_t kPlanVersion = 1;

/// What a module's plan says, and what its schedule takes on a platform, as
/// JSON (docs/reference/plan.schema.json). The module has been through the
/// phase `choose` or a later one, or through none: then nothing was chosen.
/// `choices` are remarks, for the reasons. Emits an error and fails when the
/// module cannot be scheduled or timed.
mlir::FailureOr<std::string>
exportPlan(mlir::ModuleOp module, const platform::Platform &platform,
           const std::vector<ReportedChoice> &choices);

} // namespace moe

#endif // MOE_COMPILER_EXPORTPLAN_H
