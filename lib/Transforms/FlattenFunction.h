// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function without calls.

#ifndef MOE_LIB_TRANSFORMS_FLATTENFUNCTION_H
#define MOE_LIB_TRANSFORMS_FLATTENFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace moe {

/// Whether a function has collectives or pipelines, whose chunks are tasks
/// whatever is in them, or calls one that has.
bool hasTasks(mlir::func::FuncOp function);

/// Puts the bodies of called functions where these are called, and the
/// iterations of `scf.for` loops with constant bounds around collectives,
/// layers or pipelines one after another, as far as they are not too many ops.
/// Returns why a call cannot be followed, empty when none is left; the function
/// is then to be thrown away.
std::string flatten(mlir::func::FuncOp function);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_FLATTENFUNCTION_H
