// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of ops of other dialects.

#ifndef MOE_DIALECT_TEXT_OPS_H
#define MOE_DIALECT_TEXT_OPS_H

#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace moe {

// Ops of dialects that are kept as text, by name: StableHLO
// (`moe/Dialect/Text/StableHLO/Ops.h`) and PyTorch
// (`moe/Dialect/Text/Torch/Ops.h`).

/// Returns true if `dialect` is kept as text.
bool isTextDialect(llvm::StringRef dialect);

/// Returns true if the results of an op are the same function of its operands
/// on every rank, without side effects.
bool isTextFunction(mlir::Operation *op);

/// Returns the operands that each result of such an op depends on.
llvm::SmallVector<llvm::SmallBitVector>
getTextDependencies(mlir::Operation *op);

/// Returns true if `getTextDimMap` knows ops of that name.
bool hasTextDims(mlir::OperationName name);

/// Returns true if an op's result has the elements of its one operand in the
/// same order, in the shape of the result type.
bool isTextReshape(mlir::Operation *op);

/// Returns true for matrix products. Experts are built from them.
bool isTextProduct(mlir::OperationName name);

/// Returns the dim map of such an op, or nullopt if it is unknown.
std::optional<DimMap> getTextDimMap(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_TEXT_OPS_H
