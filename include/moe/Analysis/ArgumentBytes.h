// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What arguments take up.

#ifndef MOE_ANALYSIS_ARGUMENTBYTES_H
#define MOE_ANALYSIS_ARGUMENTBYTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace moe {

/// What the arguments of a function take up on a rank, beside all values; those
/// of unknown sizes count as nothing.
int64_t getArgumentBytes(mlir::FunctionOpInterface function);

} // namespace moe

#endif // MOE_ANALYSIS_ARGUMENTBYTES_H
