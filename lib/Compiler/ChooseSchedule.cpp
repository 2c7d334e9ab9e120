//===- ChooseSchedule.cpp - The fastest schedule of a training step -------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkSensitivity.h"
#include "StepChoices.h"
#include "StepPlanner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/Choice.h"
#include "moe/Dialect/MoE/Parts.h"
#include "moe/Support/Progress.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSESCHEDULE
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Steps of more tasks than this are not planned anew for other links, which
/// takes 6 to 20 times as long as to choose a schedule.
static constexpr size_t kMostPlannedAnew = 4000;

/// On a tie, the first of them.
static constexpr ScheduleChoice kChoices[] = {
    ScheduleChoice::FSMoE,     ScheduleChoice::Orders,
    ScheduleChoice::Sizes,     ScheduleChoice::FSMoENoIIO,
    ScheduleChoice::Lina,      ScheduleChoice::TutelImproved,
    ScheduleChoice::Tutel,     ScheduleChoice::Megatron,
    ScheduleChoice::DeepSpeed, ScheduleChoice::Layers};

namespace {

/// One way to schedule the step.
struct SchedulePlan {
  ScheduleChoice choice = ScheduleChoice::Layers;
  /// When the step ends; or, if it cannot be scheduled so, why.
  Evaluation evaluation;
  /// With its plan, and scheduled.
  OwningOpRef<ModuleOp> planned, module;

  StringRef getName() const { return moe::getName(choice); }
  double getUs() const {
    return evaluation ? evaluation.us : std::numeric_limits<double>::infinity();
  }
};

/// Runs the phases from Choose up to one on a program whose layers have no form
/// yet.
LogicalResult compileAs(ScheduleChoice choice, ModuleOp module,
                        CompilePhase to) {
  CompileOptions options;
  options.from = CompilePhase::Choose;
  options.schedule = choice;
  // The module is verified behind the pass that takes one of them.
  options.verifies = false;
  options.searchWidth = 0;
  return compileTo(module, to, options);
}

constexpr StringLiteral kSchedulePass = "moe-choose-schedule";

remark::RemarkOpts options() {
  return remark::RemarkOpts::name("schedule").category(kSchedulePass);
}

/// Compares schedules of a module.
class ScheduleChooser {
public:
  ScheduleChooser(ModuleOp module, const cost::Machine &machine, bool explains)
      : module(module), machine(machine), explains(explains) {}

  FailureOr<BestSchedule> run() {
    ScheduleEvaluator evaluator(machine);
    StepPlanner planner(module, machine);
    std::vector<SchedulePlan> candidates;
    candidates.reserve(std::size(kChoices));
    bool explainsLinks = isRead(module->getLoc(), kSchedulePass);
    auto best = candidates.end();
    support::Activity activity("schedule", std::size(kChoices));
    for (ScheduleChoice choice : kChoices) {
      activity.next(getWord(choice).str());
      OwningOpRef<ModuleOp> planned;
      auto [evaluation, scheduled] =
          evaluator.tryCompile(module, [&](ModuleOp copy) -> LogicalResult {
            if (failed(plan(choice, copy, machine, planner)))
              return failure();
            planned = copy.clone();
            return carryOutPlan(copy);
          });
      candidates.push_back({choice, std::move(evaluation), std::move(planned),
                            std::move(scheduled)});
      best = pickBest(candidates);
      // Modules of large models are large: those that lost are not kept, but
      // the runner-up is asked about links of other speeds.
      const SchedulePlan *next = explainsLinks && best != candidates.end()
                                     ? findNext(candidates, *best)
                                     : nullptr;
      for (SchedulePlan &candidate : candidates)
        if (best == candidates.end() ||
            (&candidate != next &&
             candidate.getUs() >
                 cost::getEnoughUs(best->getUs(), cost::kTie))) {
          candidate.planned = nullptr;
          candidate.module = nullptr;
        }
    }
    if (best == candidates.end()) {
      // As for any other schedule: a module without anything to schedule stays
      // as it is, and what is wrong is said by the pass that finds it.
      OwningOpRef<ModuleOp> copy(module.clone());
      if (failed(
              compileAs(ScheduleChoice::FSMoE, *copy, CompilePhase::Schedule)))
        return failure();
      moe::missed(module->getLoc(), options())
          << remark::reason("{0}", candidates.front().evaluation.problem);
      return BestSchedule();
    }
    if (explains && module.getContext()->getRemarkEngine()) {
      // Once more, for the remarks of the passes that made it.
      OwningOpRef<ModuleOp> copy(module.clone());
      if (failed(compileAs(best->choice, *copy, CompilePhase::Schedule)))
        return failure();
    }
    std::string sensitivity;
    const SchedulePlan *next = findNext(candidates, *best);
    if (explainsLinks && next) {
      FailureOr<std::string> found = describeLinks(*best, *next);
      if (failed(found))
        return failure();
      sensitivity = std::move(*found);
    }
    bool reorders = !getTrafficAttr(module);
    std::optional<Evaluation> ordered;
    if ((explains || explainsLinks || !reorders) && hasPlan(*best->planned)) {
      auto [evaluation, copy] = order(*best, evaluator);
      if (!evaluation)
        return emitError(module.getLoc())
               << kSchedulePass << ": " << evaluation.problem;
      // Orders are looked for by even traffic.
      reorders = evaluation.us < best->getUs();
      if (reorders) {
        best->module = std::move(copy);
        ordered = std::move(evaluation);
      }
    }
    report(candidates, *best, ordered, sensitivity);
    return BestSchedule{best->choice, std::move(best->planned),
                        std::move(best->module), reorders};
  }

private:
  /// Plans a copy of the module. What is no schedule of the step, and a program
  /// that is past the choice, is for the phase itself.
  LogicalResult plan(ScheduleChoice choice, ModuleOp copy,
                     const cost::Machine &onto, StepPlanner &planner) {
    if (findPhase(copy) > CompilePhase::Choose)
      return compileAs(choice, copy, CompilePhase::Choose);
    eraseStepPlan(copy);
    if (choice == ScheduleChoice::Layers)
      return planLayers(copy, onto, FormLimits(), /*usesFitted=*/false);
    return planner.plan(choice, copy);
  }

