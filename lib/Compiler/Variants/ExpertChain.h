// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain around the experts.

#ifndef MOE_LIB_COMPILER_VARIANTS_EXPERTCHAIN_H
#define MOE_LIB_COMPILER_VARIANTS_EXPERTCHAIN_H

#include "moe/Analysis/Chunking.h"
#include "moe/Compiler/LayerVariant.h"

namespace moe {

/// The chain around the experts, from dispatch to combine.
struct ExpertChain {
  Chain chain;
  ChunkDim dim;
  /// Collectives of the layer before the chain's end that are not part of it,
  /// in order. They run between dispatches and combines.
  llvm::SmallVector<CollectiveOpInterface> beside;
};

/// Returns the layer's chain. Returns nullopt and sets `reason` if there is
/// none or it cannot be cut into two chunks.
std::optional<ExpertChain> findExpertChain(LayerOp layer, std::string &reason);

/// Cuts the layer's chain into the chunks of a variant, in place. Emits an
/// error and fails if there is no such chain, or it is shorter than the number
/// of chunks.
llvm::LogicalResult cutExperts(LayerOp layer, const LayerVariant &form);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_EXPERTCHAIN_H
