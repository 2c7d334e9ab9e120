// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of ops of StableHLO.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_OPS_H
#define MOE_DIALECT_TEXT_STABLEHLO_OPS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace moe {

/// Whether the results of an op of `stablehlo` or `chlo` are the same function
/// of its operands on every rank, without side effects. An op with regions is
/// one when all ops in them are and no value from outside is used there but
/// constants, a composite, and a call inside of a region, when those of what
/// they call are.
/// What is not listed is not: collectives, `partition_id`, random numbers,
/// custom calls.
bool isStableHLOFunction(mlir::Operation *op);

/// Of such an op, for each result the operands that it depends on: all of them,
/// but of a `while` those that reach it, by way of the condition too.
llvm::SmallVector<llvm::SmallBitVector>
getStableHLODependencies(mlir::Operation *op);

/// The one block of the function that a call or a composite stands for, whose
/// arguments and results are as many as the op's; null where there is none.
mlir::Block *getCalledBlock(mlir::Operation *op);

/// Whether ops of that name do the same to each element.
bool isStableHLOElementwise(llvm::StringRef name);

/// Whether ops of that name multiply matrices.
bool isStableHLOProduct(mlir::OperationName name);

/// Whether `getStableHLODimMap` knows ops of that name.
bool hasStableHLODims(mlir::OperationName name);

/// The dims of such an op, nullopt where nothing is known of them. An op whose
/// attributes hold a size (slices, constants) maps none.
std::optional<DimMap> getStableHLODimMap(mlir::Operation *op);

/// Of a reshape of one operand the dims that stand alone on both sides, behind
/// as many elements. One size may be open on either side, the same one.
DimMap mapReshape(mlir::RankedTensorType from, mlir::RankedTensorType to);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_OPS_H
