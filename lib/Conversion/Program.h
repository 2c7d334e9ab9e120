// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion steps shared by JAX and PyTorch programs.

#ifndef MOE_LIB_CONVERSION_PROGRAM_H
#define MOE_LIB_CONVERSION_PROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The user's mark on an exchange.
struct LayerMark {
  /// The layer's name; empty if the exchange has no mark.
  llvm::StringRef name;
  /// The phase, if the text records it.
  std::optional<Phase> phase;
};

/// Groups each dispatch, its combine and the ops between them into a
/// `moe.layer`, in the functions `bodies`. Calls `missed` with the reason for
/// an exchange that is in no layer.
void readLayers(
    llvm::ArrayRef<mlir::func::FuncOp> bodies,
    llvm::function_ref<LayerMark(mlir::Operation *)> getMark,
    llvm::function_ref<void(mlir::Operation *, const llvm::Twine &)> missed);

/// Replaces layers, pipelines and schedules inside of `function` by their ops,
/// chunk by chunk, in launch order. Calls `markTask` for each collective and
/// product of a scheduled task, with the task's name in `moe-sim`.
void dissolve(
    mlir::Operation *function,
    llvm::function_ref<void(mlir::Operation *, llvm::StringRef)> markTask);

/// Removes meshes, streams and the attributes of this compiler.
void removeOwn(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_CONVERSION_PROGRAM_H
