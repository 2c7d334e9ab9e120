// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis of the schedule of a training step.

#include "../StepChoices.h"
#include "../StepSchedules.h"
#include "PlanSpace.h"
#include "moe/Compiler/LinkSensitivity.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Support/Progress.h"
#include "moe/Transforms/ModulePlatform.h"

using namespace mlir;
using namespace moe;

/// The schedules of a step; the first one of equally fast schedules is chosen.
static constexpr ScheduleChoice kSchedules[] = {
    ScheduleChoice::FSMoE,     ScheduleChoice::Orders,
    ScheduleChoice::Sizes,     ScheduleChoice::FSMoENoIIO,
    ScheduleChoice::Lina,      ScheduleChoice::TutelImproved,
    ScheduleChoice::Tutel,     ScheduleChoice::Megatron,
    ScheduleChoice::DeepSpeed, ScheduleChoice::Merged,
    ScheduleChoice::Layers};

/// Steps with more tasks are not planned anew for other link speeds, because
/// that would take several times as long as the choice itself.
static constexpr size_t kMostPlannedAnew = 1500;

static PlanValue makeValue(ScheduleChoice choice) {
  std::string name = moe::getName(choice).str();
  return {name, name,
          [choice](PlanState &state) {
            state.options.schedule = choice;
            return success();
          },
          getEnumMeaning(choice).str()};
}

/// Returns the reason why a schedule with merged passes is impossible; empty if
/// it is possible.
static StringRef findMergeObstacle(const PlanState &state) {
  if (state.options.subBatches.count.chunks.value_or(1) == 1)
    return "requires sub-batches of at least 2, got 1";
  ModuleOp module = state.module;
  if (llvm::none_of(listLayers(module), [](LayerOp layer) {
        return layer.getPhase() == Phase::Backward;
      }))
    return "requires a training step, got no moe.layer of phase \"bwd\"";
  return "";
}

static std::vector<PlanValue> listSchedules(const PlanState &state) {
  std::vector<PlanValue> values;
  for (ScheduleChoice choice : kSchedules)
    if (choice == ScheduleChoice::Layers || !getRecipe(choice).merges ||
        findMergeObstacle(state).empty())
      values.push_back(makeValue(choice));
  return values;
}

namespace {

/// Finds the link speeds that would change the choice of the schedule.
class ScheduleLinks {
public:
  ScheduleLinks(PlanState &before, PlanTrial &best, PlanTrial &runnerUp,
                const cost::Machine &machine)
      : module(before.module.clone()), options(before.options),
        best(std::move(best.getLeaf().ordered)),
        runnerUp(std::move(runnerUp.getLeaf().ordered)),
        bestName(best.value.word), runnerUpName(runnerUp.value.word),
        machine(machine) {}

  LogicalResult run(Decision &decision) {
    SilentRemarks silent;
    const bool isAnew = canPlanAnew();
    support::Activity activity("what other links would change");
    auto findChoice = [&](const cost::Machine &other, double,
                          ArrayRef<StringRef> names) -> FailureOr<LinkChoice> {
      activity.next("");
      return isAnew ? chooseAnew(other, names) : timeAgain(other);
    };
    // Planning and timing are slow, so the range is small.
    LinkRange range;
    range.maxPower = 3;
    range.precision = 100;
    range.maxChanges = 1;
    range.doneAnew = isAnew ? DoneAnew::All : DoneAnew::Nothing;
    return addLinkChanges(machine, bestName, findChoice, decision, range);
  }

private:
  /// Returns false for sub-batches and circuits, because their plans depend on
  /// the module's own platform.
  bool canPlanAnew() {
    size_t numTasks = 0;
    bool hasParts = false;
    best->walk([&](TaskOp task) {
      ++numTasks;
      hasParts |= getPart(task) > 0;
    });
    return numTasks <= kMostPlannedAnew && !hasParts && !machine.circuits;
  }

