//===- Buffers.h - Checks of buffers that ops of moert share ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_DIALECT_MOERT_BUFFERS_H
#define MOE_LIB_DIALECT_MOERT_BUFFERS_H

#include "moe/Dialect/MoERT/MoERTOps.h"

namespace moe::rt {

inline mlir::LogicalResult verifyRank(mlir::Operation *op, mlir::StringRef name,
                                      mlir::Value value, int64_t rank) {
  auto type = llvm::cast<mlir::MemRefType>(value.getType());
  if (type.getRank() == rank)
    return mlir::success();
  return op->emitOpError() << "expected " << name << " of rank " << rank
                           << ", got " << type;
}

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

/// Checks a buffer's shape.
inline mlir::LogicalResult verifyShape(mlir::Operation *op,
                                       mlir::StringRef name, mlir::Value value,
                                       llvm::ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return mlir::success();
  mlir::InFlightDiagnostic diag = op->emitOpError()
                                  << "expected " << name << " of ";
  llvm::interleave(shape, diag, "x");
  return diag << " elements, got " << value.getType();
}

/// Checks `[experts, rows..., M]` and the weights of experts of a kind.
mlir::LogicalResult verifyExpertInputs(mlir::Operation *op,
                                       mlir::ValueRange inputs,
                                       moe::ExpertsKind kind,
                                       bool hasActivation);

} // namespace moe::rt

#endif // MOE_LIB_DIALECT_MOERT_BUFFERS_H
