// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting layers from slots to rows.

#include "PaddedLayer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

namespace {

class Unpadder {
public:
  explicit Unpadder(PaddedLayer padded)
      : layer(std::move(padded)), b(layer.order.getContext()),
        limit(layer.getReceiveLimit()) {}

  RaggedPlanOp run();

private:
  void buildRows();
  Value buildCounts(Value sent);
  void convert(Operation *op);
  void buildExchange(AllToAllOp op);
  template <typename OpT> void buildMoved(OpT op);
  /// Replaces `value` by `made`, also where layers return it.
  void replace(Value value, Value made) {
    value.replaceAllUsesWith(made);
    handOn(made);
  }
  void handOn(Value value);
  /// Returns a value of the forward pass' plan as an op outside its layer can
  /// read it.
  Value see(Value value, Operation *from);

  RankedTensorType integers(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getI32Type());
  }
  /// Returns the type for the rows of a buffer of slots at a place.
  RankedTensorType asRows(Type type, BufferPlace place) const {
    auto slots = cast<RankedTensorType>(type);
    int64_t rows = place == BufferPlace::Home ? layer.tokens * layer.choices
                   : place == BufferPlace::Experts ? limit
                                                   : layer.joinedRanks * limit;
    return slots.clone({rows, slots.getShape().back()});
  }
  RankedTensorType asRows(Value value) const {
    return asRows(value.getType(), layer.places.at(value));
  }

  PaddedLayer layer;
  OpBuilder b;
  int64_t limit;
  RaggedPlanOp plan;
};

} // namespace

void Unpadder::handOn(Value value) {
  for (OpOperand &use : value.getUses()) {
    auto around = dyn_cast_or_null<LayerOp>(use.getOwner()->getParentOp());
    if (!around || !isa<YieldOp>(use.getOwner()))
      continue;
    Value result = around.getResult(use.getOperandNumber());
    result.setType(value.getType());
    handOn(result);
  }
}

Value Unpadder::see(Value value, Operation *from) {
  if (value.getParentRegion()->isAncestor(from->getParentRegion()))
    return value;
  auto around = cast<LayerOp>(value.getParentRegion()->getParentOp());
  Operation *yield = around.getBody().front().getTerminator();
  unsigned before = yield->getNumOperands();
  for (unsigned i = 0; i < before; ++i)
    if (yield->getOperand(i) == value)
      return around.getResult(i);
  // Returns the whole plan at once, because the layer op must be rebuilt.
  LayerOp extended = extendLayer(around, plan->getResults());
  for (auto [old, made] : llvm::zip(around.getResults(), extended.getResults()))
    if (auto it = layer.places.find(old); it != layer.places.end()) {
      BufferPlace place = it->second;
      layer.places[made] = place;
    }
  around.erase();
  return extended.getResult(before + cast<OpResult>(value).getResultNumber());
}

Value Unpadder::buildCounts(Value sent) {
  Location loc = layer.order.getLoc();
  Value counts =
      ExpertCountsOp::create(b, loc, integers({layer.experts}), sent);
  counts = tensor::ExpandShapeOp::create(b, loc, integers({1, layer.experts}),
                                         counts,
                                         ArrayRef{ReassociationIndices{0, 1}});
  SmallVector<Attribute> axes;
  if (layer.joined)
    llvm::append_range(axes, layer.joined.getAxes());
  llvm::append_range(axes, layer.group.getAxes());
  auto all = GroupAttr::get(b.getContext(), layer.group.getMesh(),
                            b.getArrayAttr(axes));
  counts = AllGatherOp::create(b, loc, counts, all, /*dim=*/0,
                               layer.ranks * layer.joinedRanks);
  if (layer.joined)
    counts = tensor::ExpandShapeOp::create(
        b, loc, integers({layer.joinedRanks, layer.ranks, layer.experts}),
        counts, ArrayRef{ReassociationIndices{0, 1}, ReassociationIndices{2}});
  return counts;
}

