//===- SplitRaggedPlan.cpp - Uneven rows in two steps ---------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Rows of uneven runs go to another node by way of the rank of their own node
/// that has the like place there, and come back the same way. Such a rank holds
/// what its node sends to its place of all nodes: `[node][place of source]`, so
/// that what goes to a node lies in one piece, as what comes from one does at
/// the end. Within a node there is an exchange for each node that rows go to,
/// as those for one node and one place lie in one piece, those for a place do
/// not.
///
/// Who holds how much follows from the counts that all ranks have: a plan of
/// the ranks of like places, of what each of them gets. Seen from such a rank
/// the sources of rows are the nodes they go to, and their experts the ranks of
/// its node that they come from: its runs are what is held.
///
//===----------------------------------------------------------------------===//

#include "RulePatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

namespace {

/// An exchange by a plan, and whether rows go back by it.
struct PlannedExchange {
  RaggedAllToAllOp op;
  bool isBack;
};

class Splitter {
public:
  Splitter(RaggedPlanOp plan, std::string &reason)
      : plan(plan), reason(reason), builder(plan) {}

  std::optional<AxisSplit> run();

private:
  bool refuse(const Twine &why) {
    reason = why.str();
    return false;
  }
  bool findSplit();
  /// Finds the exchanges that read a result of the plan, perhaps in another
  /// layer.
  bool follow(Value value, unsigned result);
  bool findExchanges();
  /// Builds the plan of ranks of like places behind the given one.
  void buildPlan();
  /// Lets the plan's layer hand the new plan out.
  void handOut();
  void split(const PlannedExchange &exchange);

  Value collapse(Value value, ArrayRef<ReassociationIndices> groups) {
    return tensor::CollapseShapeOp::create(builder, loc(), value, groups);
  }
  /// `size` slices from `offset` on along `dim`; without the dim where `drops`.
  Value slice(Value value, int64_t dim, int64_t offset, int64_t size,
              bool drops = false);
  Value drop(Value value, GroupAttrInterface group, int64_t dim);
  Value addUp(Value value, int64_t dim);
  Value exchange(RaggedAllToAllOp like, Value rows, Value init, GroupAttr group,
                 Value sendOffsets, Value sendSizes, Value recvOffsets,
                 Value recvSizes);
  Location loc() { return plan.getLoc(); }

  RaggedPlanOp plan;
  std::string &reason;
  OpBuilder builder;
  AxisSplit axes;
  /// Per value that is a result of the plan, its number.
  llvm::MapVector<Value, unsigned> results;
  llvm::SmallVector<PlannedExchange> exchanges;
  /// Rows that a rank holds for its node at most.
  int64_t held = 0;
  RaggedPlanOp between;
  /// Results of `between`, where the plan's layer hands them out.
  SmallVector<Value> handedOut;
};

} // namespace

bool Splitter::findSplit() {
  if (isScheduled(plan))
    return refuse(kScheduled);
  if (plan->getParentOfType<PipelineOp>())
    return refuse("expected rows that are planned outside of pipelines: "
                  "exchanges in two steps come before chunks of tokens");
  std::optional<AxisSplit> found = splitAxes(plan, plan.getGroup(), reason);
  if (!found)
    return false;
  if (!cast<RankedTensorType>(plan.getCounts().getType()).hasStaticShape())
    return refuse("expected counts of a static shape");
  axes = *found;
  return true;
}

bool Splitter::follow(Value value, unsigned result) {
  // At the top of a module an op may read itself.
  if (!results.try_emplace(value, result).second)
    return true;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto layer = dyn_cast<LayerOp>(user->getParentOp());
    if (layer && isa<YieldOp>(user)) {
      if (!follow(layer.getResult(use.getOperandNumber()), result))
        return false;
      continue;
    }
    auto exchange = dyn_cast<RaggedAllToAllOp>(user);
    if (!exchange || user->getParentOfType<PipelineOp>())
      return refuse(
          "expected offsets and sizes that exchanges read, perhaps in "
          "another layer, got " +
          user->getName().getStringRef());
    if (llvm::none_of(exchanges, [&](const PlannedExchange &known) {
          return known.op == exchange;
        }))
      exchanges.push_back({exchange, false});
  }
  return true;
}

