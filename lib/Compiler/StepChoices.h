// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices for a step as a whole.

#ifndef MOE_LIB_COMPILER_STEPCHOICES_H
#define MOE_LIB_COMPILER_STEPCHOICES_H

#include "moe/Compiler/Passes.h"
#include "moe/Compiler/Plan.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Cost/Machine.h"

namespace moe {
class KnownLayers;

/// A function and what is made of its gradients.
struct FunctionGradients {
  mlir::func::FuncOp function;
  GradientPlan plan;
};

/// Cuts the gradients of a module's functions into pieces and sends them, as
/// `moe-partition-gradients` does; what it did, for `sendGradients`.
mlir::FailureOr<std::vector<FunctionGradients>>
partitionGradients(mlir::ModuleOp module, const cost::Machine &machine,
                   const PartitionGradientsOptions &options,
                   KnownLayers &known);

/// As the function of the same name in VariantChoice.h, with what is known of
/// layers on the machine, which it adds to.
mlir::FailureOr<llvm::SmallVector<ChosenVariant>>
chooseDegrees(mlir::ModuleOp module, const cost::Machine &machine,
              const ChooseDegreeOptions &options, KnownLayers &known);

/// Sends the gradients of a function in pieces. Emits an error and fails where
/// the function does not have the gradients.
llvm::LogicalResult sendGradients(mlir::func::FuncOp function,
                                  const GradientPlan &plan,
                                  const cost::Machine &machine);

/// Whether the module's step ends no later with weight gradients beside
/// combines, as `moe-fill-weight-gradients` finds out and says.
mlir::FailureOr<bool> paysToFill(mlir::ModuleOp module,
                                 const cost::Machine &machine,
                                 CollectiveStreams collectives);

/// Moves weight gradients beside combines.
void overlapWeightGradients(mlir::ModuleOp module);

/// Schedules a program as its plan says, unverified, with orders of tasks looked
/// for in `searchWidth`: 0 for a trial of many.
llvm::LogicalResult applyPlan(mlir::ModuleOp module, uint64_t searchWidth = 0);

/// The same for a machine that differs from the module's platform in how fast
/// its links are. Without changes of circuits; tasks of parts are in the order
/// that is best on the platform.
llvm::LogicalResult applyPlan(mlir::ModuleOp module,
                              const cost::Machine &other);

/// Writes the plan in which each layer is fastest alone, as `moe-choose-plan`
/// chooses it. `usesFitted` says that the machine has fitted parameters.
llvm::LogicalResult planLayers(mlir::ModuleOp module,
                               const cost::Machine &machine,
                               const VariantLimits &limits, bool usesFitted);

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPCHOICES_H
