// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a layer's tokens into chunks.

#ifndef MOE_TRANSFORMS_TOKENCHUNKBUILDER_H
#define MOE_TRANSFORMS_TOKENCHUNKBUILDER_H

#include "moe/Analysis/TokenChunks.h"

namespace moe {

/// Runs the layer in `degree` chunks of its tokens, at most one per token. The
/// chunks are as equal as possible, larger ones first. Each part of the layer
/// becomes one pipeline, or two if the chunk sizes differ, because ops of
/// gradients must know the sizes of buffers. Values of chunks that the backward
/// pass reads are passed to it as stacks, which changes the types of the
/// layers' results. The pipeline with the experts of a block has the order that
/// `getOrder` returns for this block, or no order if the chunk sizes differ.
void buildTokenChunks(
    const TokenChunks &chunks, int64_t degree,
    CopyPlacement copies = CopyPlacement::Own,
    llvm::function_ref<llvm::SmallVector<LaunchStage>(mlir::Block *)> getOrder =
        nullptr);

} // namespace moe

#endif // MOE_TRANSFORMS_TOKENCHUNKBUILDER_H
