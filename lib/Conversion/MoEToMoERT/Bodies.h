// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream ops as functions of their own.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_BODIES_H
#define MOE_LIB_CONVERSION_MOETOMOERT_BODIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Whether a value is known to the host when it launches work: constants, the
/// rank's place in groups, and what is computed from them without buffers.
/// Such values are made again wherever they are used.
bool isHostValue(mlir::Value value);

/// A function that computes some values from buffers.
struct OutlinedBody {
  mlir::func::FuncOp function;
  /// Values whose buffers the function takes.
  llvm::SmallVector<mlir::Value> inputs;
  /// Groups whose places the function takes, as numbers behind the inputs.
  llvm::SmallVector<GroupAttrInterface> groups;
};

/// Creates a private function before `before` that computes `outputs` with
/// clones of `ops`, which follow each other, and of the host values they use.
/// It takes the buffers of the inputs, the places in groups, and the buffers
/// to write the outputs to, in this order. Emits an error and fails for types
/// that have no buffer.
mlir::FailureOr<OutlinedBody> outline(mlir::Operation *before,
                                      mlir::StringRef name, mlir::Location loc,
                                      llvm::ArrayRef<mlir::Operation *> ops,
                                      llvm::ArrayRef<mlir::Value> outputs);

/// Registers the extensions of upstream's dialects that `addBodyBufferization`
/// needs.
void registerBodyBufferization(mlir::DialectRegistry &registry);

/// Appends the passes that turn the tensors of bodies into buffers.
void addBodyBufferization(mlir::OpPassManager &manager);

/// Turns copies between strided buffers into loops' work: upstream would call a
/// library for them that programs do not link.
void lowerStridedCopies(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_BODIES_H
