// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantics of plans of optical circuits.

#ifndef MOE_LIB_CIRCUITS_IR_INTERPRETCIRCUITS_H
#define MOE_LIB_CIRCUITS_IR_INTERPRETCIRCUITS_H

#include "moe/Interpreter/ExtensionOps.h"

namespace moe {

void addCircuitInterpreter(mlir::Dialect *dialect);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_IR_INTERPRETCIRCUITS_H
