// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of circuits and their traffic.

#ifndef MOE_LIB_CIRCUITS_IR_VERIFYCIRCUITS_H
#define MOE_LIB_CIRCUITS_IR_VERIFYCIRCUITS_H

#include "mlir/IR/BuiltinOps.h"

namespace moe {

/// Checks that the schedules of a module change circuits only while no rank
/// uses them, and use only current circuits. Emits an error with both locations
/// for each problem.
llvm::LogicalResult verifyCircuits(mlir::ModuleOp module);

/// Adds this check to moe-verify-schedule.
void addCircuitVerifier(mlir::Dialect *dialect);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_IR_VERIFYCIRCUITS_H
