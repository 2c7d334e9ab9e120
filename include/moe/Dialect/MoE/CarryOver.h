// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that rewrites preserve.

#ifndef MOE_DIALECT_MOE_CARRYOVER_H
#define MOE_DIALECT_MOE_CARRYOVER_H

#include "mlir/IR/Operation.h"

namespace moe {

/// Copies the discardable attributes of `from` to `to`, which does its work.
/// Skips attributes of this dialect, because a rewrite must know their meaning,
/// and names that `to` already has. An op that does the work of two ops
/// receives the attributes of both; if both have a name, the first call wins.
void carryOver(mlir::Operation *from, mlir::Operation *to);

/// Does the same for an erased op; `written` are its discardable attributes.
void carryOver(mlir::DictionaryAttr written, mlir::Operation *to);

/// Returns the location of an op that does the work of two ops. It keeps the
/// name of the first one, which it replaces.
mlir::Location fuseLocs(mlir::Operation *replaced, mlir::Operation *other);

} // namespace moe

#endif // MOE_DIALECT_MOE_CARRYOVER_H
