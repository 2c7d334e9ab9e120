//===- HandedOut.h - Values that a function only returns --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_ANALYSIS_HANDEDOUT_H
#define MOE_ANALYSIS_HANDEDOUT_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// True if only the function's return reads a value, perhaps by way of a
/// layer's results. With `throughPieces`, reshapes, slices and `moe.assemble`
/// may stand between them. A value that nothing reads counts as handed out.
bool isHandedOut(mlir::Value value, bool throughPieces = false);

/// True for the all-reduce of a gradient, whole or in pieces: nothing computes
/// with its sum.
bool isGradientSum(mlir::Operation *op);

} // namespace moe

#endif // MOE_ANALYSIS_HANDEDOUT_H
