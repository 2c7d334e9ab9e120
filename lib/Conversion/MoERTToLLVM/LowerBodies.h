// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering of bodies with upstream's passes.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace moe {

/// Appends the passes that lower linalg to code on memrefs with only scalars
/// and blocks. 16-bit floats are computed as f32 and rounded after every op, as
/// in the interpreter. For a device, functions without instructions become
/// formulas.
void addScalarPasses(mlir::OpPassManager &manager, bool forDevice);

/// Replaces isinf and isnormal by comparisons, because upstream cannot lower
/// them.
void expandClasses(mlir::Operation *root);

/// Replaces minima and maxima of f64 and f32 by comparisons. 0.0 is greater
/// than -0.0 in any order of the operands, as in the interpreter.
void expandMinMax(mlir::Operation *root);

/// Emits an error and fails if a body computes with floats without machine
/// arithmetic. They may be moved and may be constants.
llvm::LogicalResult verifyFloats(mlir::Operation *body);

/// Adds patterns from the result of these passes to the LLVM dialect, except
/// for functions.
void populateScalarPatterns(mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// Lowers bodies, functions and the constants that they read, to the LLVM
/// dialect; `run` runs passes on one of them. 16-bit floats are computed as f32
/// and rounded after every op, as in the interpreter. Ignores the module's
/// other ops. Emits an error and fails for floats without arithmetic; keeps ops
/// that upstream cannot lower.
mlir::LogicalResult
lowerBodies(mlir::ModuleOp module, llvm::ArrayRef<mlir::Operation *> bodies,
            llvm::function_ref<mlir::LogicalResult(mlir::OpPassManager &,
                                                   mlir::Operation *)>
                run);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H
