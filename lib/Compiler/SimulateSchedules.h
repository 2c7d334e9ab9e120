//===- SimulateSchedules.h - When a module's schedules end ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_COMPILER_SIMULATESCHEDULES_H
#define MOE_LIB_COMPILER_SIMULATESCHEDULES_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Cost/Machine.h"

namespace moe {

/// When all scheduled functions of a module have run, one after the other, on
/// a machine; in us. Emits an error where one cannot be simulated.
llvm::FailureOr<double> simulateSchedules(mlir::ModuleOp module,
                                          const cost::Machine &machine);

} // namespace moe

#endif // MOE_LIB_COMPILER_SIMULATESCHEDULES_H
