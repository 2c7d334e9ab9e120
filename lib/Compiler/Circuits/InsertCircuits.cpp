//===- InsertCircuits.cpp - moe-insert-circuits -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CircuitProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Compiler/Passes.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include <cmath>

namespace moe {
#define GEN_PASS_DEF_INSERTCIRCUITS
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;
using Decision = schedule::CircuitDecision;

namespace {

/// Writes what was decided into a schedule.
class Inserter {
public:
  Inserter(CircuitProgram &program, const schedule::CircuitDecisions &decisions,
           const schedule::CircuitTimeline &timeline, StreamOp stream)
      : program(program), timeline(timeline),
        changes(*findChanges(program.step, decisions)),
        configs(findConfigs(program.step, decisions)), stream(stream),
        builder(program.schedule) {}

  void run() {
    auto type = RankedTensorType::get({1}, builder.getI32Type());
    if (!changes.empty())
      one = arith::ConstantOp::create(
          builder, program.schedule.getLoc(),
          DenseIntElementsAttr::get(type, ArrayRef<int32_t>(1)));
    addChanges();
    addRoutes();
  }

private:
  Value getCircuits(schedule::ConfigId config) {
    Value &value = circuits[config];
    if (!value) {
      OpBuilder outside(program.schedule);
      value = buildCircuits(outside, program.schedule.getLoc(),
                            program.configs[config]);
    }
    return value;
  }

  /// A task for the exchange behind a change, which hands out what its body
  /// makes.
  TaskOp addTask(const schedule::CircuitChange &change, StringRef what,
                 StringRef onStream, ArrayRef<Value> after, TypeRange types,
                 function_ref<SmallVector<Value>()> body) {
    TaskOp user = program.getTask(change.exchange);
    std::string name = (what + "." + user.getName()).str();
    auto task = TaskOp::create(builder, user.getLoc(), types,
                               TokenType::get(builder.getContext()), onStream,
                               name, /*chunk=*/0, /*chunks=*/1, user.getLayer(),
                               user.getPhase(), after);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&task.getBody());
    YieldOp::create(builder, user.getLoc(), body());
    return task;
  }

  void addSynchronisation(const schedule::CircuitChange &change) {
    TaskOp user = program.getTask(change.exchange);
    SmallVector<Value> after;
    for (schedule::TaskId id : change.lastUses)
      if (TaskOp use = program.tasks[id]; use.getStream() != user.getStream())
        after.push_back(use.getToken());
    // It hands out what it makes: what nobody could read would be removed.
    quiet.push_back(
        addTask(change, "quiet", user.getStream(), after, one.getType(), [&] {
          return SmallVector<Value>{buildSynchronisation(builder, user.getLoc(),
                                                         program.fabric, one)};
        }));
  }

  /// The circuits of a change: planned at run time where the layer's counts are
  /// there by then, else those of the configuration.
  Value getCircuits(const schedule::CircuitChange &change) {
    TaskOp user = program.getTask(change.exchange);
    auto counts = program.countsOf.find(user.getLayer());
    if (counts == program.countsOf.end() ||
        program.configOf.lookup(user.getLayer()) != change.config)
      return getCircuits(change.config);
    // The last task that makes some.
    TaskOp last;
    for (Value value : counts->second.counts) {
      auto maker = value.getDefiningOp<TaskOp>();
      if (!maker->isBeforeInBlock(&*builder.getInsertionPoint()))
        return getCircuits(change.config);
      if (!last || last->isBeforeInBlock(maker))
        last = maker;
    }
    Value &plan = plans[user.getLayer()];
    if (!plan)
      plan = addPlan(change, counts->second, last);
    return plan;
  }

  /// Plans circuits right behind the counts. The host does it, beside the
  /// stream that makes them.
  Value addPlan(const schedule::CircuitChange &change,
                const LayerCounts &counts, TaskOp last) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(last);
    int64_t servers = program.fabric.getNumServers();
    SmallVector<int64_t> shape{servers, servers};
    auto demandType = RankedTensorType::get(shape, builder.getI64Type());
    auto type = RankedTensorType::get(shape, builder.getI32Type());
    Location loc = last.getLoc();
    TaskOp task = addTask(change, "plan", last.getStream(), {}, type, [&] {
      Value all;
      for (Value own : counts.counts)
        all = all ? arith::AddIOp::create(builder, loc, all, own) : own;
      Value demand =
          ocs::DemandOp::create(builder, loc, demandType,
                                program.fabric.getSymName(), all, counts.bytes);
      return SmallVector<Value>{ocs::PlanOp::create(
          builder, loc, type, program.fabric.getSymName(), demand,
          getCircuitsAttr(builder, program.configs[change.config]))};
    });
    return task.getValues().front();
  }

