// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Demands between servers.

#include "FindFabric.h"

using namespace mlir;
using namespace moe;
using namespace moe::ocs;

static LogicalResult checkDemand(Operation *op, FabricOp fabric, Value demand) {
  auto type = cast<RankedTensorType>(demand.getType());
  int64_t servers = fabric.getNumServers();
  if (type.getShape() == ArrayRef({servers, servers}))
    return success();
  return op->emitOpError() << "expected a demand [" << servers << ", "
                           << servers << "] of the servers of a region, got "
                           << type;
}

LogicalResult ocs::checkKey(Operation *op, StringRef key) {
  if (key.empty())
    return op->emitOpError("expected a name, got \"\"");
  return success();
}

LogicalResult DemandOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric))
    return failure();
  int64_t servers = fabric->getNumServers();
  auto counts = cast<RankedTensorType>(getCounts().getType());
  ArrayRef<int64_t> shape = counts.getShape();
  if (shape.size() != 2 || shape[0] < 1 || shape[0] % servers != 0 ||
      shape[1] < 1 || shape[1] % shape[0] != 0)
    return emitOpError() << "expected counts [G, E] of G ranks, a multiple of "
                            "the "
                         << servers
                         << " servers of a region, and E experts, a multiple "
                            "of G, got "
                         << counts;
  if (failed(checkDemand(*this, *fabric, getDemand())))
    return failure();
  if (getBytes() < 1)
    return emitOpError() << "expected at least 1 byte a row, got "
                         << getBytes();
  return success();
}

FailureOr<cost::Microseconds> DemandOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}

LogicalResult RecallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric) || failed(checkKey(*this, getKey())))
    return failure();
  if (getTimes() < 1)
    return emitOpError() << "expected a demand at least once, got "
                         << getTimes() << " times";
  return checkDemand(*this, *fabric, getDemand());
}

FailureOr<cost::Microseconds> RecallOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}

LogicalResult NoteOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FabricOp> fabric = findFabric(*this, getFabricAttr(), symbols);
  if (failed(fabric) || failed(checkKey(*this, getKey())))
    return failure();
  return checkDemand(*this, *fabric, getDemand());
}

FailureOr<cost::Microseconds> NoteOp::getTime(CostContext &) {
  return cost::Microseconds(0);
}
