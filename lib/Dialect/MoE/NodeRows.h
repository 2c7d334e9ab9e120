// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of rows between and inside nodes.

#ifndef MOE_LIB_DIALECT_MOE_NODEROWS_H
#define MOE_LIB_DIALECT_MOE_NODEROWS_H

#include "moe/Dialect/MoE/LiveOut.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns the origin of all numbers of `value`, through slices, joins,
/// pipelines and regions.
mlir::Value findOrigin(mlir::Value value);

/// An exchange of tokens that are sent once per node, or of rows derived from
/// them.
struct NodeExchange {
  /// True between nodes, false inside one.
  bool isBetween;
  /// True on the way back from the experts.
  bool isBack;
  /// Number of nodes, and of ranks per node.
  int64_t nodes, places;
  int64_t experts;
  /// Per rank: the tokens of the layer or chunk, the experts per token, and the
  /// maximum number of nodes per token.
  int64_t tokens, choices, width;

  int64_t getCopies() const { return tokens * choices; }
  /// Returns the rows that each rank sends toward the experts with balanced
  /// gates: one per token and node between nodes, and one per assignment inside
  /// nodes.
  double getExpectedRows() const;
};

/// Returns the exchange as its plan describes it. Nullopt if it has no
/// `moe.node_plan`, or if the plan or its tokens cannot be found.
std::optional<NodeExchange> findNodeExchange(RaggedAllToAllOp exchange);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_NODEROWS_H
