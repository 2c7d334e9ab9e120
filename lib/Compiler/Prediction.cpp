//===- Prediction.cpp - What a program is predicted to take -----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Compiler/Prediction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Schedule/Resources.h"

using namespace mlir;
using namespace moe;

/// The function to simulate; emits an error and returns null when there is
/// none or a choice.
static func::FuncOp findEntry(ModuleOp module, StringRef name) {
  if (!name.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      emitError(module.getLoc())
          << "expected a function @" << name << ", got none";
    return function;
  }
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool communicates = false;
    function.walk([&](CollectiveOpInterface) { communicates = true; });
    if (communicates)
      candidates.push_back(function);
  }
  if (candidates.size() == 1)
    return candidates.front();
  InFlightDiagnostic diag = emitError(module.getLoc())
                            << "expected @main or one function with "
                               "collectives, got "
                            << candidates.size();
  for (func::FuncOp candidate : candidates)
    diag.attachNote(candidate.getLoc())
        << "choose it with --entry=" << candidate.getSymName();
  return {};
}

/// The schedule of a function, made if it has none.
static FailureOr<ScheduleOp> getSchedule(func::FuncOp function) {
  if (ScheduleOp schedule = findSchedule(function))
    return schedule;
  // It may be called by others, and stays all the same.
  function.setPublic();
  // As moe-run would run it; other functions may have a schedule already.
  auto module = function->getParentOfType<ModuleOp>();
  CompileOptions options;
  options.from = CompilePhase::Schedule;
  if (failed(findPhase(module) < CompilePhase::Schedule
                 ? finishTo(module, CompilePhase::Schedule)
                 : compileTo(module, CompilePhase::Schedule, options)))
    return failure();
  if (ScheduleOp schedule = findSchedule(function))
    return schedule;
  return function.emitError()
         << "@" << function.getSymName()
         << " cannot be scheduled: expected collectives of static shapes, "
            "in calls, branches and loops that can be followed (moe-opt "
            "--moe-schedule --remarks-filter=.* says "
            "what stands in the way; nothing does in a program without "
            "collectives, which has nothing to schedule)";
}

FailureOr<Prediction> moe::predict(ModuleOp module, std::string file,
                                   StringRef entry,
                                   const cost::Machine &machine,
                                   const std::optional<GivenTraffic> &traffic) {
  func::FuncOp function = findEntry(module, entry);
  if (!function)
    return failure();
  FailureOr<ScheduleOp> op = getSchedule(function);
  if (failed(op))
    return failure();
  ScheduleEvaluator evaluator(machine);
  Prediction prediction;
  prediction.given = traffic;
  if (!traffic && getTrafficAttr(module)) {
    FailureOr<ModuleTraffic> own = loadTrafficOf(module);
    if (failed(own))
      return failure();
    prediction.given = GivenTraffic{own->trace, own->file, std::nullopt};
  }
  const std::optional<GivenTraffic> &given = prediction.given;
  std::optional<traffic::Routing> routing;
  if (given)
    routing = given->getRouting();
  evaluator.setRouting(routing ? &*routing : nullptr);
  FailureOr<SimulatedSchedule> simulated = evaluator.simulate(*op);
  if (failed(simulated))
    return failure();
  if (given) {
    FailureOr<TrafficUse> use = findTrafficUse(simulated->schedule, *routing);
    if (failed(use))
      return failure();
    prediction.traffic = std::move(*use);
  }
  if (given && given->overTrace) {
    FailureOr<OverTrace> over = simulateOverTrace(
        simulated->schedule, evaluator.getTimer(), given->trace, given->name);
    if (failed(over))
      return failure();
    prediction.overTrace = std::move(*over);
  }
  prediction.file = std::move(file);
  prediction.ranks = getNumRanks(function);
  prediction.peakBytes = simulated->getPeakBytes();
  prediction.schedule = std::move(simulated->schedule);
  prediction.timeline = std::move(simulated->timeline);
  schedule::BoundFinder bounds;
  if (!bounds.run(prediction.schedule.graph, prediction.bound))
    return op->emitError() << "has no bound: " << bounds.getError();
  return prediction;
}
