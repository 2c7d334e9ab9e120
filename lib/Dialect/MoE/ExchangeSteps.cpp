// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ragged exchanges that run in two steps.

#include "ExchangeSteps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/LiveOut.h"

using namespace mlir;
using namespace moe;

/// Maximum nesting of schedules, tasks and layers that is followed. The bound
/// is required because an op at the top of a module may read itself.
static constexpr unsigned kMostNested = 8;

/// Returns true if an op splits or joins rows: of ranks that hold the same
/// rows, or of chunks.
static bool handsOnParts(Operation *op) {
  return isa<DropOp, AllGatherOp, AssembleOp, tensor::ExtractSliceOp>(op);
}

/// Finds an exchange that sends a value or parts of it, through the results of
/// tasks and layers.
static RaggedAllToAllOp findSender(Value value, unsigned depth = 0) {
  if (depth == kMostNested)
    return RaggedAllToAllOp();
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto exchange = dyn_cast<RaggedAllToAllOp>(user);
    if (exchange && use.get() == exchange.getOperand())
      return exchange;
    if (handsOnParts(user))
      if (auto found = findSender(user->getResult(0), depth + 1))
        return found;
    Operation *parent = user->getParentOp();
    if (isa<YieldOp>(user) && isa<ScheduleOp, TaskOp, LayerOp>(parent))
      if (auto found =
              findSender(parent->getResult(use.getOperandNumber()), depth + 1))
        return found;
  }
  return RaggedAllToAllOp();
}

/// Returns the step if the exchange runs inside nodes, recognized by sizes that
/// are a slice of the vector with the sizes of all ranks.
static std::optional<ExchangeStep> findStepInside(RaggedAllToAllOp op) {
  for (bool isBack : {false, true}) {
    auto part = dyn_cast_or_null<tensor::ExtractSliceOp>(
        findMaker(isBack ? op.getRecvSizes() : op.getSendSizes()));
    if (!part || part.getSourceType().getRank() != 1 ||
        part.getType().getRank() != 1 ||
        !part.getSourceType().hasStaticShape() ||
        !part.getType().hasStaticShape() ||
        ShapedType::isDynamic(part.getStaticOffset(0)))
      continue;
    int64_t places = part.getType().getDimSize(0);
    int64_t ranks = part.getSourceType().getDimSize(0);
    if (places >= 1 && places < ranks && ranks % places == 0)
      return ExchangeStep{op, ranks / places, places,
                          part.getStaticOffset(0) / places, isBack};
  }
  return std::nullopt;
}

std::optional<ExchangeStep> moe::findStep(RaggedAllToAllOp op) {
  if (std::optional<ExchangeStep> inside = findStepInside(op))
    return inside;
  Operation *maker = findMaker(op.getOperand());
  for (unsigned i = 0; i < kMostNested && maker && handsOnParts(maker); ++i)
    maker = findMaker(maker->getOperand(0));
  auto before = dyn_cast_or_null<RaggedAllToAllOp>(maker);
  RaggedAllToAllOp other = before ? before : findSender(op.getResult());
  std::optional<ExchangeStep> step =
      other ? findStepInside(other) : std::nullopt;
  // In the step between nodes, rows either are from a step inside nodes or
  // continue with one.
  if (!step || step->isBack == bool(before))
    return std::nullopt;
  step->node.reset();
  return step;
}
