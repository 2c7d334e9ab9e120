// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exchanges that use the sizes of a plan.

#include "moe/Transforms/PlannedExchanges.h"

using namespace mlir;
using namespace moe;

static bool refuse(std::string &reason, const Twine &why) {
  reason = why.str();
  return false;
}

bool PlannedExchanges::follow(Value value, unsigned result,
                              std::string &reason) {
  // At the top level of a module, an op may be its own operand.
  if (!results.insert({value, result}).second)
    return true;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto layer = dyn_cast<LayerOp>(user->getParentOp());
    if (layer && isa<YieldOp>(user)) {
      if (!follow(layer.getResult(use.getOperandNumber()), result, reason))
        return false;
      continue;
    }
    auto exchange = dyn_cast<RaggedAllToAllOp>(user);
    if (!exchange || user->getParentOfType<PipelineOp>())
      return refuse(
          reason, "expected offsets and sizes that exchanges read, perhaps in "
                  "another layer, got " +
                      user->getName().getStringRef());
    if (llvm::none_of(exchanges, [&](const PlannedExchange &known) {
          return known.op == exchange;
        }))
      exchanges.push_back({exchange, false});
  }
  return true;
}

bool PlannedExchanges::run(std::string &reason) {
  for (unsigned i = 0; i < 4; ++i)
    if (!follow(plan->getResult(i), i, reason))
      return false;
  for (PlannedExchange &exchange : exchanges) {
    RaggedAllToAllOp op = exchange.op;
    SmallVector<unsigned> read;
    for (Value value : {op.getSendOffsets(), op.getSendSizes(),
                        op.getRecvOffsets(), op.getRecvSizes()}) {
      auto *it = results.find(value);
      read.push_back(it == results.end() ? 4 : it->second);
    }
    exchange.isBack = read == ArrayRef<unsigned>{2, 3, 0, 1};
    if ((!exchange.isBack && read != ArrayRef<unsigned>{0, 1, 2, 3}) ||
        op.getGroup() != plan.getGroup())
      return refuse(reason, "expected exchanges of the plan's group that send "
                            "by its sizes or by those received, got others");
    auto near = cast<RankedTensorType>(
        (exchange.isBack ? op.getResult() : op.getOperand()).getType());
    auto far = cast<RankedTensorType>(
        (exchange.isBack ? op.getOperand() : op.getResult()).getType());
    if (!near.hasStaticShape() || !far.hasStaticShape())
      return refuse(reason, "expected rows of a static shape");
    nearRows = std::max(nearRows, near.getDimSize(0));
    farRows = std::max(farRows, far.getDimSize(0));
  }
  if (exchanges.empty())
    return refuse(reason, "expected exchanges by the plan, got none");
  return true;
}

std::optional<PlannedExchanges> PlannedExchanges::find(RaggedPlanOp plan,
                                                       std::string &reason) {
  PlannedExchanges found(plan);
  if (!found.run(reason))
    return std::nullopt;
  return found;
}

void PlannedExchanges::handOut(Operation *made) {
  auto layer = made->getParentOfType<LayerOp>();
  bool isNeeded = llvm::any_of(exchanges, [&](const PlannedExchange &exchange) {
    return layer && !layer->isProperAncestor(exchange.op);
  });
  if (!isNeeded)
    return;
  Operation *yield = layer.getBody().front().getTerminator();
  yield->insertOperands(yield->getNumOperands(), made->getResults());
  SmallVector<Type> types(layer.getResultTypes());
  llvm::append_range(types, made->getResultTypes());
  OperationState state(layer.getLoc(), layer->getName());
  state.addTypes(types);
  state.addAttributes(layer->getAttrDictionary().getValue());
  state.addRegion()->takeBody(layer.getBody());
  OpBuilder builder(layer);
  Operation *extended = builder.create(state);
  for (auto [old, value] :
       llvm::zip_first(layer.getResults(), extended->getResults()))
    old.replaceAllUsesWith(value);
  llvm::append_range(handedOut,
                     extended->getResults().take_back(made->getNumResults()));
  layer.erase();
}

SmallVector<Value> PlannedExchanges::see(Operation *made,
                                         Operation *exchange) const {
  auto layer = made->getParentOfType<LayerOp>();
  if (!layer || layer->isProperAncestor(exchange))
    return SmallVector<Value>(made->getResults());
  return handedOut;
}
