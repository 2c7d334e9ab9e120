// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which numbers name experts and slots.

#include "Models.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

/// The product of all sizes of a value but the last `dropped`; 0 when one of
/// them is dynamic.
static int64_t countAlong(Value value, unsigned dropped) {
  int64_t count = 1;
  for (int64_t size :
       cast<RankedTensorType>(value.getType()).getShape().drop_back(dropped))
    count = ShapedType::isDynamic(size) ? 0 : count * size;
  return count;
}

/// Numbers of `count` experts.
static IndexRange getExperts(int64_t count) {
  return {0, std::max<int64_t>(count - 1, 0)};
}

/// Numbers of the slots of a buffer [experts..., capacity, hidden], and -1 for
/// a copy that has none.
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
/// Counts that overflow no rank, however they fall: each receives from all
/// ranks for its experts, as many numbers as there are experts.
static IndexRange getRange(RaggedPlanOp op) {
  int64_t experts =
      cast<RankedTensorType>(op.getCounts().getType()).getShape().back();
  return {0, op.getLimit() / std::max<int64_t>(experts, 1)};
}
static IndexRange getRange(DistinctNodesOp op) {
  return getExperts(op.getExperts());
}
/// Limits: as many as there are copies limit nothing.
static IndexRange getLimitRange(LimitChoicesOp op) {
  return {0, countAlong(op.getIds(), 0)};
}
/// Likewise of both limits: what a rank receives between nodes comes from all
/// of them, inside from all ranks for its experts.
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
/// Whether an expert has taken a token is all that counts.
static IndexRange getRange(ExpertChoiceGradOp) { return {-1, 0}; }

namespace {

/// An op of which one operand, `operand`, holds numbers.
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
