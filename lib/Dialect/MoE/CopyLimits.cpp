// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upper limits on the rows that ranks send in a layer.

#include "moe/Dialect/MoE/CopyLimits.h"
#include "NodeRows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

/// Finds the constant table of limits: one row for all ranks, or one row per
/// rank.
static DenseIntElementsAttr findTable(Value value) {
  // At the top of a module, an op may read itself, so the steps are bounded.
  constexpr int kMaxSteps = 16;
  for (int step = 0; step < kMaxSteps; ++step) {
    value = getLiveOut(value);
    DenseIntElementsAttr table;
    if (matchPattern(value, m_Constant(&table)))
      return table;
    Operation *op = value.getDefiningOp();
    auto drop = dyn_cast_or_null<DropOp>(op);
    if (!isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp>(op) &&
        !(drop && drop.getDim() == 0))
      break;
    value = op->getOperand(0);
  }
  return {};
}

/// Returns the limits of an op: one row, or one row per rank. Nullopt if they
/// or the choices are only known at run time.
static std::optional<traffic::CopyLimits> readLimits(LimitChoicesOp limit) {
  auto ids = cast<RankedTensorType>(limit.getIds().getType());
  int64_t columns =
      cast<RankedTensorType>(limit.getLimits().getType()).getDimSize(0);
  DenseIntElementsAttr table = findTable(limit.getLimits());
  if (!table || !ids.hasStaticShape() || ids.getNumElements() == 0 ||
      columns < 1 || table.getNumElements() % columns != 0)
    return std::nullopt;
  std::vector<int64_t> limits;
  for (const llvm::APInt &each : table)
    limits.push_back(each.getSExtValue());
  return traffic::CopyLimits{
      ids.getNumElements(),
      cost::Matrix<int64_t>::fromValues(columns, std::move(limits))};
}

std::vector<LayerLimits> moe::listCopyLimits(Operation *root) {
  std::vector<LayerLimits> found;
  root->walk([&](LimitChoicesOp op) {
    std::optional<traffic::CopyLimits> limits = readLimits(op);
    if (!limits)
      return;
    StringRef layer = getLayerName(op);
    for (const LayerLimits &known : found)
      if (known.layer == layer && known.limits.limits == limits->limits)
        return;
    found.push_back({layer.str(), std::move(*limits)});
  });
  return found;
}

/// Finds the choices of experts that determine the counted rows of an op; null
/// if they cannot be found.
static Value findChoices(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *maker = findOrigin(operand).getDefiningOp();
    Value counts;
    if (auto plan = dyn_cast_or_null<RaggedPlanOp>(maker))
      counts = plan.getCounts();
    else if (auto plan = dyn_cast_or_null<NodePlanOp>(maker))
      counts = plan.getCounts();
    else if (isa_and_nonnull<ExpertCountsOp>(maker))
      counts = operand;
    if (!counts)
      continue;
    auto counted = findOrigin(counts).getDefiningOp<ExpertCountsOp>();
    return counted ? counted.getIds() : Value();
  }
  return {};
}

/// Returns the limits that the choices have passed through, the first one
/// first. Nullopt if the gate that made the choices cannot be found.
static std::optional<SmallVector<LimitChoicesOp>> findLimitsOf(Value choices) {
  SmallVector<LimitChoicesOp> limits;
  // At the top of a module, an op may read itself, so the steps are bounded.
  constexpr int kMaxSteps = 16;
  for (int step = 0; choices && step < kMaxSteps; ++step) {
    Operation *maker = findOrigin(choices).getDefiningOp();
    if (auto limit = dyn_cast_or_null<LimitChoicesOp>(maker)) {
      limits.insert(limits.begin(), limit);
      choices = limit.getIds();
    } else if (auto nodes = dyn_cast_or_null<DistinctNodesOp>(maker)) {
      choices = nodes.getIds();
    } else if (isa_and_nonnull<GateOp>(maker)) {
      return limits;
    } else {
      break;
    }
  }
  return std::nullopt;
}

std::vector<traffic::CopyLimits> moe::findCopyLimits(Operation *op,
                                                     int64_t numRanks) {
  std::vector<traffic::CopyLimits> found;
  Operation *root = op->getParentOfType<FunctionOpInterface>();
  if (!root)
    return found;
  StringRef name = getLayerName(op);
  auto add = [&](LimitChoicesOp limit) {
    std::optional<traffic::CopyLimits> limits = readLimits(limit);
    if (!limits)
      return;
    int64_t rows = limits->limits.getNumRows();
    if (rows == 1 || rows == numRanks)
      found.push_back(std::move(*limits));
  };
  if (auto limits = findLimitsOf(findChoices(op))) {
    llvm::for_each(*limits, add);
    return found;
  }
  // This runs for every exchange in the program, so it skips other layers and
  // bodies that cannot contain choices.
  root->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (auto limit = dyn_cast<LimitChoicesOp>(nested)) {
      if (getLayerName(limit) == name)
        add(limit);
    } else if (auto layer = dyn_cast<LayerOp>(nested)) {
      if (layer.getName() != name)
        return WalkResult::skip();
    } else if (auto task = dyn_cast<TaskOp>(nested)) {
      if (!task.getLayer().empty() && task.getLayer() != name)
        return WalkResult::skip();
    } else if (nested != root && !isa<ScheduleOp>(nested)) {
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  return found;
}
