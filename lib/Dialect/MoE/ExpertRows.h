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

/// Returns the rows that the experts of one rank compute in `op`, where the
/// runs of `sizes` in the operand `data` belong to experts. If `data` comes
/// from a ragged all-to-all, these are the rows that the rank sends with even
/// routing, or with the context's routing the rows that the busiest rank
/// receives. Otherwise these are all rows of the buffer. Emits an error at `op`
/// and fails if the routing has other experts or ranks.
llvm::FailureOr<double> countExpertRows(mlir::Operation *op, mlir::Value data,
                                        mlir::Value sizes,
                                        CostContext &context);

/// Returns the rows that each rank receives by the exchange that `data` has
/// passed through, if tokens are sent once per node: tokens, or with `ofCopies`
/// their copies for the experts of the node. With even routing, this is the
/// number that each rank sends, and with the context's routing the maximum over
/// receivers. Nullopt if `data` has not passed through such an exchange. Emits
/// an error and fails as above.
llvm::FailureOr<std::optional<double>> countNodeRows(mlir::Operation *op,
                                                     mlir::Value data,
                                                     bool ofCopies,
                                                     CostContext &context);

/// Returns the fraction of rows in an op's first result that are used, if
/// `data` has been sent to nodes as above; otherwise 1. Such a buffer has the
/// maximum size that may arrive.
llvm::FailureOr<double> getShareOfNode(mlir::Operation *op, mlir::Value data,
                                       bool ofCopies, CostContext &context);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_EXPERTROWS_H
