//===- SelectStrategy.cpp - The fastest form of each layer ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"
#include "moe/Analysis/Replication.h"
#include "moe/Analysis/Timing.h"
#include "moe/Schedule/Resources.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace moe {
#define GEN_PASS_DEF_SELECTSTRATEGY
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// One form a layer may take.
struct Strategy {
  /// Dim to drop; none leaves the all-to-alls as they are.
  std::optional<int64_t> dropDim;
  std::optional<ChainScope> scope;
  int64_t chunks = 1;

  std::string describe() const {
    std::string text =
        dropDim ? "drop along dim " + std::to_string(*dropDim) : "baseline";
    if (scope)
      text += std::string(", ") +
              (*scope == ChainScope::Layer ? "whole layer" : "communication") +
              " in " + std::to_string(chunks) + " chunks";
    return text;
  }
};

/// A strategy and what the simulator says of it.
struct Outcome {
  Strategy strategy;
  double us;
  int64_t peakBytes;
  /// Place among the strategies, simpler ones first.
  size_t order = 0;
};

/// All strategies, simpler ones first.
SmallVector<Strategy> listStrategies(int64_t maxChunks) {
  SmallVector<int64_t> counts;
  for (int64_t base = 2; base <= maxChunks; base *= 2) {
    counts.push_back(base);
    if (base + base / 2 <= maxChunks && base > 1)
      counts.push_back(base + base / 2);
  }
  SmallVector<Strategy> strategies;
  std::optional<int64_t> dims[] = {std::nullopt, 2, 3};
  for (std::optional<int64_t> dim : dims)
    strategies.push_back({dim, std::nullopt, 1});
  for (int64_t count : counts)
    for (std::optional<int64_t> dim : dims)
      for (ChainScope scope : {ChainScope::Communication, ChainScope::Layer})
        strategies.push_back({dim, scope, count});
  return strategies;
}

/// The passes that give a layer the form of a strategy.
void addPasses(OpPassManager &manager, const Strategy &strategy) {
  if (strategy.dropDim) {
    DecomposeAllToAllOptions options;
    options.dropDim = *strategy.dropDim;
    manager.addPass(createDecomposeAllToAll(options));
  }
  if (strategy.scope) {
    PipelineOptions options;
    options.degree = strategy.chunks;
    options.scope = *strategy.scope;
    manager.addPass(createPipeline(options));
  }
}

/// A module of one function that holds one layer, with what the layer reads
/// from outside as arguments that vary as it does there.
OwningOpRef<ModuleOp> isolate(LayerOp layer, ArrayRef<Value> captured,
                              const ReplicationInfo &replication) {
  MLIRContext *context = layer.getContext();
  OpBuilder builder(context);
  Location loc = layer.getLoc();
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  builder.setInsertionPointToStart(module->getBody());
  if (MeshOp mesh = replication.getAxes().getMesh())
    builder.clone(*mesh);
  SmallVector<Type> types;
  for (Value value : captured)
    types.push_back(value.getType());
  auto function = func::FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType(types, layer.getResultTypes()));
  Block *body = function.addEntryBlock();
  IRMapping mapping;
  for (auto [i, value] : llvm::enumerate(captured)) {
    mapping.map(value, body->getArgument(i));
    if (replication.getAxes().getMesh())
      function.setArgAttr(
          i, MoEDialect::getVaryingAttrName(),
          builder.getStrArrayAttr(
              replication.getAxes().getNames(replication.getVarying(value))));
  }
  builder.setInsertionPointToEnd(body);
  Operation *clone = builder.clone(*layer, mapping);
  func::ReturnOp::create(builder, loc, clone->getResults());
  return module;
}

struct SelectStrategy : public moe::impl::SelectStrategyBase<SelectStrategy> {
  using SelectStrategyBase::SelectStrategyBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  // The form is found with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, func::FuncDialect, tensor::TensorDialect,
                    arith::ArithDialect>();
  }

