// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of function arguments.

#ifndef MOE_ANALYSIS_ARGUMENTBYTES_H
#define MOE_ANALYSIS_ARGUMENTBYTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace moe {

/// Returns the bytes that the arguments of a function occupy per rank, in
/// addition to all values. Arguments of unknown size count as 0.
int64_t getArgumentBytes(mlir::FunctionOpInterface function);

} // namespace moe

#endif // MOE_ANALYSIS_ARGUMENTBYTES_H
