// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits and their traffic.

#ifndef MOE_LIB_CIRCUITS_IR_VERIFYCIRCUITS_H
#define MOE_LIB_CIRCUITS_IR_VERIFYCIRCUITS_H

#include "mlir/IR/BuiltinOps.h"

namespace moe {

/// Checks that the schedules of a module change circuits only while nothing
/// uses them, on any rank, and use only circuits that are up. Emits an error
/// that names both places for everything that is wrong.
llvm::LogicalResult verifyCircuits(mlir::ModuleOp module);

/// Lets moe-verify-schedule check that, too.
void addCircuitVerifier(mlir::Dialect *dialect);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_IR_VERIFYCIRCUITS_H
