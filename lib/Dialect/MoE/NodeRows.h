// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows between and inside nodes.

#ifndef MOE_LIB_DIALECT_MOE_NODEROWS_H
#define MOE_LIB_DIALECT_MOE_NODEROWS_H

#include "moe/Dialect/MoE/LiveOut.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The value that all the numbers of one come from, by way of slices, joins,
/// pipelines and other names.
mlir::Value findOrigin(mlir::Value value);

/// An exchange of tokens that are sent once a node, or of what becomes of them.
struct NodeExchange {
  /// Between nodes, not inside.
  bool isBetween;
  /// From the experts, not to them.
  bool isBack;
  /// Nodes, and ranks of one.
  int64_t nodes, places;
  int64_t experts;
  /// Of a rank: its tokens, or those of the chunk, the experts of each and the
  /// nodes that these are on at most.
  int64_t tokens, choices, width;

  int64_t getCopies() const { return tokens * choices; }
  /// Rows that a rank sends where gates are balanced, on the way to the
  /// experts: one a token and node between nodes, one a copy inside.
  double getExpectedRows() const;
};

/// What an exchange is by its plan; nullopt for one that is of no
/// `moe.node_plan`, and where the plan is not to be seen, or its tokens.
std::optional<NodeExchange> findNodeExchange(RaggedAllToAllOp exchange);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_NODEROWS_H
