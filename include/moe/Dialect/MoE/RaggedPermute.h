// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ragged all-to-alls that permute tensors among ranks, or that move nothing.

#ifndef MOE_DIALECT_MOE_RAGGEDPERMUTE_H
#define MOE_DIALECT_MOE_RAGGEDPERMUTE_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Location of an operand of the exchange: "sizes", "offsets" or "init".
using GetPartLoc = llvm::function_ref<mlir::Location(llvm::StringRef)>;

/// Builds a `moe.ragged_all_to_all` that sends all of `rows` (of rank 1 or
/// more, static) from position `from[i]` of the group to position `to[i]`.
/// Positions that receive nothing get zeros. Pipeline stages exchange data in
/// this form, and a `moe.collective_permute` runs as one. `sizesBuilder`
/// creates the operands, which depend on the rank's position only.
RaggedAllToAllOp
buildRaggedPermute(mlir::OpBuilder &builder, mlir::OpBuilder &sizesBuilder,
                   mlir::Location loc, GetPartLoc getPartLoc, mlir::Value rows,
                   GroupAttrInterface group, int64_t groupSize,
                   llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Replaces each `moe.collective_permute` in `function` by a ragged all-to-all,
/// because the runtime has no permute. Emits an error and fails at a dynamic
/// shape.
llvm::LogicalResult expandPermutes(mlir::Operation *function);

/// Removes ragged all-to-alls by which the only rank of a group sends all rows
/// to itself, where they keep their numbers; a slice replaces one that changes
/// the number of rows. Until then, the exchanges of a layer show which of its
/// values are tokens and which are rows of experts.
void foldOneRankExchanges(mlir::Operation *function);

} // namespace moe

#endif // MOE_DIALECT_MOE_RAGGEDPERMUTE_H
