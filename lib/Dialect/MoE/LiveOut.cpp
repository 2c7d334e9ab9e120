// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that regions pass to their parent ops.

#include "moe/Dialect/MoE/LiveOut.h"

using namespace mlir;
using namespace moe;

Value moe::getLiveOut(Value value) {
  // At the top of a module, an op may read itself, so the steps are bounded.
  constexpr int kMaxSteps = 64;
  for (int step = 0; step < kMaxSteps; ++step) {
    Operation *op = value.getDefiningOp();
    if (!op)
      break;
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (!isa<LayerOp, ScheduleOp, TaskOp>(op))
      break;
    // The last result of a task is its token, which has no inner value.
    Operation *yield = op->getRegion(0).front().getTerminator();
    if (number >= yield->getNumOperands())
      break;
    value = yield->getOperand(number);
  }
  return value;
}

LayerOp moe::extendLayer(LayerOp layer, ValueRange inside) {
  Operation *yield = layer.getBody().front().getTerminator();
  unsigned before = yield->getNumOperands();
  yield->insertOperands(before, inside);
  OpBuilder outside(layer);
  auto extended =
      LayerOp::create(outside, layer.getLoc(), yield->getOperandTypes(),
                      layer.getNameAttr(), layer.getPhaseAttr());
  extended->setDiscardableAttrs(layer->getDiscardableAttrDictionary());
  extended.getBody().takeBody(layer.getBody());
  layer->replaceAllUsesWith(extended.getResults().take_front(before));
  return extended;
}
