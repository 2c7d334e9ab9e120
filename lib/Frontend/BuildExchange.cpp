// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange of tokens with experts.
//
// The steps that padded and dropless layers implement differently: placing
// copies of tokens, exchanging them, and arranging them for the experts.

#include "ModuleBuilder.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace moe;

Value ModuleBuilder::orderTokens(Value tokens, Exchange &exchange) {
  Type idType = exchange.ids.getType();
  if (!isDropless()) {
    RankedTensorType slotType = getSlotType();
    auto order = PermuteOp::create(b, loc(".permute"), slotType, idType,
                                   OrderKind::Choice, tokens, exchange.ids);
    exchange.slots = order.getSlots();
    return order.getBuffer();
  }
  // Other ranks wait for the counts, so these are first.
  planExchange(exchange);
  auto order = PermuteRowsOp::create(
      b, loc(".permute"),
      tensor({layout.routedTokens * config.topK, config.getExpertWidth()}),
      idType, OrderKind::Choice, tokens, exchange.ids,
      config.getScoredExperts());
  exchange.slots = order.getSlots();
  return order.getRows();
}

void ModuleBuilder::planExchange(Exchange &exchange) {
  auto integers = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getI32Type());
  };
  int64_t experts = config.numExperts;
  Value counts = ExpertCountsOp::create(
      b, loc(".counts"), integers({config.getScoredExperts()}), exchange.ids);
  // No rank holds the identity experts.
  if (config.identityExperts > 0)
    counts = sliceLeading(counts, 0, experts, ".counts.sent");
  counts = tensor::ExpandShapeOp::create(b, loc(".counts.expand"),
                                         integers({1, experts}), counts,
                                         ArrayRef{ReassociationIndices{0, 1}});
  // Ranks with rows that meet before the experts also plan for each other.
  SmallVector<StringRef> axes;
  int64_t ranks = layout.ep;
  if (gathersRows()) {
    axes.assign(layout.espAxes.begin(), layout.espAxes.end());
    ranks *= layout.esp;
  }
  llvm::append_range(axes, layout.epAxes);
  exchange.counts = AllGatherOp::create(b, loc(".counts.gather"), counts,
                                        group(axes), /*dim=*/0, ranks);
  planRows(exchange);
}

void ModuleBuilder::planRows(Exchange &exchange) {
  auto integers = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getI32Type());
  };
  GroupAttr joined;
  Value all = exchange.counts;
  SmallVector<int64_t> runShape = {layout.ep, layout.localExperts};
  if (gathersRows()) {
    joined = group(layout.espAxes);
    runShape.insert(runShape.begin(), layout.esp);
    all = tensor::ExpandShapeOp::create(
        b, loc(".counts.groups"),
        integers({layout.esp, layout.ep, config.numExperts}), all,
        ArrayRef{ReassociationIndices{0, 1}, ReassociationIndices{2}});
  }
  Type sizes = integers({layout.ep}), runs = integers(runShape);
  auto plan = RaggedPlanOp::create(b, loc(".plan"), sizes, sizes, sizes, sizes,
                                   runs, runs, all, group(layout.epAxes),
                                   joined, layout.receiveLimit);
  exchange.sent = {plan.getSendOffsets(), plan.getSendSizes()};
  exchange.received = {plan.getRecvOffsets(), plan.getRecvSizes()};
  exchange.runs = {plan.getRunOffsets(), plan.getRunSizes()};
}

RankedTensorType ModuleBuilder::getSlotType() {
  if (config.identityExperts > 0)
    return tensor(
        {config.getScoredExperts(), layout.capacity, config.getExpertWidth()});
  return tensor({layout.ep, layout.localExperts, layout.capacity,
                 config.getExpertWidth()});
}

Value ModuleBuilder::sliceLeading(Value value, int64_t from, int64_t count,
                                  StringRef name) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), sizes;
  offsets.front() = b.getIndexAttr(from);
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  sizes.front() = b.getIndexAttr(count);
  return tensor::ExtractSliceOp::create(
      b, loc(name), value, offsets, sizes,
      SmallVector<OpFoldResult>(type.getRank(), b.getIndexAttr(1)));
}

Value ModuleBuilder::splitKept(Value rows, Value &kept, StringRef name) {
  if (config.identityExperts == 0)
    return rows;
  if (isDropless()) {
    // The rows of identity experts are last and are not sent.
    kept = rows;
    return rows;
  }
  kept = sliceLeading(rows, config.numExperts, config.identityExperts,
                      (name + ".kept").str());
  Value sent = sliceLeading(rows, 0, config.numExperts, (name + ".sent").str());
  return tensor::ExpandShapeOp::create(
      b, loc(name + ".expand"),
      tensor({layout.ep, layout.localExperts, layout.capacity,
              config.getExpertWidth()}),
      sent, SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}});
}

Value ModuleBuilder::joinKept(Value rows, Value kept, StringRef name) {
  if (!kept || isDropless())
    return rows;
  Value sent = tensor::CollapseShapeOp::create(
      b, loc(name + ".collapse"),
      tensor({config.numExperts, layout.capacity, config.getExpertWidth()}),
      rows, SmallVector<ReassociationIndices>{{0, 1}, {2}, {3}});
  return AssembleOp::create(b, loc(name + ".join"), getSlotType(),
                            ValueRange{sent, kept}, /*dim=*/0);
}

Value ModuleBuilder::exchangeRows(Value rows, const Exchange &exchange,
                                  Direction direction, StringRef name,
                                  Value kept) {
  GroupAttr ep = group(layout.epAxes);
  if (!isDropless())
    return AllToAllOp::create(b, loc(name), rows, ep, /*splitDim=*/0,
                              /*concatDim=*/0, layout.ep);
  bool isThere = direction == Direction::ToExperts;
  const RowRange &from = isThere ? exchange.sent : exchange.received;
  const RowRange &into = isThere ? exchange.received : exchange.sent;
  RankedTensorType type =
      tensor({isThere ? layout.receiveLimit : layout.routedTokens * config.topK,
              config.getExpertWidth()});
  Value empty = kept;
  if (!empty)
    empty = tensor::EmptyOp::create(b, loc(name + ".empty"), type.getShape(),
                                    elementType);
  return RaggedAllToAllOp::create(b, loc(name), type, rows, empty, from.offsets,
                                  from.sizes, into.offsets, into.sizes, ep);
}

Value ModuleBuilder::swapLeading(Value value, StringRef name) {
  if (isDropless())
    return value;
  return TransposeOp::create(b, loc(name), value,
                             ArrayRef<int64_t>{1, 0, 2, 3});
}