bool Splitter::findExchanges() {
  for (unsigned i = 0; i < 4; ++i)
    if (!follow(plan->getResult(i), i))
      return false;
  int64_t rows = -1;
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
      return refuse("expected exchanges of the plan's group that send by its "
                    "sizes or by those received, got others");
    auto near = cast<RankedTensorType>(
        (exchange.isBack ? op.getResult() : op.getOperand()).getType());
    auto far = cast<RankedTensorType>(
        (exchange.isBack ? op.getOperand() : op.getResult()).getType());
    if (!near.hasStaticShape() || !far.hasStaticShape())
      return refuse("expected rows of a static shape");
    rows = std::max(rows, near.getDimSize(0));
  }
  if (exchanges.empty())
    return refuse("expected exchanges by the plan, got none");
  // What a node has, and what the ranks of one place of all nodes may get.
  held = std::min(
      llvm::SaturatingMultiply<uint64_t>(axes.innerSize, rows),
      llvm::SaturatingMultiply<uint64_t>(axes.outerSize, plan.getLimit()));
  return true;
}

Value Splitter::slice(Value value, int64_t dim, int64_t offset, int64_t size,
                      bool drops) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  for (auto [d, extent] : llvm::enumerate(type.getShape())) {
    bool isCut = static_cast<int64_t>(d) == dim;
    sizes.push_back(builder.getIndexAttr(isCut ? size : extent));
    if (!isCut || !drops)
      shape.push_back(isCut ? size : extent);
  }
  offsets[dim] = builder.getIndexAttr(offset);
  return tensor::ExtractSliceOp::create(builder, loc(), type.clone(shape),
                                        value, offsets, sizes, strides);
}

Value Splitter::drop(Value value, GroupAttrInterface group, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= *group.getGroupSize(plan);
  return DropOp::create(builder, loc(), type.clone(shape), value, group, dim);
}

Value Splitter::addUp(Value value, int64_t dim) {
  auto getSize = [&] {
    return cast<RankedTensorType>(value.getType()).getDimSize(dim);
  };
  while (getSize() > 1) {
    int64_t half = getSize() / 2;
    Value sum =
        arith::AddIOp::create(builder, loc(), slice(value, dim, 0, half),
                              slice(value, dim, half, half));
    if (getSize() % 2 != 0) {
      // The odd one goes to the first.
      Value odd = slice(value, dim, 2 * half, 1);
      Value first =
          arith::AddIOp::create(builder, loc(), slice(sum, dim, 0, 1), odd);
      SmallVector<Value> parts{first};
      if (half > 1)
        parts.push_back(slice(sum, dim, 1, half - 1));
      sum = parts.size() == 1
                ? first
                : AssembleOp::create(builder, loc(), sum.getType(), parts, dim)
                      .getResult();
    }
    value = sum;
  }
  return value;
}

void Splitter::buildPlan() {
  builder.setInsertionPointAfter(plan);
  int64_t nodes = axes.outerSize, places = axes.innerSize;
  Value counts = plan.getCounts();
  if (plan.getJoined())
    counts = collapse(drop(counts, *plan.getJoined(), 0), {{0, 1}, {2}});
  auto type = cast<RankedTensorType>(counts.getType());
  int64_t own = type.getDimSize(1) / (nodes * places);
  // [node, place, node it goes to, place it goes to, expert].
  counts = tensor::ExpandShapeOp::create(
      builder, loc(), type.clone({nodes, places, nodes, places, own}), counts,
      ArrayRef<ReassociationIndices>{{0, 1}, {2, 3, 4}});
  counts = collapse(drop(counts, axes.inner, 3), {{0}, {1}, {2}, {3, 4}});
  counts = collapse(addUp(counts, 3), {{0}, {1}, {2, 3}});
  counts =
      TransposeOp::create(builder, loc(), counts, ArrayRef<int64_t>{2, 0, 1});
  counts = collapse(counts, {{0}, {1, 2}});
  auto element = getElementTypeOrSelf(plan.getSendOffsets().getType());
  Type ofNodes = RankedTensorType::get({nodes}, element);
  Type ofRanks = RankedTensorType::get({nodes, places}, element);
  between = RaggedPlanOp::create(
      builder, loc(),
      TypeRange{ofNodes, ofNodes, ofNodes, ofNodes, ofRanks, ofRanks}, counts,
      axes.outer, GroupAttrInterface(), held);
}

