// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model as a module.

#ifndef MOE_FRONTEND_BUILDMODULE_H
#define MOE_FRONTEND_BUILDMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "moe/Frontend/ImportOptions.h"

namespace moe {

/// Builds the forward pass of a model's MoE layers: a mesh and a function
/// `options.entry` of every rank, from the tokens [S, M] of the rank and the
/// weights of all layers to the tokens after the last residual. This is the
/// plain baseline: every exchange as the parallelism implies it, none removed,
/// split or overlapped. The layers stand one after the other, without the
/// attention between them, and are named by their index in the model.
///
/// With `options.train` it is a whole training step instead: dense parts stand
/// between the layers, the function also takes the gradient of the tokens it
/// gives, and gives the gradients of the tokens it takes and of all parameters,
/// summed up over all ranks that share them. docs/how-to/import-a-model.md has
/// the order.
///
/// With `options.layer` it is the first layer alone, without its residual, as
/// two functions for a framework's autograd. `options.entry` gives the result
/// and then what the backward pass needs; `options.entry` + "_backward" takes
/// the same arguments, what was handed out, and the gradient of the result, and
/// gives the gradients of the tokens and of all parameters, summed up as in a
/// step.
///
/// `config` must have passed `applyOverrides`. Loads the dialects it uses
/// (moe, func, arith, tensor) into the context. Fails as `computeLayout` does,
/// and for an entry that is no name; the module has been verified.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
buildModule(mlir::MLIRContext &context, const ModelConfig &config,
            const ImportOptions &options);

/// What a module of these options leaves out of the model, one phrase each.
std::vector<std::string> listLeftOut(const ModelConfig &config,
                                     const ImportOptions &options);

} // namespace moe

#endif // MOE_FRONTEND_BUILDMODULE_H
