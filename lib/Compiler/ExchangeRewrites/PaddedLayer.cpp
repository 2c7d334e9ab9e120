// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers with padded exchanges.

#include "PaddedLayer.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

int64_t PaddedLayer::getReceiveLimit() const {
  int64_t perRank = experts / ranks;
  uint64_t ofSlots = llvm::SaturatingMultiply<uint64_t>(perRank, capacity);
  uint64_t ofTokens =
      llvm::SaturatingMultiply<uint64_t>(tokens, std::min(choices, perRank));
  return llvm::SaturatingMultiply<uint64_t>(ranks, std::min(ofSlots, ofTokens));
}

bool moe::isExchanged(PermuteOp order) {
  Value buffer = order.getBuffer();
  while (buffer.hasOneUse() && isa<HookOp>(*buffer.user_begin()))
    buffer = buffer.user_begin()->getResult(0);
  return llvm::any_of(buffer.getUsers(),
                      [](Operation *user) { return isa<AllToAllOp>(user); });
}

namespace {

/// Follows buffers through the ops that read them.
class Finder {
public:
  Finder(PaddedLayer &layer, const RowProvenance &rows, std::string &reason)
      : layer(layer), rows(rows), reason(reason) {}

  bool find();

private:
  bool refuse(const Twine &why) {
    reason = why.str();
    return false;
  }
  bool refuse(Operation *op, const Twine &why) {
    return refuse("expected ops that work on rows as on slots, got " +
                  op->getName().getStringRef() + ": " + why);
  }
  bool findBuffer();
  bool visit(Operation *op);
  bool keepsRowsApart(Operation *op) {
    StringRef why = rows.getReason(op);
    return why.empty() || refuse(op, why);
  }
  bool visitExchange(AllToAllOp op);
  /// Visits an op that gathers or slices dim 2 of slots, where ranks share
  /// experts.
  template <typename OpT>
  bool visitMoved(OpT op, BufferPlace from, BufferPlace to);
  /// Checks that only the ops that were found read slots, also through layer
  /// results.
  bool checkSlots(Value slots);
  /// Returns the place of a value, or null if it is not a buffer of slots.
  const BufferPlace *lookUp(Value value) const {
    auto it = layer.places.find(value);
    return it == layer.places.end() ? nullptr : &it->second;
  }
  bool set(Operation *op, BufferPlace place) {
    for (Value result : op->getResults())
      layer.places.try_emplace(result, place);
    return true;
  }
  bool isOwnSlots(Value slots) const {
    PermuteOp order = layer.order;
    return getLiveOut(slots) == order.getSlots();
  }
  /// Returns true if all buffers that an op reads are at the same place with
  /// rows of experts.
  bool areOfExperts(ValueRange values) const {
    const BufferPlace *first = lookUp(values.front());
    return first && *first != BufferPlace::Home &&
           llvm::all_of(values, [&](Value value) {
             const BufferPlace *place = lookUp(value);
             return place && *place == *first;
           });
  }

  PaddedLayer &layer;
  const RowProvenance &rows;
  std::string &reason;
};

} // namespace

bool Finder::findBuffer() {
  PermuteOp order = layer.order;
  auto buffer = cast<RankedTensorType>(order.getBuffer().getType());
  auto ids = cast<RankedTensorType>(order.getIds().getType());
  if (buffer.getRank() != 4 || !buffer.hasStaticShape() ||
      !ids.hasStaticShape() || ids.getElementType().isIndex())
    return refuse("expected a buffer [ranks, experts of a rank, slots, hidden] "
                  "and ids of static shapes, got " +
                  debugString(buffer) + " and " + debugString(ids));
  if (order->getParentOfType<TaskOp>() || order->getParentOfType<PipelineOp>())
    return refuse("expected a layer in no task and no pipeline");
  layer.ranks = buffer.getDimSize(0);
  layer.experts = layer.ranks * buffer.getDimSize(1);
  layer.capacity = buffer.getDimSize(2);
  layer.tokens = ids.getDimSize(0);
  layer.choices = ids.getDimSize(1);
  if (layer.ranks < 1 || layer.experts < 1 || layer.capacity < 1 ||
      layer.tokens < 1 || layer.choices < 1)
    return refuse("expected ranks, experts, slots and tokens, got " +
                  debugString(buffer) + " of " + debugString(ids));
  return true;
}

