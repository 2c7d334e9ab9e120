// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of circuits to calls of switches.

#ifndef MOE_LIB_CIRCUITS_IR_CONVERTCIRCUITS_H
#define MOE_LIB_CIRCUITS_IR_CONVERTCIRCUITS_H

#include "mlir/IR/Dialect.h"

namespace moe {

void addCircuitConversion(mlir::Dialect *dialect);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_IR_CONVERTCIRCUITS_H
