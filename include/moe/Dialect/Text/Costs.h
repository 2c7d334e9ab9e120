// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution times of ops of other dialects.

#ifndef MOE_DIALECT_TEXT_COSTS_H
#define MOE_DIALECT_TEXT_COSTS_H

#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// Returns true if ops of that name have a known time.
bool hasTextCost(mlir::OperationName name);

/// Returns the time of such an op: the stated `moe.time_us`, the GEMM time of a
/// product on this platform, one pass over the tensors of other ops, or zero.
/// Emits an error and fails if a shape is dynamic or the machine lacks a rate.
llvm::FailureOr<cost::Microseconds> getTextTime(mlir::Operation *op,
                                                CostContext &context);

/// Returns the time to copy the bytes that an op reads or writes, whichever are
/// more. Emits an error and fails if a shape is dynamic or elements are neither
/// integers nor floats.
llvm::FailureOr<cost::Microseconds> getPassTime(mlir::Operation *op,
                                                CostContext &context);

} // namespace moe

#endif // MOE_DIALECT_TEXT_COSTS_H
