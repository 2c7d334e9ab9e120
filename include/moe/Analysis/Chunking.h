// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of ops that run in chunks.

#ifndef MOE_ANALYSIS_CHUNKING_H
#define MOE_ANALYSIS_CHUNKING_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include <string>

namespace moe {

/// Ops of one block, in order, of one result each. All but the first read what
/// others of the chain make, and all but the last are read by others of it: one
/// behind the other, or, from one exchange to the next, in any way that branches
/// and joins again. In a chain of the scope Layer ops outside of it may read
/// them, too (taps). The first one's chained operand comes from outside; the
/// last one's result is what the chain computes.
struct Chain {
  llvm::SmallVector<mlir::Operation *> ops;
  /// Per op the number of the first operand that continues the chain.
  llvm::SmallVector<unsigned> operands;
  /// Why the chain does not reach the next exchange, which reads what this one
  /// makes; empty when it does, or there is none.
  std::string whyShort;

  mlir::Value getInput() const { return ops.front()->getOperand(operands[0]); }
  mlir::Value getOutput() const { return ops.back()->getResult(0); }
  /// The ops but the last whose results ops outside of the chain read.
  llvm::SmallVector<mlir::Operation *> getTaps() const;
  /// Ops between those of the chain that read, perhaps by way of each other,
  /// what it makes: they can wait for all of it. Nullopt when they cannot: the
  /// chain needs one of them, or one has effects.
  std::optional<llvm::SmallVector<mlir::Operation *>> getLaterOps() const;
};

/// The longest chain within the scope around `seed`, an op that may stand in
/// one.
Chain findChain(mlir::Operation *seed, ChainScope scope);

/// A dim along which a chain may be cut into chunks: every op maps it one to
/// one, but for all-gathers along it, with the reduce-scatters that undo them,
/// all-to-alls that join parts along it, with those that split it again, and
/// reshapes that join it with dims in front of it, with those that undo them.
/// Between these a chunk is not one piece of the dim but one of each part: the
/// dim is folded, seen as [parts, size] and cut along the second.
struct ChunkDim {
  /// Dim of the chain's input.
  int64_t inputDim;
  /// Per op, per operand: the dim to cut it along, -1 for an operand that
  /// every chunk takes whole.
  llvm::SmallVector<llvm::SmallVector<int64_t>> operandDims;
  /// Per op: the dim of its result that is cut.
  llvm::SmallVector<int64_t> resultDims;
  /// Per op: the parts its result's dim is folded by, and other operands' that
  /// are cut; 1 where it is not folded.
  llvm::SmallVector<int64_t> folds;
  /// Size along the dim.
  int64_t size;
  /// Why other dims were passed over that XLA shards (`AutomaticDims`).
  std::string avoided;

  /// All chunks must have one size then.
  bool isFolded() const {
    return llvm::any_of(folds, [](int64_t fold) { return fold > 1; });
  }
};

/// The way dim `inputDim` of the chain's input takes through it; nullopt, with
/// the reason, where an op does not map it one to one, its size is dynamic, or
/// XLA shards it.
std::optional<ChunkDim> findChunkDim(const Chain &chain, int64_t inputDim,
                                     std::string &reason);

/// The dim to cut a chain along into `degree` chunks: `dim`, or without one the
/// last of the input's dims that passes the chain, is long enough and is not
/// sharded by XLA; nullopt, with the reasons of all dims tried, when there is
/// none.
std::optional<ChunkDim> chooseChunkDim(const Chain &chain,
                                       std::optional<int64_t> dim,
                                       int64_t degree, std::string &reason);

} // namespace moe

#endif // MOE_ANALYSIS_CHUNKING_H
