// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has been chosen for a program.

#ifndef MOE_COMPILER_PLAN_H
#define MOE_COMPILER_PLAN_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Compiler/LayerVariant.h"
#include "moe/Compiler/Phase.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/PlanEnums.h"
#include "moe/Schedule/GradientPartition.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// What the phase Choose decides for a program as a whole. The module holds it
/// as a `#moe.step_plan` until the phase Schedule has carried it out.
struct StepPlan {
  /// The last phase that the program has been through.
  CompilePhase phase = CompilePhase::Choose;
  /// What it was made for; never Best.
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// Dim to drop in every all-to-all; none leaves it to the layers' forms.
  std::optional<int64_t> dropDim = {};
  /// How tasks are put on streams.
  CollectiveStreams collectives = CollectiveStreams::ByLinks;
  std::vector<std::string> priorities = {};
  /// Weight gradients are computed beside combines.
  bool fills = false;
  /// Tasks run in the fastest order that is found, not in the schedule's own.
  bool reorders = false;
  /// Tokens go to experts as floats of 8 bits, with a scale for so many
  /// elements of a row, 0 for all of it (`moe-quantize-dispatch`); none sends
  /// them as they are.
  std::optional<int64_t> quantizeBlock = {};
};

/// Pieces of the gradients of a function, which holds them as a
/// `#moe.gradient_plan`.
struct GradientPlan {
  std::vector<schedule::GradientBucket> pieces;
  /// Those that go to one place travel together.
  bool fuse = false;
  /// With `fuse`, an all-reduce takes no more pieces when it has so many
  /// elements, and gradients are cut and sent in the order in which they are
  /// made; 0 for neither.
  int64_t bucket = 0;
};

/// Whether the phase Choose has been at a module and its plan is not carried
/// out yet.
bool hasPlan(mlir::ModuleOp module);

/// Reads a plan. Emits an error that says what was expected and fails when the
/// attribute is missing or wrong.
mlir::FailureOr<StepPlan> readStepPlan(mlir::ModuleOp module);
/// The variant of a layer, which holds it as a `#moe.layer_plan`.
mlir::FailureOr<LayerVariant> readVariant(LayerOp layer);
/// Nullopt where the function has none.
mlir::FailureOr<std::optional<GradientPlan>>
readGradientPlan(mlir::func::FuncOp function);

void writeStepPlan(mlir::ModuleOp module, const StepPlan &plan);
/// Has the tasks of a module whose plan it is run in the fastest order. Emits an
/// error and fails as `readStepPlan`.
mlir::LogicalResult reorderTasks(mlir::ModuleOp module);
void writeVariant(LayerOp layer, const LayerVariant &form);
void writeGradientPlan(mlir::func::FuncOp function, const GradientPlan &plan);

/// The layers of a module in the order in which they stand in it.
llvm::SmallVector<LayerOp> listLayers(mlir::ModuleOp module);

/// Writes the plan of a module on another one with the same functions and
/// layers.
void copyPlan(mlir::ModuleOp from, mlir::ModuleOp to);

/// Emits an error and fails where a module holds a part of a plan that no
/// phase has carried out.
mlir::LogicalResult verifyPlanApplied(mlir::ModuleOp module);

/// Removes the plan of a module, layer or function.
void erasePlan(mlir::Operation *op);

} // namespace moe

#endif // MOE_COMPILER_PLAN_H
