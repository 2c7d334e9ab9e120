// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile plan of a program.

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

/// The decisions of the phase Choose for the whole program. The module holds
/// them as a `#moe.step_plan` until the phase Schedule has applied them.
struct StepPlan {
  /// The last phase that the program has passed.
  CompilePhase phase = CompilePhase::Choose;
  /// The schedule that the plan was made for; never Best.
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// Dim to slice in every all-to-all; nullopt leaves it to the layers'
  /// variants.
  std::optional<int64_t> dropDim = {};
  /// Assignment of collectives to streams.
  CollectiveStreams collectives = CollectiveStreams::ByLinks;
  std::vector<std::string> priorities = {};
  /// True if weight gradients are overlapped with combines.
  bool fills = false;
  /// True if tasks run in the fastest order that is found, instead of the
  /// schedule's own order.
  bool reorders = false;
  /// If set, tokens are sent to experts as 8-bit floats, with one scale per
  /// this many elements of a row, or per row if 0 (`moe-quantize-dispatch`).
  /// Nullopt sends them unchanged.
  std::optional<int64_t> quantizeBlock = {};
};

/// Gradient buckets of a function, which holds them as a `#moe.gradient_plan`.
struct GradientPlan {
  std::vector<schedule::GradientBucket> pieces;
  /// True if buckets with the same place share an all-reduce.
  bool fuse = false;
  /// With `fuse`, an all-reduce takes no more buckets from this number of
  /// elements on, and gradients are cut and sent in the order of their
  /// computation. 0 for neither.
  int64_t bucket = 0;
};

/// Returns true if a module has passed the phase Choose and its plan is not
/// applied yet.
bool hasPlan(mlir::ModuleOp module);

/// Reads the plan of a module. Emits an error with the expected form and fails
/// if the attribute is missing or wrong.
mlir::FailureOr<StepPlan> readStepPlan(mlir::ModuleOp module);
/// Reads a layer's variant from its `#moe.layer_plan`.
mlir::FailureOr<LayerVariant> readVariant(LayerOp layer);
/// Returns nullopt if the function has no gradient plan.
mlir::FailureOr<std::optional<GradientPlan>>
readGradientPlan(mlir::func::FuncOp function);

void writeStepPlan(mlir::ModuleOp module, const StepPlan &plan);
/// Sets `reorders` in the plan of a module, so that tasks run in the fastest
/// order. Emits an error and fails as `readStepPlan` does.
mlir::LogicalResult markReordered(mlir::ModuleOp module);
void writeVariant(LayerOp layer, const LayerVariant &form);
void writeGradientPlan(mlir::func::FuncOp function, const GradientPlan &plan);

/// Returns the layers of a module in program order.
llvm::SmallVector<LayerOp> listLayers(mlir::ModuleOp module);

/// Copies the plan of a module to another one with the same functions and
/// layers.
void copyPlan(mlir::ModuleOp from, mlir::ModuleOp to);

/// Emits an error and fails if a module contains a part of a plan that no phase
/// has applied.
mlir::LogicalResult verifyPlanApplied(mlir::ModuleOp module);

/// Removes the plan of a module, layer or function.
void erasePlan(mlir::Operation *op);

} // namespace moe

#endif // MOE_COMPILER_PLAN_H
