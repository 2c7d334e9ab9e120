//===- SweepTimes.h - What layouts take -------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOE_PLAN_SWEEPTIMES_H
#define MOE_TOOLS_MOE_PLAN_SWEEPTIMES_H

#include "SweepLayouts.h"
#include "moe/Compiler/ScheduleChoice.h"
#include "moe/Platform/Load.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace moe::plan {

/// What a step of a layout takes, as moe-sim says of its program.
struct StepTimes {
  /// Of a stage for one micro-batch: all of it, and its forward pass.
  double us = 0, forwardUs = 0;
  /// Where it is spent along the critical path, by the names of tasks.
  std::map<std::string, double> pathUs;
  /// How long ranks compute of it.
  double computeUs = 0;
};

/// How programs are compiled and timed.
struct StepCompilation {
  /// As an option takes it.
  std::string platform;
  platform::LoadOptions load;
  ScheduleChoice schedule = ScheduleChoice::Layers;
};

/// The times of the steps of all layouts, or why one has none, in their order.
/// Compiles each program with one and with two MoE layers a stage and goes on
/// in a straight line, where the layers that follow are alike; the whole one
/// else. Runs on all cores; calls `progress` with how many are done, from one
/// thread at a time.
std::vector<cost::Result<StepTimes>>
timeLayouts(const ModelConfig &config, llvm::ArrayRef<ImportOptions> layouts,
            const platform::Platform &platform,
            const StepCompilation &compilation,
            llvm::function_ref<void(size_t)> progress);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_SWEEPTIMES_H
