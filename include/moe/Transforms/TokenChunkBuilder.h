// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer's tokens in chunks.

#ifndef MOE_TRANSFORMS_TOKENCHUNKBUILDER_H
#define MOE_TRANSFORMS_TOKENCHUNKBUILDER_H

#include "moe/Analysis/TokenChunks.h"

namespace moe {

/// Runs a layer in `degree` chunks of its tokens, at most as many as these, cut
/// as even as it goes, larger ones first. Each part of the layer becomes one
/// pipeline, or two where chunks differ in size: what buffers hold, ops of
/// gradients must know. What the backward pass reads of chunks is handed to it
/// as stacks. Results of the layers change their types with that. The pipeline
/// around the experts in a block has the order that `getOrder` gives for it,
/// none where chunks differ in size.
void buildTokenChunks(
    const TokenChunks &chunks, int64_t degree,
    CopyPlacement copies = CopyPlacement::Own,
    llvm::function_ref<llvm::SmallVector<LaunchStage>(mlir::Block *)> getOrder =
        nullptr);

} // namespace moe

#endif // MOE_TRANSFORMS_TOKENCHUNKBUILDER_H
