// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies through upstream's lowerings.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace moe {

/// Appends the passes that leave code on memrefs, without linalg, with scalars
/// and blocks only. Floats of 16 bits are computed as f32 and rounded after
/// every op, as the interpreter does; for a device, functions that it has no
/// instruction for become formulas.
void addScalarPasses(mlir::OpPassManager &manager, bool forDevice);

/// Replaces questions for infinite and normal numbers by comparisons: upstream
/// has no lowering of them.
void expandClasses(mlir::Operation *root);

/// Replaces minima and maxima of f64 and f32 by comparisons. 0.0 is greater than
/// -0.0, in whichever order they come, as on the interpreter.
void expandMinMax(mlir::Operation *root);

/// Emits an error and fails where a body computes with floats that machines
/// have no arithmetic for; they may be moved and stand as constants.
llvm::LogicalResult verifyFloats(mlir::Operation *body);

/// From what those passes leave to the LLVM dialect, without functions.
void populateScalarPatterns(mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// Brings bodies, functions and the constants they read, to the LLVM dialect;
/// `run` runs passes on one of them. Floats of 16 bits are computed as f32 and
/// rounded after every op, as the interpreter does. The module's other ops are
/// not looked at. Emits an error and fails for floats without arithmetic; an op
/// that nothing of upstream lowers is left as it is.
mlir::LogicalResult
lowerBodies(mlir::ModuleOp module, llvm::ArrayRef<mlir::Operation *> bodies,
            llvm::function_ref<mlir::LogicalResult(mlir::OpPassManager &,
                                                   mlir::Operation *)>
                run);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H