  /// The fastest, of equals the first; the end for none.
  static std::vector<SchedulePlan>::iterator
  pickBest(std::vector<SchedulePlan> &candidates) {
    return cost::pickSimplest(
        candidates, cost::kTie,
        [](const SchedulePlan &candidate) { return candidate.getUs(); });
  }

  /// The plan of the best with its tasks in the fastest order.
  std::pair<Evaluation, OwningOpRef<ModuleOp>>
  order(const SchedulePlan &best, ScheduleEvaluator &evaluator) {
    auto [evaluation, ordered] =
        evaluator.tryCompile(*best.planned, [](ModuleOp copy) -> LogicalResult {
          return success(
              succeeded(reorderTasks(copy)) &&
              succeeded(carryOutPlan(copy, CompileOptions().searchWidth)));
        });
    return {std::move(evaluation), std::move(ordered)};
  }

  /// The fastest of those that end later than the best: what ends at once is
  /// the same schedule, as a rule. Null for none.
  static const SchedulePlan *findNext(ArrayRef<SchedulePlan> candidates,
                                      const SchedulePlan &best) {
    const SchedulePlan *next = nullptr;
    for (const SchedulePlan &candidate : candidates)
      if (candidate.evaluation &&
          candidate.getUs() > cost::getEnoughUs(best.getUs(), cost::kTie) &&
          (!next || candidate.getUs() < next->getUs()))
        next = &candidate;
    return next;
  }

  /// The choice on a machine of other links, planned anew there.
  FailureOr<LinkChoice> chooseAnew(const SchedulePlan &best,
                                   const cost::Machine &other) {
    ScheduleEvaluator evaluator(other);
    StepPlanner planner(module, other);
    std::vector<SchedulePlan> candidates;
    for (ScheduleChoice choice : kChoices)
      candidates.push_back(
          {choice,
           evaluator
               .tryCompile(module,
                           [&](ModuleOp copy) {
                             return failure(
                                 failed(plan(choice, copy, other, planner)) ||
                                 failed(carryOutPlan(copy, other)));
                           })
               .evaluation,
           {},
           {}});
    auto found = pickBest(candidates);
    if (found == candidates.end())
      return LinkChoice{best.getName().str(), best.getName().str()};
    auto same = llvm::find_if(candidates, [&](const SchedulePlan &candidate) {
      return candidate.choice == best.choice;
    });
    std::string name = found->getName().str();
    return LinkChoice{name, name,
                      same->getUs() <=
                          cost::getEnoughUs(found->getUs(), cost::kTie)};
  }

  /// Which of two schedules is faster on another machine, both as they are.
  static FailureOr<LinkChoice> timeAgain(const SchedulePlan &best,
                                         const SchedulePlan &next,
                                         const cost::Machine &other) {
    ScheduleEvaluator evaluator(other);
    FailureOr<Evaluation> first =
        evaluator.evaluate(*best.module, /*withMemory=*/false);
    FailureOr<Evaluation> second =
        evaluator.evaluate(*next.module, /*withMemory=*/false);
    if (failed(first) || failed(second))
      return failure();
    std::string name = (second->us < first->us * (1 - cost::kTie) ? next : best)
                           .getName()
                           .str();
    return LinkChoice{name, name};
  }

