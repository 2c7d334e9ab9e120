// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest compile plan.

#include "PlanSearch.h"
#include "../StepChoices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/ArgumentBytes.h"
#include "moe/Compiler/Compile.h"
#include "moe/Support/Progress.h"
#include "moe/Transforms/ModulePlatform.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace moe;

PlanSearch::PlanSearch(const cost::Machine *machine, bool usesFitted,
                       bool isOther)
    : machine(machine), usesFitted(usesFitted), isOther(isOther) {
  if (machine)
    evaluator.emplace(*machine);
}

LogicalResult PlanSearch::makePlan(PlanState &state) {
  // The axes that complete a plan start with one.
  if (hasPlan(state.module))
    return success();
  const ChoosePlanOptions &options = state.options;
  StringRef user = "moe-choose-plan";
  if (!machine) {
    bool asks = options.strategy != StrategyChoice::Auto ||
                options.degree.chunks || options.ignoreFitted ||
                options.schedule != ScheduleChoice::Layers;
    if (asks)
      return failure(failed(loadPlatformOf(state.module, /*given=*/"", user,
                                           "platform=FILE")));
    moe::missed(state.module.getLoc(),
                remark::RemarkOpts::name("plan").category(user))
        << remark::reason("expected a platform to choose for, got none");
    return success();
  }
  if (options.schedule == ScheduleChoice::Layers) {
    VariantLimits limits;
    limits.choice = options.strategy;
    limits.degree = options.degree.chunks;
    if (std::string problem = limits.check(); !problem.empty())
      return emitError(state.module.getLoc()) << user << ": " << problem;
    return planLayers(state.module, *machine, limits, usesFitted);
  }
  if (!state.planner)
    state.planner = std::make_shared<StepPlanner>(state.module, *machine);
  return state.planner->plan(options.schedule, state.module, state.nodeDedup);
}

FailureOr<Evaluation> PlanSearch::evaluateQuickly(PlanState &state) {
  OwningOpRef<ModuleOp> copy(state.module.clone());
  SilentRemarks silent;
  // Optical circuits are planned for the module's own platform.
  if (failed(isOther ? applyPlan(*copy, *machine) : applyPlan(*copy)))
    return failure();
  return evaluator->evaluate(*copy, /*withMemory=*/false);
}

FailureOr<Evaluation> PlanSearch::evaluateFully(PlanState &state) {
  if (state.evaluation)
    return *state.evaluation;
  OwningOpRef<ModuleOp> copy(state.module.clone());
  SilentRemarks silent;
  if (failed(applyPlan(*copy, CompileOptions().searchWidth)))
    return failure();
  FailureOr<Evaluation> evaluation = evaluator->evaluate(*copy);
  if (failed(evaluation))
    return failure();
  int64_t argumentBytes = 0;
  for (auto function : state.module.getOps<func::FuncOp>())
    argumentBytes = std::max(argumentBytes, getArgumentBytes(function));
  evaluation->peakBytes += argumentBytes;
  state.evaluation = *evaluation;
  return evaluation;
}

