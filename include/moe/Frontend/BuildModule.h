// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction of a module for a model.

#ifndef MOE_FRONTEND_BUILDMODULE_H
#define MOE_FRONTEND_BUILDMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "moe/Frontend/ImportOptions.h"

namespace moe {

/// Builds the forward pass of a model's MoE layers: a mesh and a function
/// `options.entry` that every rank runs. The function maps the rank's tokens
/// [S, M] and the weights of all layers to the tokens after the last residual.
/// This is the plain baseline: every exchange is as the parallelism implies,
/// with none removed, split or overlapped. The layers are consecutive, without
/// the attention between them, and are named by their index in the model.
///
/// If `options.train` is set, the function is a whole training step: it has
/// dense parts between the layers, also takes the gradient of its result, and
/// also returns the gradients of its tokens and of all parameters, summed over
/// all ranks that share them. docs/how-to/import-a-model.md describes the
/// order.
///
/// If `options.layer` is set, the module has only the first layer, without its
/// residual, as two functions for a framework's autograd. `options.entry`
/// returns the result, followed by the values that the backward pass needs.
/// `options.entry` + "_backward" takes the same arguments, these values, and
/// the gradient of the result. It returns the gradients of the tokens and of
/// all parameters, summed as in a step.
///
/// `config` must have passed `applyOverrides`. Loads the required dialects
/// (moe, func, arith, tensor) into the context, and verifies the module. Fails
/// like `computeLayout`, and if the entry is not a valid name.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
buildModule(mlir::MLIRContext &context, const ModelConfig &config,
            const ImportOptions &options);

/// Lists the parts of the model that a module with these options omits, one
/// phrase each.
std::vector<std::string> listLeftOut(const ModelConfig &config,
                                     const ImportOptions &options);

} // namespace moe

#endif // MOE_FRONTEND_BUILDMODULE_H
