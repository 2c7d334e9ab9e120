//===- LowerBodies.h - Bodies through upstream's lowerings ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace moe {

/// Appends the passes that bring functions on buffers to the LLVM dialect.
/// Floats of 16 bits are computed as f32 and rounded after every op, as the
/// interpreter does.
void addBodyLowering(mlir::OpPassManager &manager);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_LOWERBODIES_H
