// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that give a layer a variant.

#ifndef MOE_LIB_COMPILER_VARIANTS_VARIANTPASSES_H
#define MOE_LIB_COMPILER_VARIANTS_VARIANTPASSES_H

#include "NodeBoundary.h"
#include "moe/Compiler/LayerVariant.h"
#include "moe/Compiler/PlanOptions.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// Whether a user who asks for `choice` asks for this form.
bool isOf(const LayerVariant &form, StrategyChoice choice);

/// The first passes that give a layer a form, from the import on: the split of
/// the mesh axis, tokens that are sent once a node, and the drop. `boundary` is
/// where a hierarchical exchange is cut, null for a flat one.
void addBasePasses(mlir::OpPassManager &manager, const LayerVariant &form,
                   const NodeBoundary *boundary);
/// The passes behind them; those of a form with an order are behind its chunks
/// as well, which `cutExperts` makes.
void addLatePasses(mlir::OpPassManager &manager, const LayerVariant &form);

/// All forms with one of the chunk counts, simpler ones first: fewer chunks,
/// flat before hierarchical, and this before tokens sent once a node, less
/// rewritten before more.
llvm::SmallVector<LayerVariant>
listVariants(llvm::ArrayRef<int64_t> chunkCounts);

/// 1, 2, 3, 4, 6, 8, 12, ... up to `most`.
llvm::SmallVector<int64_t> listChunkCounts(int64_t most);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_VARIANTPASSES_H
