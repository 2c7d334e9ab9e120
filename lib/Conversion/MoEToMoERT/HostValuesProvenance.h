// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of the host that are moved.
///
/// Offsets and sizes that the host plans are stacked, sliced and reshaped like
/// any value: pipelines hand on those of all chunks as one. No stream has them.
/// What such ops make is known by where its elements come from: mostly the
/// whole of another value, which then is the memory to read.
///
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESPROVENANCE_H
#define MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESPROVENANCE_H

#include "HostFunction.h"

namespace moe {

/// An element of another value, in row-major order.
struct HostElement {
  mlir::Value origin;
  int64_t index = 0;
};

/// Where the elements of a value lie, in row-major order, that slices, reshapes
/// and joins of static shapes make of what the host plans, and perhaps of other
/// values; none for all others, plans too. Origins are no results of such ops.
std::optional<llvm::SmallVector<HostElement>> findHostElements(mlir::Value);

/// The values, each once, whose memory the host must have for it to have
/// `value`: those its elements come from, or its origin. What the host knows
/// without memory is none of them.
llvm::SmallVector<mlir::Value> getHostOrigins(mlir::Value value);

/// Memory with the elements of `result`, of which `getMemory` gives that of
/// their origins: one of these as it is where it has all in order, else new
/// memory that a function of the module, named `symbol`, fills.
mlir::FailureOr<mlir::Value> gatherHostElements(
    HostFunction &host, mlir::SymbolTable &symbols, mlir::Value result,
    llvm::ArrayRef<HostElement> elements,
    llvm::function_ref<mlir::FailureOr<mlir::Value>(mlir::Value)> getMemory);

/// An integer as one of 64 bits.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value number);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESPROVENANCE_H