PlanTrial PlanSearch::tryValue(ArrayRef<const PlanAxis *> axes,
                               const PlanValue &value, PlanState &state) {
  const PlanAxis &axis = *axes.front();
  PlanTrial trial{value};
  std::string error;
  ScopedDiagnosticHandler handler(
      state.module.getContext(), [&](Diagnostic &diag) {
        if (error.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
          error = diag.str();
        return success();
      });
  trial.planned = state.module.clone();
  trial.state = state;
  trial.state.module = *trial.planned;
  FailureOr<Evaluation> evaluation = failure();
  {
    RecordingScope scope(trial.remarks);
    if (succeeded(value.apply(trial.state)) &&
        succeeded(run(axes.drop_front(), trial.state)))
      evaluation = axis.comparesFully() ? evaluateFully(trial.state)
                                        : evaluateQuickly(trial.state);
  }
  if (failed(evaluation)) {
    StringRef problem = error.empty() ? StringRef("its passes failed") : error;
    problem.consume_front((axis.getCategory() + ": ").str());
    trial.evaluation.problem = problem.str();
    return trial;
  }
  trial.evaluation = std::move(*evaluation);
  if (const auto &memory = machine->memoryPerRank;
      axis.comparesFully() && trial.state.mustFit && trial.evaluation &&
      memory && double(trial.evaluation.peakBytes) > memory->value.value())
    trial.evaluation.problem = llvm::formatv(
        "expected values and arguments to fit {0:F0} bytes per rank, got {1}",
        memory->value.value(), trial.evaluation.peakBytes);
  return trial;
}

std::vector<PlanTrial>::iterator
PlanSearch::pickBest(const PlanAxis &axis, std::vector<PlanTrial> &trials,
                     const cost::Machine &machine) {
  return cost::pickWithinTolerance(
      trials, axis.getTolerance(machine),
      [](const PlanTrial &trial) { return trial.getUs(); });
}

PlanTrial *PlanSearch::findRunnerUp(MutableArrayRef<PlanTrial> trials,
                                    const PlanTrial &best, bool isTieAllowed) {
  PlanTrial *next = nullptr;
  for (PlanTrial &trial : trials) {
    bool isTie =
        std::abs(trial.getUs() - best.getUs()) <= cost::kTie * best.getUs();
    if (&trial != &best && trial.evaluation && (isTieAllowed || !isTie) &&
        (!next || trial.getUs() < next->getUs()))
      next = &trial;
  }
  return next;
}

std::vector<PlanTrial>
PlanSearch::tryValues(ArrayRef<const PlanAxis *> axes,
                      ArrayRef<PlanValue> values, PlanState &state) {
  const PlanAxis &axis = *axes.front();
  std::vector<PlanTrial> trials;
  trials.reserve(values.size());
  std::optional<support::Activity> activity;
  if (axis.isReported())
    activity.emplace(axis.getName().str(), values.size());
  for (const PlanValue &value : values) {
    if (!trials.empty() && !axis.goesOn(trials))
      break;
    if (activity)
      activity->next(value.word);
    trials.push_back(tryValue(axes, value, state));
    // Programs of large models are large. Keep only the trials that may still
    // be the best when the next one is faster, and the runner-up, about which
    // an axis may ask.
    auto best = pickBest(axis, trials, *machine);
    if (best == trials.end())
      continue;
    const PlanTrial *next = findRunnerUp(trials, *best, /*isTieAllowed=*/false);
    double leastUs = std::numeric_limits<double>::infinity();
    for (const PlanTrial &trial : trials)
      leastUs = std::min(leastUs, trial.getUs());
    for (PlanTrial &trial : trials)
      if (&trial != next &&
          trial.getUs() >
              cost::getToleratedUs(leastUs, axis.getTolerance(*machine))) {
        trial.planned = nullptr;
        trial.state = PlanState();
        trial.remarks = RecordedRemarks();
      }
  }
  return trials;
}

LogicalResult PlanSearch::run(ArrayRef<const PlanAxis *> axes,
                              PlanState &state) {
  if (axes.empty())
    return makePlan(state);
  const PlanAxis &axis = *axes.front();
  FailureOr<std::vector<PlanValue>> values = axis.list(state, *this);
  if (failed(values))
    return failure();
  auto settle = [&](const PlanValue &value) {
    return failure(failed(value.apply(state)) ||
                   failed(run(axes.drop_front(), state)));
  };
  if (values->size() == 1)
    return settle(values->front());
  std::vector<PlanTrial> trials = tryValues(axes, *values, state);
  auto best = pickBest(axis, trials, *machine);
  if (best == trials.end()) {
    if (axis.isReported())
      reportObstacle(state.module.getLoc(), axis.getRemarkOptions(), Decision(),
                     trials.front().evaluation.problem);
    // Emits the error, if the program as it is has one.
    return settle(values->front());
  }
  bool explains = axis.isReported() &&
                  isRead(state.module.getLoc(), axis.getCategory());
  PlanAxis::Explain explain;
  // A tie is the same program, as a rule, so other links cannot separate them.
  if (PlanTrial *next = findRunnerUp(trials, *best, /*isTieAllowed=*/false);
      explains && next)
    explain = axis.explain(state, *best, *next, *this);
  ModuleOp module = state.module;
  state = best->state;
  state.module = module;
  // It plans the program that is replaced now.
  state.planner = nullptr;
  module->setAttrs((*best->planned)->getAttrDictionary());
  module.getBodyRegion().takeBody(best->planned->getBodyRegion());
  if (!axis.comparesFully())
    state.evaluation.reset();
  return failure(failed(axis.finish(state, best->getUs(), *this)) ||
                 (explains && failed(report(axis, trials, *best,
                                            std::move(explain), state))) ||
                 failed(best->remarks.emit()));
}

static Candidate makeCandidate(const PlanAxis &axis, const PlanTrial &trial) {
  Candidate candidate;
  candidate.name = trial.value.name;
  candidate.meaning = trial.value.meaning;
  candidate.us = trial.getUs();
  candidate.isExtrapolated = trial.evaluation.numExtrapolated != 0;
  if (axis.comparesFully())
    candidate.peakBytes = trial.evaluation.peakBytes;
  return candidate;
}

LogicalResult PlanSearch::report(const PlanAxis &axis,
                                 MutableArrayRef<PlanTrial> trials,
                                 const PlanTrial &best,
                                 PlanAxis::Explain explain,
                                 PlanState &state) {
  const PlanTrial *runnerUp = findRunnerUp(trials, best, /*isTieAllowed=*/true);
  Decision decision;
  size_t chosen = 0;
  for (const PlanTrial &trial : trials) {
    if (&trial == &best)
      chosen = decision.candidates.size();
    if (trial.evaluation)
      decision.candidates.push_back(makeCandidate(axis, trial));
    else
      decision.refused.push_back(
          {trial.value.name, trial.evaluation.problem});
  }
  decision.choose(chosen);
  // The time of the whole step, if its tasks were reordered since.
  double us = best.getUs();
  if (state.evaluation && state.evaluation->us < us) {
    us = state.evaluation->us;
    decision.notes.push_back(
        "its tasks in another order take " +
        describeUs(us, state.evaluation->numExtrapolated != 0));
  }
  struct Metrics {
    std::string word, nextWord;
    double us, gainUs, nextUs;
    int64_t bytes, nextBytes;
    int64_t numExtrapolated;
  };
  Metrics metrics{best.value.word,
                  runnerUp ? runnerUp->value.word : "",
                  us,
                  trials.front().getUs() - best.getUs(),
                  runnerUp ? runnerUp->getUs() : 0,
                  best.evaluation.peakBytes,
                  runnerUp ? runnerUp->evaluation.peakBytes : 0,
                  best.evaluation.numExtrapolated};
  Location loc = state.module.getLoc();
  return emitLater([=, &axis, decision = std::move(decision)]() mutable
                   -> LogicalResult {
    if (explain && failed(explain(decision)))
      return failure();
    auto remark = reportDecision(loc, axis.getRemarkOptions(), decision);
    remark << remark::metric(axis.getName(), metrics.word)
           << remark::metric("time_us", metrics.us);
    if (axis.comparesFully())
      remark << remark::metric("peak_bytes", metrics.bytes);
    if (std::isfinite(metrics.gainUs))
      remark << remark::metric("gain_us", metrics.gainUs);
    if (metrics.numExtrapolated)
      remark << remark::metric("extrapolated_tasks", metrics.numExtrapolated);
    if (!metrics.nextWord.empty()) {
      remark << remark::metric("runner_up", metrics.nextWord)
             << remark::metric("runner_up_us", metrics.nextUs);
      if (axis.comparesFully())
        remark << remark::metric("runner_up_bytes", metrics.nextBytes);
    }
    return success();
  });
}
