// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites layers to send tokens once per node.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "moe/Transforms/NodeDedup.h"

using namespace mlir;
using namespace moe;

namespace {

/// Offsets and sizes of one exchange in the direction to the experts.
struct Sizes {
  Value sendOffsets, sendSizes, recvOffsets, recvSizes;
};

class NodeBuilder {
public:
  explicit NodeBuilder(NodeDedup form)
      : form(std::move(form)), b(this->form.plan.getContext()) {}

  void run();

private:
  RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  /// Returns the type `[rows, ...]` with the row shape and element type of
  /// another value.
  RankedTensorType withRows(Value like, int64_t rows) {
    SmallVector<int64_t> shape(typeOf(like).getShape());
    shape.front() = rows;
    return typeOf(like).clone(shape);
  }
  Value splat(RankedTensorType type, int64_t value) {
    Type element = type.getElementType();
    Attribute one = isa<FloatType>(element)
                        ? Attribute(b.getFloatAttr(element, value))
                        : Attribute(b.getIntegerAttr(element, value));
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, one));
  }
  /// Builds an exchange of rows into a new buffer of `rows` rows, or into
  /// `into`.
  Value send(DictionaryAttr written, Value x, const Sizes &sizes, bool isThere,
             GroupAttr group, int64_t rows, Value into = {}) {
    RankedTensorType type = withRows(x, rows);
    if (!into)
      into = tensor::EmptyOp::create(b, loc, type.getShape(),
                                     type.getElementType());
    auto op = RaggedAllToAllOp::create(
        b, loc, type, x, into, isThere ? sizes.sendOffsets : sizes.recvOffsets,
        isThere ? sizes.sendSizes : sizes.recvSizes,
        isThere ? sizes.recvOffsets : sizes.sendOffsets,
        isThere ? sizes.recvSizes : sizes.sendSizes, group);
    carryOver(written, op);
    return op;
  }
  /// Replaces `value` by `made`, also in the results of layers.
  void replace(Value value, Value made);
  void handOn(Value value);
  /// Returns a value of the forward pass as visible at `from`.
  Value see(Value value, Operation *from);

  void buildPlan();
  void buildDispatch();
  Value buildOwnIds(Value ids);
  void buildScattered(RaggedAllToAllOp exchange);
  void buildBack(RaggedAllToAllOp exchange);
  /// Sends rows that nodes computed for tokens back to the tokens' ranks, and
  /// sums them there.
  Value bringHome(Operation *op, Value atNodes, Value slotsThere,
                  Type weightType, DictionaryAttr written);
  void buildUnpermute(UnpermuteOp op);
  void buildWgrad(UnpermuteWgradOp op, ScatterOp source);
  Sizes seeSizes(const Sizes &sizes, Operation *from) {
    return {see(sizes.sendOffsets, from), see(sizes.sendSizes, from),
            see(sizes.recvOffsets, from), see(sizes.recvSizes, from)};
  }
  /// Returns the weights of the tokens that this rank received.
  Value seeWeights(Value given, Operation *from);
  void set(Operation *op) {
    b.setInsertionPoint(op);
    loc = op->getLoc();
  }
  void erase(Operation *op) {
    SmallVector<Value> read(op->getOperands());
    op->erase();
    for (Value value : read)
      if (Operation *def = value.getDefiningOp();
          def && def->use_empty() &&
          isa<tensor::EmptyOp, arith::ConstantOp>(def))
        def->erase();
  }

  NodeDedup form;
  OpBuilder b;
  Location loc = b.getUnknownLoc();
  Sizes between, inside;
  Value nodes, slots, places, weights;
  /// The received tokens, if weights multiply tokens before they are sent to
  /// experts.
  Value tokensThere;
  /// The received rows, by the op that sends the tokens or their gradient.
  llvm::DenseMap<Operation *, Value> arrived;
  /// Discardable attributes of exchanges back.
  llvm::DenseMap<Value, DictionaryAttr> writtenOn;
};

} // namespace