  /// Whether the step can be planned for other links in little time. Orders of
  /// parts, and circuits, are of the module's own platform.
  bool canPlanAnew(ModuleOp scheduled) {
    size_t numTasks = 0;
    bool hasParts = false;
    scheduled.walk([&](TaskOp task) {
      ++numTasks;
      hasParts |= getPart(task) > 0;
    });
    return numTasks <= kMostPlannedAnew && !hasParts && !machine.circuits &&
           findPhase(module) <= CompilePhase::Choose;
  }

  /// With which links another schedule is chosen, planned anew for them; where
  /// that takes long, the runner-up as planned for these.
  FailureOr<std::string> describeLinks(const SchedulePlan &best,
                                       const SchedulePlan &next) {
    bool isAnew = canPlanAnew(*best.module);
    support::Activity activity("what other links would change");
    auto findChoice = [&](const cost::Machine &other,
                          double) -> FailureOr<LinkChoice> {
      activity.next("");
      return isAnew ? chooseAnew(best, other) : timeAgain(best, next, other);
    };
    // A step takes long to be planned and timed.
    LinkRange range;
    range.maxPower = 3;
    range.precision = 100;
    range.maxChanges = 1;
    range.doneAnew = isAnew ? DoneAnew::All : DoneAnew::Nothing;
    return describeLinkSensitivity(machine, best.getName(), findChoice, range);
  }

  /// `ordered` is what the best takes in a faster order, if there is one.
  void report(ArrayRef<SchedulePlan> candidates, const SchedulePlan &best,
              const std::optional<Evaluation> &ordered,
              const std::string &sensitivity) {
    const SchedulePlan *runnerUp = findNext(candidates, best);
    std::string rows;
    for (const SchedulePlan &candidate : candidates) {
      rows += rows.empty() ? "" : ", ";
      if (!candidate.evaluation) {
        rows += llvm::formatv("{0} cannot be: {1}", candidate.getName(),
                              candidate.evaluation.problem);
        continue;
      }
      rows += candidate.getName().str() + " " +
              describeUs(candidate.getUs(),
                         candidate.evaluation.numExtrapolated != 0);
    }
    double us = best.getUs();
    if (ordered) {
      us = ordered->us;
      rows += "; its tasks in another order take " +
              describeUs(us, ordered->numExtrapolated != 0);
    }
    auto remark = moe::passed(module->getLoc(), options());
    remark << remark::add("{0} is the fastest of {1}{2}{3}", best.getName(),
                          rows, sensitivity.empty() ? "" : "; ", sensitivity)
           << remark::metric("schedule", best.getName())
           << remark::metric("time_us", us);
    if (best.evaluation.numExtrapolated)
      remark << remark::metric("extrapolated_tasks",
                               best.evaluation.numExtrapolated);
    if (runnerUp)
      remark << remark::metric("runner_up", runnerUp->getName())
             << remark::metric("runner_up_us", runnerUp->getUs());
  }

  ModuleOp module;
  const cost::Machine &machine;
  bool explains;
};

struct ChooseSchedule : public moe::impl::ChooseScheduleBase<ChooseSchedule> {
  using ChooseScheduleBase::ChooseScheduleBase;

  // Plans are made with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    ChooseScheduleBase::getDependentDialects(registry);
    registry.insert<func::FuncDialect>();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument());
    if (failed(loaded) ||
        failed(refuseRobustTraffic(getOperation(), getArgument())))
      return failure();
    // The passes of the candidates ask the module.
    if (!platform.empty())
      attachPlatform(getOperation(), *loaded, platform);
    FailureOr<BestSchedule> best =
        chooseSchedule(getOperation(), loaded->machine, /*explains=*/true);
    if (failed(best))
      return failure();
    if (best->module)
      getOperation().getBodyRegion().takeBody(best->module->getBodyRegion());
    return success();
  }
};

} // namespace

LogicalResult moe::carryOutPlan(ModuleOp module, uint64_t searchWidth) {
  CompileOptions options;
  options.from = CompilePhase::Decompose;
  options.verifies = false;
  options.searchWidth = searchWidth;
  return compileTo(module, CompilePhase::Schedule, options);
}

FailureOr<BestSchedule> moe::chooseSchedule(ModuleOp module,
                                            const cost::Machine &machine,
                                            bool explains) {
  return ScheduleChooser(module, machine, explains).run();
}
