// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views that split one dim into two, or join two dims into one.

#ifndef MOE_DIALECT_MOE_DIMVIEWS_H
#define MOE_DIALECT_MOE_DIMVIEWS_H

#include "mlir/IR/Builders.h"

namespace moe {

/// Returns a view of `value`, a ranked tensor, with dim `dim` split into
/// [first, rest]. `first` must divide the dim's size.
mlir::Value cutDim(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, int64_t dim, int64_t first);

/// Returns a view with dims `dim` and `dim` + 1 joined, the inverse of
/// `cutDim`.
mlir::Value joinDim(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, int64_t dim);

} // namespace moe

#endif // MOE_DIALECT_MOE_DIMVIEWS_H
