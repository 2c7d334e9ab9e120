//===- PipelineBuilder.h - A chain of ops as a pipeline -----------*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_TRANSFORMS_PIPELINEBUILDER_H
#define MOE_LIB_TRANSFORMS_PIPELINEBUILDER_H

#include "moe/Analysis/Chunking.h"

namespace moe {

/// How a chain is cut.
struct PipelineForm {
  int64_t degree = 1;
  /// Sizes of the chunks; as even as it goes when empty.
  llvm::SmallVector<int64_t> sizes;
  CopyPlacement copies = CopyPlacement::Own;
  /// The pipeline's `order`; none when empty.
  std::string order;
};

/// Replaces a chain by a pipeline that cuts it along `dim`, which is at least
/// as long as the degree. Taps become further results of the pipeline, and what
/// reads them moves behind it.
PipelineOp buildPipeline(const Chain &chain, const ChunkDim &dim,
                         const PipelineForm &form);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_PIPELINEBUILDER_H
