// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass moe-hierarchical-all-reduce.

#include "RulePatterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/Timing.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Remarks.h"

namespace moe {
#define GEN_PASS_DEF_HIERARCHICALALLREDUCE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

static int64_t getServerRanks(const cost::Machine &machine) {
  return machine.circuits ? machine.circuits->serverRanks
                          : machine.levels.front().ranks;
}

namespace {

struct HierarchicalAllReduce
    : public moe::impl::HierarchicalAllReduceBase<HierarchicalAllReduce> {
  using HierarchicalAllReduceBase::HierarchicalAllReduceBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  remark::RemarkOpts getOptions(Operation *op) {
    return getRemarkOptions(op, "all-reduce", getArgument());
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    std::optional<platform::Platform> loaded;
    if (!platform.empty() || getPlatformAttr(module)) {
      auto found = loadPlatformOf(module, platform, getArgument());
      if (failed(found))
        return failure();
      loaded = std::move(*found);
    } else if (ifFaster) {
      return emitError(module.getLoc())
             << getArgument()
             << ": if-faster requires a platform (platform=FILE or "
                "moe-load-platform)";
    }
    auto replication = ReplicationInfo::compute(module);
    if (failed(replication))
      return failure();
    RuleContext context(**replication);
    std::optional<OpTimer> timer;
    if (loaded) {
      context.serverRanks = getServerRanks(loaded->machine);
      timer.emplace(loaded->machine);
    }
    SmallVector<AllReduceOp> ops;
    module.walk([&](AllReduceOp op) { ops.push_back(op); });
    for (AllReduceOp op : ops)
      if (failed(rewrite(op, context, timer ? &*timer : nullptr)))
        return failure();
    return success();
  }

  LogicalResult rewrite(AllReduceOp op, RuleContext &context, OpTimer *timer) {
    std::string reason;
    std::optional<AxisSplit> split =
        findReduceSplit(op, context.serverRanks, reason);
    if (split && !context.canMeet(op, op.getGroup())) {
      reason = kDivergent;
      split.reset();
    }
    auto missed = [&](const std::string &why) {
      moe::missed(op.getLoc(), getOptions(op)) << remark::reason("{0}", why);
      return success();
    };
    if (!split)
      return missed(reason);
    if (timer && !cast<ShapedType>(op.getType()).hasStaticShape()) {
      if (ifFaster)
        return missed("expected a static shape to time");
      timer = nullptr;
    }
    IRRewriter rewriter(op, &context.replication);
    Value whole = buildSplitReduce(rewriter, op, *split);
    cost::Microseconds before, after;
    if (timer) {
      FailureOr<cost::Microseconds> time = timer->getTime(op);
      if (failed(time))
        return failure();
      before = *time;
      for (Operation *made = op->getPrevNode();; made = made->getPrevNode()) {
        if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(made)) {
          time = timer->getTime(made);
          if (failed(time))
            return failure();
          after += *time;
        }
        // The reduce-scatter is the first of the new ops.
        if (isa<ReduceScatterOp>(made))
          break;
      }
    }
    if (ifFaster && after >= before) {
      erase(rewriter, whole, op);
      return missed("expected less than the " + str(before) +
                    " us that it takes as one, got " + str(after));
    }
    auto remark = moe::passed(op.getLoc(), getOptions(op));
    remark << remark::add("reduces inside servers, then between them")
           << remark::metric("ranks_on_a_server", split->innerSize)
           << remark::metric("servers", split->outerSize);
    if (timer) {
      remark << remark::metric("us_before", before.value())
             << remark::metric("us_after", after.value());
      if (const auto &circuits = timer->getMachine().circuits)
        remark << remark::metric("network_cards", circuits->epsNics);
    }
    rewriter.replaceOp(op, whole);
    return success();
  }

  /// Erases the ops that were built before `op`.
  static void erase(IRRewriter &rewriter, Value whole, AllReduceOp op) {
    Value operand = op.getOperand();
    while (whole != operand) {
      Operation *made = whole.getDefiningOp();
      whole = made->getOperand(0);
      rewriter.eraseOp(made);
    }
  }

  static std::string str(cost::Microseconds time) {
    return cost::formatFixed(time.value(), 3);
  }
};

} // namespace
