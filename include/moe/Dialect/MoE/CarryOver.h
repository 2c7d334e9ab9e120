// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rewrites keep of ops.

#ifndef MOE_DIALECT_MOE_CARRYOVER_H
#define MOE_DIALECT_MOE_CARRYOVER_H

#include "mlir/IR/Operation.h"

namespace moe {

/// Gives `to` what users wrote on `from`, whose work it does: the discardable
/// attributes that are not of this dialect, whose meaning a rewrite must know,
/// and that `to` has no attribute of that name for. An op that does the work of
/// two takes over from both; of two attributes of one name it keeps the first.
void carryOver(mlir::Operation *from, mlir::Operation *to);

/// The same for an op that is gone; `written` are its discardable attributes.
void carryOver(mlir::DictionaryAttr written, mlir::Operation *to);

/// Where an op comes from that does the work of two, the first the one that it
/// replaces, whose name it goes by.
mlir::Location fuseLocs(mlir::Operation *replaced, mlir::Operation *other);

} // namespace moe

#endif // MOE_DIALECT_MOE_CARRYOVER_H
