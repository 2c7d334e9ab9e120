// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits as calls to switches.

#include "CircuitConversion.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace moe;

LogicalResult CircuitConverter::start(ocs::ReconfigureOp op) {
  if (isOpen)
    return op.emitOpError() << "cannot be put on a stream: expected a wait for "
                               "the change before it";
  Location loc = op.getLoc();
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  ocs::PlanOp plan = ocs::getPlan(op.getCircuits());
  ocs::PredictOp predict = ocs::getPrediction(op.getCircuits());
  FailureOr<SmallVector<Value>> read =
      tasks.readOnHost(loc, plan      ? plan.getDemand()
                            : predict ? predict.getOtherwise()
                                      : op.getCircuits());
  if (failed(read))
    return failure();
  Value region = host.getRegion(fabric), memory = read->front();
  OpBuilder &builder = host.getBuilder();
  isOpen = true;
  // Without a slack that is known, a change is free.
  constexpr double kForever = 1e15;
  auto given = [&](FloatAttr number, double otherwise) {
    return number ? number : builder.getF64FloatAttr(otherwise);
  };
  FloatAttr exchanges = given(op.getExchangesAttr(), 1),
            slackUs = given(op.getSlackUsAttr(), kForever);
  if (plan) {
    rt::OcsPlanOp::create(builder, loc, region, memory, exchanges, slackUs);
    return success();
  }
  // One matrix stands for all regions.
  bool isOne = cast<MemRefType>(memory.getType()).getRank() == 2;
  Value number = isOne ? host.getIndex(0) : host.getRegionNumber(fabric);
  if (predict)
    rt::OcsPredictOp::create(builder, loc, region, predict.getKeyAttr(), memory,
                             number, exchanges, slackUs);
  else
    rt::OcsSetOp::create(builder, loc, region, memory, number);
  return success();
}

LogicalResult CircuitConverter::note(ocs::NoteOp op) {
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  FailureOr<SmallVector<Value>> read =
      tasks.readOnHost(op.getLoc(), op.getDemand());
  if (failed(read))
    return failure();
  rt::OcsNoteOp::create(host.getBuilder(), op.getLoc(), host.getRegion(fabric),
                        op.getKeyAttr(), read->front());
  return success();
}

LogicalResult CircuitConverter::await(ocs::AwaitOp op) {
  if (!isOpen)
    return op.emitOpError() << "cannot be put on a stream: expected a change "
                               "before it to wait for";
  auto fabric = ocs::FabricOp::lookup(op, op.getFabricAttr());
  rt::OcsSettleOp::create(host.getBuilder(), op.getLoc(),
                          host.getRegion(fabric));
  isOpen = false;
  return success();
}
