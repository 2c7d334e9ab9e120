// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forwards chunks from one pipeline to another.

#ifndef MOE_LIB_TRANSFORMS_CHUNKFORWARDING_H
#define MOE_LIB_TRANSFORMS_CHUNKFORWARDING_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns true if `reader` cuts its operand into the same chunks that `maker`
/// joined as this result, so that they need not be joined.
bool takesChunks(PipelineOp reader, unsigned operand, PipelineOp maker,
                 unsigned result);

/// Returns true if all readers of `value` are pipelines that take its chunks.
/// `value` is this result of `maker`, or the result of a layer for it.
bool isReadInChunks(PipelineOp maker, unsigned result, mlir::Value value);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_CHUNKFORWARDING_H
