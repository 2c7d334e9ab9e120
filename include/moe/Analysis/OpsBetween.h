// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one op computes for another.

#ifndef MOE_ANALYSIS_OPSBETWEEN_H
#define MOE_ANALYSIS_OPSBETWEEN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace moe {

/// Whether an op, or one inside of it, reads a result of an op of a set, or of
/// one inside of these.
bool readsAny(mlir::Operation *op,
              const llvm::DenseSet<mlir::Operation *> &set);

/// What is between an op and a later one of its block, in order.
struct OpsBetween {
  mlir::Operation *first, *last;
  /// Computed from the one and for the other, both of them among it; without
  /// the first where the last does not read it, by way of others.
  llvm::SmallVector<mlir::Operation *> inside;
  /// Computed from the first, and not for the last.
  llvm::SmallVector<mlir::Operation *> beside;
};

OpsBetween findBetween(mlir::Operation *first, mlir::Operation *last);

} // namespace moe

#endif // MOE_ANALYSIS_OPSBETWEEN_H