private:
  LogicalResult run() {
    if (maxChunks < 1)
      return getOperation()->emitError()
             << getArgument() << ": expected max-chunks of at least 1, got "
             << maxChunks.getValue();
    platform::LoadOptions options;
    options.ignoreFitted = ignoreFitted;
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument(),
                                 "platform=FILE", options);
    if (failed(loaded))
      return failure();
    const cost::Machine &machine = loaded->machine;
    auto replication = ReplicationInfo::compute(getOperation());
    if (failed(replication))
      return failure();

    SmallVector<LayerOp> layers;
    getOperation()->walk([&](LayerOp layer) {
      bool communicates = false;
      layer.walk([&](AllToAllOp) { communicates = true; });
      if (communicates)
        layers.push_back(layer);
    });
    // Layers of one shape are one search: the key is the isolated module.
    llvm::StringMap<std::pair<Outcome, std::string>> known;
    for (LayerOp layer : layers) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(layer.getBody(), captured);
      OwningOpRef<ModuleOp> alone =
          isolate(layer, captured.getArrayRef(), **replication);
      std::string key = getKey(*alone);
      auto it = known.find(key);
      if (it == known.end()) {
        FailureOr<std::pair<Outcome, std::string>> found =
            search(*alone, machine);
        if (failed(found))
          return failure();
        it = known.try_emplace(key, std::move(*found)).first;
      }
      const auto &[best, report] = it->second;
      remark::passed(
          layer.getLoc(),
          remark::RemarkOpts::name("strategy").category(getArgument()))
          << remark::add("layer {0}: {1}", layer.getName(), report)
          << remark::metric("chunks", best.strategy.chunks)
          << remark::metric("time_us", best.us);
      if (failed(apply(best.strategy, layer, *alone, captured.getArrayRef())))
        return failure();
    }
    return success();
  }

  /// The text of a module without the layer's own name, in which alone two
  /// layers of one shape differ.
  static std::string getKey(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    OwningOpRef<ModuleOp> copy(module.clone());
    copy->walk([](LayerOp layer) { layer.setName("layer"); });
    copy->print(os);
    return text;
  }

  /// Simulates one strategy; nullopt when the layer cannot take its form.
  FailureOr<std::optional<Outcome>> evaluate(ModuleOp alone,
                                             const Strategy &strategy,
                                             const cost::Machine &machine) {
    OwningOpRef<ModuleOp> copy(alone.clone());
    PassManager manager(&getContext());
    addPasses(manager, strategy);
    if (failed(manager.run(*copy)))
      return failure();
    bool hasForm = !strategy.scope;
    bool tooSmall = false;
    copy->walk([&](PipelineOp) { hasForm = true; });
    if (strategy.dropDim) {
      bool dropped = false;
      copy->walk(
          [&](Operation *op) { dropped |= isa<DropOp, ReduceScatterOp>(op); });
      hasForm &= dropped;
    }
    if (!hasForm)
      return std::optional<Outcome>();
    PassManager scheduling(&getContext());
    scheduling.addPass(createSchedule());
    if (failed(scheduling.run(*copy)))
      return failure();
    ScheduleOp schedule;
    copy->walk([&](ScheduleOp op) { schedule = op; });
    if (!schedule)
      return std::optional<Outcome>();
    // A chunk of less than the minimum message is mostly latency (MO-5).
    if (strategy.chunks > 1)
      schedule.walk([&](CollectiveOpInterface op) {
        FailureOr<int64_t> bytes =
            getTensorBytes(cast<RankedTensorType>(op->getOperand(0).getType()));
        tooSmall |= succeeded(bytes) &&
                    double(*bytes) < machine.minimumMessage.value.value();
      });
    if (tooSmall)
      return std::optional<Outcome>();
    OpTimer timer(machine, schedule);
    FailureOr<TimedSchedule> timed = timeSchedule(schedule, timer);
    if (failed(timed))
      return failure();
    if (!simulator.run(timed->graph, schedule::getContention(machine),
                       timeline))
      return schedule.emitError()
             << "cannot be simulated: " << simulator.getError();
    int64_t peak = getPeakBytes(*timed, timeline);
    if (machine.memoryPerRank &&
        double(peak) > machine.memoryPerRank->value.value())
      return std::optional<Outcome>();
    return std::optional<Outcome>(Outcome{strategy, timeline.makespanUs, peak});
  }

  /// The best strategy of an isolated layer and a report of the others.
  FailureOr<std::pair<Outcome, std::string>>
  search(ModuleOp alone, const cost::Machine &machine) {
    SmallVector<Outcome> outcomes;
    for (const Strategy &strategy : listStrategies(maxChunks)) {
      FailureOr<std::optional<Outcome>> outcome =
          evaluate(alone, strategy, machine);
      if (failed(outcome))
        return failure();
      if (*outcome) {
        (*outcome)->order = outcomes.size();
        outcomes.push_back(**outcome);
      }
    }
    if (outcomes.empty())
      return alone.emitError()
             << getArgument()
             << ": no form of the layer fits the platform's memory of "
             << (machine.memoryPerRank ? machine.memoryPerRank->value.value()
                                       : 0.0)
             << " bytes a rank";
    std::string text;
    llvm::raw_string_ostream os(text);
    bool hasBaseline =
        !outcomes.front().strategy.dropDim && !outcomes.front().strategy.scope;
    Outcome baseline = outcomes.front();
    llvm::sort(outcomes, [](const Outcome &a, const Outcome &b) {
      return std::pair(a.us, a.order) < std::pair(b.us, b.order);
    });
    const Outcome &best = outcomes.front();
    os << best.strategy.describe() << " takes "
       << llvm::formatv("{0:F1}", best.us) << " us";
    if (outcomes.size() > 1)
      os << "; next best: " << outcomes[1].strategy.describe() << ", "
         << llvm::formatv("{0:F1}", outcomes[1].us) << " us";
    if (hasBaseline)
      os << "; baseline: " << llvm::formatv("{0:F1}", baseline.us) << " us";
    os << "; " << outcomes.size() << " forms simulated";
    return std::pair(best, text);
  }

  /// Gives a layer the form of a strategy, by way of its isolated copy.
  LogicalResult apply(const Strategy &strategy, LayerOp layer, ModuleOp alone,
                      ArrayRef<Value> captured) {
    PassManager manager(&getContext());
    addPasses(manager, strategy);
    if (failed(manager.run(alone)))
      return failure();
    auto function = alone.lookupSymbol<func::FuncOp>("main");
    Block &body = function.getBody().front();
    IRMapping mapping;
    for (auto [argument, value] :
         llvm::zip_equal(body.getArguments(), captured))
      mapping.map(argument, value);
    OpBuilder builder(layer);
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] : llvm::zip_equal(
             layer.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    layer.erase();
    return success();
  }

  schedule::Simulator simulator;
  schedule::Timeline timeline;
};

} // namespace
