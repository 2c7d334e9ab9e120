// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the experts of a layer are.

#ifndef MOE_DIALECT_MOE_FINDEXPERTS_H
#define MOE_DIALECT_MOE_FINDEXPERTS_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// Where in a row of ops the experts of one layer begin and end: one op, or
/// what is made of several, up to the last. Nullopt where there are none, or
/// those of several layers: two of `moe`, or some on both sides of an
/// all-to-all.
std::optional<std::pair<size_t, size_t>>
findExperts(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace moe

#endif // MOE_DIALECT_MOE_FINDEXPERTS_H
