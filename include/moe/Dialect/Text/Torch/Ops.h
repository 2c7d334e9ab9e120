// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The semantics and costs of PyTorch ops.

#ifndef MOE_DIALECT_TEXT_TORCH_OPS_H
#define MOE_DIALECT_TEXT_TORCH_OPS_H

#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// Returns true if the results of a `torch` op are the same function of its
/// operands on every rank, without side effects. Only ops that a list or the
/// text identifies as functions are. Random numbers, in-place ops, collectives
/// and literals kept as resources, which are parameters of one rank, are not.
bool isTorchFunction(mlir::Operation *op);

/// Returns true if the result type of an op determines its size operands: views
/// and broadcasts.
bool isTorchReshape(mlir::Operation *op);

/// Returns true for views of the same elements whose type determines the sizes.
bool isTorchView(mlir::Operation *op);

/// Returns true if the result may share the memory of the first operand: views
/// and slices.
bool isTorchAlias(mlir::Operation *op);

/// Returns a name that encodes the facts in the text for an op that this
/// compiler does not know: `torch.aten.cosh` with `fx.pointwise` becomes
/// `torch.pointwise.aten.cosh`. Returns the op's own name for other ops.
std::string getTorchFactName(mlir::Operation *op);
/// Returns the name that PyTorch uses, the inverse of `getTorchFactName`.
std::string getTorchNameWithoutFacts(mlir::Operation *op);

/// Returns true if ops with this name multiply matrices.
bool isTorchProduct(mlir::OperationName name);

/// Returns true if `getTorchDimMap` supports ops with this name.
bool hasTorchDims(mlir::OperationName name);

/// Returns the dim map of a `torch` op on tensors, or nullopt if it is unknown.
std::optional<DimMap> getTorchDimMap(mlir::Operation *op);

/// Returns true if `getTorchTime` supports ops with this name.
bool hasTorchCost(mlir::OperationName name);

/// Returns the time of a `torch` op: 0 for constants and views, the time of its
/// multiply-accumulates for a product, and a pass over its tensors for other
/// ops. Emits an error if a shape is dynamic or the machine lacks a required
/// rate.
llvm::FailureOr<cost::Microseconds> getTorchTime(mlir::Operation *op,
                                                 CostContext &context);

} // namespace moe

#endif // MOE_DIALECT_TEXT_TORCH_OPS_H
