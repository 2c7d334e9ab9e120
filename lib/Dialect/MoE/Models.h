// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models of the dialect's ops.
//
// Attached when the dialect is loaded, so that they are there wherever it is.
// tensor and arith are loaded before it, and their ops get theirs here too.

#ifndef MOE_LIB_DIALECT_MOE_MODELS_H
#define MOE_LIB_DIALECT_MOE_MODELS_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace moe {

/// Dim maps of ops of tensor and arith (DimMap.cpp).
void attachDimMaps(mlir::MLIRContext &context);
/// Costs of ops that compute (ComputeCosts.cpp).
void attachComputeCosts(mlir::MLIRContext &context);
/// Costs of ops that move data or see it otherwise (MovementCosts.cpp).
void attachMovementCosts(mlir::MLIRContext &context);
/// Traffic of collectives (Exchanges.cpp).
void attachExchanges(mlir::MLIRContext &context);
/// Which ops may stand in a chain (Chains.cpp).
void attachChains(mlir::MLIRContext &context);
/// Which numbers of experts and slots there are (IndexRanges.cpp).
void attachIndexRanges(mlir::MLIRContext &context);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_MODELS_H
