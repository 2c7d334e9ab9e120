// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that cross each other.

#ifndef MOE_LIB_DIALECT_MOE_GROUPGRID_H
#define MOE_LIB_DIALECT_MOE_GROUPGRID_H

#include "moe/Dialect/MoE/MoEAttrs.h"

namespace moe {

/// Verifies that groups cross each other as the axes of a mesh do: with two of
/// them, the rank at place q of the one and p of the other is found from any
/// rank whichever is asked first. Groups that are null are left out.
llvm::LogicalResult verifyGrid(mlir::Operation *op,
                               llvm::ArrayRef<GroupAttrInterface> groups);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_GROUPGRID_H
