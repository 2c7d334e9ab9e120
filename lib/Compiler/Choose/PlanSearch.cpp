// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest compile plan.

#include "PlanSearch.h"
#include "../StepChoices.h"
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
    return failure(
        failed(planLayers(state.module, *machine, limits, usesFitted)) ||
        (state.reorders && failed(reorderTasks(state.module))));
  }
  if (!state.planner)
    state.planner = std::make_shared<StepPlanner>(state.module, *machine);
  return failure(failed(state.planner->plan(options.schedule, state.module,
                                            state.nodeDedup)) ||
                 (state.reorders && failed(reorderTasks(state.module))));
}

void PlanSearch::attempt(const PlanAxis &axis, PlanTrial &trial,
                         function_ref<LogicalResult()> run) {
  std::string error;
  ScopedDiagnosticHandler handler(
      trial.state.module.getContext(), [&](Diagnostic &diag) {
        if (error.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
          error = diag.str();
        return success();
      });
  RecordingScope scope(trial.remarks);
  if (succeeded(run()))
    return;
  StringRef problem = error.empty() ? StringRef("its passes failed") : error;
  problem.consume_front((axis.getCategory() + ": ").str());
  trial.evaluation.problem = problem.str();
}

void PlanSearch::checkMemory(PlanTrial &trial, int64_t bytes) const {
  if (const auto &memory = machine->memoryPerRank;
      trial.state.mustFit && trial.evaluation && memory &&
      double(bytes) > memory->value.value())
    trial.evaluation.problem = llvm::formatv(
        "expected values and arguments to fit {0:F0} bytes per rank, got {1}",
        memory->value.value(), trial.evaluation.peakBytes);
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
    if (&trial != &best && std::isfinite(trial.getUs()) &&
        (isTieAllowed || !isTie) && (!next || trial.getUs() < next->getUs()))
      next = &trial;
  }
  return next;
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
  auto best = orderTrials(axis, trials);
  if (best != trials.end())
    return adopt(axis, trials, *best, state, state);
  if (axis.isReported())
    reportObstacle(state.module.getLoc(), axis.getRemarkOptions(), Decision(),
                   trials.front().evaluation.problem);
  // Emits the error, if the program as it is has one.
  return settle(values->front());
}

LogicalResult PlanSearch::adopt(const PlanAxis &axis,
                                std::vector<PlanTrial> &trials, PlanTrial &best,
                                PlanState &before, PlanState &state) {
  Location loc = before.module.getLoc();
  PlanAxis::Explain explain;
  bool explains = axis.isReported() && isRead(loc, axis.getCategory());
  if (explains) {
    orderForReport(axis, trials, best);
    // A tie is the same program, as a rule, so other links cannot separate
    // them.
    if (PlanTrial *next = findRunnerUp(trials, best, /*isTieAllowed=*/false))
      explain = axis.explain(before, best, *next, *this);
  }
  if (explains && failed(report(axis, trials, best, std::move(explain), loc)))
    return failure();
  if (failed(best.remarks.emit()))
    return failure();
  if (best.nestedAxis)
    return adopt(*best.nestedAxis, best.nested, best.nested[best.chosen],
                 best.state, state);
  ModuleOp module = state.module;
  state = best.state;
  state.module = module;
  // It plans the program that is replaced now.
  state.planner = nullptr;
  module->setAttrs((*best.planned)->getAttrDictionary());
  module.getBodyRegion().takeBody(best.planned->getBodyRegion());
  return success();
}

static Candidate makeCandidate(const PlanAxis &axis, const PlanTrial &trial) {
  Candidate candidate;
  candidate.name = trial.value.name;
  candidate.meaning = trial.value.meaning;
  candidate.us = trial.evaluation.us;
  candidate.isExtrapolated = trial.evaluation.numExtrapolated != 0;
  if (axis.reportsMemory())
    candidate.peakBytes = trial.evaluation.peakBytes;
  if (!trial.isOrdered)
    candidate.note =
        llvm::formatv("before its tasks are reordered; no order takes less "
                      "than {0:F1} us",
                      trial.bound.leastUs);
  else if (trial.unorderedUs && !axis.reportsMemory() &&
           *trial.unorderedUs > trial.evaluation.us * (1 + cost::kTie))
    candidate.note = llvm::formatv("{0:F1} us before its tasks are reordered",
                                   *trial.unorderedUs);
  return candidate;
}

LogicalResult PlanSearch::report(const PlanAxis &axis,
                                 MutableArrayRef<PlanTrial> trials,
                                 const PlanTrial &best,
                                 PlanAxis::Explain explain, Location loc) {
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
  struct Metrics {
    std::string word, nextWord;
    double us, gainUs, nextUs;
    int64_t bytes, nextBytes;
    int64_t numExtrapolated;
  };
  Metrics metrics{best.value.word,
                  runnerUp ? runnerUp->value.word : "",
                  best.getUs(),
                  trials.front().getUs() - best.getUs(),
                  runnerUp ? runnerUp->getUs() : 0,
                  best.evaluation.peakBytes,
                  runnerUp ? runnerUp->evaluation.peakBytes : 0,
                  best.evaluation.numExtrapolated};
  return emitLater([=, &axis, decision = std::move(decision)]() mutable
                   -> LogicalResult {
    if (explain && failed(explain(decision)))
      return failure();
    auto remark = reportDecision(loc, axis.getRemarkOptions(), decision);
    remark << remark::metric(axis.getName(), metrics.word)
           << remark::metric("time_us", metrics.us);
    if (axis.reportsMemory())
      remark << remark::metric("peak_bytes", metrics.bytes);
    if (std::isfinite(metrics.gainUs))
      remark << remark::metric("gain_us", metrics.gainUs);
    if (metrics.numExtrapolated)
      remark << remark::metric("extrapolated_tasks", metrics.numExtrapolated);
    if (!metrics.nextWord.empty()) {
      remark << remark::metric("runner_up", metrics.nextWord)
             << remark::metric("runner_up_us", metrics.nextUs);
      if (axis.reportsMemory())
        remark << remark::metric("runner_up_bytes", metrics.nextBytes);
    }
    return success();
  });
}
