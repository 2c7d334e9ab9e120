// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement of numbers that the host plans.
//
// Offsets and sizes that the host plans are stacked, sliced and reshaped like
// other values; for example, pipelines return the values of all chunks
// together. No stream has them. The result of such an op is described by the
// origins of its elements. Usually this is the whole of another value, so that
// its memory can be read directly.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESPROVENANCE_H
#define MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESPROVENANCE_H

#include "HostFunction.h"

namespace moe {

/// An element of another value, in row-major order.
struct HostElement {
  mlir::Value origin;
  int64_t index = 0;
};

/// Returns the origins of a value's elements, in row-major order, if static
/// slices, reshapes and joins build it from planned values and perhaps others.
/// Nullopt for all other values, including plans. Origins are never results of
/// such ops.
std::optional<llvm::SmallVector<HostElement>> findHostElements(mlir::Value);

/// Returns the values, without duplicates, that must be in host memory for
/// `value`: the origins of its elements, or its own origin. Excludes values
/// that the host knows without memory.
llvm::SmallVector<mlir::Value> getHostOrigins(mlir::Value value);

/// Returns the origins of the elements of a plan's counts if they are a part of
/// one value that a stream computes; nullopt for all other counts. The host
/// reads the whole value once, for the plans of all chunks.
std::optional<llvm::SmallVector<HostElement>>
findPartOfCounts(mlir::Value counts);

/// Returns memory with the elements of `result`; `getMemory` returns the memory
/// of an origin. Reuses the memory of an origin that has all elements in order.
/// Otherwise fills new memory with a function of the module, named `symbol`.
mlir::FailureOr<mlir::Value> gatherHostElements(
    HostFunction &host, mlir::SymbolTable &symbols, mlir::Value result,
    llvm::ArrayRef<HostElement> elements,
    llvm::function_ref<mlir::FailureOr<mlir::Value>(mlir::Value)> getMemory);

/// Returns an integer extended to 64 bits.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value number);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESPROVENANCE_H
