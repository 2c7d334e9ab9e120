//===- LowerBodies.h - Bodies through upstream's lowerings ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace moe {

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
