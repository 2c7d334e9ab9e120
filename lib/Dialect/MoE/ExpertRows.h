// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that experts compute.

#ifndef MOE_LIB_DIALECT_MOE_EXPERTROWS_H
#define MOE_LIB_DIALECT_MOE_EXPERTROWS_H

#include "mlir/IR/Value.h"
#include "llvm/Support/LogicalResult.h"
#include <optional>

namespace moe {

class CostContext;

/// Rows that the experts of one rank compute in `op`, of whose operand `data`
/// the runs of `sizes` belong to experts. Those are the rows that the ragged
/// all-to-all brings which `data` comes from: as many as the rank sends where
/// routing is even, and by the context's routing as many as the busiest rank
/// receives. All rows of the buffer where they come from no such exchange.
/// Emits an error at `op` and fails where the routing is of other experts or
/// ranks.
llvm::FailureOr<double> countExpertRows(mlir::Operation *op, mlir::Value data,
                                        mlir::Value sizes,
                                        CostContext &context);

/// Rows that come to a rank where tokens are sent once a node, by an exchange
/// that the rows of `data` have come by: tokens, or with `ofCopies` their
/// copies for the experts of the node. As many as each rank sends where routing
/// is even, and by the context's routing the most that one receives. Nullopt
/// where `data` has come otherwise. Emits an error and fails as above.
llvm::FailureOr<std::optional<double>> countNodeRows(mlir::Operation *op,
                                                     mlir::Value data,
                                                     bool ofCopies,
                                                     CostContext &context);

/// The part of the rows of an op's first result that hold something, where
/// `data` has come to a node as above: 1 for all else. A buffer there has room
/// for all that may come.
llvm::FailureOr<double> getShareOfNode(mlir::Operation *op, mlir::Value data,
                                       bool ofCopies, CostContext &context);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_EXPERTROWS_H
