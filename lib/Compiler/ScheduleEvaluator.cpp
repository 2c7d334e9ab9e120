// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times and memory of a program.

#include "moe/Compiler/ScheduleEvaluator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Compiler/TrafficUse.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
#include "moe/Schedule/CumulativeBound.h"
#include "moe/Transforms/Remarks.h"
#include "moe/Transforms/ScheduleFunction.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

std::string moe::describeUs(double us, bool isExtrapolated) {
  return cost::formatFixed(us, 1) + " us" +
         (isExtrapolated ? " (extrapolated)" : "");
}

std::string moe::checkMemory(const cost::Machine &machine, StringRef what,
                             int64_t bytes) {
  const auto &memory = machine.memoryPerRank;
  if (!memory || double(bytes) <= memory->value.value())
    return "";
  return llvm::formatv("expected {0} to fit {1:F0} bytes per rank, got {2}",
                       what, memory->value.value(), bytes);
}

ScheduleOp moe::findSchedule(func::FuncOp function) {
  if (function.isExternal())
    return {};
  auto ops = function.getBody().front().getOps<ScheduleOp>();
  return ops.empty() ? ScheduleOp() : *ops.begin();
}

LogicalResult ScheduleEvaluator::runSilently(
    ModuleOp module, function_ref<void(OpPassManager &)> add, bool verifies) {
  PassManager manager(module.getContext());
  manager.enableVerifier(verifies);
  add(manager);
  SilentRemarks silent;
  return manager.run(module);
}

LogicalResult ScheduleEvaluator::schedule(ModuleOp module,
                                          bool verifies) const {
  return runSilently(
      module,
      [&](OpPassManager &manager) { manager.addPass(createSchedule(options)); },
      verifies);
}

LogicalResult ScheduleEvaluator::takeTraffic(ModuleOp module) {
  Attribute attr = getTrafficAttr(module);
  if (hasRouting || attr == trafficAttr)
    return success();
  timer.setRouting(nullptr);
  trafficAttr = nullptr;
  moduleTraffic.reset();
  if (!attr)
    return success();
  FailureOr<ModuleTraffic> loaded = loadTrafficOf(module);
  if (failed(loaded))
    return failure();
  moduleTraffic = std::move(*loaded);
  routing.emplace(moduleTraffic->trace, moduleTraffic->file,
                  /*step=*/std::nullopt);
  timer.setRouting(&*routing);
  trafficAttr = attr;
  return success();
}

FailureOr<SimulatedSchedule> ScheduleEvaluator::simulate(ScheduleOp op) {
  if (failed(takeTraffic(op->getParentOfType<ModuleOp>())))
    return failure();
  FailureOr<TimedSchedule> timed = timeSchedule(op, timer);
  if (failed(timed))
    return failure();
  SimulatedSchedule simulated{std::move(*timed), {}};
  if (!simulator.run(simulated.schedule.graph, simulated.schedule.contention,
                     simulated.timeline))
    return op.emitError() << "cannot be simulated: " << simulator.getError();
  return simulated;
}

/// Returns, for example, ": @main: it has no collectives; @f: ...", for the
/// first functions.
static std::string listReasons(ModuleOp module) {
  constexpr unsigned kMostFunctions = 3;
  std::string text;
  unsigned listed = 0;
  // Collected first, because finding a reason adds a temporary copy to the
  // module.
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (function.isExternal())
      continue;
    if (++listed > kMostFunctions)
      return text + "; ...";
    text += (text.empty() ? ": @" : "; @") + function.getSymName().str() +
            ": " + explainUnscheduled(function);
  }
  return text;
}

void OrderBound::tighten() {
  schedule::BoundFinder finder;
  double us = 0;
  for (const Graph &one : graphs) {
    schedule::LowerBound bound;
    if (schedule::findBound(finder, one.graph, one.contention, bound))
      us += bound.getUs();
  }
  leastUs = std::max(leastUs, us);
  graphs.clear();
}

/// Returns true if a pass chose how tasks of the module share SMs.
static bool sharesSms(ModuleOp module) {
  return module
      .walk([](TaskOp task) {
        return task->hasAttr(kOverlapAttrName) ? WalkResult::interrupt()
                                               : WalkResult::skip();
      })
      .wasInterrupted();
}

FailureOr<Evaluation> ScheduleEvaluator::evaluate(ModuleOp module,
                                                  bool withMemory,
                                                  OrderBound *bound) {
  Evaluation evaluation;
  bool hasSchedule = false;
  // Indexed by iteration of the trace.
  std::vector<double> stepsUs, stepBoundsUs;
  // Both the changes of circuits and the sharing of SMs depend on the order.
  if (getMachine().circuits || sharesSms(module))
    bound = nullptr;
  schedule::BoundFinder finder;
  // Schedules are not nested, so the walk skips their contents.
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *nested) {
    auto op = dyn_cast<ScheduleOp>(nested);
    if (!op)
      return WalkResult::advance();
    FailureOr<SimulatedSchedule> simulated = simulate(op);
    if (failed(simulated))
      return WalkResult::interrupt();
    hasSchedule = true;
    auto add = [](std::vector<double> &sums,
                  const std::vector<double> &values) {
      sums.resize(values.size());
      for (auto [sum, value] : llvm::zip_equal(sums, values))
        sum += value;
    };
    if (moduleTraffic && !hasRouting) {
      auto over = simulateOverTrace(simulated->schedule, timer, *routing,
                                    /*withBounds=*/bound != nullptr);
      if (failed(over))
        return WalkResult::interrupt();
      add(stepsUs, over->us);
      add(stepBoundsUs, over->boundsUs);
    } else if (bound) {
      schedule::LowerBound own;
      if (schedule::findBound(finder, simulated->schedule.graph,
                              simulated->schedule.contention, own,
                              schedule::BoundEffort::Unstaged))
        bound->leastUs += own.getUs();
      bound->graphs.push_back(
          {simulated->schedule.graph, simulated->schedule.contention});
    }
    evaluation.us += simulated->getUs();
    evaluation.numExtrapolated += simulated->countExtrapolated();
    if (withMemory)
      evaluation.peakBytes =
          std::max(evaluation.peakBytes, simulated->getPeakBytes());
    return WalkResult::skip();
  });
  if (result.wasInterrupted())
    return failure();
  if (!stepsUs.empty())
    evaluation.us =
        moduleTraffic->judge(traffic::Spread::of(std::move(stepsUs)));
  if (bound && !stepBoundsUs.empty())
    bound->leastUs =
        moduleTraffic->judge(traffic::Spread::of(std::move(stepBoundsUs)));
  if (!hasSchedule)
    evaluation.problem = "no function could be scheduled" + listReasons(module);
  return evaluation;
}
