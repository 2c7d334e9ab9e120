// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Valid ranges of expert and slot numbers.

#include "Models.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

/// Returns the product of all sizes of a value except the last `dropped`; 0 if
/// one of them is dynamic.
static int64_t countAlong(Value value, unsigned dropped) {
  int64_t count = 1;
  for (int64_t size :
       cast<RankedTensorType>(value.getType()).getShape().drop_back(dropped))
    count = ShapedType::isDynamic(size) ? 0 : count * size;
  return count;
}

static IndexRange getExperts(int64_t count) {
  return {0, std::max<int64_t>(count - 1, 0)};
}

/// Returns the range of slot numbers of a buffer [experts..., capacity,
/// hidden], with -1 for an assignment without a slot.
static IndexRange getSlots(Value buffer) {
  return {-1, std::max<int64_t>(countAlong(buffer, 1) - 1, 0)};
}

static IndexRange getRange(PermuteOp op) {
  return getExperts(countAlong(op.getBuffer(), 2));
}
static IndexRange getRange(PermuteRowsOp op) {
  return getExperts(op.getExperts());
}
static IndexRange getRange(ExpertCountsOp op) {
  return getExperts(
      cast<RankedTensorType>(op.getCounts().getType()).getShape().back());
}
/// Returns counts that cannot overflow any rank: each rank receives rows from
/// all ranks for its experts, and there are as many counts as experts.
static IndexRange getRange(RaggedPlanOp op) {
  int64_t experts =
      cast<RankedTensorType>(op.getCounts().getType()).getShape().back();
  return {0, op.getLimit() / std::max<int64_t>(experts, 1)};
}
static IndexRange getRange(DistinctNodesOp op) {
  return getExperts(op.getExperts());
}
/// Returns the range of limits; a limit equal to the number of assignments has
/// no effect.
static IndexRange getLimitRange(LimitChoicesOp op) {
  return {0, countAlong(op.getIds(), 0)};
}
/// Returns counts within both limits: each rank receives rows from all nodes
/// between nodes, and from all ranks for its experts inside them.
static IndexRange getRange(NodePlanOp op) {
  int64_t numbers = 1;
  for (int64_t size :
       cast<RankedTensorType>(op.getCounts().getType()).getShape())
    numbers *= ShapedType::isDynamic(size) ? 1 : std::max<int64_t>(size, 1);
  return {0, std::min(op.getNodeLimit(), op.getLimit()) / numbers};
}
static IndexRange getRange(UnpermuteOp op) { return getSlots(op.getBuffer()); }
static IndexRange getRange(UnpermuteWgradOp op) {
  return getSlots(op.getBuffer());
}
static IndexRange getRange(ScatterOp op) { return getSlots(op.getResult()); }
static IndexRange getRange(GateGradOp op) {
  return getExperts(
      cast<RankedTensorType>(op.getRouter().getType()).getDimSize(1));
}
/// The gradient uses only whether an expert has taken a token.
static IndexRange getRange(ExpertChoiceGradOp) { return {-1, 0}; }

namespace {

/// An op with expert or slot numbers in operand `numbers`.
template <typename OpT, unsigned numbers>
struct NumberedModel
    : public IndexOpInterface::ExternalModel<NumberedModel<OpT, numbers>, OpT> {
  std::optional<IndexRange> getIndexRange(Operation *op,
                                          unsigned operand) const {
    if (operand != numbers)
      return std::nullopt;
    return getRange(cast<OpT>(op));
  }
};

struct LimitChoicesModel
    : public IndexOpInterface::ExternalModel<LimitChoicesModel,
                                             LimitChoicesOp> {
  std::optional<IndexRange> getIndexRange(Operation *op,
                                          unsigned operand) const {
    auto limit = cast<LimitChoicesOp>(op);
    return operand == 0 ? getExperts(limit.getExperts()) : getLimitRange(limit);
  }
};

} // namespace

void moe::attachIndexRanges(MLIRContext &context) {
  PermuteOp::attachInterface<NumberedModel<PermuteOp, 1>>(context);
  PermuteRowsOp::attachInterface<NumberedModel<PermuteRowsOp, 1>>(context);
  ExpertCountsOp::attachInterface<NumberedModel<ExpertCountsOp, 0>>(context);
  RaggedPlanOp::attachInterface<NumberedModel<RaggedPlanOp, 0>>(context);
  DistinctNodesOp::attachInterface<NumberedModel<DistinctNodesOp, 0>>(context);
  NodePlanOp::attachInterface<NumberedModel<NodePlanOp, 0>>(context);
  LimitChoicesOp::attachInterface<LimitChoicesModel>(context);
  UnpermuteOp::attachInterface<NumberedModel<UnpermuteOp, 1>>(context);
  UnpermuteWgradOp::attachInterface<NumberedModel<UnpermuteWgradOp, 2>>(
      context);
  ScatterOp::attachInterface<NumberedModel<ScatterOp, 1>>(context);
  GateGradOp::attachInterface<NumberedModel<GateGradOp, 2>>(context);
  ExpertChoiceGradOp::attachInterface<NumberedModel<ExpertChoiceGradOp, 2>>(
      context);
}
