// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backward pass and positions for its gradient all-reduces.

#include "BackwardPass.h"
#include "moe/Analysis/GradientUses.h"
#include <cmath>

using namespace mlir;
using namespace moe;

/// Returns the cost plan of an op's all-reduce; emits an error and fails if
/// there is none.
static FailureOr<cost::CollectivePlan> makePlan(AllReduceOp op,
                                                const cost::Machine &machine) {
  auto collective = cast<CollectiveOpInterface>(op.getOperation());
  auto groups = getRankGroups(op, collective.getGroup());
  if (!groups)
    return op.emitOpError() << groups.getError();
  auto plan = cost::CollectivePlan::create(machine, *groups,
                                           cost::CollectiveKind::AllReduce);
  if (!plan)
    return op.emitOpError() << "cannot be timed on platform " << machine.name
                            << ": " << plan.getError();
  return std::move(*plan);
}

namespace {

/// The all-reduce of a gradient.
struct FoundSum {
  AllReduceOp op;
  /// Number of backward layers before it.
  int64_t step;
  cost::CollectivePlan plan;
  double bytes;
};

} // namespace

/// Adds gradients to a backward pass, in units that take the same time in every
/// group.
static void addGradients(BackwardPass &pass, std::vector<FoundSum> &all) {
  // The group with the most all-reduced bytes defines a unit.
  llvm::DenseMap<Attribute, double> bytesOf;
  auto getGroup = [](AllReduceOp op) {
    return Attribute(cast<CollectiveOpInterface>(op.getOperation()).getGroup());
  };
  for (FoundSum &found : all)
    bytesOf[getGroup(found.op)] += found.bytes;
  FoundSum *reference = &all.front();
  double allBytes = 0;
  for (FoundSum &found : all) {
    allBytes += found.bytes;
    if (bytesOf[getGroup(found.op)] > bytesOf[getGroup(reference->op)])
      reference = &found;
  }
  auto getSlope = [&](const cost::CollectivePlan &plan) {
    cost::CostBreakdown cost = plan.explain(cost::Bytes(allBytes));
    return (cost.time - cost.alpha).value() / allBytes;
  };
  double slope = getSlope(reference->plan);
  auto element =
      cast<RankedTensorType>(reference->op.getType()).getElementType();
  pass.unitBytes = double(*getTensorBytes(RankedTensorType::get({1}, element)));
  pass.allReduce.alphaUs =
      reference->plan.explain(cost::Bytes(allBytes)).alpha.value();
  pass.allReduce.slopeUs = slope * pass.unitBytes;
  for (FoundSum &found : all) {
    double factor = slope > 0 ? getSlope(found.plan) / slope : 1;
    int64_t elements =
        cast<RankedTensorType>(found.op.getType()).getNumElements();
    int64_t units = std::max<int64_t>(
        1, std::llround(found.bytes * factor / pass.unitBytes));
    int64_t layer = int64_t(pass.layers.size()) - found.step;
    pass.gradients.push_back(
        {found.op, layer, elements, units, int64_t(found.plan.getGroupSize())});
    pass.network[layer].gradientElements += units;
  }
}

FailureOr<std::optional<BackwardPass>>
moe::findBackwardPass(func::FuncOp function, OpTimer &timer,
                      function_ref<void(AllReduceOp, StringRef)> skip) {
  auto none = [] { return std::optional<BackwardPass>(); };
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return none();
  const cost::Machine &machine = timer.getMachine();
  BackwardPass pass;
  pass.function = function;
  // Ops after the last forward layer, each with the number of backward layers
  // before it.
  SmallVector<std::pair<Operation *, int64_t>> dense;
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto layer = dyn_cast<LayerOp>(op);
    if (layer && layer.getPhase() == Phase::Forward) {
      if (!pass.layers.empty())
        return none();
      dense.clear();
    } else if (layer) {
      pass.layers.push_back(layer);
    } else {
      dense.push_back({&op, pass.layers.size()});
    }
  }
  if (pass.layers.empty())
    return none();
  int64_t numSteps = pass.layers.size();
  pass.network.resize(numSteps + 1);

  std::vector<FoundSum> all;
  auto consider = [&](AllReduceOp op, int64_t step) -> FailureOr<bool> {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    FailureOr<cost::CollectivePlan> plan = makePlan(op, machine);
    if (failed(plan))
      return failure();
    if (plan->getGroupSize() == 1 ||
        plan->getResource() != cost::Resource::Inter)
      return false;
    FailureOr<int64_t> bytes = failure();
    if (type)
      bytes = getTensorBytes(type);
    if (failed(bytes) || *bytes == 0) {
      skip(op, "expected a gradient with elements of static shape");
      return false;
    }
    if (op.getReduction() != Reduction::Sum) {
      skip(op, "expected a sum");
      return false;
    }
    if (op.getResult().use_empty() || !isOnlyReturned(op.getResult())) {
      skip(op, "expected a gradient that the function hands out and nothing "
               "else reads");
      return false;
    }
    all.push_back({op, step, std::move(*plan), double(*bytes)});
    return true;
  };
  for (auto [op, step] : dense) {
    if (auto reduce = dyn_cast<AllReduceOp>(op)) {
      FailureOr<bool> taken = consider(reduce, step);
      if (failed(taken))
        return failure();
      if (*taken)
        continue;
    }
    FailureOr<cost::Microseconds> time = timer.getTime(op);
    if (failed(time))
      return failure();
    pass.network[numSteps - step].denseUs += time->value();
  }
  for (auto [i, layer] : llvm::enumerate(pass.layers)) {
    Block &body = layer.getBody().front();
    for (auto op : body.getOps<AllReduceOp>())
      if (failed(consider(op, i + 1)))
        return failure();
    // Ops before the dispatch and after the combine leave links as idle as the
    // dense parts around the layer.
    auto isExchange = [](Operation &op) {
      return isAllToAll(&op) || isa<PipelineOp>(op);
    };
    bool isBehind = false;
    auto number = llvm::count_if(body, isExchange), left = number;
    for (Operation &op : body.without_terminator()) {
      if (isExchange(op)) {
        isBehind = --left == 0;
        continue;
      }
      if ((!isBehind && left < number) || isa<AllReduceOp>(op))
        continue;
      FailureOr<cost::Microseconds> time = timer.getTime(&op);
      if (failed(time))
        return failure();
      pass.network[numSteps - i - isBehind].denseUs += time->value();
    }
  }
  if (all.empty())
    return none();

  addGradients(pass, all);
  return std::optional<BackwardPass>(std::move(pass));
}