void Splitter::handOut() {
  auto layer = plan->getParentOfType<LayerOp>();
  bool isNeeded = llvm::any_of(exchanges, [&](const PlannedExchange &exchange) {
    return layer && !layer->isProperAncestor(exchange.op);
  });
  if (!isNeeded)
    return;
  Operation *yield = layer.getBody().front().getTerminator();
  yield->insertOperands(yield->getNumOperands(), between->getResults());
  SmallVector<Type> types(layer.getResultTypes());
  llvm::append_range(types, between->getResultTypes());
  OperationState state(layer.getLoc(), layer->getName());
  state.addTypes(types);
  state.addAttributes(layer->getAttrDictionary().getValue());
  state.addRegion()->takeBody(layer.getBody());
  builder.setInsertionPoint(layer);
  Operation *made = builder.create(state);
  for (auto [old, value] :
       llvm::zip_first(layer.getResults(), made->getResults()))
    old.replaceAllUsesWith(value);
  llvm::append_range(handedOut,
                     made->getResults().take_back(between->getNumResults()));
  layer.erase();
}

Value Splitter::exchange(RaggedAllToAllOp like, Value rows, Value init,
                         GroupAttr group, Value sendOffsets, Value sendSizes,
                         Value recvOffsets, Value recvSizes) {
  auto made = RaggedAllToAllOp::create(builder, like.getLoc(), init.getType(),
                                       rows, init, sendOffsets, sendSizes,
                                       recvOffsets, recvSizes, group);
  carryOver(like, made);
  return made;
}

void Splitter::split(const PlannedExchange &exchange) {
  RaggedAllToAllOp op = exchange.op;
  builder.setInsertionPoint(op);
  auto layer = between->getParentOfType<LayerOp>();
  bool isInside = !layer || layer->isProperAncestor(op);
  SmallVector<Value> nodes =
      isInside ? SmallVector<Value>(between->getResults()) : handedOut;
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = held;
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), shape,
                                        type.getElementType());
  // Within the node: what goes to a node, or comes from one.
  auto exchangeInside = [&](Value rows, Value init) {
    Value offsets = exchange.isBack ? op.getRecvOffsets() : op.getSendOffsets();
    Value sizes = exchange.isBack ? op.getRecvSizes() : op.getSendSizes();
    for (int64_t node = 0; node < axes.outerSize; ++node) {
      Value nearOffsets =
          slice(offsets, 0, node * axes.innerSize, axes.innerSize);
      Value nearSizes = slice(sizes, 0, node * axes.innerSize, axes.innerSize);
      Value heldOffsets = slice(nodes[4], 0, node, 1, /*drops=*/true);
      Value heldSizes = slice(nodes[5], 0, node, 1, /*drops=*/true);
      init = exchange.isBack
                 ? this->exchange(op, rows, init, axes.inner, heldOffsets,
                                  heldSizes, nearOffsets, nearSizes)
                 : this->exchange(op, rows, init, axes.inner, nearOffsets,
                                  nearSizes, heldOffsets, heldSizes);
    }
    return init;
  };
  Value result;
  if (exchange.isBack) {
    Value rows = this->exchange(op, op.getOperand(), empty, axes.outer,
                                nodes[0], nodes[1], nodes[2], nodes[3]);
    result = exchangeInside(rows, op.getInit());
  } else {
    Value rows = exchangeInside(op.getOperand(), empty);
    result = this->exchange(op, rows, op.getInit(), axes.outer, nodes[2],
                            nodes[3], nodes[0], nodes[1]);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

std::optional<AxisSplit> Splitter::run() {
  if (!findSplit() || !findExchanges())
    return std::nullopt;
  buildPlan();
  handOut();
  for (const PlannedExchange &exchange : exchanges)
    split(exchange);
  return axes;
}

std::optional<AxisSplit> moe::splitRaggedPlan(RaggedPlanOp plan,
                                              std::string &reason) {
  return Splitter(plan, reason).run();
}
