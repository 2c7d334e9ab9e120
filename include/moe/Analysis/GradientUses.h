// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MOE_ANALYSIS_GRADIENTUSES_H
#define MOE_ANALYSIS_GRADIENTUSES_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// True if only the function's return reads a value, perhaps through a layer's
/// results. With `throughPieces`, also through reshapes, slices and
/// `moe.assemble`. A value that nothing reads counts as returned.
bool isOnlyReturned(mlir::Value value, bool throughPieces = false);

/// True for the all-reduce of a gradient, whole or in pieces: nothing computes
/// with its sum.
bool isGradientAllReduce(mlir::Operation *op);

} // namespace moe

#endif // MOE_ANALYSIS_GRADIENTUSES_H
