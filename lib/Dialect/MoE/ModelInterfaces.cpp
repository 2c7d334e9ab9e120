// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces through which models query ops.

#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/RunInterfaces.h"
#include "moe/Traffic/Routing.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

#include "moe/Dialect/MoE/MoEModelInterfaces.cpp.inc"
#include "moe/Dialect/MoE/MoERunInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Helpers for implementing the interfaces
//===----------------------------------------------------------------------===//

FailureOr<cost::Bytes> moe::getStaticBytes(Operation *op, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return cost::Bytes(0);
  FailureOr<int64_t> bytes = getTensorBytes(type);
  if (failed(bytes))
    return op->emitOpError()
           << (type.hasStaticShape() ? "expected less than 2^63 bytes to time, got "
                                     : "expected a static shape to time, got ")
           << type;
  return cost::Bytes(double(*bytes));
}

FailureOr<cost::Bytes> moe::getResultBytes(Operation *op) {
  cost::Bytes all(0);
  for (Value value : op->getResults()) {
    FailureOr<cost::Bytes> bytes = getStaticBytes(op, value);
    if (failed(bytes))
      return failure();
    all += *bytes;
  }
  return all;
}

FailureOr<cost::Microseconds>
moe::getCopyTime(Operation *op, CostContext &context, cost::Bytes bytes) {
  if (bytes.value() == 0)
    return cost::Microseconds(0);
  const cost::Machine &machine = context.getMachine();
  if (!machine.copy)
    return op->emitOpError() << "cannot be timed: expected platform "
                             << machine.name << " to state a copy bandwidth "
                                "(copy_bandwidth_GBps)";
  if (cost::isCopyExtrapolated(*machine.copy, bytes))
    context.addExtrapolated();
  return cost::getCopyTime(*machine.copy, bytes);
}

FailureOr<cost::Microseconds> moe::getGemmTime(Operation *op,
                                               CostContext &context,
                                               cost::Macs macs, int64_t gemms) {
  if (macs.value() == 0)
    return cost::Microseconds(0);
  const cost::Machine &machine = context.getMachine();
  if (!machine.gemm)
    return op->emitOpError() << "cannot be timed: expected platform "
                             << machine.name << " to state GEMM costs (gemm_alpha_us, "
                                "gemm_beta_us_per_mac)";
  return cost::getGemmTime(*machine.gemm, macs, gemms);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

cost::Result<cost::RankGroups> moe::getRankGroups(Operation *from,
                                                  GroupAttrInterface group) {
  FailureOr<SmallVector<SmallVector<int64_t>>> lists = group.getRankLists(from);
  if (failed(lists) || lists->empty())
    return cost::Failure{"expected a group that resolves"};
  std::vector<int64_t> ranks;
  for (ArrayRef<int64_t> list : *lists)
    llvm::append_range(ranks, list);
  return cost::RankGroups::fromLists(std::move(ranks), lists->front().size());
}

FailureOr<int64_t> moe::getSendBytes(const TrafficStage &stage,
                                     Operation *from) {
  GroupAttrInterface group = stage.group;
  FailureOr<int64_t> size = group.getGroupSize(from);
  if (failed(size) || *size < 1)
    return failure();
  cost::Result<int64_t> bytes = cost::getSentBytes(stage.traffic, *size);
  if (!bytes)
    return failure();
  return *bytes;
}

FailureOr<int64_t> moe::getSendBytes(Operation *op) {
  auto exchanging = dyn_cast<ExchangeOpInterface>(op);
  if (!exchanging)
    return failure();
  FailureOr<OpTraffic> exchange =
      exchanging.getExchange([](Value value) -> FailureOr<int64_t> {
        auto type = dyn_cast<RankedTensorType>(value.getType());
        return type ? getTensorBytes(type) : 0;
      });
  if (failed(exchange))
    return failure();
  int64_t all = 0;
  for (const TrafficStage &stage : exchange->stages) {
    FailureOr<int64_t> bytes = getSendBytes(stage, op);
    if (failed(bytes) || llvm::AddOverflow(all, *bytes, all))
      return failure();
  }
  return all;
}

StringRef moe::getLayerName(Operation *op) {
  if (auto layer = op->getParentOfType<LayerOp>())
    return layer.getName();
  auto task = op->getParentOfType<TaskOp>();
  return task ? task.getLayer() : StringRef();
}

bool moe::isAllToAll(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (!collective)
    return false;
  CollectiveKind kind = collective.getCollectiveKind();
  return kind == CollectiveKind::AllToAll ||
         kind == CollectiveKind::RaggedAllToAll;
}

bool moe::isDivisibleAllToAll(Operation *op) {
  return isAllToAll(op) && isa<ChainOpInterface>(op) &&
         op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         isa<RankedTensorType>(op->getOperand(getChainedOperand(op)).getType());
}

unsigned moe::getChainedOperand(Operation *op) {
  auto chained = dyn_cast<ChainOpInterface>(op);
  return chained ? chained.getChainedOperand() : 0;
}

bool moe::appliesExperts(Operation *op) {
  auto chained = dyn_cast<ChainOpInterface>(op);
  return chained && chained.appliesExperts();
}

cost::Resource moe::getLocalResource(Operation *op) {
  auto costs = dyn_cast<CostOpInterface>(op);
  return costs ? costs.getResource() : cost::Resource::Compute;
}
