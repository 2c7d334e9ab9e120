// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of ops that run in chunks.

#ifndef MOE_ANALYSIS_CHUNKING_H
#define MOE_ANALYSIS_CHUNKING_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include <string>

namespace moe {

/// Consecutive ops of one block, each with one result. All but the first read
/// results of other ops of the chain, and all but the last are read by others
/// of the chain: either each by the next one, or, between two exchanges, along
/// any branches that join again. In a chain of scope Layer, ops outside it may
/// read its values, too (taps). The first op's chained operand is from outside,
/// and the last op's result is the result of the chain.
struct Chain {
  llvm::SmallVector<mlir::Operation *> ops;
  /// Per op, the number of the first operand that continues the chain.
  llvm::SmallVector<unsigned> operands;
  /// Why the chain does not reach the next exchange, which reads its values;
  /// empty if it does, or if there is none.
  std::string whyShort;

  mlir::Value getInput() const { return ops.front()->getOperand(operands[0]); }
  mlir::Value getOutput() const { return ops.back()->getResult(0); }
  /// Returns the ops except the last one with results that ops outside the
  /// chain read.
  llvm::SmallVector<mlir::Operation *> getTaps() const;
  /// Returns ops between the ops of the chain that depend on the chain's
  /// results and can wait for all of it. Returns nullopt if they cannot wait,
  /// because the chain needs one of them or one has effects.
  std::optional<llvm::SmallVector<mlir::Operation *>> getLaterOps() const;
};

/// Returns the longest chain within the scope around `seed`, which must be an
/// op that can be part of a chain.
Chain findChain(mlir::Operation *seed, ChainScope scope);

/// A dim for cutting a chain into chunks. Every op maps it one to one, except
/// for these ops along it:
/// - all-gathers, with the reduce-scatters that undo them;
/// - all-to-alls that join parts along it, with the all-to-alls that split it
///   again;
/// - reshapes that join it with preceding dims, with the reshapes that undo
///   them.
///
/// Between these, a chunk is not one contiguous part of the dim but one part of
/// each piece: the dim is folded, that is, viewed as [parts, size] and cut
/// along the second.
struct ChunkDim {
  /// Dim of the chain's input.
  int64_t inputDim;
  /// Per op and operand, the dim to cut it along; -1 for an operand that every
  /// chunk reads whole.
  llvm::SmallVector<llvm::SmallVector<int64_t>> operandDims;
  /// Per op, the dim of its result that is cut.
  llvm::SmallVector<int64_t> resultDims;
  /// Per op, the number of parts that the cut dims of its result and of its
  /// other operands are folded by; 1 if they are not folded.
  llvm::SmallVector<int64_t> folds;
  /// Size along the dim.
  int64_t size;
  /// Why other dims were rejected that XLA shards (`AutomaticDims`).
  std::string avoided;

  /// Returns true if a dim is folded, which requires chunks of equal size.
  bool isFolded() const {
    return llvm::any_of(folds, [](int64_t fold) { return fold > 1; });
  }
};

/// Follows dim `inputDim` of the chain's input through the chain. Returns
/// nullopt and sets `reason` if an op does not map it one to one, if its size
/// is dynamic, or if XLA shards it.
std::optional<ChunkDim> findChunkDim(const Chain &chain, int64_t inputDim,
                                     std::string &reason);

/// Chooses the dim for cutting a chain into `degree` chunks: `dim` if given,
/// otherwise the last of the input's dims that passes the chain, is long enough
/// and is not sharded by XLA. If there is none, returns nullopt and sets
/// `reason` for all dims tried.
std::optional<ChunkDim> chooseChunkDim(const Chain &chain,
                                       std::optional<int64_t> dim,
                                       int64_t degree, std::string &reason);

} // namespace moe

#endif // MOE_ANALYSIS_CHUNKING_H
