// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of buffers shared by moert ops.

#ifndef MOE_LIB_DIALECT_MOERT_BUFFERS_H
#define MOE_LIB_DIALECT_MOERT_BUFFERS_H

#include "moe/Dialect/MoERT/MoERTOps.h"

namespace moe::rt {

inline mlir::LogicalResult verifySize(mlir::Operation *op, mlir::StringRef what,
                                      int64_t got, int64_t expected) {
  if (got == expected)
    return mlir::success();
  return op->emitOpError() << "expected " << what << " to be " << expected
                           << ", got " << got;
}

inline mlir::LogicalResult verifyElementType(mlir::Operation *op,
                                             mlir::ValueRange values) {
  mlir::Type first = mlir::getElementTypeOrSelf(values.front().getType());
  for (mlir::Value value : values.drop_front())
    if (mlir::Type other = mlir::getElementTypeOrSelf(value.getType());
        other != first)
      return op->emitOpError()
             << "expected one element type, got " << first << " and " << other;
  return mlir::success();
}

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::MemRefType>(value.getType()).getShape();
}

} // namespace moe::rt

#endif // MOE_LIB_DIALECT_MOERT_BUFFERS_H