bool Finder::visitExchange(AllToAllOp op) {
  BufferPlace from = *lookUp(op.getOperand());
  auto group = dyn_cast<GroupAttr>(op.getGroup());
  FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
  if (!group || failed(size) || *size != layer.ranks ||
      (layer.group && group != layer.group) || op.getSplitDim() != 0 ||
      op.getConcatDim() != 0)
    return refuse(op, "expected one group of mesh axes, of " +
                          Twine(layer.ranks) + " ranks, split 0 concat 0");
  if (from == BufferPlace::Joined)
    return refuse(op, "ranks that share experts have joined what it sends");
  layer.group = group;
  return set(op, from == BufferPlace::Home ? BufferPlace::Experts
                                           : BufferPlace::Home);
}

template <typename OpT>
bool Finder::visitMoved(OpT op, BufferPlace from, BufferPlace to) {
  BufferPlace place = *lookUp(op.getOperand());
  int64_t dim = op.getDim();
  if (dim == 3)
    return set(op, place);
  auto group = dyn_cast<GroupAttr>(op.getGroup());
  FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
  if (dim != 2 || place != from || !group || failed(size) ||
      (layer.joined && group != layer.joined))
    return refuse(op, "expected slots of experts that one group of mesh axes "
                      "joins and parts along dim 2, or dim 3");
  layer.joined = group;
  layer.joinedRanks = *size;
  return set(op, to);
}

bool Finder::visit(Operation *op) {
  if (isa<FunctionOpInterface>(op->getParentOp()) &&
      op->hasTrait<OpTrait::IsTerminator>())
    return refuse("expected slots that only the layer and its backward pass "
                  "read, got a function that hands them out");
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](PermuteOp order) {
        if (order != layer.order)
          return refuse(op, "it orders what has been ordered");
        layer.places.try_emplace(order.getBuffer(), BufferPlace::Home);
        return true;
      })
      .Case([&](ScatterOp scatter) {
        PermuteOp order = layer.order;
        if (lookUp(scatter.getRows()) ||
            cast<RankedTensorType>(scatter.getResult().getType())
                    .getShape()
                    .drop_back() !=
                cast<RankedTensorType>(order.getBuffer().getType())
                    .getShape()
                    .drop_back())
          return refuse(op, "it fills another buffer");
        return set(op, BufferPlace::Home);
      })
      .Case([&](AllToAllOp exchange) { return visitExchange(exchange); })
      .Case([&](AllGatherOp gather) {
        return visitMoved(gather, BufferPlace::Experts, BufferPlace::Joined);
      })
      .Case([&](ReduceScatterOp reduce) {
        return visitMoved(reduce, BufferPlace::Joined, BufferPlace::Experts);
      })
      .Case([&](TransposeOp transpose) {
        if (!areOfExperts(op->getOperands()) ||
            transpose.getPermutation() != ArrayRef<int64_t>{1, 0, 2, 3})
          return refuse(op, "expected ranks and experts of received slots to "
                            "change places");
        return set(op, *lookUp(transpose.getOperand()));
      })
      .Case([&](ExpertsOp experts) {
        if (!areOfExperts(experts.getTokens()) || experts.getRunSizes())
          return refuse(op, "expected tokens of received slots");
        return set(op, *lookUp(experts.getTokens()));
      })
      .Case([&](ExpertsDgradOp experts) {
        if (!areOfExperts({experts.getTokens(), experts.getCotangent()}) ||
            experts.getRunSizes())
          return refuse(op, "expected tokens and gradients of received slots");
        return set(op, *lookUp(experts.getTokens()));
      })
      .Case([&](ExpertsWgradOp experts) {
        return (areOfExperts({experts.getTokens(), experts.getCotangent()}) &&
                !experts.getRunSizes()) ||
               refuse(op, "expected tokens and gradients of received slots");
      })
      .Case<UnpermuteOp, UnpermuteWgradOp>([&](auto unpermute) {
        const BufferPlace *place = lookUp(unpermute.getBuffer());
        return (place && *place == BufferPlace::Home &&
                isOwnSlots(unpermute.getSlots())) ||
               refuse(op, "it reads slots of another buffer");
      })
      .Case<AllReduceOp, HookOp>(
          [&](auto) { return set(op, *lookUp(op->getOperand(0))); })
      .Default([&](Operation *) {
        return refuse(op, "what it makes of free slots is not known");
      });
}

