//===- Chunking.h - Chains of ops that run in chunks ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_ANALYSIS_CHUNKING_H
#define MOE_ANALYSIS_CHUNKING_H

#include "moe/IR/MoEOps.h"
#include <string>

namespace moe {

/// How far a chain reaches from the all-to-all it is built around.
enum class ChainScope {
  /// Collectives and data movement: the exchange with its drop, gather,
  /// reduce-scatter and transposes.
  Communication,
  /// Also experts and elementwise ops, and so the other all-to-all of the
  /// layer: dispatch, experts and combine in one chain.
  Layer
};

/// Ops of one block, in order, each of which hands its one result to the next
/// and to nothing else. The first one's chained operand comes from outside;
/// the last one's result is what the chain computes.
struct Chain {
  llvm::SmallVector<mlir::Operation *> ops;
  /// Per op the number of the operand that continues the chain.
  llvm::SmallVector<unsigned> operands;

  mlir::Value getInput() const { return ops.front()->getOperand(operands[0]); }
  mlir::Value getOutput() const { return ops.back()->getResult(0); }
};

/// The longest chain around `seed` within the scope.
Chain findChain(AllToAllOp seed, ChainScope scope);

/// A dim along which a chain may be cut into chunks: every op maps it one to
/// one.
struct ChunkDim {
  /// Dim of the chain's input.
  int64_t inputDim;
  /// Per op, per operand: the dim to cut it along, -1 for an operand that
  /// every chunk takes whole.
  llvm::SmallVector<llvm::SmallVector<int64_t>> operandDims;
  /// Per op: the dim of its result that is cut.
  llvm::SmallVector<int64_t> resultDims;
  /// Size along the dim.
  int64_t size;
};

/// The way dim `inputDim` of the chain's input takes through it; nullopt, with
/// the reason, where an op does not map it one to one or its size is dynamic.
std::optional<ChunkDim> findChunkDim(const Chain &chain, int64_t inputDim,
                                     std::string &reason);

/// The dim to cut a chain along into `degree` chunks: `dim`, or without one the
/// last of the input's dims that passes the chain and is long enough; nullopt,
/// with the reasons of all dims tried, when there is none.
std::optional<ChunkDim> chooseChunkDim(const Chain &chain,
                                       std::optional<int64_t> dim,
                                       int64_t degree, std::string &reason);

} // namespace moe

#endif // MOE_ANALYSIS_CHUNKING_H
