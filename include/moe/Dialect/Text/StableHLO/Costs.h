// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops of StableHLO take.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_COSTS_H
#define MOE_DIALECT_TEXT_STABLEHLO_COSTS_H

#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// Whether ops of that name are timed: not loops and branches, convolutions and
/// solvers, of which somebody states it.
bool hasStableHLOCost(mlir::OperationName name);

/// What such an op takes in a program that XLA has compiled. Products take what
/// they multiply on the platform's GEMM. XLA fuses what works on elements into
/// what reads it, where all of that does so, too, or reduces: it takes nothing,
/// and no more do constants, reshapes and barriers. All others take a pass over
/// their tensors: sorts, scatters and windows too, which is less than they do.
llvm::FailureOr<cost::Microseconds> getStableHLOTime(mlir::Operation *op,
                                                     CostContext &context);

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_COSTS_H
