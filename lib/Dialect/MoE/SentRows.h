// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that ranks send each other in a layer.
//
// They are taken from the routing trace, or without one from a balanced gate,
// and are then cut by the limits on the layer's choices.

#ifndef MOE_LIB_DIALECT_MOE_SENTROWS_H
#define MOE_LIB_DIALECT_MOE_SENTROWS_H

#include "NodeRows.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// Returns the operand or the result of an exchange, whichever has the rows of
/// this rank's own tokens, all that its gate routes. Null if it is not known.
mlir::Value findRouted(RaggedAllToAllOp exchange);

/// Returns the rows of the layer that contains `op`. Every rank routes `rows`
/// assignments to `numRanks` ranks with `numExperts` experts, nullopt if
/// unknown. Without `routing` (null) and without limits, returns nullopt: all
/// ranks then send each other the same number. Fails as `Routing::getRows`
/// does.
cost::Result<std::optional<cost::Matrix<double>>>
findSentRows(mlir::Operation *op, int64_t numRanks,
             std::optional<int64_t> numExperts, double rows,
             const traffic::Routing *routing);

/// The rows that are sent if tokens are sent once per node.
struct SentOnce {
  /// Assignments for each rank's experts.
  cost::Matrix<double> copies;
  /// Tokens of these assignments, one row per sender and one column per node.
  cost::Matrix<double> tokens;
};

/// Does the same for a layer that sends tokens once per node. Limits do not
/// change the number of tokens per node, but it is at most the number of
/// remaining assignments.
cost::Result<std::optional<SentOnce>>
findSentOnce(mlir::Operation *op, const NodeExchange &exchange,
             const traffic::Routing *routing);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_SENTROWS_H
