// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of a routing trace on a program.

#include "moe/Compiler/TrafficUse.h"
#include "moe/Schedule/CumulativeBound.h"
#include "moe/Support/Progress.h"

using namespace mlir;
using namespace moe;

std::optional<int64_t> moe::getRoutedExperts(GateOp gate) {
  int64_t experts =
      cast<RankedTensorType>(gate.getRouter().getType()).getShape().back();
  return experts > 1 ? std::optional(experts) : std::nullopt;
}

/// Returns the number of experts that the gates of a task choose from; nullopt
/// if none makes a choice.
static std::optional<int64_t> findExperts(TaskOp task) {
  std::optional<int64_t> experts;
  task.walk([&](GateOp gate) {
    if (std::optional<int64_t> own = getRoutedExperts(gate))
      experts = own;
  });
  return experts;
}

FailureOr<TrafficUse> moe::findTrafficUse(const TimedSchedule &schedule,
                                          const traffic::Routing &routing) {
  TrafficUse use;
  SmallVector<std::string> gated;
  auto add = [](SmallVectorImpl<std::string> &names, StringRef name) {
    if (!name.empty() && !llvm::is_contained(names, name))
      names.push_back(name.str());
  };
  for (auto [i, op] : llvm::enumerate(schedule.tasks)) {
    TaskOp task = op; // Accessors of ops are not const.
    if (schedule.routed[i])
      add(use.routed, task.getLayer());
    std::optional<int64_t> experts = findExperts(task);
    if (!experts)
      continue;
    add(gated, task.getLayer());
    if (auto problem =
            routing.check({task.getLayer().str(), std::nullopt, experts}))
      return task.emitOpError() << problem->message;
  }
  for (const std::string &name : gated)
    if (!llvm::is_contained(use.routed, name))
      use.padded.push_back(name);
  return use;
}

FailureOr<OverTrace> moe::simulateOverTrace(TimedSchedule schedule,
                                            OpTimer &timer,
                                            const traffic::Routing &ofAll,
                                            bool withBounds) {
  OverTrace over;
  over.file = ofAll.getName();
  const std::vector<traffic::StepTraffic> &steps = ofAll.getTrace().steps;
  const traffic::Routing *before = timer.getRouting();
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  schedule::BoundFinder finder;
  schedule::LowerBound bound;
  bool isRouted = llvm::is_contained(schedule.routed, true);
  // If there is a single iteration, all iterations together have the same
  // result.
  bool isTimed = steps.size() == 1 && before == &ofAll;
  support::Activity activity("step of " + over.file, steps.size());
  for (size_t step = 0; step < steps.size(); ++step) {
    activity.next();
    if (step > 0 && !isRouted) {
      over.us.push_back(timeline.makespanUs);
      if (withBounds)
        over.boundsUs.push_back(bound.getUs());
      continue;
    }
    if (!isTimed) {
      traffic::Routing routing = ofAll.atStep(step);
      timer.setRouting(&routing);
      LogicalResult timed = timeRoutedTasks(schedule, timer);
      timer.setRouting(before);
      if (failed(timed))
        return failure();
    }
    if (!simulator.run(schedule.graph, schedule.contention, timeline))
      return schedule.tasks.front()->emitError()
             << "cannot be simulated: " << simulator.getError();
    over.us.push_back(timeline.makespanUs);
    if (!withBounds)
      continue;
    if (!schedule::findBound(finder, schedule.graph, schedule.contention, bound,
                             schedule::BoundEffort::Unstaged))
      bound = schedule::LowerBound();
    over.boundsUs.push_back(bound.getUs());
  }
  over.spread = traffic::Spread::of(over.us);
  over.worstStep = steps[llvm::max_element(over.us) - over.us.begin()].step;
  return over;
}
