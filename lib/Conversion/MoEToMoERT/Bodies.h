// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outlining of upstream ops into functions.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_BODIES_H
#define MOE_LIB_CONVERSION_MOETOMOERT_BODIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns true if the host knows a value when it launches work: constants, the
/// rank's position in groups, and values computed from them without buffers.
/// Such values are recomputed at each use.
bool isHostValue(mlir::Value value);

/// A function that computes some values from buffers.
struct OutlinedBody {
  mlir::func::FuncOp function;
  /// Values that the function takes as buffers.
  llvm::SmallVector<mlir::Value> inputs;
  /// Groups that the function needs this rank's positions in, as numbers after
  /// the inputs.
  llvm::SmallVector<GroupAttrInterface> groups;
};

/// Creates a private function before `before` that computes `outputs` with
/// clones of `ops`, which must be consecutive, and of the host values that they
/// use. Its arguments are the input buffers, the positions in groups, and the
/// output buffers, in this order. Emits an error and fails for types without a
/// buffer.
mlir::FailureOr<OutlinedBody> outline(mlir::Operation *before,
                                      mlir::StringRef name, mlir::Location loc,
                                      llvm::ArrayRef<mlir::Operation *> ops,
                                      llvm::ArrayRef<mlir::Value> outputs);

/// Registers the extensions of upstream's dialects that `addBodyBufferization`
/// requires.
void registerBodyBufferization(mlir::DialectRegistry &registry);

/// Appends the passes that convert the tensors of bodies to buffers.
void addBodyBufferization(mlir::OpPassManager &manager);

/// Converts copies between strided buffers to loops, because upstream would
/// call a library that programs do not link.
void lowerStridedCopies(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_BODIES_H
