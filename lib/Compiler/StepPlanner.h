// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for a whole step.

#ifndef MOE_LIB_COMPILER_STEPPLANNER_H
#define MOE_LIB_COMPILER_STEPPLANNER_H

#include "Degree/ChunkedLayer.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "moe/Dialect/MoE/PlanEnums.h"

namespace moe {

/// Plans schedules of a step (see `getRecipe`). Caches the common parts of all
/// plans of a program: the imported program, the program with local slices of
/// replicated data, and the times of its layers in chunks. If dropless layers
/// may send their tokens once per node, either all or none do, whichever is
/// faster.
class StepPlanner {
public:
  /// Both must outlive the planner, and the ops of the module must not change
  /// during its lifetime.
  StepPlanner(mlir::ModuleOp module, const cost::Machine &machine)
      : module(module), machine(machine) {}

  /// Writes the plan of a schedule to the module or a copy of it. The choices
  /// are made on a copy, each for the program after the previous choices, and
  /// emit remarks. With `nodeDedup`, layers with a ragged plan send each token
  /// once per node. Emits an error and fails if a choice fails.
  llvm::LogicalResult plan(ScheduleChoice choice, mlir::ModuleOp onto,
                           bool nodeDedup);

private:
  llvm::LogicalResult makeBase(mlir::OwningOpRef<mlir::ModuleOp> &base,
                               bool drops, bool nodeDedup);

  mlir::ModuleOp module;
  const cost::Machine &machine;
  /// The imported program; with local slices of data that ranks would send more
  /// than once; and additionally with each token sent once per node. Null until
  /// needed.
  mlir::OwningOpRef<mlir::ModuleOp> asImported, dropped, deduplicated;
  KnownLayers known;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPPLANNER_H
