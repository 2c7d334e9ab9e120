// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of StableHLO ops.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_OPS_H
#define MOE_DIALECT_TEXT_STABLEHLO_OPS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace moe {

/// Returns true if the results of an op of `stablehlo` or `chlo` are the same
/// function of its operands on every rank, without side effects. An op with
/// regions qualifies if all ops in them do and the regions use no outside
/// values except constants. Composites, and calls inside regions, qualify if
/// the ops of their callee do. All unlisted ops do not: for example
/// collectives, `partition_id`, random numbers and custom calls.
bool isStableHLOFunction(mlir::Operation *op);

/// Returns the operands that each result of such an op depends on: all of them,
/// except that a `while` result depends on the operands that reach it, also
/// through the condition.
llvm::SmallVector<llvm::SmallBitVector>
getStableHLODependencies(mlir::Operation *op);

/// Returns the single block of the function that calls or composites invoke, if
/// it has as many arguments and results as the op; otherwise null.
mlir::Block *getCalledBlock(mlir::Operation *op);

bool isStableHLOElementwise(llvm::StringRef name);

bool isStableHLOProduct(mlir::OperationName name);

/// Returns true if `getStableHLODimMap` knows ops of that name.
bool hasStableHLODims(mlir::OperationName name);

/// Returns the dim map of such an op, or nullopt if it is unknown. An op with a
/// size in its attributes (slices, constants) has no map.
std::optional<DimMap> getStableHLODimMap(mlir::Operation *op);

/// Returns the dim along which a `stablehlo.concatenate` joins its operands;
/// nullopt for other ops.
std::optional<unsigned> getStableHLOConcatDim(mlir::Operation *op);

/// The elements that a `stablehlo.slice` takes: in each dim every `stride`-th
/// from `start` to below `limit`.
struct StableHLOSlice {
  llvm::SmallVector<int64_t> starts, limits, strides;
};
/// Returns nullopt for other ops, and if the attributes do not fit the operand.
std::optional<StableHLOSlice> getStableHLOSlice(mlir::Operation *op);

/// Name of the op attributes that XLA preserves up to the executed program.
inline constexpr llvm::StringLiteral kFrontendAttr = "mhlo.frontend_attributes";
/// Frontend attribute with the task that an op of a written program is from.
inline constexpr llvm::StringLiteral kTaskMark = "moe_task";

/// Returns the links of a reshape of one operand: the dims that are equal on
/// both sides after the same number of elements. Either side may have one
/// dynamic size, if it is the same one.
DimMap mapReshape(mlir::RankedTensorType from, mlir::RankedTensorType to);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_OPS_H
