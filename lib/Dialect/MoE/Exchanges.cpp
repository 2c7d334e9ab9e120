//===- Exchanges.cpp - Traffic of collectives -------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

using GetBytes = llvm::function_ref<FailureOr<int64_t>(Value)>;

/// The kind as the cost model knows it, and the value that is its buffer.
static std::pair<cost::CollectiveKind, Value> getBuffer(AllToAllOp op) {
  return {cost::CollectiveKind::AllToAll, op.getOperand()};
}
static std::pair<cost::CollectiveKind, Value> getBuffer(AllGatherOp op) {
  return {cost::CollectiveKind::AllGather, op.getResult()};
}
static std::pair<cost::CollectiveKind, Value> getBuffer(ReduceScatterOp op) {
  return {cost::CollectiveKind::ReduceScatter, op.getOperand()};
}
static std::pair<cost::CollectiveKind, Value> getBuffer(AllReduceOp op) {
  return {cost::CollectiveKind::AllReduce, op.getOperand()};
}

namespace {

/// A collective of equal blocks.
template <typename OpT>
struct BlockModel
    : public ExchangeOpInterface::ExternalModel<BlockModel<OpT>, OpT> {
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    auto collective = cast<OpT>(op);
    auto [kind, buffer] = getBuffer(collective);
    FailureOr<int64_t> bytes = getBytes(buffer);
    if (failed(bytes))
      return failure();
    return OpTraffic{
        {{collective.getGroup(), cost::BlockExchange{kind, *bytes}}}};
  }
};

/// Any split of the rows: at most all of the operand is sent, and all of the
/// result received.
struct RaggedModel
    : public ExchangeOpInterface::ExternalModel<RaggedModel, RaggedAllToAllOp> {
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    auto ragged = cast<RaggedAllToAllOp>(op);
    FailureOr<int64_t> size = ragged.getGroup().getGroupSize(op);
    if (failed(size))
      return failure();
    cost::BoundedExchange runs;
    // In a group of one there is nobody to send to.
    if (*size > 1) {
      FailureOr<int64_t> sent = getBytes(ragged.getOperand());
      if (failed(sent))
        return failure();
      runs.sent = *sent;
      // A result of a size that is not known says nothing.
      if (cast<RankedTensorType>(ragged.getType()).hasStaticShape()) {
        FailureOr<int64_t> received = getBytes(ragged.getResult());
        if (failed(received))
          return failure();
        runs.received = *received;
      }
    }
    return OpTraffic{{{ragged.getGroup(), runs}}};
  }
};

template <typename... OpTs> void attachBlocks(MLIRContext &context) {
  (OpTs::template attachInterface<BlockModel<OpTs>>(context), ...);
}

} // namespace

void moe::attachExchanges(MLIRContext &context) {
  attachBlocks<AllToAllOp, AllGatherOp, ReduceScatterOp, AllReduceOp>(context);
  RaggedAllToAllOp::attachInterface<RaggedModel>(context);
}
