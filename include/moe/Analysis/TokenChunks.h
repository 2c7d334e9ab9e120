// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers whose tokens run in chunks.
//
// The rows that a layer without capacities exchanges are known only when its
// gate has chosen, so that no dim of them can be cut. Its tokens can, before
// they are ordered: each chunk of them is ordered, planned, exchanged, run by
// the experts, brought back and put together on its own, by counts that one
// exchange has brought for all chunks.

#ifndef MOE_ANALYSIS_TOKENCHUNKS_H
#define MOE_ANALYSIS_TOKENCHUNKS_H

#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <string>

namespace moe {

/// What a chunk makes instead of a value of the layer.
struct ChunkValue {
  enum class Kind {
    /// Outermost dim `factor` times as long as the chunk has tokens.
    Tokens,
    /// Outermost dim `factor` times as long as the buffer of rows received.
    Rows,
    /// Outermost dim `factor` times as long as the buffer of tokens that a rank
    /// receives once a node.
    NodeRows,
    /// Of the same type, such as the sizes of an exchange.
    Fixed,
    /// The part of a sum over all tokens: the gradient of a weight.
    Part
  };
  Kind kind;
  int64_t factor = 1;
  /// What the chunks make, put together, is the value: anybody may read it. All
  /// else is of use to the same chunk only, perhaps of the backward pass.
  bool isWhole = false;

  bool operator==(const ChunkValue &) const = default;
};

/// The ops of a block that become one pipeline.
struct ChunkedOps {
  mlir::Block *block;
  /// How many such pipelines their operands come by way of.
  unsigned level;
  /// In their order.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// A layer cut along its tokens, the forward pass with the backward pass that
/// reads what it has kept.
struct TokenChunks {
  /// A `RaggedPlanOp`, or the `NodePlanOp` of tokens that are sent once a node.
  mlir::Operation *plan;
  /// What makes rows of tokens by who receives them: one, or with tokens that
  /// are sent once a node also what does so of their experts and weights.
  llvm::SmallVector<PermuteRowsOp> orders;
  ExpertCountsOp counts;
  /// Of a `NodePlanOp`, the tokens of each node, and both counts joined.
  ExpertCountsOp nodeCounts;
  AssembleOp bothCounts;
  /// The ops from the counts to the operand of the plan.
  llvm::SmallVector<mlir::Operation *> exchange;
  /// Ranks that share the experts, and all of these.
  int64_t ranks = 0, experts = 0;
  /// Experts of a token, and rows that tokens are sent as: one each, or one for
  /// each node.
  int64_t tokens = 0, choices = 0, copies = 0, limit = 0;
  /// Of a `NodePlanOp`: nodes, and most rows that a rank receives of them.
  int64_t nodes = 1, nodeLimit = 0;
  llvm::SmallVector<ChunkedOps> pipelines;
  /// What chunks make instead of results of the ops above, and of layers that
  /// hand these out.
  llvm::DenseMap<mlir::Value, ChunkValue> values;

  /// Rows that a rank receives of a chunk at most: those it has room for, and
  /// all that all ranks may send it.
  int64_t getLimit(int64_t chunkTokens) const;
  /// Tokens that a rank receives of a chunk once a node, at most.
  int64_t getNodeLimit(int64_t chunkTokens) const;
  /// Whether an op makes rows of tokens.
  bool isOrder(mlir::Operation *op) const;
};

/// True for what says who sends how many rows: `RaggedPlanOp` and `NodePlanOp`.
bool isRowPlan(mlir::Operation *op);

/// How the layer that `plan` is of may be cut; otherwise says in `reason` why
/// not: what was expected, and what was found.
std::optional<TokenChunks> findTokenChunks(mlir::Operation *plan,
                                           const RowProvenance &rows,
                                           std::string &reason);

/// The layers that run in the same chunks of tokens as `layer`, itself first,
/// then its backward pass; only itself where it has no plan of its own.
llvm::SmallVector<LayerOp> findLayersInChunks(LayerOp layer);

/// The same for a backward pass, which runs in the chunks of a forward one:
/// this one first.
llvm::SmallVector<LayerOp> findLayersAround(LayerOp layer);

/// The plan of an exchange of rows, null where something else says what is
/// sent.
mlir::Operation *findPlan(RaggedAllToAllOp exchange);

/// Whether elements of a value are all equal or undefined, so that one of any
/// size can be made.
bool isUniformValue(mlir::Value value);

/// The same for values that are known only at run time: elements are equal
/// wherever they are, and a chunk can make the value in another size.
bool canRemake(mlir::Value value);

/// What an op of a chunk reads that is no other chunk value.
enum class ChunkInput {
  /// The part of each chunk, along the outermost dim.
  Cut,
  /// A buffer of undefined or equal elements, made in the size that is needed.
  Remade,
  /// The whole, for every chunk.
  Whole
};
ChunkInput getChunkInput(mlir::OpOperand &operand);

} // namespace moe

#endif // MOE_ANALYSIS_TOKENCHUNKS_H