  /// Plans and chooses for a machine with other links: among the named
  /// schedules, or all if none are named.
  FailureOr<LinkChoice> chooseAnew(const cost::Machine &other,
                                   ArrayRef<StringRef> names) {
    PlanSearch search(&other, /*usesFitted=*/false, /*isOther=*/true);
    PlanState state{*module, options};
    state.reorders = true;
    const PlanAxis *axes[] = {&getScheduleAxis(), &getNodeDedupAxis()};
    std::vector<PlanValue> schedules = listSchedules(state);
    if (!names.empty())
      llvm::erase_if(schedules, [&](const PlanValue &value) {
        return !llvm::is_contained(names, value.word);
      });
    std::vector<PlanTrial> trials = search.tryValues(axes, schedules, state);
    auto found = search.orderTrials(*axes[0], trials);
    if (found == trials.end())
      return LinkChoice{bestName, bestName};
    auto same = llvm::find_if(trials, [&](const PlanTrial &trial) {
      return trial.value.word == bestName;
    });
    return LinkChoice{found->value.word, found->value.word,
                      same != trials.end() &&
                          same->getUs() <=
                              cost::getToleratedUs(found->getUs(), cost::kTie)};
  }

  /// Returns the faster one of two unchanged schedules on another machine.
  FailureOr<LinkChoice> timeAgain(const cost::Machine &other) {
    ScheduleEvaluator evaluator(other);
    FailureOr<Evaluation> first =
        evaluator.evaluate(*best, /*withMemory=*/false);
    FailureOr<Evaluation> second =
        evaluator.evaluate(*runnerUp, /*withMemory=*/false);
    if (failed(first) || failed(second))
      return failure();
    const std::string &name =
        second->us < first->us * (1 - cost::kTie) ? runnerUpName : bestName;
    return LinkChoice{name, name};
  }

  OwningOpRef<ModuleOp> module;
  ChoosePlanOptions options;
  /// The scheduled programs in their best orders on the platform.
  OwningOpRef<ModuleOp> best, runnerUp;
  std::string bestName, runnerUpName;
  const cost::Machine &machine;
};

class ScheduleAxis : public PlanAxis {
public:
  ScheduleAxis() : PlanAxis("moe-choose-schedule", "schedule") {}

  FailureOr<std::vector<PlanValue>> list(PlanState &state,
                                         PlanSearch &search) const override {
    if (state.options.schedule != ScheduleChoice::Layers && search.getMachine() &&
        failed(refuseRobustTraffic(state.module, "moe-choose-plan")))
      return failure();
    if (state.options.schedule == ScheduleChoice::Merged)
      if (StringRef obstacle = findMergeObstacle(state); !obstacle.empty())
        return emitError(state.module.getLoc())
               << "moe-choose-plan: schedule=merged-1f1b " << obstacle;
    if (state.options.schedule != ScheduleChoice::Best || !search.getMachine())
      return std::vector{makeValue(state.options.schedule)};
    state.reorders = true;
    // All schedules share the planner's cache for the program.
    state.planner =
        std::make_shared<StepPlanner>(state.module, *search.getMachine());
    return listSchedules(state);
  }

  double getTolerance(const cost::Machine &) const override {
    return cost::kTie;
  }
  bool reportsMemory() const override { return false; }

  Explain explain(PlanState &state, PlanTrial &best, PlanTrial &runnerUp,
                  PlanSearch &search) const override {
    auto links = std::make_shared<ScheduleLinks>(state, best, runnerUp,
                                                 *search.getMachine());
    return [links](Decision &decision) { return links->run(decision); };
  }
};

class NodeDedupAxis : public PlanAxis {
public:
  NodeDedupAxis() : PlanAxis("moe-choose-plan", "nodes") {}

  FailureOr<std::vector<PlanValue>> list(PlanState &state,
                                         PlanSearch &search) const override {
    std::vector<PlanValue> values{
        {"flat", "each assignment sent on its own",
         [](PlanState &) { return success(); }}};
    if (!search.getMachine() || search.getMachine()->levels.size() < 2 ||
        state.options.schedule == ScheduleChoice::Layers ||
        !getRecipe(state.options.schedule).drops)
      return values;
    bool hasPlan = false;
    state.module.walk([&](RaggedPlanOp plan) {
      hasPlan |= bool(plan->getParentOfType<LayerOp>());
    });
    if (!hasPlan)
      return values;
    if (!state.planner)
      state.planner =
          std::make_shared<StepPlanner>(state.module, *search.getMachine());
    values.push_back({"node-dedup", "each token sent once per node",
                      [](PlanState &state) {
                        state.nodeDedup = true;
                        return success();
                      }});
    return values;
  }

  bool reportsMemory() const override { return false; }
};

} // namespace

const PlanAxis &moe::getScheduleAxis() {
  static const ScheduleAxis axis;
  return axis;
}

const PlanAxis &moe::getNodeDedupAxis() {
  static const NodeDedupAxis axis;
  return axis;
}
