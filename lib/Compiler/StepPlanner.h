// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for a step as a whole.

#ifndef MOE_LIB_COMPILER_STEPPLANNER_H
#define MOE_LIB_COMPILER_STEPPLANNER_H

#include "Degree/ChunkedLayer.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "moe/Dialect/MoE/PlanEnums.h"

namespace moe {

/// Plans schedules of a step (see `getRecipe`). Keeps what the plans of one
/// program have in common: the program as imported and after the drop of what
/// is sent more than once, and what its layers take in chunks. Where layers
/// that drop nothing may send their tokens once a node, they all do or none, as
/// the step ends first.
class StepPlanner {
public:
  /// Both outlive the planner, and the ops of the module are not changed while
  /// it lives.
  StepPlanner(mlir::ModuleOp module, const cost::Machine &machine)
      : module(module), machine(machine) {}

  /// Writes the plan of a schedule on the module or a copy of it. The choices
  /// are made on a copy, each for the program that the previous ones make, and
  /// emit remarks. With `nodeDedup`, layers with a ragged plan send each token
  /// once per node. Emits an error and fails if a choice does.
  llvm::LogicalResult plan(ScheduleChoice choice, mlir::ModuleOp onto,
                           bool nodeDedup);

private:
  llvm::LogicalResult makeBase(mlir::OwningOpRef<mlir::ModuleOp> &base,
                               bool drops, bool nodeDedup);

  mlir::ModuleOp module;
  const cost::Machine &machine;
  /// The program as imported, with local slices of what ranks would send more
  /// than once, and with each token sent once per node as well; null until
  /// needed.
  mlir::OwningOpRef<mlir::ModuleOp> asImported, dropped, deduplicated;
  KnownLayers known;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPPLANNER_H
