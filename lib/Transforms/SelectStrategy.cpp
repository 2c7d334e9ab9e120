//===- SelectStrategy.cpp - The fastest form of each layer ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategy/FormSearch.h"
#include "Strategy/IsolatedLayer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/ADT/StringMap.h"

namespace moe {
#define GEN_PASS_DEF_SELECTSTRATEGY
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// What a user calls a choice.
static StringRef stringify(StrategyChoice choice) {
  switch (choice) {
  case StrategyChoice::Auto:
    return "auto";
  case StrategyChoice::Baseline:
    return "baseline";
  case StrategyChoice::O1:
    return "o1";
  case StrategyChoice::O2:
    return "o2";
  case StrategyChoice::O3:
    return "o3";
  case StrategyChoice::Hierarchical:
    return "hierarchical";
  }
  llvm_unreachable("unknown choice");
}

namespace {

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
  /// What layers of one shape share.
  struct Choice {
    SearchResult result;
    std::string report;

    /// The form chosen; the layer's own where none can be tried.
    LayerForm getForm() const {
      return result.rows.empty() ? LayerForm() : result.rows.front().form;
    }
  };

  LogicalResult run() {
    FailureOr<SearchLimits> limits = getLimits();
    if (failed(limits))
      return failure();
    platform::LoadOptions options;
    options.ignoreFitted = ignoreFitted;
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument(),
                                 "platform=FILE", options);
    if (failed(loaded))
      return failure();
    const cost::Machine &machine = loaded->machine;
    usesFitted = !ignoreFitted && !loaded->fitted.isEmpty();
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
    if (failed(reportOthers(layers)))
      return failure();
    // Layers of one shape are one search: the key is the isolated module.
    llvm::StringMap<Choice> known;
    SmallVector<const Choice *> choices;
    std::vector<IsolatedLayer> copies;
    SmallVector<NodeBoundary> splits;
    for (LayerOp layer : layers) {
      IsolatedLayer &alone = copies.emplace_back(layer, **replication);
      auto [it, isNew] = known.try_emplace(alone.getKey());
      if (isNew && failed(choose(layer, alone, machine, *limits, it->second)))
        return failure();
      report(layer, it->second);
      choices.push_back(&it->second);
      const SearchResult &result = it->second.result;
      if (it->second.getForm().exchange != Exchange::Flat &&
          result.boundary.cutsAxis() &&
          !llvm::is_contained(splits, result.boundary))
        splits.push_back(result.boundary);
    }
    // Groups of the whole module name the axes.
    if (!splits.empty()) {
      OpPassManager manager(ModuleOp::getOperationName());
      for (const NodeBoundary &split : splits)
        manager.addPass(split.createSplitPass());
      if (failed(runPipeline(manager, getOperation())))
        return failure();
      replication = ReplicationInfo::compute(getOperation());
      if (failed(replication))
        return failure();
      copies.clear();
      for (LayerOp layer : layers)
        copies.emplace_back(layer, **replication);
    }
    for (auto [alone, choice] : llvm::zip_equal(copies, choices))
      if (failed(apply(alone, *choice)))
        return failure();
    return success();
  }

