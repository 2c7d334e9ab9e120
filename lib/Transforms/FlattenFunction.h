// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines the calls of a function and unrolls its loops.

#ifndef MOE_LIB_TRANSFORMS_FLATTENFUNCTION_H
#define MOE_LIB_TRANSFORMS_FLATTENFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace moe {

/// Returns true if a function has collectives or pipelines, or calls a function
/// that has. Chunks of pipelines are always tasks.
bool hasTasks(mlir::func::FuncOp function);

/// Inlines all called functions. Unrolls `scf.for` loops with constant bounds
/// around collectives, layers or pipelines, unless that makes too many ops. If
/// some call cannot be inlined, returns the reason, and the caller must discard
/// the function; empty on success.
std::string flatten(mlir::func::FuncOp function);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_FLATTENFUNCTION_H
