// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids of groups.

#ifndef MOE_LIB_DIALECT_MOE_GROUPGRID_H
#define MOE_LIB_DIALECT_MOE_GROUPGRID_H

#include "moe/Dialect/MoE/MoEAttrs.h"

namespace moe {

/// Verifies that groups form a grid, as the axes of a mesh do: from any rank,
/// the rank at position q of one group and p of another is the same in either
/// order. Null groups are ignored.
llvm::LogicalResult verifyGrid(mlir::Operation *op,
                               llvm::ArrayRef<GroupAttrInterface> groups);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_GROUPGRID_H
