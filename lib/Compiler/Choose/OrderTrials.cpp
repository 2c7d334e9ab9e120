// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison of candidate plans.
//
// Plans are first simulated without reordering their tasks. Then tasks are
// reordered, beginning with the fastest plan. A plan is not reordered if no
// order of its tasks can make it the choice.

#include "../StepChoices.h"
#include "../StepSchedules.h"
#include "PlanSearch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/ArgumentBytes.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Support/Progress.h"
#include "moe/Transforms/OrderTasks.h"

using namespace mlir;
using namespace moe;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the maximum bytes of the arguments of any function.
static int64_t getMostArgumentBytes(ModuleOp module) {
  int64_t most = 0;
  for (auto function : module.getOps<func::FuncOp>())
    most = std::max(most, getArgumentBytes(function));
  return most;
}

static bool hasSubBatches(ModuleOp module) {
  return module
      .walk([](TaskOp task) {
        return getPart(task).value_or(0) > 0 ? WalkResult::interrupt()
                                             : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns true if compiling the plan searches for an order of its tasks, which
/// `scheduled` does not have yet. Sub-batches always have a search, except in a
/// plan that merges passes, whose order is given.
static FailureOr<bool> reordersTasks(ModuleOp planned, ModuleOp scheduled) {
  if (!hasPlan(planned))
    return hasSubBatches(scheduled);
  FailureOr<StepPlan> plan = readStepPlan(planned);
  if (failed(plan))
    return failure();
  const bool merges = plan->schedule != ScheduleChoice::Layers &&
                      getRecipe(plan->schedule).merges;
  return plan->reorders || (!merges && hasSubBatches(scheduled));
}

FailureOr<Evaluation>
PlanSearch::evaluateFully(PlanState &state, OwningOpRef<ModuleOp> &ordered) {
  if (state.evaluation)
    return *state.evaluation;
  OwningOpRef<ModuleOp> copy(state.module.clone());
  SilentRemarks silent;
  const uint64_t width = CompileOptions().searchWidth;
  // Changes of links are planned for the module's own platform only.
  if (failed(isOther ? applyPlan(*copy, *machine) : applyPlan(*copy, width)))
    return failure();
  FailureOr<bool> reorders = reordersTasks(state.module, *copy);
  if (failed(reorders))
    return failure();
  if (isOther && *reorders)
    copy->walk([&](ScheduleOp op) { orderTasks(op, machine, width); });
  FailureOr<Evaluation> evaluation =
      evaluator->evaluate(*copy, /*withMemory=*/!isOther);
  if (failed(evaluation))
    return failure();
  evaluation->peakBytes += getMostArgumentBytes(state.module);
  state.evaluation = *evaluation;
  ordered = std::move(copy);
  return evaluation;
}

LogicalResult PlanSearch::evaluateUnordered(PlanTrial &trial) {
  PlanState &state = trial.state;
  OwningOpRef<ModuleOp> copy(state.module.clone());
  SilentRemarks silent;
  if (failed(isOther ? applyPlan(*copy, *machine) : applyPlan(*copy)))
    return failure();
  FailureOr<bool> reorders = reordersTasks(state.module, *copy);
  if (failed(reorders))
    return failure();
  FailureOr<Evaluation> evaluation =
      evaluator->evaluate(*copy, /*withMemory=*/!isOther, &trial.bound);
  if (failed(evaluation))
    return failure();
  int64_t argumentBytes = getMostArgumentBytes(state.module);
  evaluation->peakBytes += argumentBytes;
  trial.evaluation = std::move(*evaluation);
  trial.leastUnorderedUs = trial.evaluation.us;
  trial.isOrdered = !*reorders;
  if (trial.isOrdered) {
    state.evaluation = trial.evaluation;
    trial.ordered = std::move(copy);
  } else {
    trial.unorderedUs = trial.evaluation.us;
  }
  if (!isOther)
    checkMemory(trial,
                trial.isOrdered ? trial.evaluation.peakBytes : argumentBytes);
  return success();
}

std::vector<PlanTrial> PlanSearch::tryValues(ArrayRef<const PlanAxis *> axes,
                                             ArrayRef<PlanValue> values,
                                             PlanState &state) {
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
    PlanTrial &trial = trials.emplace_back();
    trial.value = value;
    trial.planned = state.module.clone();
    trial.state = state;
    trial.state.module = *trial.planned;
    attempt(axis, trial, [&] {
      return failure(failed(value.apply(trial.state)) ||
                     failed(expand(axes.drop_front(), trial)));
    });
    updateNested(trial);
  }
  return trials;
}

LogicalResult PlanSearch::expand(ArrayRef<const PlanAxis *> axes,
                                 PlanTrial &trial) {
  for (; !axes.empty(); axes = axes.drop_front()) {
    FailureOr<std::vector<PlanValue>> values =
        axes.front()->list(trial.state, *this);
    if (failed(values))
      return failure();
    if (values->size() > 1) {
      trial.nestedAxis = axes.front();
      trial.nested = tryValues(axes, *values, trial.state);
      return success();
    }
    if (failed(values->front().apply(trial.state)))
      return failure();
  }
  return failure(failed(makePlan(trial.state)) ||
                 failed(evaluateUnordered(trial)));
}

void PlanSearch::updateNested(PlanTrial &trial) const {
  if (!trial.nestedAxis)
    return;
  trial.bound.leastUs = kInfinity;
  for (PlanTrial &nested : trial.nested) {
    updateNested(nested);
    trial.leastUnorderedUs =
        std::min(trial.leastUnorderedUs, nested.leastUnorderedUs);
    if (nested.evaluation)
      trial.bound.leastUs = std::min(trial.bound.leastUs, nested.bound.leastUs);
  }
  auto best = pickBest(*trial.nestedAxis, trial.nested, *machine);
  // If no trial is ordered, takes the one that seems fastest; if all have
  // problems, takes the first.
  if (best == trial.nested.end()) {
    best = trial.nested.begin();
    for (auto it = best; it != trial.nested.end(); ++it)
      if (it->evaluation &&
          (!best->evaluation || it->evaluation.us < best->evaluation.us))
        best = it;
  }
  trial.chosen = best - trial.nested.begin();
  trial.evaluation = best->evaluation;
  trial.isOrdered = best->isOrdered;
  trial.unorderedUs = best->unorderedUs;
}

bool PlanSearch::isRuledOut(PlanTrial &trial, double us) {
  if (trial.nestedAxis)
    return llvm::all_of(trial.nested, [&](PlanTrial &nested) {
      return isRuledOut(nested, us);
    });
  if (!trial.evaluation || trial.isOrdered)
    return true;
  if (trial.bound.leastUs < us && std::isfinite(us))
    trial.bound.tighten();
  return trial.bound.leastUs >= us;
}

void PlanSearch::orderLeaf(const PlanAxis &axis, PlanTrial &leaf) {
  PlanState &state = leaf.state;
  attempt(axis, leaf, [&]() -> LogicalResult {
    FailureOr<Evaluation> ordered = evaluateFully(state, leaf.ordered);
    if (failed(ordered))
      return failure();
    // Orders are searched with even routing, so with a trace they may be
    // slower. Sub-batches always need an order.
    if (getTrafficAttr(state.module) && state.reorders &&
        state.options.subBatches.count.chunks.value_or(1) == 1 &&
        ordered->us >= *leaf.unorderedUs) {
      FailureOr<StepPlan> plan = readStepPlan(state.module);
      if (failed(plan))
        return failure();
      plan->reorders = false;
      writeStepPlan(state.module, *plan);
      state.evaluation.reset();
      ordered = evaluateFully(state, leaf.ordered);
      if (failed(ordered))
        return failure();
    }
    leaf.evaluation = std::move(*ordered);
    leaf.isOrdered = true;
    checkMemory(leaf, leaf.evaluation.peakBytes);
    return success();
  });
}

/// Collects the trials with programs, in order, and the largest tolerance of
/// the axes along which they are compared with their neighbors.
static void listLeaves(const PlanAxis &axis, std::vector<PlanTrial> &trials,
                       const cost::Machine &machine,
                       SmallVectorImpl<PlanTrial *> &leaves,
                       double &tolerance) {
  tolerance = std::max(tolerance, axis.getTolerance(machine));
  for (PlanTrial &trial : trials) {
    if (trial.nestedAxis)
      listLeaves(*trial.nestedAxis, trial.nested, machine, leaves, tolerance);
    else
      leaves.push_back(&trial);
  }
}

std::vector<PlanTrial>::iterator
PlanSearch::orderTrials(const PlanAxis &axis, std::vector<PlanTrial> &trials) {
  SmallVector<PlanTrial *> leaves;
  double tolerance = 0;
  listLeaves(axis, trials, *machine, leaves, tolerance);
  const bool isExact = tolerance <= cost::kTie;
  SmallVector<bool> isOut(leaves.size());
  // The fastest ordered trial.
  size_t best = leaves.size();
  auto getUs = [&](size_t i) {
    return i == leaves.size() ? kInfinity : leaves[i]->getUs();
  };
  for (size_t i = 0; i < leaves.size(); ++i)
    if (getUs(i) < getUs(best))
      best = i;
  support::Activity activity("order of tasks");
  while (true) {
    size_t next = leaves.size();
    for (auto [i, leaf] : llvm::enumerate(leaves))
      if (!isOut[i] && leaf->evaluation && !leaf->isOrdered &&
          (next == leaves.size() ||
           leaf->evaluation.us < leaves[next]->evaluation.us))
        next = i;
    if (next == leaves.size())
      break;
    // The first one of equally fast trials wins.
    double outUs = isExact && next > best
                       ? getUs(best)
                       : cost::getToleratedUs(getUs(best), tolerance);
    isOut[next] = isRuledOut(*leaves[next], outUs);
    if (isOut[next])
      continue;
    activity.next(leaves[next]->value.word);
    orderLeaf(axis, *leaves[next]);
    if (getUs(next) < getUs(best))
      best = next;
  }
  for (PlanTrial &trial : trials)
    updateNested(trial);
  return pickBest(axis, trials, *machine);
}

void PlanSearch::orderForReport(const PlanAxis &axis,
                                std::vector<PlanTrial> &trials,
                                const PlanTrial &best) {
  auto order = [&](PlanTrial &trial) {
    if (trial.nestedAxis)
      orderTrials(*trial.nestedAxis, trial.nested);
    else
      orderLeaf(axis, trial);
    updateNested(trial);
  };
  if (!isRuledOut(trials.front(), trials.front().getUs()))
    order(trials.front());
  while (true) {
    const PlanTrial *runnerUp =
        findRunnerUp(trials, best, /*isTieAllowed=*/true);
    double us = runnerUp ? runnerUp->getUs() : kInfinity;
    PlanTrial *next = nullptr;
    for (PlanTrial &trial : trials)
      if (&trial != &best && !isRuledOut(trial, us) &&
          (!next || trial.evaluation.us < next->evaluation.us))
        next = &trial;
    if (!next)
      return;
    order(*next);
  }
}