void NodeBuilder::handOn(Value value) {
  for (OpOperand &use : value.getUses()) {
    auto layer = dyn_cast_or_null<LayerOp>(use.getOwner()->getParentOp());
    if (!layer || !isa<YieldOp>(use.getOwner()))
      continue;
    Value result = layer.getResult(use.getOperandNumber());
    result.setType(value.getType());
    handOn(result);
  }
}

void NodeBuilder::replace(Value value, Value made) {
  value.replaceAllUsesWith(made);
  handOn(made);
}

Value NodeBuilder::see(Value value, Operation *from) {
  if (value.getParentRegion()->isAncestor(from->getParentRegion()))
    return value;
  auto layer = cast<LayerOp>(value.getParentRegion()->getParentOp());
  Operation *yield = layer.getBody().front().getTerminator();
  unsigned before = yield->getNumOperands();
  for (unsigned i = 0; i < before; ++i)
    if (yield->getOperand(i) == value)
      return layer.getResult(i);
  // Adds all values that a backward pass reads at once, because adding results
  // recreates the layer.
  SmallVector<Value> given = {inside.sendOffsets, inside.sendSizes,
                              inside.recvOffsets, inside.recvSizes, places};
  for (Value further : {weights, tokensThere})
    if (further)
      given.push_back(further);
  LayerOp extended = extendLayer(layer, given);
  layer.erase();
  return extended.getResult(before +
                            (llvm::find(given, value) - given.begin()));
}

Value NodeBuilder::seeWeights(Value given, Operation *from) {
  if (isAllOnes(given))
    return splat(RankedTensorType::get({form.nodeLimit, form.choices},
                                       typeOf(given).getElementType()),
                 1);
  return see(weights, from);
}

void NodeBuilder::buildPlan() {
  set(form.counts);
  // After the counts of experts, which may have other users.
  b.setInsertionPointAfter(form.counts);
  Value ids = form.counts.getIds(), counts = form.counts.getCounts();
  Type element = typeOf(counts).getElementType();
  auto integers = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, element);
  };
  nodes = DistinctNodesOp::create(
      b, loc, typeOf(ids).clone(ArrayRef{form.tokens, form.width}), ids,
      form.experts, form.nodes);
  Value tokens = ExpertCountsOp::create(b, loc, integers({form.nodes}), nodes);
  int64_t columns = form.experts + form.nodes;
  Value both = AssembleOp::create(b, loc, integers({columns}),
                                  ValueRange{counts, tokens}, /*dim=*/0);
  set(form.expand);
  both = tensor::ExpandShapeOp::create(b, loc, integers({1, columns}), both,
                                       ArrayRef{ReassociationIndices{0, 1}});
  set(form.gather);
  int64_t ranks = form.nodes * form.places;
  int64_t joined =
      form.cut ? form.cut.getResultType().getDimSize(0) : int64_t(1);
  auto gather = AllGatherOp::create(b, loc, both, form.gather.getGroup(),
                                    /*dim=*/0, joined * ranks);
  carryOver(form.gather, gather);
  Value all = gather;
  if (form.cut) {
    set(form.cut);
    all = tensor::ExpandShapeOp::create(
        b, loc, integers({joined, ranks, columns}), all,
        ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  }
  set(form.plan);
  auto sizesOf = [&](Value like, ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, typeOf(like).getElementType());
  };
  Type outer = sizesOf(form.plan.getSendOffsets(), {form.nodes}),
       inner = sizesOf(form.plan.getSendOffsets(), {form.places});
  SmallVector<int64_t> ofRuns = {form.places, form.experts / ranks};
  if (form.cut)
    ofRuns.insert(ofRuns.begin(), joined);
  Type runs = sizesOf(form.plan.getRunOffsets(), ofRuns);
  auto plan = NodePlanOp::create(b, loc,
                                 TypeRange{outer, outer, outer, outer, inner,
                                           inner, inner, inner, runs, runs},
                                 all, form.between, form.inside,
                                 form.plan.getJoinedAttr(), form.nodeLimit,
                                 form.plan.getLimit());
  carryOver(form.plan, plan);
  between = {plan.getNodeSendOffsets(), plan.getNodeSendSizes(),
             plan.getNodeRecvOffsets(), plan.getNodeRecvSizes()};
  inside = {plan.getSendOffsets(), plan.getSendSizes(), plan.getRecvOffsets(),
            plan.getRecvSizes()};
  replace(form.plan.getSendOffsets(), between.sendOffsets);
  replace(form.plan.getSendSizes(), between.sendSizes);
  replace(form.plan.getRecvOffsets(), between.recvOffsets);
  replace(form.plan.getRecvSizes(), between.recvSizes);
  replace(form.plan.getRunOffsets(), plan.getRunOffsets());
  replace(form.plan.getRunSizes(), plan.getRunSizes());
  erase(form.plan);
  if (form.cut && form.cut->use_empty())
    erase(form.cut);
  if (form.gather->use_empty())
    erase(form.gather);
  if (form.expand->use_empty())
    erase(form.expand);
}

