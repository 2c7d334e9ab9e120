// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts a chain of ops to a pipeline.

#ifndef MOE_TRANSFORMS_PIPELINEBUILDER_H
#define MOE_TRANSFORMS_PIPELINEBUILDER_H

#include "moe/Analysis/Chunking.h"

namespace moe {

/// Replaces a chain by a pipeline of `degree` chunks along `dim`, which must
/// have at least `degree` elements. The chunks have the given `sizes`, or are
/// as equal as possible if `sizes` is empty. `order` is the launch order of the
/// pipeline; empty for none. Taps become further results of the pipeline, and
/// their readers are moved after it.
PipelineOp buildPipeline(const Chain &chain, const ChunkDim &dim,
                         int64_t degree, llvm::ArrayRef<int64_t> sizes = {},
                         CopyPlacement copies = CopyPlacement::Own,
                         llvm::ArrayRef<LaunchStage> order = {});

} // namespace moe

#endif // MOE_TRANSFORMS_PIPELINEBUILDER_H
