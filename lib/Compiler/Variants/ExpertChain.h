// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain around a layer's experts.

#ifndef MOE_LIB_COMPILER_VARIANTS_EXPERTCHAIN_H
#define MOE_LIB_COMPILER_VARIANTS_EXPERTCHAIN_H

#include "moe/Analysis/Chunking.h"
#include "moe/Compiler/LayerVariant.h"

namespace moe {

/// The chain around a layer's experts, from dispatch to combine.
struct ExpertChain {
  Chain chain;
  ChunkDim dim;
  /// Collectives of the layer in front of the chain's end with no part in it,
  /// in order: what is sent between dispatches and combines.
  llvm::SmallVector<CollectiveOpInterface> beside;
};

/// The chain of a layer; nullopt, with the reason, when there is none or it
/// cannot be cut into two chunks.
std::optional<ExpertChain> findExpertChain(LayerOp layer, std::string &reason);

/// Cuts the chain of a layer into the chunks of a form, in place. Emits an
/// error and fails where there is no such chain, or it is shorter than the
/// chunks.
llvm::LogicalResult cutExperts(LayerOp layer, const LayerVariant &form);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_EXPERTCHAIN_H
