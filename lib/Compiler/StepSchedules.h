//===- StepSchedules.h - Passes of a step's schedule ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_COMPILER_STEPSCHEDULES_H
#define MOE_LIB_COMPILER_STEPSCHEDULES_H

#include "moe/Compiler/ScheduleChoice.h"
#include "moe/Transforms/Passes.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace moe {

/// Appends the passes that give a training step its form, for the module's
/// platform. Not for Layers, which leaves steps as they are, nor for Best,
/// which is known when all others have been scheduled.
void addStepPasses(mlir::OpPassManager &manager, ScheduleChoice choice);

/// How tasks are put on streams. Not for Best.
ScheduleOptions getLaunch(ScheduleChoice choice);

} // namespace moe

#endif // MOE_LIB_COMPILER_STEPSCHEDULES_H
