// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of rows between and inside nodes.

#include "NodeRows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Cost/ExpectedNodes.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"

using namespace mlir;
using namespace moe;

/// Returns the value with all numbers of `value`, or a superset; null for a
/// computed value.
static Value findWhole(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto pipeline = dyn_cast<PipelineOp>(argument.getOwner()->getParentOp());
    return pipeline ? pipeline->getOperand(argument.getArgNumber()) : Value();
  }
  Operation *op = value.getDefiningOp();
  if (auto pipeline = dyn_cast<PipelineOp>(op))
    return pipeline.getBody().front().getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber());
  if (isReshape(op) ||
      isa<tensor::ExtractSliceOp, tensor::CastOp, AllGatherOp>(op))
    return op->getOperand(0);
  // An assemble of expert and node numbers ends with the nodes; chunks are
  // represented by the last one.
  if (auto assemble = dyn_cast<AssembleOp>(op))
    return assemble.getParts().empty() ? Value() : assemble.getParts().back();
  return {};
}

Value moe::findOrigin(Value value) {
  // At the top of a module, an op may read itself, so the steps are bounded.
  constexpr int kMaxSteps = 64;
  value = getLiveOut(value);
  for (int step = 0; step < kMaxSteps; ++step) {
    Value whole = findWhole(value);
    if (!whole)
      break;
    value = getLiveOut(whole);
  }
  return value;
}

std::optional<NodeExchange> moe::findNodeExchange(RaggedAllToAllOp exchange) {
  Value sizes = findOrigin(exchange.getSendSizes());
  auto plan = sizes.getDefiningOp<NodePlanOp>();
  if (!plan)
    return std::nullopt;
  auto counts = findOrigin(plan.getCounts()).getDefiningOp<ExpertCountsOp>();
  if (!counts)
    return std::nullopt;
  auto listed = findOrigin(counts.getIds()).getDefiningOp<DistinctNodesOp>();
  auto counted = cast<RankedTensorType>(counts.getIds().getType());
  auto runs = cast<RankedTensorType>(plan.getRunSizes().getType());
  if (!listed || !counted.hasStaticShape() || counted.getRank() < 2)
    return std::nullopt;
  auto ids = cast<RankedTensorType>(listed.getIds().getType());
  NodeExchange found;
  found.isBetween =
      sizes == plan.getNodeSendSizes() || sizes == plan.getNodeRecvSizes();
  found.isBack =
      sizes == plan.getNodeRecvSizes() || sizes == plan.getRecvSizes();
  found.nodes = listed.getNodes();
  found.places = runs.getDimSize(runs.getRank() - 2);
  found.experts = listed.getExperts();
  found.tokens = counted.getDimSize(counted.getRank() - 2);
  found.choices = std::min(ids.getDimSize(1), found.experts);
  found.width = counted.getShape().back();
  if (found.choices < 1 || found.width < 1)
    return std::nullopt;
  return found;
}

double NodeExchange::getExpectedRows() const {
  if (!isBetween)
    return double(getCopies());
  // A gate with a limit on nodes chooses nodes first, and then experts on them.
  bool isLimited = width < std::min(choices, nodes);
  int64_t chosen = isLimited ? width : nodes;
  int64_t from = experts / nodes * chosen;
  return double(tokens) *
         cost::getExpectedNodes(from, std::min(choices, from), chosen);
}
