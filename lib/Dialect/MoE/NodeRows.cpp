//===- NodeRows.cpp - Rows between and inside nodes -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeRows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Cost/ExpectedNodes.h"

using namespace mlir;
using namespace moe;

Value moe::getHandedOut(Value value) {
  // At the top of a module an op may read itself.
  constexpr int kMaxSteps = 64;
  for (int step = 0; step < kMaxSteps; ++step) {
    Operation *op = value.getDefiningOp();
    if (!op)
      break;
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (!isa<LayerOp, ScheduleOp, TaskOp>(op))
      break;
    // The last result of a task is its token.
    Operation *yield = op->getRegion(0).front().getTerminator();
    if (number >= yield->getNumOperands())
      break;
    value = yield->getOperand(number);
  }
  return value;
}

/// The op that makes a value, under whatever name.
template <typename OpT> static OpT getMaker(Value value) {
  return value ? getHandedOut(value).getDefiningOp<OpT>() : OpT();
}

NodePlanOp moe::findNodePlan(RaggedAllToAllOp exchange) {
  return getMaker<NodePlanOp>(exchange.getSendSizes());
}

std::optional<double> moe::getExpectedNodeRows(RaggedAllToAllOp exchange) {
  NodePlanOp plan = findNodePlan(exchange);
  if (!plan)
    return std::nullopt;
  auto gather = getMaker<AllGatherOp>(plan.getCounts());
  auto expand =
      getMaker<tensor::ExpandShapeOp>(gather ? gather.getOperand() : Value());
  auto both = getMaker<AssembleOp>(expand ? expand.getSrc() : Value());
  if (!both || both.getParts().size() != 2)
    return std::nullopt;
  auto tokens = getMaker<ExpertCountsOp>(both.getParts()[1]);
  auto nodes = getMaker<DistinctNodesOp>(tokens ? tokens.getIds() : Value());
  if (!nodes)
    return std::nullopt;
  auto ids = cast<RankedTensorType>(nodes.getIds().getType());
  auto found = cast<RankedTensorType>(nodes.getType());
  if (!ids.hasStaticShape())
    return std::nullopt;
  Value sizes = getHandedOut(exchange.getSendSizes());
  bool isBetween =
      sizes == plan.getNodeSendSizes() || sizes == plan.getNodeRecvSizes();
  if (!isBetween)
    return double(ids.getNumElements());
  int64_t choices = std::min(ids.getDimSize(1), nodes.getExperts());
  return double(ids.getDimSize(0)) *
         std::min(double(found.getDimSize(1)),
                  cost::getExpectedNodes(nodes.getExperts(), choices,
                                         nodes.getNodes()));
}
