// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of ops of PyTorch.

#ifndef MOE_DIALECT_TEXT_TORCH_OPS_H
#define MOE_DIALECT_TEXT_TORCH_OPS_H

#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/DimMap.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// Whether the results of an op of `torch` are the same function of its
/// operands on every rank, without side effects. What neither a list nor the
/// text knows is not: random numbers, ops in place, collectives, literals kept
/// as resources, which are parameters of one rank.
bool isTorchFunction(mlir::Operation *op);

/// Whether it is one whose result's type says all that its sizes say: views and
/// broadcasts.
bool isTorchReshape(mlir::Operation *op);

/// Whether it is a view of the same elements, whose sizes its type says.
bool isTorchView(mlir::Operation *op);

/// Whether the result may share the memory of the first operand: views and
/// slices.
bool isTorchAlias(mlir::Operation *op);

/// A name that encodes the facts in the text, for an op that this compiler does
/// not know: `torch.aten.cosh` with `fx.pointwise` becomes
/// `torch.pointwise.aten.cosh`. Returns the op's own name for other ops.
std::string getTorchFactName(mlir::Operation *op);
/// The inverse: the name that PyTorch uses.
std::string getTorchNameWithoutFacts(mlir::Operation *op);

/// Whether ops of that name multiply matrices.
bool isTorchProduct(mlir::OperationName name);

/// Whether `getTorchDimMap` knows ops of that name.
bool hasTorchDims(mlir::OperationName name);

/// The dims of such an op on tensors, nullopt where nothing is known of them.
std::optional<DimMap> getTorchDimMap(mlir::Operation *op);

/// Whether ops of that name are timed.
bool hasTorchCost(mlir::OperationName name);

/// What such an op takes: nothing of constants and views, of products what they
/// multiply, of all others a pass over their tensors. Emits an error where a
/// shape is open or the machine does not say it.
llvm::FailureOr<cost::Microseconds> getTorchTime(mlir::Operation *op,
                                                 CostContext &context);

} // namespace moe

#endif // MOE_DIALECT_TEXT_TORCH_OPS_H
