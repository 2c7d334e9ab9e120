// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass moe-insert-circuits.

#include "CircuitProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Circuits/Passes.h"
#include "moe/Circuits/Register.h"
#include "moe/Compiler/Decision.h"
#include "moe/Compiler/LinkSensitivity.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>
#include <vector>

namespace moe {
#define GEN_PASS_DEF_INSERTCIRCUITS
#include "moe/Circuits/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;
using ExchangeDecision = schedule::CircuitDecision;

/// The rate of NICs, and the time of a change.
static constexpr VariedNumber kNicRate = {
    "nic_rate_GBps",
    [](const cost::Machine &machine) -> std::optional<double> {
      if (!machine.circuits)
        return std::nullopt;
      return machine.circuits->nicRate.value();
    },
    [](cost::Machine &machine, double factor) {
      machine.circuits->nicRate = machine.circuits->nicRate * factor;
    }};
static constexpr VariedNumber kChangeTime = {
    "reconfiguration_base_us",
    [](const cost::Machine &machine) -> std::optional<double> {
      if (!machine.circuits ||
          machine.circuits->reconfigurationBase.value() <= 0)
        return std::nullopt;
      return machine.circuits->reconfigurationBase.value();
    },
    [](cost::Machine &machine, double factor) {
      machine.circuits->reconfigurationBase =
          machine.circuits->reconfigurationBase * factor;
    }};

namespace {

struct InsertCircuits : public moe::impl::InsertCircuitsBase<InsertCircuits> {
  using InsertCircuitsBase::InsertCircuitsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    InsertCircuitsBase::getDependentDialects(registry);
    registerCircuitDialect(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  remark::RemarkOpts getOptions(Operation *op) {
    return getRemarkOptions(op, "circuits", getArgument());
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (layersAPlan < 1)
      return emitError(module.getLoc())
             << getArgument()
             << ": expected layers-a-plan to be at least 1, got "
             << layersAPlan.number;
    if (ifAny && platform.empty() && !getPlatformAttr(module))
      return success();
    auto loaded = loadPlatformOf(module, platform, getArgument());
    if (failed(loaded))
      return failure();
    const cost::Machine &machine = loaded->machine;
    if (!machine.circuits && ifAny)
      return success();
    if (!machine.circuits)
      return emitError(module.getLoc())
             << getArgument() << ": expected a platform with circuits, got "
             << machine.name;
    SmallVector<ScheduleOp> schedules;
    for (auto function : module.getOps<func::FuncOp>())
      if (ScheduleOp op = findSchedule(function))
        schedules.push_back(op);
    if (schedules.empty() && ifAny)
      return success();
    if (schedules.empty())
      return emitError(module.getLoc())
             << getArgument()
             << ": no function has a moe.schedule; run moe-schedule first";
    for (ScheduleOp op : schedules) {
      Operation *found = nullptr;
      op->walk([&](Operation *nested) {
        if (isa<ocs::ReconfigureOp, ocs::AwaitOp, ocs::RouteOp>(nested))
          found = nested;
      });
      if (found && ifAny) {
        moe::missed(op.getLoc(), getOptions(op))
            << remark::reason("expected schedules without circuits");
        return success();
      }
      if (found)
        return found->emitError()
               << getArgument() << ": expected schedules without circuits";
    }
    bool isNew = false;
    std::string reason;
    FailureOr<ocs::FabricOp> fabric =
        findFabric(module, machine, isNew, reason);
    if (failed(fabric))
      return failure();
    ScheduleEvaluator evaluator(machine);
    bool changesAny = false;
    for (ScheduleOp op : schedules) {
      if (*fabric && failed(decide(op, *fabric, evaluator, reason, changesAny)))
        return failure();
      if (!reason.empty())
        moe::missed(op.getLoc(), getOptions(op))
            << remark::reason("{0}", reason);
      if (*fabric)
        reason.clear();
    }
    if (!changesAny && stream)
      stream.erase();
    if (isNew && !changesAny)
      fabric->erase();
    return success();
  }

  /// A policy and its decisions for a schedule, written into a copy of its
  /// function.
  struct PolicyTrial {
    CircuitPolicy policy;
    OwningOpRef<func::FuncOp> copy;
    CircuitProgram program;
    schedule::CircuitChoice choice;
    schedule::CircuitTimeline timeline;
    /// Time of the copy, including the planning of circuits at run time, as
    /// simulated by moe-sim.
    double us = 0;
    /// Time with changes that were reverted.
    std::optional<double> takenBackUs = std::nullopt;

    bool changes() const {
      return !findChanges(program.step, choice.decisions)->empty();
    }
  };

  LogicalResult write(PolicyTrial &candidate, ScheduleEvaluator &evaluator) {
    CircuitProgram &program = candidate.program;
    candidate.timeline = *schedule::CircuitEvaluator(program.step)
                              .run(candidate.choice.decisions);
    candidate.us = candidate.choice.us;
    if (!candidate.changes())
      return success();
    writeCircuits(program, candidate.choice.decisions, candidate.timeline,
                  getStream());
    auto written = evaluator.simulate(program.schedule);
    if (failed(written))
      return failure();
    candidate.us = written->getUs();
    return success();
  }

  /// Applies a policy under a rule to a schedule. Returns nullopt and sets
  /// `reason` if there is nothing to decide.
  FailureOr<std::optional<PolicyTrial>>
  tryPolicy(ScheduleOp op, ocs::FabricOp fabric, ScheduleEvaluator &evaluator,
            CircuitPolicy tried, CircuitRule by, std::string &reason) {
    OwningOpRef<func::FuncOp> copy =
        op->getParentOfType<func::FuncOp>().clone();
    SymbolTable(getOperation()).insert(*copy);
    CircuitSearch search{tried, planner, layersAPlan,
                         rule == CircuitRule::Counts};
    auto program = readCircuitProgram(findSchedule(*copy), fabric, evaluator,
                                      search, reason);
    if (failed(program))
      return failure();
    if (!*program)
      return std::optional<PolicyTrial>();
    auto choice = chooseCircuits((*program)->step,
                                 evaluator.getMachine().uncertainty.value, by);
    if (!choice)
      return op.emitError() << getArgument()
                            << ": no plan of the optical circuits can be "
                               "simulated; check the schedule with moe-sim";
    PolicyTrial candidate{
        tried, std::move(copy), std::move(**program), std::move(*choice), {}};
    if (failed(write(candidate, evaluator)))
      return failure();
    return std::optional(std::move(candidate));
  }

  /// Applies each policy to a schedule on the evaluator's machine. Returns an
  /// empty list and sets `reason` if there is nothing to decide.
  FailureOr<std::vector<PolicyTrial>>
  tryPolicies(ScheduleOp op, ocs::FabricOp fabric, ScheduleEvaluator &evaluator,
              std::string &reason, size_t &best) {
    SmallVector<CircuitPolicy> policies{policy};
    if (policy == CircuitPolicy::Auto)
      policies = {CircuitPolicy::Keep, CircuitPolicy::Block,
                  CircuitPolicy::Predict};
    double uncertainty = evaluator.getMachine().uncertainty.value;
    std::vector<PolicyTrial> candidates;
    best = 0;
    for (CircuitPolicy tried : policies) {
      auto candidate = tryPolicy(op, fabric, evaluator, tried, rule, reason);
      if (failed(candidate))
        return failure();
      if (!*candidate)
        return candidates;
      // Changes are chosen before the tasks that plan them at run time are
      // added, so they are kept only if they still save time with these.
      if (double us = (*candidate)->us;
          rule == CircuitRule::Cost && (*candidate)->changes() &&
          us >= (*candidate)->choice.neverUs * (1 - uncertainty)) {
        candidate =
            tryPolicy(op, fabric, evaluator, tried, CircuitRule::Never, reason);
        if (failed(candidate))
          return failure();
        (*candidate)->takenBackUs = us;
      }
      candidates.push_back(std::move(**candidate));
      if (candidates.back().us < candidates[best].us * (1 - uncertainty))
        best = candidates.size() - 1;
    }
    return candidates;
  }

  /// Returns for example "2 changes of circuits"; `certain` excludes changes
  /// that a run may skip.
  static std::string describeChanges(const PolicyTrial &trial,
                                     bool certain = false) {
    auto changes = findChanges(trial.program.step, trial.choice.decisions);
    auto count = llvm::count_if(
        *changes, [&](const auto &change) { return !certain || !change.asks; });
    if (count == 0)
      return "no change of circuits";
    return std::to_string(count) + (count == 1 ? " change" : " changes") +
           " of circuits";
  }

  /// Adds the effects of different packet links, NICs and times of a change.
  LogicalResult addChanges(ScheduleOp op, ocs::FabricOp fabric,
                           const cost::Machine &machine,
                           const PolicyTrial &chosen, Decision &decision) {
    auto findChoice = [&](const cost::Machine &other, double,
                          ArrayRef<StringRef>) -> FailureOr<LinkChoice> {
      ScheduleEvaluator evaluator(other);
      std::string reason;
      size_t best = 0;
      auto candidates = tryPolicies(op, fabric, evaluator, reason, best);
      if (failed(candidates))
        return failure();
      std::string name = candidates->empty()
                             ? "no change of circuits"
                             : describeChanges((*candidates)[best]);
      return LinkChoice{name, name};
    };
    LinkRange range;
    range.maxPower = 3;
    range.precision = 100;
    range.maxChanges = 1;
    range.doneAnew = DoneAnew::Planned;
    range.planned = "circuits planned anew";
    for (const VariedNumber *number :
         {static_cast<const VariedNumber *>(nullptr), &kNicRate,
          &kChangeTime}) {
      range.number = number;
      if (failed(addLinkChanges(machine, describeChanges(chosen), findChoice,
                                decision, range)))
        return failure();
    }
    return success();
  }

  LogicalResult decide(ScheduleOp op, ocs::FabricOp fabric,
                       ScheduleEvaluator &evaluator, std::string &reason,
                       bool &changesAny) {
    size_t best = 0;
    auto tried = tryPolicies(op, fabric, evaluator, reason, best);
    if (failed(tried))
      return failure();
    std::vector<PolicyTrial> &candidates = *tried;
    if (candidates.empty())
      return success();
    Decision decision;
    if (isRead(op.getLoc(), getArgument()) &&
        failed(addChanges(op, fabric, evaluator.getMachine(), candidates[best],
                          decision)))
      return failure();
    PolicyTrial &chosen = candidates[best];
    report(op, candidates, best, std::move(decision));
    if (!chosen.changes())
      return success();
    changesAny = true;
    op->getParentOfType<func::FuncOp>().getBody().takeBody(
        chosen.copy->getBody());
    return success();
  }

  StreamOp getStream() {
    SymbolTable symbols(getOperation());
    OpBuilder builder(getOperation().getContext());
    if (stream)
      return stream;
    stream = StreamOp::create(builder, getOperation().getLoc(), "ocs",
                              ResourceKind::Inter, IntegerAttr());
    symbols.insert(stream, getOperation().getBody()->begin());
    return stream;
  }

  /// Describes the time of an exchange with only packets, and with the circuits
  /// of the first decision that has some.
  static std::string describeTimes(const schedule::CircuitExchange &exchange,
                                   ArrayRef<ExchangeDecision> decisions) {
    auto sum = [](ArrayRef<double> times) {
      return std::accumulate(times.begin(), times.end(), 0.0);
    };
    const ExchangeDecision *other =
        llvm::find_if(decisions, [](const ExchangeDecision &own) {
          return own.way != ExchangeDecision::Way::Packets;
        });
    if (other == decisions.end() || other->config >= exchange.circuitsUs.size())
      return "";
    return llvm::formatv("; over packets alone it takes {0:F1} us, over {1} "
                         "{2:F1} us",
                         sum(exchange.packetsUs),
                         other->way == ExchangeDecision::Way::Change
                             ? "these circuits"
                             : "circuits",
                         sum(exchange.circuitsUs[other->config]));
  }

  static std::string describe(const CircuitProgram &program,
                              const ExchangeDecision &decision) {
    switch (decision.way) {
    case ExchangeDecision::Way::Packets:
      return "packets alone";
    case ExchangeDecision::Way::Keep:
      return "the circuits that are up";
    case ExchangeDecision::Way::Ask:
      return "what the counts of the run say";
    case ExchangeDecision::Way::Change:
      break;
    }
    int64_t count = 0;
    for (const fabric::Circuits &matrix : program.configs[decision.config])
      for (int64_t i = 0; i < matrix.getSize(); ++i)
        for (int64_t j = 0; j < i; ++j)
          count += matrix.at(i, j);
    return "a change to " + std::to_string(count) + " circuits";
  }

  void report(ScheduleOp op, MutableArrayRef<PolicyTrial> candidates,
              size_t best, Decision decision) {
    const schedule::CircuitTimeline &timeline = candidates[best].timeline;
    CircuitProgram &program = candidates[best].program;
    const schedule::CircuitChoice &choice = candidates[best].choice;
    auto changes = *findChanges(program.step, choice.decisions);
    auto asks =
        llvm::count_if(changes, [](const auto &change) { return change.asks; });
    remark::RemarkOpts options = getOptions(op);
    {
      // Explain the choice of a policy, if there was one.
      bool isOne = candidates.size() == 1;
      for (const PolicyTrial &trial : candidates) {
        Candidate candidate;
        candidate.name = describeChanges(trial, /*certain=*/true);
        if (!isOne)
          candidate.name += " (policy " + getEnumName(trial.policy).str() + ")";
        candidate.us = trial.us;
        decision.candidates.push_back(std::move(candidate));
      }
      decision.choose(best);
      if (asks > 0)
        decision.notes.push_back(
            std::to_string(asks) +
            " more if the counts of the run call for them");
      if (std::optional<double> us = candidates[best].takenBackUs)
        decision.notes.push_back(llvm::formatv(
            "with changes it takes {0:F1} us, their plans counted", *us));
      auto remark =
          reportDecision(program.schedule.getLoc(), options, decision);
      remark << remark::metric("us", candidates[best].us)
             << remark::metric("never_us", choice.neverUs)
             << remark::metric("once_us", choice.onceUs)
             << remark::metric("always_us", choice.alwaysUs);
      for (const PolicyTrial &trial : candidates)
        if (!isOne)
          remark << remark::metric((getEnumName(trial.policy) + "_us").str(),
                                   trial.us);
    }
    // Users who request circuits by counts should know which layers lack
    // counts.
    if (policy == CircuitPolicy::Predict || rule == CircuitRule::Counts) {
      llvm::MapVector<StringRef, Decision> uncounted;
      for (auto &[layer, reason] : program.uncounted)
        if (!reason.empty())
          uncounted[reason].layers.push_back({std::string(layer)});
      for (auto &[reason, alike] : uncounted)
        reportObstacle(program.schedule.getLoc(), options, alike,
                       ("circuits are not planned by counts: " + reason).str());
    }
    for (uint32_t e = 0; e < choice.decisions.size(); ++e) {
      TaskOp task = program.getTask(e);
      auto remark = moe::passed(task.getLoc(), options);
      // If no change is permitted, there is no alternative; reverted changes
      // were reported above.
      double gainUs = choice.runnerUpUs[e] - choice.us;
      bool hasNext = std::isfinite(choice.runnerUpUs[e]) &&
                     !(candidates[best].takenBackUs && gainUs < 0);
      std::string next =
          hasNext
              ? llvm::formatv(", runner-up: {0}, {1:F1} us more",
                              describe(program, choice.runnersUp[e]), gainUs)
                    .str()
              : std::string();
      SmallVector<ExchangeDecision> ways{choice.decisions[e]};
      if (hasNext)
        ways.push_back(choice.runnersUp[e]);
      next += describeTimes(program.step.exchanges[e], ways);
      remark << remark::add("layer {0} {1} {2}: {3}{4}", task.getLayer(),
                            stringifyPhase(task.getPhase()), task.getName(),
                            describe(program, choice.decisions[e]), next);
      if (hasNext)
        remark << remark::metric("gain_us", gainUs);
      for (auto [i, change] : llvm::enumerate(changes)) {
        if (change.exchange != e)
          continue;
        const auto &when = timeline.changes[i];
        remark << remark::metric("change_us", when.endUs - when.startUs)
               << remark::metric("exposed_us",
                                 std::max(0.0, when.endUs - when.readyUs))
               << remark::metric("slack_us",
                                 std::max(0.0, when.readyUs - when.endUs));
      }
    }
  }

  StreamOp stream;
};

} // namespace