Value NodeBuilder::buildOwnIds(Value ids) {
  RankedTensorType type = typeOf(ids);
  int64_t perNode = form.experts / form.nodes;
  Value node = GroupRankOp::create(b, loc, b.getIndexType(), form.between);
  Value first = arith::MulIOp::create(
      b, loc, node, arith::ConstantIndexOp::create(b, loc, perNode));
  if (!type.getElementType().isIndex())
    first = arith::IndexCastOp::create(b, loc, type.getElementType(), first);
  Value all = tensor::SplatOp::create(b, loc, type, first);
  Value local = arith::SubIOp::create(b, loc, ids, all);
  // The unsigned comparison also excludes negative numbers.
  Value isOwn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, local,
                                      splat(type, perNode));
  return arith::SelectOp::create(b, loc, isOwn, local, splat(type, -1));
}

void NodeBuilder::buildDispatch() {
  RaggedAllToAllOp exchange = form.dispatch;
  DictionaryAttr written = exchange->getDiscardableAttrDictionary();
  Value ids = form.counts.getIds();
  int64_t rows = form.tokens * form.width;
  auto order = [&](Value x) {
    return PermuteRowsOp::create(b, loc, withRows(x, rows), nodes.getType(),
                                 OrderKind::Token, x, nodes, form.nodes);
  };
  set(exchange);
  PermuteRowsOp sorted = order(form.order.getTokens());
  carryOver(form.order, sorted);
  slots = sorted.getSlots();
  Value came = send(written, sorted.getRows(), between, true, form.between,
                    form.nodeLimit);
  Value none = splat(withRows(ids, form.nodeLimit), -1);
  Value cameIds = send(written, order(ids).getRows(), between, true,
                       form.between, form.nodeLimit, none);
  if (form.weights)
    weights = send(written, order(form.weights).getRows(), between, true,
                   form.between, form.nodeLimit);
  Value own = buildOwnIds(cameIds);
  auto handed = PermuteRowsOp::create(
      b, loc, withRows(came, form.nodeLimit * form.choices), own.getType(),
      form.order.getKind(), came, own, form.experts / form.nodes);
  places = handed.getSlots();
  Value copies = handed.getRows();
  if (form.weighted) {
    arrived[form.weighted] = tokensThere = came;
    auto made =
        ScatterOp::create(b, loc, typeOf(copies), came, places,
                          seeWeights(form.weighted.getWeights(), exchange));
    carryOver(form.weighted, made);
    copies = made;
  }
  Value in = send(written, copies, inside, true, form.inside,
                  typeOf(exchange.getResult()).getDimSize(0));
  exchange.getResult().replaceAllUsesWith(in);
  erase(exchange);
  if (form.weighted)
    erase(form.weighted);
  replace(form.order.getSlots(), slots);
  erase(form.order);
}

