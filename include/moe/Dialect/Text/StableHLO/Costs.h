// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution times of StableHLO ops.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_COSTS_H
#define MOE_DIALECT_TEXT_STABLEHLO_COSTS_H

#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// Returns true if ops of that name have a known time. Loops, branches,
/// convolutions and solvers do not, so users must state it.
bool hasStableHLOCost(mlir::OperationName name);

/// Returns the time of such an op in a program that XLA has compiled. Products
/// take their GEMM time on the platform. An elementwise op takes no time if all
/// its readers are elementwise or reductions, because XLA fuses it into them;
/// constants, reshapes and barriers take no time, either. All other ops take
/// one pass over their tensors. This underestimates sorts, scatters and
/// windows.
llvm::FailureOr<cost::Microseconds> getStableHLOTime(mlir::Operation *op,
                                                     CostContext &context);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_COSTS_H
