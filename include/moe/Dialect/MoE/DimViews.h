// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dim seen as two, two as one.

#ifndef MOE_DIALECT_MOE_DIMVIEWS_H
#define MOE_DIALECT_MOE_DIMVIEWS_H

#include "mlir/IR/Builders.h"

namespace moe {

/// `value`, a ranked tensor, with dim `dim` seen as [first, rest]; `first`
/// divides it.
mlir::Value cutDim(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, int64_t dim, int64_t first);

/// The inverse: dims `dim` and `dim` + 1 seen as one.
mlir::Value joinDim(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, int64_t dim);

} // namespace moe

#endif // MOE_DIALECT_MOE_DIMVIEWS_H
