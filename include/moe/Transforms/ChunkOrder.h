// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch order of chunks.

#ifndef MOE_TRANSFORMS_CHUNKORDER_H
#define MOE_TRANSFORMS_CHUNKORDER_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The stage of a chunk, relative to the experts, that an op belongs to (SPEC
/// FS-3).
enum class ChunkStage : uint8_t {
  /// Ops up to the last all-to-all before the experts.
  Dispatch,
  /// Ops between that all-to-all and the experts.
  Gather,
  Experts,
  /// Ops between the experts and the first all-to-all after them.
  Scatter,
  /// That all-to-all and all later ops.
  Combine
};

/// Returns the stage of each op of a chain; empty unless the chain contains the
/// experts of one layer and has an all-to-all both before and after them.
llvm::SmallVector<ChunkStage>
getChunkStages(llvm::ArrayRef<mlir::Operation *> chain);

struct ChunkTask {
  TaskOp task;
  ChunkStage stage;
  int64_t chunk;
};

/// Moves the tasks of a pipeline into the pipeline's order. They have just been
/// launched op by op after all other tasks. `before` is the last task before
/// the tasks of the pipeline's layer; null if there is none. Collectives of the
/// layer that the pipeline's tasks do not wait for are launched at the
/// `gradients` entries of the order.
void launchInOrder(llvm::ArrayRef<LaunchStage> order,
                   llvm::ArrayRef<ChunkTask> chunks, TaskOp before);

} // namespace moe

#endif // MOE_TRANSFORMS_CHUNKORDER_H
