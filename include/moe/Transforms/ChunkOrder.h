// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which chunks are launched.

#ifndef MOE_TRANSFORMS_CHUNKORDER_H
#define MOE_TRANSFORMS_CHUNKORDER_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The part of a chunk's way around the experts that an op belongs to (SPEC
/// FS-3).
enum class ChunkStage : uint8_t {
  /// Up to the last all-to-all before the experts.
  Dispatch,
  /// Between this and the experts.
  Gather,
  Experts,
  /// Between the experts and the first all-to-all behind them.
  Scatter,
  /// From there on.
  Combine
};

/// The stages of a chain of ops, in order; empty unless it holds the experts of
/// one layer and has an all-to-all on both sides of them.
llvm::SmallVector<ChunkStage>
getChunkStages(llvm::ArrayRef<mlir::Operation *> chain);

/// A task of a pipeline.
struct ChunkTask {
  TaskOp task;
  ChunkStage stage;
  int64_t chunk;
};

/// Moves the tasks of a pipeline, which have just been launched op by op behind
/// all others, into the pipeline's order. `before` is the task behind which the
/// tasks of the pipeline's layer start, null for the first of all: of these,
/// collectives that the pipeline's tasks do not wait for are launched at the
/// order's `gradients`.
void launchInOrder(llvm::ArrayRef<LaunchStage> order,
                   llvm::ArrayRef<ChunkTask> chunks, TaskOp before);

} // namespace moe

#endif // MOE_TRANSFORMS_CHUNKORDER_H
