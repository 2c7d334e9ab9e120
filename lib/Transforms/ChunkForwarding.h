// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks from pipeline to pipeline.

#ifndef MOE_LIB_TRANSFORMS_CHUNKFORWARDING_H
#define MOE_LIB_TRANSFORMS_CHUNKFORWARDING_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Whether a pipeline cuts its operand into the chunks that another one has
/// joined as that result: what it takes need not be joined.
bool takesChunks(PipelineOp reader, unsigned operand, PipelineOp maker,
                 unsigned result);

/// Whether all who read `value`, that result of a pipeline or what layers hand
/// it out as, are pipelines that take its chunks.
bool isReadInChunks(PipelineOp maker, unsigned result, mlir::Value value);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_CHUNKFORWARDING_H
