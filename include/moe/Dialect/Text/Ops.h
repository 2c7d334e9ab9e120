// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of ops of others.

#ifndef MOE_DIALECT_TEXT_OPS_H
#define MOE_DIALECT_TEXT_OPS_H

#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace moe {

// Ops of dialects that are kept as text, by their names: those of StableHLO
// (`moe/Dialect/Text/StableHLO/Ops.h`) and of PyTorch
// (`moe/Dialect/Text/Torch/Ops.h`).

/// Whether `dialect` is one of them.
bool isTextDialect(llvm::StringRef dialect);

/// Whether the results of an op are the same function of its operands on every
/// rank, without side effects.
bool isTextFunction(mlir::Operation *op);

/// Of such an op, for each result the operands that it depends on.
llvm::SmallVector<llvm::SmallBitVector>
getTextDependencies(mlir::Operation *op);

/// Whether `getTextDimMap` knows ops of that name.
bool hasTextDims(mlir::OperationName name);

/// Whether an op has the elements of its one operand in their order, in the
/// shape that its result's type says.
bool isTextReshape(mlir::Operation *op);

/// Whether it is a product of matrices: what experts are made of.
bool isTextProduct(mlir::OperationName name);

/// The dims of such an op, nullopt where nothing is known of them.
std::optional<DimMap> getTextDimMap(mlir::Operation *op);

} // namespace moe

#endif // MOE_DIALECT_TEXT_OPS_H
