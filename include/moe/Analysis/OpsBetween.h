// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on the dataflow paths between two ops.

#ifndef MOE_ANALYSIS_OPSBETWEEN_H
#define MOE_ANALYSIS_OPSBETWEEN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace moe {

/// Returns true if `op` or an op nested in it reads a result of an op in `set`
/// or of an op nested in one of these.
bool readsAny(mlir::Operation *op,
              const llvm::DenseSet<mlir::Operation *> &set);

/// The ops from one op to a later one of its block that depend on the first, in
/// order.
struct OpsBetween {
  mlir::Operation *first, *last;
  /// Ops on paths from the first op to the last one, including both; empty if
  /// the last op does not depend on the first.
  llvm::SmallVector<mlir::Operation *> inside;
  /// Ops that depend on the first op, but that the last one does not depend on.
  llvm::SmallVector<mlir::Operation *> beside;
};

OpsBetween findBetween(mlir::Operation *first, mlir::Operation *last);

} // namespace moe

#endif // MOE_ANALYSIS_OPSBETWEEN_H