bool Finder::checkSlots(Value slots) {
  for (OpOperand &use : slots.getUses()) {
    auto around = dyn_cast_or_null<LayerOp>(use.getOwner()->getParentOp());
    if (around && isa<YieldOp>(use.getOwner())) {
      if (!checkSlots(around.getResult(use.getOperandNumber())))
        return false;
    } else if (!llvm::is_contained(layer.ops, use.getOwner())) {
      return refuse(use.getOwner(), "it reads the numbers of slots");
    }
  }
  return true;
}

bool Finder::find() {
  if (!findBuffer())
    return false;
  auto function = layer.order->getParentOfType<FunctionOpInterface>();
  if (!function)
    return refuse("expected a layer in a function");
  bool isDone = true;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto reads = [&](Value value) { return lookUp(value) != nullptr; };
    auto takes = [&](Value value) { return isOwnSlots(value); };
    if (!llvm::any_of(op->getOperands(), reads) &&
        op != layer.order.getOperation() &&
        !(llvm::any_of(op->getOperands(), takes) &&
          isa<ScatterOp, UnpermuteOp, UnpermuteWgradOp>(op)))
      return WalkResult::advance();
    if (auto around = dyn_cast<LayerOp>(op->getParentOp());
        around && op->hasTrait<OpTrait::IsTerminator>()) {
      for (auto [value, result] :
           llvm::zip_equal(op->getOperands(), around.getResults()))
        if (const BufferPlace *place = lookUp(value)) {
          BufferPlace same = *place;
          layer.places.try_emplace(result, same);
        }
      return WalkResult::advance();
    }
    if (!isa<LayerOp, FunctionOpInterface>(op->getParentOp()))
      isDone = refuse(op, "it is in another op of the layer");
    else
      isDone = visit(op) && keepsRowsApart(op);
    layer.ops.push_back(op);
    return isDone ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (isDone && !layer.group)
    return refuse("expected an exchange of the buffer, got none");
  if (isDone && layer.joined &&
      llvm::any_of(layer.joined.getAxes(), [&](Attribute axis) {
        return llvm::is_contained(layer.group.getAxes(), axis);
      }))
    return refuse("expected ranks that share experts along other axes than "
                  "those that exchange");
  // Row numbers have 32 bits.
  constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();
  if (isDone &&
      (llvm::SaturatingMultiply<uint64_t>(layer.getReceiveLimit(),
                                          layer.joinedRanks) > kMost ||
       llvm::SaturatingMultiply<uint64_t>(layer.tokens, layer.choices) > kMost))
    return refuse("expected at most " + Twine(kMost) + " rows, got more");
  // Slot numbers become row numbers in the ragged layer.
  return isDone && checkSlots(layer.order.getSlots());
}

std::optional<PaddedLayer> moe::findPaddedLayer(PermuteOp order,
                                                const RowProvenance &rows,
                                                std::string &reason) {
  PaddedLayer layer;
  layer.order = order;
  if (!Finder(layer, rows, reason).find())
    return std::nullopt;
  return layer;
}
