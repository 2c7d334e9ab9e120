// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops of others take.

#ifndef MOE_DIALECT_TEXT_COSTS_H
#define MOE_DIALECT_TEXT_COSTS_H

#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// Whether ops of that name are timed.
bool hasTextCost(mlir::OperationName name);

/// What such an op takes: `moe.time_us` where it is stated, of products what
/// they multiply on the platform's GEMM, of others a pass over their tensors,
/// or nothing. Emits an error where a shape is open or the machine does not say
/// it.
llvm::FailureOr<cost::Microseconds> getTextTime(mlir::Operation *op,
                                                CostContext &context);

/// A copy of what an op reads or of what it writes, whichever is more. Emits an
/// error where a shape is open or elements are neither integers nor floats.
llvm::FailureOr<cost::Microseconds> getPassTime(mlir::Operation *op,
                                                CostContext &context);

} // namespace moe

#endif // MOE_DIALECT_TEXT_COSTS_H
