// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that regions pass to their parent ops.

#ifndef MOE_DIALECT_MOE_LIVEOUT_H
#define MOE_DIALECT_MOE_LIVEOUT_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns the inner value behind a result of layers, tasks and schedules.
mlir::Value getLiveOut(mlir::Value value);
/// Returns the op that computes a value inside layers, tasks and schedules;
/// null for an argument.
inline mlir::Operation *findMaker(mlir::Value value) {
  return getLiveOut(value).getDefiningOp();
}

/// Replaces a layer by one with more results, the values `inside` its body, at
/// the end. The caller erases the old op, which has no body and no uses.
LayerOp extendLayer(LayerOp layer, mlir::ValueRange inside);

} // namespace moe

#endif // MOE_DIALECT_MOE_LIVEOUT_H
