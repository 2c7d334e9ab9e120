// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers with tokens that run in chunks.
//
// Without capacities, the exchanged rows are known only after the gate's
// choice, so none of their dims can be cut. The layer's tokens can be cut
// before they are permuted: each chunk is permuted, planned, exchanged,
// processed by the experts, returned and combined separately, with counts from
// a single exchange for all chunks.

#ifndef MOE_ANALYSIS_TOKENCHUNKS_H
#define MOE_ANALYSIS_TOKENCHUNKS_H

#include "moe/Analysis/RowProvenance.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <string>

namespace moe {

/// A chunk's replacement for a value of the layer.
struct ChunkValue {
  enum class Kind {
    /// The outermost dim is `factor` times the number of tokens in the chunk.
    Tokens,
    /// The outermost dim is `factor` times the length of the buffer of received
    /// rows.
    Rows,
    /// The outermost dim is `factor` times the length of the buffer of tokens
    /// received once per node.
    NodeRows,
    /// A value of the same type, for example the sizes of an exchange.
    Fixed,
    /// A part of a sum over all tokens: the gradient of a weight.
    Part
  };
  Kind kind;
  int64_t factor = 1;
  /// True if the concatenation of the chunks' results is the value, so any op
  /// may read it. Other values are only useful to the same chunk, possibly in
  /// the backward pass.
  bool isWhole = false;

  bool operator==(const ChunkValue &) const = default;
};

/// The ops of a block that become one pipeline.
struct ChunkedOps {
  mlir::Block *block;
  /// Number of such pipelines on the path to their operands.
  unsigned level;
  /// The ops in program order.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// A layer cut along its tokens: the forward pass, and the backward pass that
/// reads its saved values.
struct TokenChunks {
  /// A `RaggedPlanOp`, or the `NodePlanOp` of tokens sent once per node.
  mlir::Operation *plan;
  /// The ops that permute tokens into rows by receiving rank. There is one, or,
  /// if tokens are sent once per node, also the ops for their experts and
  /// weights.
  llvm::SmallVector<PermuteRowsOp> orders;
  ExpertCountsOp counts;
  /// For a `NodePlanOp`, the token counts of the nodes, and both counts joined.
  ExpertCountsOp nodeCounts;
  AssembleOp bothCounts;
  /// The ops from the counts to the operand of the plan.
  llvm::SmallVector<mlir::Operation *> exchange;
  /// Ranks that share the experts, and number of experts of all of them.
  int64_t ranks = 0, experts = 0;
  /// `choices` is the number of experts per token, and `copies` is the number
  /// of rows per token: one for each of its experts, or one for each node.
  int64_t tokens = 0, choices = 0, copies = 0, limit = 0;
  /// For a `NodePlanOp`: the number of nodes, and the maximum number of rows
  /// that each rank receives from them.
  int64_t nodes = 1, nodeLimit = 0;
  llvm::SmallVector<ChunkedOps> pipelines;
  /// The chunks' replacements for results of the ops above, and of layers that
  /// return these.
  llvm::DenseMap<mlir::Value, ChunkValue> values;

  /// Returns the maximum number of rows that each rank receives per chunk: the
  /// least of its buffer size and of the rows that all ranks may send it.
  int64_t getLimit(int64_t chunkTokens) const;
  /// Returns the maximum number of tokens that each rank receives per chunk, if
  /// sent once per node.
  int64_t getNodeLimit(int64_t chunkTokens) const;
  /// Returns true if `op` permutes tokens into rows.
  bool isOrder(mlir::Operation *op) const;
};

/// Returns true for the ops that plan the sizes of messages, `RaggedPlanOp` and
/// `NodePlanOp`.
bool isRowPlan(mlir::Operation *op);

/// Finds how to cut the layer with this `plan` into `degree` chunks. Otherwise,
/// sets `reason` to the expected and actual values.
std::optional<TokenChunks> findTokenChunks(mlir::Operation *plan,
                                           const RowProvenance &rows,
                                           int64_t degree, std::string &reason);

/// Returns the layers that run in the same chunks of tokens as `layer`, itself
/// first, then its backward pass; only itself if its body has no plan.
llvm::SmallVector<LayerOp> findLayersInChunks(LayerOp layer);

/// The same for a backward pass, which runs in the chunks of a forward pass;
/// the backward pass is first.
llvm::SmallVector<LayerOp> findLayersAround(LayerOp layer);

/// Returns the plan of an exchange of rows, or null if something else
/// determines its sizes.
mlir::Operation *findPlan(RaggedAllToAllOp exchange);

/// Returns true if all elements of a value are equal or undefined, so that a
/// value of any size can be created instead.
bool isUniformValue(mlir::Value value);

/// The same for values that are known only at run time: the elements are equal
/// everywhere, and chunks can create the value in another size.
bool canRemake(mlir::Value value);

/// How ops in chunks read an operand that is not a chunk value.
enum class ChunkInput {
  /// Each chunk reads its part along the outermost dim.
  Cut,
  /// A buffer of undefined or equal elements, created in the required size.
  Remade,
  /// Every chunk reads the whole.
  Whole
};
ChunkInput getChunkInput(mlir::OpOperand &operand);

} // namespace moe

#endif // MOE_ANALYSIS_TOKENCHUNKS_H
