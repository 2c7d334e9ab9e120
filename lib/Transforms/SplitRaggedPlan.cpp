// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits ragged exchanges in two steps.
//
// Ragged rows are sent to another node through a rank of their own node, the
// one with the same place as the destination, and return on the same path. This
// rank holds the rows that its node sends to its place in all nodes:
// `[node][place of source]`. Therefore the rows for one node are contiguous,
// and so are finally the rows from one node. Inside nodes, there is one
// exchange per destination node, because the rows for one node and one place
// are contiguous, but the rows for one place are not.
//
// The numbers of held rows follow from the counts that all ranks have: a plan
// of the ranks with the same place gives the rows that each of them receives.
// For this rank, the sources in this plan are the destination nodes, and the
// experts are the source ranks of its node. The runs of this plan are the held
// rows.

#include "RulePatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Transforms/PlannedExchanges.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

namespace {

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
  /// Builds the plan of the ranks with the same place after the given plan.
  void buildPlan();
  void split(const PlannedExchange &exchange);

  Value collapse(Value value, ArrayRef<ReassociationIndices> groups) {
    return tensor::CollapseShapeOp::create(builder, loc(), value, groups);
  }
  /// Returns `size` slices from `offset` along `dim`, without this dim if
  /// `drops`.
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
  std::optional<PlannedExchanges> exchanges;
  /// Maximum number of rows that each rank holds for its node.
  int64_t held = 0;
  RaggedPlanOp between;
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
      // Adds the last slice of an odd number to the first sum.
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
  // [node, place, destination node, destination place, expert].
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
  SmallVector<Value> nodes = exchanges->see(between, op);
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = held;
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), shape,
                                        type.getElementType());
  // Exchanges within the node the rows that are sent to, or received from,
  // other nodes.
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
  if (!findSplit())
    return std::nullopt;
  exchanges = PlannedExchanges::find(plan, reason);
  if (!exchanges)
    return std::nullopt;
  // The rows that the node has, and the rows that the ranks with this place in
  // all nodes can receive.
  held = std::min(
      llvm::SaturatingMultiply<uint64_t>(axes.innerSize,
                                         exchanges->getNearRows()),
      llvm::SaturatingMultiply<uint64_t>(axes.outerSize, plan.getLimit()));
  buildPlan();
  exchanges->handOut(between);
  for (const PlannedExchange &exchange : exchanges->get())
    split(exchange);
  return axes;
}

std::optional<AxisSplit> moe::splitRaggedPlan(RaggedPlanOp plan,
                                              std::string &reason) {
  return Splitter(plan, reason).run();
}
