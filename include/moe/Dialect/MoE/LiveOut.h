// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values under other names.

#ifndef MOE_DIALECT_MOE_LIVEOUT_H
#define MOE_DIALECT_MOE_LIVEOUT_H

#include "mlir/IR/Value.h"

namespace moe {

/// The value that a layer, a task or a schedule hands out under another name.
mlir::Value getLiveOut(mlir::Value value);
/// The op that makes a value, under whatever name; null for an argument.
inline mlir::Operation *findMaker(mlir::Value value) {
  return getLiveOut(value).getDefiningOp();
}

} // namespace moe

#endif // MOE_DIALECT_MOE_LIVEOUT_H
