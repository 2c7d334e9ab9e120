// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices for a whole step.

#ifndef MOE_LIB_COMPILER_STEPCHOICES_H
#define MOE_LIB_COMPILER_STEPCHOICES_H

#include "moe/Compiler/Passes.h"
#include "moe/Compiler/Plan.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Cost/Machine.h"

namespace moe {
class KnownLayers;

struct FunctionGradients {
  mlir::func::FuncOp function;
  GradientPlan plan;
};

/// Cuts the gradients of a module's functions into buckets and sends them, as
/// `moe-partition-gradients` does. Returns the plans, for `sendGradients`.
mlir::FailureOr<std::vector<FunctionGradients>>
partitionGradients(mlir::ModuleOp module, const cost::Machine &machine,
                   const PartitionGradientsOptions &options,
                   KnownLayers &known);

/// Works as the function of the same name in VariantChoice.h, but uses and
/// extends a cache of layers on the machine.
mlir::FailureOr<llvm::SmallVector<ChosenVariant>>
chooseDegrees(mlir::ModuleOp module, const cost::Machine &machine,
              const ChooseDegreeOptions &options, KnownLayers &known);

/// Sends the gradients of a function in buckets. Emits an error and fails if
/// the function lacks the gradients.
llvm::LogicalResult sendGradients(mlir::func::FuncOp function,
                                  const GradientPlan &plan,
                                  const cost::Machine &machine);

/// Returns true if the module's step is not slower with weight gradients
/// overlapped with combines, as `moe-fill-weight-gradients` determines and
/// reports.
mlir::FailureOr<bool> paysToFill(mlir::ModuleOp module,
                                 const cost::Machine &machine,
                                 CollectiveStreams collectives);

/// Moves weight gradients so that they overlap with combines.
void overlapWeightGradients(mlir::ModuleOp module);

/// Schedules a program according to its plan, without verification. Searches
/// task orders with a beam of `searchWidth`; 0 for one of many trials.
llvm::LogicalResult applyPlan(mlir::ModuleOp module, uint64_t searchWidth = 0);

/// Does the same for a machine that differs from the module's platform only in
/// its link speeds. Tasks that change links stay as they are, and tasks of
/// sub-batches keep the best order for the platform.
llvm::LogicalResult applyPlan(mlir::ModuleOp module,
                              const cost::Machine &other);

/// Writes the plan in which each layer is fastest alone, as `moe-choose-plan`
/// chooses it. `usesFitted` is true if the machine has fitted parameters.
llvm::LogicalResult planLayers(mlir::ModuleOp module,
                               const cost::Machine &machine,
                               const VariantLimits &limits, bool usesFitted);

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPCHOICES_H