  /// How many exchanges of one demand go over the circuits of a change.
  int64_t countExchanges(size_t change) {
    size_t end = change + 1 < changes.size() ? changes[change + 1].exchange
                                             : configs.size();
    llvm::DenseSet<std::pair<StringRef, Phase>> seen;
    int64_t count = 0;
    for (size_t e = changes[change].exchange; e < end; ++e) {
      seen.clear();
      if (configs[e])
        for (schedule::TaskId id : program.step.exchanges[e].tasks) {
          TaskOp task = program.tasks[id];
          count += seen.insert({task.getName(), task.getPhase()}).second;
        }
    }
    return count;
  }

  void addStart(size_t number, TaskOp synchronised) {
    const schedule::CircuitChange &change = changes[number];
    SmallVector<Value> after{synchronised.getToken()};
    for (schedule::TaskId id : program.step.exchanges[change.exchange].known)
      after.push_back(TaskOp(program.tasks[id]).getToken());
    Value value = getCircuits(change);
    changed.push_back(value);
    addTask(change, "reconfigure", stream.getSymName(), after, {}, [&] {
      auto op = ocs::ReconfigureOp::create(builder, program.schedule.getLoc(),
                                           program.fabric.getSymName(), value,
                                           FloatAttr(), FloatAttr());
      if (ocs::getPlan(value)) {
        const auto &when = timeline.changes[number];
        op.setExchanges(APFloat(double(countExchanges(number))));
        op.setSlackUs(APFloat(std::max(0.0, when.readyUs - when.startUs)));
      }
      return SmallVector<Value>();
    });
  }

  /// In the order in which the planner counts them.
  void addChanges() {
    size_t start = 0, wait = 0;
    for (schedule::TaskId id = 0; id < program.tasks.size(); ++id) {
      builder.setInsertionPoint(program.tasks[id]);
      while (quiet.size() < changes.size() &&
             changes[quiet.size()].synchroniseBefore == id)
        addSynchronisation(changes[quiet.size()]);
      while (true) {
        bool adds = false;
        if (start < quiet.size() && changes[start].startBefore == id) {
          addStart(start, quiet[start]);
          ++start;
          adds = true;
        }
        if (wait < start && changes[wait].waitBefore == id) {
          waits.push_back(
              addTask(changes[wait], "await", stream.getSymName(), {}, {}, [&] {
                ocs::AwaitOp::create(builder, program.schedule.getLoc(),
                                     program.fabric.getSymName());
                return SmallVector<Value>();
              }));
          ++wait;
          adds = true;
        }
        if (!adds)
          break;
      }
    }
  }

  /// Tasks behind a change wait for it, the first on each stream by its token.
  void addRoutes() {
    std::optional<size_t> change;
    llvm::DenseSet<StringRef> seen;
    for (auto [e, exchange] : llvm::enumerate(program.step.exchanges)) {
      size_t next = change ? *change + 1 : 0;
      if (next < changes.size() && changes[next].exchange == e) {
        change = next;
        seen.clear();
      }
      if (!configs[e])
        continue;
      for (schedule::TaskId id : exchange.tasks) {
        TaskOp task = program.tasks[id];
        builder.setInsertionPointToStart(&task.getBody().front());
        ocs::RouteOp::create(builder, task.getLoc(),
                             program.fabric.getSymName(), changed[*change]);
        if (seen.insert(task.getStream()).second)
          task.getAfterMutable().append(waits[*change].getToken());
      }
    }
  }

  CircuitProgram &program;
  const schedule::CircuitTimeline &timeline;
  std::vector<schedule::CircuitChange> changes;
  std::vector<std::optional<schedule::ConfigId>> configs;
  StreamOp stream;
  OpBuilder builder;
  Value one;
  llvm::DenseMap<schedule::ConfigId, Value> circuits;
  /// Of a layer, planned at run time.
  llvm::DenseMap<StringRef, Value> plans;
  /// By change: its circuits, and the tasks before and behind it.
  SmallVector<Value> changed;
  SmallVector<TaskOp> quiet, waits;
};

