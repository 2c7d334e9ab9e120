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
#include "moe/Traffic/Routing.h"
#include <cmath>

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

/// Runs of rows between all ranks, as many as a gate sends tokens. Of the
/// operand and the result one has all the rows that gates send, the other room
/// for the most that a rank may receive: what is sent is the smaller of the
/// two.
struct RaggedModel
    : public ExchangeOpInterface::ExternalModel<RaggedModel, RaggedAllToAllOp> {
  /// Every rank sends as much to each: what balanced gates do.
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    FailureOr<int64_t> sent = getSent(op, getBytes);
    if (failed(sent))
      return failure();
    return OpTraffic{
        {{cast<RaggedAllToAllOp>(op).getGroup(),
          cost::BlockExchange{cost::CollectiveKind::AllToAll, *sent},
          /*dependsOnRouting=*/true}}};
  }

  /// Bytes of all the rows that a gate sends.
  static FailureOr<int64_t> getSent(Operation *op, GetBytes getBytes) {
    auto ragged = cast<RaggedAllToAllOp>(op);
    FailureOr<int64_t> sent = getBytes(ragged.getOperand());
    // A result of a size that is not known says nothing.
    if (failed(sent) ||
        !cast<RankedTensorType>(ragged.getType()).hasStaticShape())
      return sent;
    FailureOr<int64_t> received = getBytes(ragged.getResult());
    if (failed(received))
      return failure();
    return std::min(*sent, *received);
  }
};

/// Every rank sends as much to each as the counts say. On the way back all
/// messages are turned round.
struct RoutedRaggedModel
    : public RoutedExchangeOpInterface::ExternalModel<RoutedRaggedModel,
                                                      RaggedAllToAllOp> {
  FailureOr<OpTraffic>
  getRoutedExchange(Operation *op, GetBytes getBytes,
                    const traffic::Routing &routing) const {
    auto ragged = cast<RaggedAllToAllOp>(op);
    FailureOr<int64_t> sent = RaggedModel::getSent(op, getBytes);
    FailureOr<int64_t> size = ragged.getGroup().getGroupSize(op);
    FailureOr<int64_t> operand = getBytes(ragged.getOperand());
    if (failed(sent) || failed(size) || failed(operand))
      return failure();
    // In proportion: what is wanted of each message is its bytes.
    cost::Result<traffic::RowMatrix> bytes = routing.getRows(
        {getLayerName(op).str(), *size, std::nullopt}, double(*sent));
    if (!bytes)
      return op->emitOpError() << bytes.getError();
    bool isBack = *operand > *sent;
    cost::UnequalExchange blocks;
    for (int64_t from = 0; from < *size; ++from)
      for (int64_t to = 0; to < *size; ++to) {
        int64_t block = std::llround(bytes->at(from, to));
        if (block > 0)
          blocks.messages.push_back(
              {isBack ? to : from, isBack ? from : to, block});
      }
    return OpTraffic{{{ragged.getGroup(), std::move(blocks),
                       /*dependsOnRouting=*/true}}};
  }
};

template <typename... OpTs> void attachBlocks(MLIRContext &context) {
  (OpTs::template attachInterface<BlockModel<OpTs>>(context), ...);
}

} // namespace

void moe::attachExchanges(MLIRContext &context) {
  attachBlocks<AllToAllOp, AllGatherOp, ReduceScatterOp, AllReduceOp>(context);
  RaggedAllToAllOp::attachInterface<RaggedModel, RoutedRaggedModel>(context);
}
