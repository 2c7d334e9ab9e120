// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain of ops as a pipeline.

#ifndef MOE_TRANSFORMS_PIPELINEBUILDER_H
#define MOE_TRANSFORMS_PIPELINEBUILDER_H

#include "moe/Analysis/Chunking.h"

namespace moe {

/// Replaces a chain by a pipeline of `degree` chunks that cuts it along `dim`,
/// which is at least as long: into chunks of `sizes`, or as even as it goes
/// where these are empty. `order` is the pipeline's, none when empty. Taps
/// become further results of the pipeline, and what reads them moves behind it.
PipelineOp buildPipeline(const Chain &chain, const ChunkDim &dim,
                         int64_t degree, llvm::ArrayRef<int64_t> sizes = {},
                         CopyPlacement copies = CopyPlacement::Own,
                         llvm::ArrayRef<LaunchStage> order = {});

} // namespace moe

#endif // MOE_TRANSFORMS_PIPELINEBUILDER_H