void NodeBuilder::buildScattered(RaggedAllToAllOp exchange) {
  auto scatter = exchange.getOperand().getDefiningOp<ScatterOp>();
  DictionaryAttr written = exchange->getDiscardableAttrDictionary();
  // Inserted at the scatter, because gradients of weights read it from there
  // on.
  set(scatter);
  Sizes outer = seeSizes(between, scatter), inner = seeSizes(inside, scatter);
  Value handed = see(places, scatter);
  Value rows = ScatterOp::create(
      b, loc, withRows(scatter.getRows(), form.tokens * form.width),
      scatter.getRows(), scatter.getSlots(), /*weights=*/Value());
  Value came = send(written, rows, outer, true, form.between, form.nodeLimit);
  arrived[scatter] = came;
  Value given = scatter.getWeights();
  if (given)
    given = seeWeights(given, scatter);
  auto copies =
      ScatterOp::create(b, loc, withRows(came, form.nodeLimit * form.choices),
                        came, handed, given);
  carryOver(scatter, copies);
  set(exchange);
  Value in = send(written, copies, inner, true, form.inside,
                  typeOf(exchange.getResult()).getDimSize(0));
  exchange.getResult().replaceAllUsesWith(in);
  erase(exchange);
}

void NodeBuilder::buildBack(RaggedAllToAllOp exchange) {
  set(exchange);
  DictionaryAttr written = exchange->getDiscardableAttrDictionary();
  Value back = send(written, exchange.getOperand(), seeSizes(inside, exchange),
                    false, form.inside, form.nodeLimit * form.choices);
  writtenOn[back] = written;
  replace(exchange.getResult(), back);
  erase(exchange);
}

Value NodeBuilder::bringHome(Operation *op, Value atNodes, Value slotsThere,
                             Type weightType, DictionaryAttr written) {
  int64_t rows = form.tokens * form.width;
  Value parts =
      send(written, atNodes, seeSizes(between, op), false, form.between, rows);
  RankedTensorType type = withRows(atNodes, form.tokens);
  Value ones =
      splat(RankedTensorType::get({form.tokens, form.width}, weightType), 1);
  auto sum = UnpermuteOp::create(b, loc, type, parts, slotsThere, ones);
  carryOver(op, sum);
  return sum;
}

void NodeBuilder::buildUnpermute(UnpermuteOp op) {
  set(op);
  Value part = UnpermuteOp::create(
      b, loc, withRows(op.getResult(), form.nodeLimit), op.getBuffer(),
      see(places, op), seeWeights(op.getWeights(), op), op.getOrdering());
  Value sum = bringHome(op, part, op.getSlots(),
                        typeOf(op.getWeights()).getElementType(),
                        writtenOn.lookup(getLiveOut(op.getBuffer())));
  op.getResult().replaceAllUsesWith(sum);
  erase(op);
}

void NodeBuilder::buildWgrad(UnpermuteWgradOp op, ScatterOp source) {
  set(op);
  Value atNodes = UnpermuteWgradOp::create(
      b, loc, withRows(op.getResult(), form.nodeLimit),
      see(arrived.at(source), op), op.getBuffer(), see(places, op));
  Value sum = bringHome(op, atNodes, op.getSlots(),
                        typeOf(op.getResult()).getElementType(),
                        writtenOn.lookup(getLiveOut(op.getBuffer())));
  op.getResult().replaceAllUsesWith(sum);
  erase(op);
}

void NodeBuilder::run() {
  buildPlan();
  buildDispatch();
  for (RaggedAllToAllOp exchange : form.back)
    buildBack(exchange);
  SmallVector<ScatterOp> scatters;
  for (RaggedAllToAllOp exchange : form.scattered) {
    scatters.push_back(exchange.getOperand().getDefiningOp<ScatterOp>());
    buildScattered(exchange);
  }
  for (UnpermuteOp op : form.unpermutes)
    buildUnpermute(op);
  for (auto [op, source] : llvm::zip_equal(form.wgrads, form.sources))
    buildWgrad(op, source);
  for (ScatterOp scatter : scatters)
    erase(scatter);
}

void moe::buildNodeDedup(NodeDedup form) { NodeBuilder(std::move(form)).run(); }
