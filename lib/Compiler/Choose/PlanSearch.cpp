// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest compile plan.

#include "PlanSearch.h"
#include "../StepChoices.h"
#include "PlanSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Compiler/Compile.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moe/Transforms/ModulePlatform.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace moe {
#define GEN_PASS_DEF_CHOOSEPLAN
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// The axes
//===----------------------------------------------------------------------===//

// Not inlined, so that a call trace shows it (test/docs/lives.test).
LLVM_ATTRIBUTE_NOINLINE llvm::ArrayRef<const PlanAxis *> moe::listPlanAxes() {
  static const PlanAxis *const axes[] = {
      &getPaddingAxis(), &getSubBatchAxis(), &getSubBatchPlanAxis(),
      &getScheduleAxis(), &getNodeDedupAxis()};
  return axes;
}

llvm::ArrayRef<const PlanAxis *> moe::listFinishedPlanAxes() {
  static const PlanAxis *const axes[] = {&getProductsAxis(),
                                         &getWireTypeAxis()};
  return axes;
}

PlanSearch::PlanSearch(const cost::Machine *machine, bool usesFitted,
                       bool isOther)
    : machine(machine), usesFitted(usesFitted), isOther(isOther) {
  if (machine)
    evaluator.emplace(*machine);
}

LogicalResult PlanSearch::makePlan(PlanState &state) {
  // The axes that complete a plan start with an existing one.
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
        (state.reorders && failed(markReordered(state.module))));
  }
  if (!state.planner)
    state.planner = std::make_shared<StepPlanner>(state.module, *machine);
  return failure(failed(state.planner->plan(options.schedule, state.module,
                                            state.nodeDedup)) ||
                 (state.reorders && failed(markReordered(state.module))));
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
  if (trial.state.mustFit && trial.evaluation)
    trial.evaluation.problem =
        moe::checkMemory(*machine, "values and arguments", bytes);
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
  // If the unchanged program has an error, this call emits it.
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
    // Ties are usually the same program, so other links cannot separate them.
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
  // The planner belongs to the program that is replaced now.
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
    candidate.note = cost::formatFixed(*trial.unorderedUs, 1) +
                     " us before its tasks are reordered";
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

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ChoosePlan : public moe::impl::ChoosePlanBase<ChoosePlan> {
  using ChoosePlanBase::ChoosePlanBase;

  // Nested passes compile the candidates.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, func::FuncDialect, tensor::TensorDialect,
                    arith::ArithDialect>();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  ChoosePlanOptions getOptions() const {
    ChoosePlanOptions options;
    options.strategy = strategy;
    options.degree = degree;
    options.ignoreFitted = ignoreFitted;
    options.schedule = schedule;
    options.subBatches = subBatches.getValue();
    if (options.subBatches.isDefault) {
      if (schedule == ScheduleChoice::Best)
        options.subBatches = Degree();
      else
        options.subBatches = Degree(schedule == ScheduleChoice::Merged ? 2 : 1);
    }
    options.padding = padding;
    options.dispatchType = dispatchType;
    options.block = block;
    options.expertProducts = expertProducts;
    options.keepPlan = keepPlan;
    return options;
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (failed(requireUnplanned(module, getArgument())))
      return failure();
    std::optional<platform::Platform> platform;
    if (getPlatformAttr(module)) {
      platform::LoadOptions load;
      load.ignoreFitted = ignoreFitted;
      auto loaded = loadPlatformOf(module, /*given=*/"", getArgument(),
                                   "platform=FILE", load);
      if (failed(loaded))
        return failure();
      platform = std::move(*loaded);
    }
    PlanSearch search(platform ? &platform->machine : nullptr,
                      platform && !ignoreFitted && !platform->fitted.isEmpty());
    PlanState state{module, getOptions()};
    if (expertProducts != ProductsChoice::Auto)
      setExpertProducts(module, expertProducts == ProductsChoice::Keep
                                    ? ExpertProducts::Keep
                                    : ExpertProducts::Recompute);
    if (!keepPlan) {
      erasePlan(module);
      if (failed(search.run(listPlanAxes(), state)))
        return failure();
    }
    if (dispatchType == WireDtype::Keep && !hasPlan(module))
      return success();
    return search.run(listFinishedPlanAxes(), state);
  }
};

} // namespace

LogicalResult moe::planLayers(ModuleOp module, const cost::Machine &machine,
                              const VariantLimits &limits, bool usesFitted) {
  auto forms = chooseStrategies(module, machine, limits, usesFitted);
  if (failed(forms))
    return failure();
  for (LayerOp layer : listLayers(module))
    writeVariant(layer, LayerVariant());
  for (const ChosenVariant &chosen : *forms)
    writeVariant(chosen.layer, chosen.form);
  writeStepPlan(module, StepPlan());
  return success();
}

LogicalResult moe::applyPlan(ModuleOp module, uint64_t searchWidth) {
  CompileOptions options;
  options.from = CompilePhase::Decompose;
  options.verifies = false;
  options.searchWidth = searchWidth;
  return compileTo(module, CompilePhase::Schedule, options);
}
