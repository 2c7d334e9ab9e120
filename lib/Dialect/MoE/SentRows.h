// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer's ranks send each other.
//
// As many rows as traffic says; without any, what a balanced gate sends; and of
// both what the limits of the layer's choices leave.

#ifndef MOE_LIB_DIALECT_MOE_SENTROWS_H
#define MOE_LIB_DIALECT_MOE_SENTROWS_H

#include "NodeRows.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// The operand or the result of an exchange that holds the rows of a rank's own
/// tokens, all that its gate routes; null where that is not known.
mlir::Value findRouted(RaggedAllToAllOp exchange);

/// The rows of the layer that `op` is of, whose every rank routes `rows` copies
/// of tokens to `numRanks` ranks with `numExperts` experts, none where they are
/// not known. `routing` is null where nothing is known of the traffic; nullopt
/// then where nothing limits choices: all ranks send each other as much. Fails
/// as `Routing::getRows` does.
cost::Result<std::optional<traffic::RowMatrix>>
findSentRows(mlir::Operation *op, int64_t numRanks,
             std::optional<int64_t> numExperts, double rows,
             const traffic::Routing *routing);

/// What is sent where tokens are sent once a node.
struct SentOnce {
  /// Copies of tokens for each rank's experts.
  traffic::RowMatrix copies;
  /// The tokens that these are copies of, to nodes.
  traffic::NodeTokens tokens;
};

/// The same of a layer whose tokens are sent once a node. Of what limits leave,
/// as many tokens go to a node as without them, but no more than copies.
cost::Result<std::optional<SentOnce>>
findSentOnce(mlir::Operation *op, const NodeExchange &exchange,
             const traffic::Routing *routing);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_SENTROWS_H
