// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MOE_ANALYSIS_GRADIENTUSES_H
#define MOE_ANALYSIS_GRADIENTUSES_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns true if only the function's return reads a value, perhaps through
/// the results of layers. If `throughPieces`, reshapes, slices and
/// `moe.assemble` may be in between, too. An unused value counts as returned.
bool isOnlyReturned(mlir::Value value, bool throughPieces = false);

/// Returns true for the all-reduce of a gradient, whole or in buckets: no op
/// computes with its sum.
bool isGradientAllReduce(mlir::Operation *op);

} // namespace moe

#endif // MOE_ANALYSIS_GRADIENTUSES_H
