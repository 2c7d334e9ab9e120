// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites all-to-alls.

#include "RulePatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Transforms/NodeDedup.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Remarks.h"
#include "moe/Transforms/Rules.h"

namespace moe {
#define GEN_PASS_DEF_DECOMPOSEALLTOALL
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// Rules of mode=drop, in this order; each stage runs until no rule applies.
/// Gathers are merged last, because one axis may be able to pass an op that
/// another axis cannot pass.
constexpr StringLiteral kReductionStage[] = {"transpose-before-all-reduce"};
constexpr StringLiteral kDropStage[] = {
    "deduplicate-all-to-all", "gather-after-all-to-all",
    "gather-after-rowwise",   "gather-after-all-reduce",
    "all-gather-of-drop",     "drop-before-all-reduce",
    "drop-of-all-reduce"};
constexpr StringLiteral kMergeStage[] = {"merge-all-gathers", "merge-drops",
                                         "scatter-before-transpose"};

struct DecomposeAllToAll
    : public moe::impl::DecomposeAllToAllBase<DecomposeAllToAll> {
  using DecomposeAllToAllBase::DecomposeAllToAllBase;

  void runOnOperation() override {
    if (failed(verifyOptions()))
      return signalPassFailure();
    if (dropDim < -1) {
      emitError(getOperation()->getLoc())
          << "moe-decompose-all-to-all: expected drop-dim to be -1 or a dim, "
             "got "
          << dropDim.number;
      return signalPassFailure();
    }
    auto replication = ReplicationInfo::compute(getOperation());
    if (failed(replication))
      return signalPassFailure();
    RuleContext context(**replication);
    context.dropDim = dropDim;
    context.collectOnOneRank = variant == HierarchicalVariant::OneDimensional;
    LogicalResult done = failure();
    switch (mode) {
    case DecomposeMode::Drop:
      done = runDrop(context);
      break;
    case DecomposeMode::Hierarchical:
      done = runHierarchical(context);
      break;
    case DecomposeMode::Nodes:
      runNodes();
      done = success();
      break;
    }
    if (failed(done))
      signalPassFailure();
  }

private:
  /// Rejects options that the mode does not read, because users expect each
  /// option to have an effect.
  LogicalResult verifyOptions() {
    StringRef name = mode == DecomposeMode::Drop           ? "drop"
                     : mode == DecomposeMode::Hierarchical ? "hierarchical"
                                                           : "nodes";
    // Emitted at the location, because an error at the module op would print
    // the whole module.
    auto refuse = [&](StringRef option, StringRef goesWith) {
      return emitError(getOperation()->getLoc())
             << "moe-decompose-all-to-all: " << option
             << " requires mode=" << goesWith << ", got mode=" << name;
    };
    // The command line sets the number of occurrences; C++ callers set the
    // values.
    if (mode != DecomposeMode::Hierarchical &&
        (variant.getNumOccurrences() > 0 ||
         variant != HierarchicalVariant::TwoDimensional))
      return refuse("variant", "hierarchical");
    if (mode == DecomposeMode::Drop)
      return success();
    if (dropDim.getNumOccurrences() > 0 || dropDim != -1)
      return refuse("drop-dim", "drop");
    if (dropAxes.getNumOccurrences() > 0 || !dropAxes.empty())
      return refuse("drop-axes", "drop");
    return success();
  }

  remark::detail::InFlightRemark passed(Operation *op) {
    return moe::passed(op->getLoc(), remark::RemarkOpts::name("decompose")
                                         .category(getArgument())
                                         .function(getFunction(op)));
  }
  remark::detail::InFlightRemark missed(Operation *op) {
    return moe::missed(op->getLoc(), remark::RemarkOpts::name("decompose")
                                         .category(getArgument())
                                         .function(getFunction(op)));
  }
  static StringRef getFunction(Operation *op) {
    Operation *function = op;
    while (function && !isa<FunctionOpInterface>(function))
      function = function->getParentOp();
    return function ? SymbolTable::getSymbolName(function).getValue()
                    : StringRef();
  }

  LogicalResult apply(ArrayRef<StringLiteral> names, RuleContext &context) {
    RewritePatternSet patterns(&getContext());
    for (StringRef name : names)
      findRule(name)->populate(patterns, context);
    GreedyRewriteConfig config;
    config.setListener(&context.replication);
    if (succeeded(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return success();
    return emitError(getOperation().getLoc(),
                     "rewrites did not come to an end");
  }

  LogicalResult runDrop(RuleContext &context) {
    const MeshAxes &axes = context.replication.getAxes();
    if (!dropAxes.empty()) {
      SmallVector<StringRef> names(dropAxes.begin(), dropAxes.end());
      for (StringRef name : names)
        if (!axes.getMesh() || !axes.getMesh().getAxisIndex(name))
          return emitError(getOperation()->getLoc())
                 << "moe-decompose-all-to-all: drop-axes names unknown axis \""
                 << name << "\"";
      context.dropAxes = *getAxisBits(axes.getMesh(), names);
    }
    if (failed(apply(kReductionStage, context)) ||
        failed(apply(kDropStage, context)) ||
        failed(apply(kMergeStage, context)))
      return failure();
    getOperation()->walk([&](CollectiveOpInterface op) {
      if (isDivisibleAllToAll(op))
        reportDrop(op, context);
    });
    return success();
  }

  /// Emits a remark with the rewrite of an all-to-all, or with the reason why
  /// there is none.
  void reportDrop(CollectiveOpInterface op, RuleContext &context) {
    auto it = context.rewritten.find(op);
    if (it != context.rewritten.end()) {
      const RewrittenExchange &made = it->second;
      FailureOr<int64_t> bytes = op.getSendBytes();
      std::string dims, axes;
      for (auto [dim, group] : made.parts) {
        dims += (dims.empty() ? "" : ",") + std::to_string(dim);
        if (std::optional<SmallVector<StringRef>> names = group.getAxisNames())
          for (StringRef name : *names)
            axes += (axes.empty() ? "" : ",") + name.str();
      }
      auto said = passed(op);
      said << remark::add("sends each datum once")
           << remark::metric("dim", dims) << remark::metric("axes", axes);
      if (made.originalBytes && succeeded(bytes))
        said << remark::metric("bytes_before", *made.originalBytes)
             << remark::metric("bytes_after", *bytes);
      return;
    }
    std::string reason;
    if (!findDeduplication(op, context, reason))
      missed(op) << remark::reason("{0}", reason);
  }

  void runNodes() {
    SmallVector<RaggedPlanOp> plans;
    getOperation()->walk([&](RaggedPlanOp plan) { plans.push_back(plan); });
    RowProvenance rows(getOperation());
    for (RaggedPlanOp plan : plans) {
      std::string reason;
      std::optional<NodeDedup> form = findNodeDedup(plan, rows, reason);
      if (!form) {
        missed(plan) << remark::reason("{0}", reason);
        continue;
      }
      passed(plan) << remark::add("sends each token once a node")
                   << remark::metric("ranks_inside", form->places)
                   << remark::metric("nodes", form->nodes)
                   << remark::metric("nodes_of_a_token", form->width);
      buildNodeDedup(*form);
    }
  }

  LogicalResult runHierarchical(RuleContext &context) {
    SmallVector<AllToAllOp> ops;
    getOperation()->walk([&](AllToAllOp op) { ops.push_back(op); });
    bool hasPlan = false;
    getOperation()->walk([&](RaggedPlanOp) { hasPlan = true; });
    if (!hasPlan)
      getOperation()->walk([&](RaggedAllToAllOp op) {
        missed(op) << remark::reason(
            "expected sizes of a moe.ragged_plan, from which follows what the "
            "ranks of a node send together");
      });
    RewritePatternSet patterns(&getContext());
    findRule("split-all-to-all")->populate(patterns, context);
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (AllToAllOp op : ops) {
      std::string reason;
      std::optional<AxisSplit> split =
          findAxisSplit(op, context.collectOnOneRank, reason);
      if (!split) {
        missed(op) << remark::reason("{0}", reason);
        continue;
      }
      passed(op) << remark::add("exchanges inside nodes and between them")
                 << remark::metric("ranks_inside", split->innerSize)
                 << remark::metric("nodes", split->outerSize);
      GreedyRewriteConfig config;
      config.setListener(&context.replication);
      config.setStrictness(GreedyRewriteStrictness::ExistingOps);
      if (failed(applyOpPatternsGreedily({op.getOperation()}, frozen, config)))
        return emitError(getOperation().getLoc(),
                         "rewrites did not come to an end");
    }
    splitPlans(context);
    return success();
  }

  /// Splits ragged exchanges, one plan at a time.
  void splitPlans(RuleContext &context) {
    // The facts about control flow refer to the original layers, so they are
    // queried before the rewrites.
    SmallVector<std::pair<RaggedPlanOp, bool>> plans;
    getOperation()->walk([&](RaggedPlanOp op) {
      plans.emplace_back(op, context.canMeet(op, op.getGroup()));
    });
    for (auto [plan, canMeet] : plans) {
      std::string reason;
      std::optional<AxisSplit> split;
      if (context.collectOnOneRank)
        reason = "expected blocks of equal sizes for variant=1dh, got rows of "
                 "uneven runs";
      else if (!canMeet)
        reason = kDivergent;
      else
        split = splitRaggedPlan(plan, reason);
      if (split)
        passed(plan) << remark::add("exchanges inside nodes and between them")
                     << remark::metric("ranks_inside", split->innerSize)
                     << remark::metric("nodes", split->outerSize);
      else
        missed(plan) << remark::reason("{0}", reason);
    }
  }
};

} // namespace
