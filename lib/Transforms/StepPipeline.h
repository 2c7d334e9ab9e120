//===- StepPipeline.h - Passes of one schedule of a step --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_TRANSFORMS_STEPPIPELINE_H
#define MOE_LIB_TRANSFORMS_STEPPIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Cost/Machine.h"
#include "moe/Schedule/TrainingStep.h"
#include "moe/Transforms/Passes.h"
#include <optional>

namespace moe {

/// Appends the passes of the phases pipeline and schedule, without their
/// verification: those of a schedule of SPEC FS-11, where `Best` stands for
/// FSMoE's with the best orders found and weight gradients beside combines; or,
/// for none, a strategy for each layer. `sizes` are those of chunks, with
/// `Best` only.
void addScheduledStep(mlir::OpPassManager &manager,
                      std::optional<schedule::StepSchedule> schedule,
                      ChunkSizes sizes = ChunkSizes::Even);

/// When all scheduled functions of a module have run, one after the other, on
/// a machine; in us. Emits an error where one cannot be simulated.
llvm::FailureOr<double> simulateSchedules(mlir::ModuleOp module,
                                          const cost::Machine &machine);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_STEPPIPELINE_H
