// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// External models of the dialect's ops.
//
// They are attached when the dialect is loaded, so that they are always
// available. The dialect depends on tensor and arith; models of their ops are
// attached here, too.

#ifndef MOE_LIB_DIALECT_MOE_MODELS_H
#define MOE_LIB_DIALECT_MOE_MODELS_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace moe {

/// Attaches dim maps of tensor and arith ops (DimMap.cpp).
void attachDimMaps(mlir::MLIRContext &context);
/// Attaches costs of ops that compute (ComputeCosts.cpp).
void attachComputeCosts(mlir::MLIRContext &context);
/// Attaches costs of ops that move or view data (MovementCosts.cpp).
void attachMovementCosts(mlir::MLIRContext &context);
/// Attaches the traffic of collectives (Exchanges.cpp).
void attachExchanges(mlir::MLIRContext &context);
/// Attaches the interface of ops that may be part of a chain (Chains.cpp).
void attachChains(mlir::MLIRContext &context);
/// Attaches the ranges of expert and slot numbers (IndexRanges.cpp).
void attachIndexRanges(mlir::MLIRContext &context);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_MODELS_H
