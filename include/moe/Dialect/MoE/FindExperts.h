// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Location of experts in a list of ops.

#ifndef MOE_DIALECT_MOE_FINDEXPERTS_H
#define MOE_DIALECT_MOE_FINDEXPERTS_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// Returns the first index and the end of the experts of one layer in a list of
/// ops. The experts may be one op or several. Returns nullopt if the list has
/// no experts or experts of several layers: two `moe` ops, or experts on both
/// sides of an all-to-all.
std::optional<std::pair<size_t, size_t>>
findExperts(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace moe

#endif // MOE_DIALECT_MOE_FINDEXPERTS_H