void Unpadder::buildRows() {
  PermuteOp order = layer.order;
  b.setInsertionPoint(order);
  Location loc = order.getLoc();
  Value sent = order.getIds();
  // If there is a slot for every assignment, none is dropped.
  if (layer.capacity < layer.tokens * layer.choices) {
    RankedTensorType type = integers({layer.experts});
    Value limits = arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type, b.getI32IntegerAttr(layer.capacity)));
    sent = LimitChoicesOp::create(b, loc, sent.getType(), order.getKind(), sent,
                                  layer.experts, limits);
  }
  Value counts = buildCounts(sent);
  SmallVector<int64_t> runs = {layer.ranks, layer.experts / layer.ranks};
  if (layer.joined)
    runs.insert(runs.begin(), layer.joinedRanks);
  Type sizes = integers({layer.ranks}), runType = integers(runs);
  plan =
      RaggedPlanOp::create(b, loc, sizes, sizes, sizes, sizes, runType, runType,
                           counts, layer.group, layer.joined, limit);
  auto rows = PermuteRowsOp::create(b, loc, asRows(order.getBuffer()),
                                    order.getSlots().getType(), order.getKind(),
                                    order.getTokens(), sent, layer.experts);
  carryOver(order, rows);
  order.getSlots().replaceAllUsesWith(rows.getSlots());
  replace(order.getBuffer(), rows.getRows());
  order.erase();
}

void Unpadder::buildExchange(AllToAllOp op) {
  RankedTensorType type = asRows(op.getResult());
  bool isThere = layer.places.at(op.getResult()) == BufferPlace::Experts;
  Value so = see(plan.getSendOffsets(), op), ss = see(plan.getSendSizes(), op);
  Value ro = see(plan.getRecvOffsets(), op), rs = see(plan.getRecvSizes(), op);
  if (!isThere) {
    std::swap(so, ro);
    std::swap(ss, rs);
  }
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(),
                                        type.getElementType());
  auto made = RaggedAllToAllOp::create(b, op.getLoc(), type, op.getOperand(),
                                       empty, so, ss, ro, rs, layer.group);
  carryOver(op, made);
  replace(op.getResult(), made);
  op.erase();
}

template <typename OpT> void Unpadder::buildMoved(OpT op) {
  RankedTensorType type = asRows(op.getResult());
  op.setDim(op.getDim() == 3 ? 1 : 0);
  op.getResult().setType(type);
  handOn(op.getResult());
}

void Unpadder::convert(Operation *op) {
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto runOffsets = [&] { return see(plan.getRunOffsets(), op); };
  auto runSizes = [&] { return see(plan.getRunSizes(), op); };
  TypeSwitch<Operation *>(op)
      .Case([&](PermuteOp) { buildRows(); })
      .Case([&](AllToAllOp exchange) { buildExchange(exchange); })
      .Case<AllGatherOp, ReduceScatterOp>(
          [&](auto moved) { buildMoved(moved); })
      .Case([&](TransposeOp transpose) {
        replace(transpose.getResult(), transpose.getOperand());
        transpose.erase();
      })
      .Case([&](ExpertsOp experts) {
        auto made = ExpertsOp::create(
            b, loc, asRows(experts.getResult()), experts.getKind(),
            experts.getTokens(), experts.getExpertsWeights(), runOffsets(),
            runSizes(), experts.getActivationAttr(), experts.getBiased());
        carryOver(experts, made);
        replace(experts.getResult(), made.getResult());
        experts.erase();
      })
      .Case([&](ExpertsDgradOp experts) {
        auto made = ExpertsDgradOp::create(
            b, loc, asRows(experts.getResult()), experts.getKind(),
            experts.getTokens(), experts.getExpertsWeights(),
            experts.getCotangent(), runOffsets(), runSizes(),
            experts.getActivationAttr(), experts.getBiased());
        carryOver(experts, made);
        replace(experts.getResult(), made.getResult());
        experts.erase();
      })
      .Case([&](ExpertsWgradOp experts) {
        auto made = ExpertsWgradOp::create(
            b, loc, experts->getResultTypes(), experts.getKind(),
            experts.getTokens(), experts.getExpertsWeights(),
            experts.getCotangent(), runOffsets(), runSizes(),
            experts.getActivationAttr(), experts.getBiased());
        carryOver(experts, made);
        experts->replaceAllUsesWith(made);
        experts.erase();
      })
      .Case<ScatterOp, AllReduceOp, HookOp>([&](Operation *same) {
        Value result = same->getResult(0);
        result.setType(asRows(result));
        handOn(result);
      })
      // These ops read rows as a buffer, too.
      .Case<UnpermuteOp, UnpermuteWgradOp>([](auto) {})
      .Default([](Operation *) {
        llvm_unreachable("expected an op that was found");
      });
}

RaggedPlanOp Unpadder::run() {
  for (Operation *op : layer.ops)
    convert(op);
  return plan;
}

RaggedPlanOp moe::unpadLayer(PaddedLayer layer) {
  return Unpadder(std::move(layer)).run();
}
