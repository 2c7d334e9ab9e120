//===- ChooseSchedule.cpp - The fastest schedule of a training step -------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulateSchedules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Analysis/Timing.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Passes.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSESCHEDULE
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

FailureOr<double> moe::simulateSchedules(ModuleOp module,
                                         const cost::Machine &machine) {
  OpTimer timer(machine, module);
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  double us = 0;
  WalkResult result = module.walk([&](ScheduleOp op) {
    FailureOr<TimedSchedule> timed = timeSchedule(op, timer);
    if (failed(timed))
      return WalkResult::interrupt();
    if (!simulator.run(timed->graph, timed->contention, timeline)) {
      op.emitError() << "cannot be simulated: " << simulator.getError();
      return WalkResult::interrupt();
    }
    us += timeline.makespanUs;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return us;
}

namespace {

/// One way to schedule the step.
struct Candidate {
  ScheduleChoice choice = ScheduleChoice::Layers;
  /// When the step ends; or, if it cannot be scheduled so, why.
  double us = 0;
  std::string problem;
  OwningOpRef<ModuleOp> module;

  StringRef getName() const { return moe::getName(choice); }
};

/// Schedules a program whose layers have no form yet.
LogicalResult scheduleAs(ScheduleChoice choice, ModuleOp module) {
  CompileOptions options;
  options.from = CompilePhase::Pipeline;
  options.schedule = choice;
  return compileTo(module, CompilePhase::Schedule, options);
}

class ChooseSchedule : public moe::impl::ChooseScheduleBase<ChooseSchedule> {
  using ChooseScheduleBase::ChooseScheduleBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  remark::RemarkOpts options() {
    return remark::RemarkOpts::name("schedule").category(getArgument());
  }

  /// Schedules a copy of the module as a candidate says.
  LogicalResult build(Candidate &candidate, const cost::Machine &machine) {
    candidate.module = getOperation().clone();
    if (failed(scheduleAs(candidate.choice, *candidate.module)))
      return failure();
    if (candidate.module
            ->walk([](ScheduleOp) { return WalkResult::interrupt(); })
            .wasInterrupted()) {
      FailureOr<double> us = simulateSchedules(*candidate.module, machine);
      if (failed(us))
        return failure();
      candidate.us = *us;
      return success();
    }
    candidate.problem = "no function could be scheduled";
    return success();
  }

  LogicalResult run() {
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument());
    if (failed(loaded))
      return failure();
    // The passes of the candidates ask the module.
    if (!platform.empty())
      getOperation()->setAttr(
          MoEDialect::getPlatformAttrName(),
          makePlatformAttr(&getContext(), *loaded, platform));
    // On a tie, the first of them.
    SmallVector<Candidate, 9> candidates;
    for (ScheduleChoice choice :
         {ScheduleChoice::FSMoE, ScheduleChoice::Orders, ScheduleChoice::Sizes,
          ScheduleChoice::FSMoENoIIO, ScheduleChoice::Lina,
          ScheduleChoice::TutelImproved, ScheduleChoice::Tutel,
          ScheduleChoice::DeepSpeed, ScheduleChoice::Layers})
      candidates.emplace_back().choice = choice;

    Candidate *best = nullptr;
    for (Candidate &candidate : candidates) {
      SilentRemarks silent;
      ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diag) {
        if (candidate.problem.empty() &&
            diag.getSeverity() == DiagnosticSeverity::Error)
          candidate.problem = diag.str();
        return success();
      });
      if (failed(build(candidate, loaded->machine)) &&
          candidate.problem.empty())
        candidate.problem = "its passes failed";
      // Modules of large models are large: one is kept.
      bool wins = candidate.problem.empty() &&
                  (!best || candidate.us < best->us * (1 - 1e-9));
      if (!wins)
        candidate.module = nullptr;
      else if (best)
        best->module = nullptr;
      if (wins)
        best = &candidate;
    }
    if (!best) {
      // As for any other schedule: a module without anything to schedule stays
      // as it is, and what is wrong is said by the pass that finds it.
      OwningOpRef<ModuleOp> copy(getOperation().clone());
      if (failed(scheduleAs(ScheduleChoice::FSMoE, *copy)))
        return failure();
      moe::missed(getOperation()->getLoc(), options())
          << remark::reason("{0}", candidates.front().problem);
      return success();
    }
    if (getContext().getRemarkEngine()) {
      // Once more, for the remarks of the passes that made it.
      OwningOpRef<ModuleOp> copy(getOperation().clone());
      if (failed(scheduleAs(best->choice, *copy)))
        return failure();
    }
    report(candidates, *best);
    getOperation().getBodyRegion().takeBody(best->module->getBodyRegion());
    return success();
  }

  void report(ArrayRef<Candidate> candidates, const Candidate &best) {
    const Candidate *runnerUp = nullptr;
    std::string rows;
    for (const Candidate &candidate : candidates) {
      rows += rows.empty() ? "" : ", ";
      if (!candidate.problem.empty()) {
        rows += llvm::formatv("{0} cannot be: {1}", candidate.getName(),
                              candidate.problem);
        continue;
      }
      rows += llvm::formatv("{0} {1:F1} us", candidate.getName(), candidate.us);
      if (&candidate != &best && (!runnerUp || candidate.us < runnerUp->us))
        runnerUp = &candidate;
    }
    auto remark = moe::passed(getOperation()->getLoc(), options());
    remark << remark::add("{0} is the fastest of {1}", best.getName(), rows)
           << remark::metric("schedule", best.getName())
           << remark::metric("time_us", best.us);
    if (runnerUp)
      remark << remark::metric("runner_up", runnerUp->getName())
             << remark::metric("runner_up_us", runnerUp->us);
  }
};

} // namespace