struct InsertCircuits : public moe::impl::InsertCircuitsBase<InsertCircuits> {
  using InsertCircuitsBase::InsertCircuitsBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  remark::RemarkOpts getOptions(func::FuncOp function) {
    return remark::RemarkOpts::name("circuits")
        .category(getArgument())
        .function(function.getSymName());
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (layersAPlan < 1)
      return emitError(module.getLoc())
             << getArgument()
             << ": expected layers-a-plan to be at least 1, got "
             << layersAPlan.getValue();
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
    SmallVector<std::pair<func::FuncOp, ScheduleOp>> schedules;
    for (auto function : module.getOps<func::FuncOp>())
      if (ScheduleOp op = findSchedule(function))
        schedules.emplace_back(function, op);
    if (schedules.empty() && ifAny)
      return success();
    if (schedules.empty())
      return emitError(module.getLoc())
             << getArgument()
             << ": expected a function with a moe.schedule (moe-schedule makes "
                "them), got none";
    for (auto [function, op] : schedules) {
      Operation *found = nullptr;
      op->walk([&](Operation *nested) {
        if (isa<ocs::ReconfigureOp, ocs::AwaitOp, ocs::RouteOp>(nested))
          found = nested;
      });
      if (found && ifAny) {
        moe::missed(op.getLoc(), getOptions(function))
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
    for (auto [function, op] : schedules) {
      if (*fabric &&
          failed(decide(function, op, *fabric, evaluator, reason, changesAny)))
        return failure();
      if (!reason.empty())
        moe::missed(op.getLoc(), getOptions(function))
            << remark::reason("{0}", reason);
      if (*fabric)
        reason.clear();
    }
    if (isNew && !changesAny)
      fabric->erase();
    return success();
  }

  LogicalResult decide(func::FuncOp function, ScheduleOp op,
                       ocs::FabricOp fabric, ScheduleEvaluator &evaluator,
                       std::string &reason, bool &changesAny) {
    CircuitSearch search{policy, planner, layersAPlan};
    auto program = readCircuitProgram(op, fabric, evaluator, search, reason);
    if (failed(program))
      return failure();
    if (!*program)
      return success();
    auto choice = chooseCircuits(
        (*program)->step, evaluator.getMachine().uncertainty.value, rule);
    if (!choice)
      return op.emitError() << getArgument() << ": cannot be simulated";
    auto timeline =
        schedule::CircuitEvaluator((*program)->step).run(choice->decisions);
    report(function, **program, *choice, *timeline);
    auto changes = findChanges((*program)->step, choice->decisions);
    if (changes->empty())
      return success();
    changesAny = true;
    Inserter(**program, choice->decisions, *timeline, getStream()).run();
    return success();
  }

  /// The stream of changes.
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

  static std::string describe(const CircuitProgram &program,
                              const Decision &decision) {
    switch (decision.way) {
    case Decision::Way::Packets:
      return "packets alone";
    case Decision::Way::Keep:
      return "the circuits that are up";
    case Decision::Way::Change:
      break;
    }
    int64_t count = 0;
    for (const fabric::Circuits &matrix : program.configs[decision.config])
      for (int64_t i = 0; i < matrix.getSize(); ++i)
        for (int64_t j = 0; j < i; ++j)
          count += matrix.at(i, j);
    return "a change to " + std::to_string(count) + " circuits";
  }

  void report(func::FuncOp function, CircuitProgram &program,
              const schedule::CircuitChoice &choice,
              const schedule::CircuitTimeline &timeline) {
    auto changes = *findChanges(program.step, choice.decisions);
    moe::passed(program.schedule.getLoc(), getOptions(function))
        << remark::add("{0} changes of circuits", changes.size())
        << remark::metric("us", choice.us)
        << remark::metric("never_us", choice.neverUs)
        << remark::metric("once_us", choice.onceUs)
        << remark::metric("always_us", choice.alwaysUs);
    for (uint32_t e = 0; e < choice.decisions.size(); ++e) {
      TaskOp task = program.getTask(e);
      auto remark = moe::passed(task.getLoc(), getOptions(function));
      remark << remark::add("layer {0} {1} {2}: {3}", task.getLayer(),
                            stringifyPhase(task.getPhase()), task.getName(),
                            describe(program, choice.decisions[e]));
      // Where nothing may change, nothing else can be.
      if (std::isfinite(choice.runnerUpUs[e]))
        remark << remark::add("next best: {0}",
                              describe(program, choice.runnersUp[e]))
               << remark::metric("gain_us", choice.runnerUpUs[e] - choice.us);
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
