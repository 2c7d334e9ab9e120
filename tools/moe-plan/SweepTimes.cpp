//===- SweepTimes.cpp - What layouts take ---------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepTimes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Prediction.h"
#include "moe/Compiler/Register.h"
#include "moe/Frontend/BuildModule.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace llvm;
using namespace moe;
using namespace moe::plan;

/// Builds, compiles and simulates one program.
static cost::Result<StepTimes> timeProgram(const ModelConfig &config,
                                           const ImportOptions &options,
                                           const cost::Machine &machine,
                                           const StepCompilation &compilation) {
  mlir::DialectRegistry registry;
  registerProgramDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            problem.empty())
          problem = diagnostic.str();
        return mlir::success();
      });
  auto fail = [&] {
    return cost::Failure{problem.empty() ? "it cannot be compiled" : problem};
  };
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildModule(context, config, options);
  if (!module)
    return cost::Failure{toString(module.takeError())};
  CompileOptions compile;
  compile.platform = compilation.platform;
  compile.ignoreFitted = compilation.load.ignoreFitted;
  compile.schedule = compilation.schedule;
  // Chooses nothing but times; moe-opt verifies what is run.
  compile.verifies = false;
  if (failed(compileTo(**module, CompilePhase::Schedule, compile)))
    return fail();
  mlir::FailureOr<Prediction> prediction =
      predict(**module, "sweep", "", machine);
  if (failed(prediction))
    return fail();

  StepTimes times;
  const schedule::Timeline &timeline = prediction->timeline;
  times.us = timeline.makespanUs;
  // Until the backward pass begins.
  times.forwardUs = times.us;
  for (auto [i, op] : enumerate(prediction->schedule.tasks)) {
    TaskOp task = op;
    if (task.getPhase() == Phase::Backward)
      times.forwardUs = std::min(times.forwardUs, timeline.startUs[i]);
  }
  for (schedule::TaskId id : timeline.criticalPath) {
    TaskOp task = prediction->schedule.tasks[id];
    times.pathUs[task.getName().str()] +=
        timeline.endUs[id] - timeline.startUs[id];
  }
  for (auto [i, op] : enumerate(prediction->schedule.streams)) {
    StreamOp stream = op;
    if (stringifyResourceKind(stream.getResource()) == "compute")
      times.computeUs += timeline.busyUs[i];
  }
  return times;
}

/// Whether every MoE layer but the first has as many dense ones in front.
static bool isRegular(const ModelConfig &config) {
  const std::vector<int64_t> &layers = config.moeLayers;
  for (size_t i = 2; i < layers.size(); ++i)
    if (layers[i] - layers[i - 1] != layers[1] - layers[0])
      return false;
  return layers.empty() || layers.back() == config.numLayers - 1;
}

/// On from one and two layers to `count`.
static StepTimes extend(const StepTimes &one, const StepTimes &two,
                        int64_t count) {
  double more = double(count - 1);
  auto line = [&](double first, double second) {
    return std::max(0.0, first + more * (second - first));
  };
  StepTimes all;
  all.us = line(one.us, two.us);
  all.forwardUs = line(one.forwardUs, two.forwardUs);
  all.computeUs = line(one.computeUs, two.computeUs);
  for (const auto &[name, us] : two.pathUs) {
    auto it = one.pathUs.find(name);
    all.pathUs[name] = line(it == one.pathUs.end() ? 0 : it->second, us);
  }
  return all;
}

static cost::Result<StepTimes> timeLayout(const ModelConfig &config,
                                          ImportOptions options,
                                          const cost::Machine &machine,
                                          const StepCompilation &compilation) {
  int64_t all = options.numLayers.value_or(int64_t(config.moeLayers.size()));
  int64_t perStage = all / options.pp;
  options.numLayers = all;
  if (perStage <= 2 || !isRegular(config))
    return timeProgram(config, options, machine, compilation);
  options.numLayers = options.pp;
  cost::Result<StepTimes> one =
      timeProgram(config, options, machine, compilation);
  if (!one)
    return one;
  options.numLayers = 2 * options.pp;
  cost::Result<StepTimes> two =
      timeProgram(config, options, machine, compilation);
  if (!two)
    return two;
  return extend(*one, *two, perStage);
}

std::vector<cost::Result<StepTimes>> moe::plan::timeLayouts(
    const ModelConfig &config, ArrayRef<ImportOptions> layouts,
    const platform::Platform &platform, const StepCompilation &compilation,
    function_ref<void(size_t)> progress) {
  std::vector<cost::Result<StepTimes>> times(
      layouts.size(), cost::Result<StepTimes>(StepTimes()));
  std::mutex mutex;
  size_t done = 0;
  DefaultThreadPool pool(hardware_concurrency());
  for (size_t i = 0; i < layouts.size(); ++i)
    pool.async([&, i] {
      cost::Result<StepTimes> time =
          timeLayout(config, layouts[i], platform.machine, compilation);
      std::lock_guard<std::mutex> lock(mutex);
      times[i] = std::move(time);
      progress(++done);
    });
  pool.wait();
  return times;
}