  /// Says of what there is nothing to choose: layers without an all-to-all, a
  /// module without layers. An error where a form was asked for.
  LogicalResult reportOthers(ArrayRef<LayerOp> layers) {
    bool isForced = strategy != StrategyChoice::Auto || degree != "auto";
    auto say = [&](Location loc, const std::string &text) -> LogicalResult {
      if (isForced)
        return emitError(loc) << getArgument() << ": " << text
                              << "; got strategy=" << stringify(strategy)
                              << " degree=" << degree;
      moe::missed(loc,
                  remark::RemarkOpts::name("strategy").category(getArgument()))
          << remark::reason("{0}", text);
      return success();
    };
    bool hasLayers = false;
    WalkResult result = getOperation()->walk([&](LayerOp layer) {
      hasLayers = true;
      if (!llvm::is_contained(layers, layer) &&
          failed(say(layer.getLoc(), "layer " + layer.getName().str() +
                                         ": expected an all-to-all, the layer "
                                         "has none")))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    if (hasLayers)
      return success();
    return say(getOperation()->getLoc(),
               "expected a moe.layer to choose a form for, found none");
  }

  FailureOr<SearchLimits> getLimits() {
    auto error = [&] {
      return getOperation()->emitError() << getArgument() << ": ";
    };
    SearchLimits limits;
    limits.choice = strategy;
    if (maxChunks < 1)
      return error() << "expected max-chunks of at least 1, got "
                     << maxChunks.getValue();
    limits.maxChunks = maxChunks;
    if (degree != "auto") {
      int64_t number;
      if (StringRef(degree).getAsInteger(10, number) || number < 1 ||
          number > PipelineOp::kMaxDegree)
        return error() << "expected degree to be auto or a number in [1, "
                       << PipelineOp::kMaxDegree << "], got '" << degree << "'";
      if (maxChunks.getNumOccurrences() > 0)
        return error() << "expected max-chunks with degree=auto only";
      limits.degree = number;
    }
    bool isWhole =
        strategy == StrategyChoice::Baseline || strategy == StrategyChoice::O1;
    bool isChunked =
        strategy == StrategyChoice::O2 || strategy == StrategyChoice::O3;
    if ((isWhole && limits.degree.value_or(1) != 1) ||
        (isChunked && limits.degree.value_or(2) == 1))
      return error() << "expected degree=auto or "
                     << (isWhole ? "degree=1" : "a degree of at least 2")
                     << " for strategy=" << stringify(strategy) << ", got "
                     << *limits.degree;
    if (isChunked && !limits.degree && maxChunks < 2)
      return error() << "expected max-chunks of at least 2 for strategy="
                     << stringify(strategy) << ", got " << maxChunks.getValue();
    return limits;
  }

  LogicalResult choose(LayerOp layer, IsolatedLayer &alone,
                       const cost::Machine &machine, const SearchLimits &limits,
                       Choice &choice) {
    FormSearch search(alone.getModule(), machine, limits);
    FailureOr<SearchResult> result = search.run();
    if (failed(result))
      return failure();
    choice.result = std::move(*result);
    // As everywhere, code that cannot be scheduled is left alone; but not what
    // somebody asked for.
    bool isForced = strategy != StrategyChoice::Auto || limits.degree;
    if (!choice.result.obstacle.empty() && !isForced)
      return success();
    if (choice.result.rows.empty()) {
      InFlightDiagnostic diag =
          layer.emitError() << getArgument() << ": layer " << layer.getName()
                            << ": no form of strategy=" << stringify(strategy)
                            << " degree=" << degree << " is possible";
      if (!choice.result.obstacle.empty())
        diag.attachNote(layer.getLoc()) << choice.result.obstacle;
      for (const auto &[what, why] : choice.result.impossible)
        diag.attachNote(layer.getLoc()) << "no " << what << ": " << why;
      return diag;
    }
    // Nobody may read the report, which takes longer than the search.
    if (!getContext().getRemarkEngine())
      return success();
    FailureOr<std::string> sensitivity =
        describeSensitivity(search, choice.result);
    if (failed(sensitivity))
      return failure();
    choice.report = describeChoice(choice.result);
    if (!sensitivity->empty())
      choice.report += "; " + *sensitivity;
    if (usesFitted)
      choice.report += "; with parameters fitted to published results "
                       "(ignore-fitted leaves them out)";
    return success();
  }

  void report(LayerOp layer, const Choice &choice) {
    const SearchResult &result = choice.result;
    auto options = remark::RemarkOpts::name("strategy").category(getArgument());
    if (result.rows.empty()) {
      moe::missed(layer.getLoc(), options)
          << remark::reason("layer {0}: {1}", layer.getName(), result.obstacle);
      return;
    }
    const Candidate &best = result.rows.front();
    auto remark = moe::passed(layer.getLoc(), options);
    remark << remark::add("layer {0}: {1}", layer.getName(), choice.report)
           << remark::metric("strategy", best.form.getName())
           << remark::metric("chunks", best.form.chunks)
           << remark::metric("time_us", best.us)
           << remark::metric("peak_bytes", best.peakBytes);
    if (result.rows.size() > 1)
      remark << remark::metric("runner_up_us", result.rows[1].us);
    if (result.baseline)
      remark << remark::metric("baseline_us", result.baseline->us);
  }

  /// Gives a layer its form, by way of its copy.
  LogicalResult apply(IsolatedLayer &alone, const Choice &choice) {
    LayerForm form = choice.getForm();
    if (form.isBaseline())
      return success();
    PassManager manager(&getContext());
    NodeBoundary boundary = choice.result.boundary;
    // The module's axis is split already.
    boundary.size = boundary.inner;
    addFormPasses(manager, form, boundary);
    if (failed(manager.run(alone.getModule())))
      return failure();
    alone.putBack();
    return success();
  }

  /// Parameters fitted to published results are in effect.
  bool usesFitted = false;
};

} // namespace
