// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hierarchical all-to-alls.

#include "RulePatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace moe;

std::optional<AxisSplit> moe::splitAxes(Operation *op, GroupAttrInterface of,
                                        std::string &reason) {
  auto group = dyn_cast<GroupAttr>(Attribute(of));
  if (!group) {
    reason = "expected a group of mesh axes, got explicit rank lists";
    return std::nullopt;
  }
  SmallVector<StringRef> names = *group.getAxisNames();
  if (names.size() < 2) {
    reason = "expected a group of at least two axes, the last inside a node, "
             "got " +
             std::to_string(names.size()) + " (moe-split-mesh-axis splits one)";
    return std::nullopt;
  }
  AxisSplit split;
  split.inner = GroupAttr::get(group.getMesh(), {names.back()});
  names.pop_back();
  split.outer = GroupAttr::get(group.getMesh(), names);
  FailureOr<int64_t> outer = split.outer.getGroupSize(op);
  FailureOr<int64_t> inner = split.inner.getGroupSize(op);
  if (failed(outer) || failed(inner)) {
    reason = "expected a group that resolves";
    return std::nullopt;
  }
  split.outerSize = *outer;
  split.innerSize = *inner;
  return split;
}

std::optional<AxisSplit>
moe::findAxisSplit(AllToAllOp op, bool collectOnOneRank, std::string &reason) {
  if (isScheduled(op)) {
    reason = kScheduled;
    return std::nullopt;
  }
  std::optional<AxisSplit> split = splitAxes(op, op.getGroup(), reason);
  if (!split)
    return std::nullopt;
  if (op.getSplitDim() != op.getConcatDim()) {
    reason = "expected equal split and concat dims, got " +
             std::to_string(op.getSplitDim()) + " and " +
             std::to_string(op.getConcatDim());
    return std::nullopt;
  }
  auto type = cast<RankedTensorType>(op.getType());
  if (type.isDynamicDim(op.getSplitDim())) {
    reason = "expected a static split dim";
    return std::nullopt;
  }
  if (collectOnOneRank && op.getSplitDim() != 0) {
    reason = "expected split dim 0 for variant=1dh, got " +
             std::to_string(op.getSplitDim());
    return std::nullopt;
  }
  if (collectOnOneRank && !type.hasStaticShape()) {
    reason = "expected a static shape for variant=1dh";
    return std::nullopt;
  }
  return split;
}

namespace {

class ExchangeBuilder {
public:
  ExchangeBuilder(PatternRewriter &rewriter, AllToAllOp op,
                  const AxisSplit &split)
      : rewriter(rewriter), loc(op.getLoc()), split(split) {}

  /// Returns a view of `value` with dim `dim` cut into `sizes` (slowest first).
  Value cut(Value value, int64_t dim, ArrayRef<int64_t> sizes) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape;
    SmallVector<ReassociationIndices> groups;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      ReassociationIndices &group = groups.emplace_back();
      ArrayRef<int64_t> parts =
          d == dim ? sizes : ArrayRef<int64_t>(type.getShape()[d]);
      for (int64_t size : parts) {
        group.push_back(shape.size());
        shape.push_back(size);
      }
    }
    return tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape),
                                         value, groups);
  }

  /// The inverse of `cut`: joins the dims `dim` to `dim + count - 1`.
  Value join(Value value, int64_t dim, int64_t count) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<ReassociationIndices> groups;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (d <= dim || d >= dim + count)
        groups.emplace_back();
      groups.back().push_back(d);
    }
    return tensor::CollapseShapeOp::create(rewriter, loc, value, groups);
  }

  /// Copies `value` with dims `a` and `b` exchanged.
  Value swap(Value value, int64_t a, int64_t b) {
    auto type = cast<RankedTensorType>(value.getType());
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    std::swap(permutation[a], permutation[b]);
    return TransposeOp::create(rewriter, loc, value, permutation);
  }

  /// 2DH: every rank first exchanges inside the node, so that it holds the data
  /// for the ranks with its place in all nodes, and then exchanges with these
  /// ranks.
  Value exchangeInTwoSteps(AllToAllOp op) {
    int64_t dim = op.getSplitDim();
    int64_t outer = split.outerSize, inner = split.innerSize;
    int64_t size = cast<RankedTensorType>(op.getType()).getDimSize(dim);
    // The destination of a block is (node, place); the place varies fastest.
    Value x = cut(op.getOperand(), dim, {outer, inner, size / (outer * inner)});
    x = swap(x, dim, dim + 1);
    auto inside =
        AllToAllOp::create(rewriter, loc, x, split.inner, dim, dim, inner);
    x = swap(inside, dim, dim + 1);
    auto between =
        AllToAllOp::create(rewriter, loc, x, split.outer, dim, dim, outer);
    carryOver(op, inside);
    carryOver(op, between);
    return join(between, dim, 3);
  }

  /// 1DH: the first rank of each node collects all blocks of the node,
  /// exchanges them with the first ranks of the other nodes, and distributes
  /// the received blocks. All ranks run the same program; ranks that do not
  /// send have zero sizes.
  Value exchangeThroughOneRank(AllToAllOp op) {
    int64_t outer = split.outerSize, inner = split.innerSize;
    auto type = cast<RankedTensorType>(op.getType());
    int64_t rows = type.getDimSize(0);
    int64_t block = rows / (outer * inner);
    Value place = GroupRankOp::create(rewriter, loc, rewriter.getIndexType(),
                                      split.inner);
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value isFirst = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, place, zero);
    auto ifFirst = [&](int64_t count, int64_t size) -> Value {
      return arith::SelectOp::create(rewriter, loc, isFirst,
                                     ramp(count, size, 0), ramp(count, 0, 0));
    };
    auto send = [&](Value x, GroupAttr group, int64_t resultRows,
                    Value sendOffsets, Value sendSizes, Value recvOffsets,
                    Value recvSizes) -> Value {
      SmallVector<int64_t> shape(type.getShape());
      shape[0] = resultRows;
      Value init =
          tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
      auto sent = RaggedAllToAllOp::create(rewriter, loc, init.getType(), x,
                                           init, sendOffsets, sendSizes,
                                           recvOffsets, recvSizes, group);
      carryOver(op, sent);
      return sent;
    };
    Value none = ramp(inner, 0, 0);
    Value toFirst = onlyFirst(inner, rows);

    // Collect: [place of source][node][place][block].
    Value x = send(op.getOperand(), split.inner, inner * rows, none, toFirst,
                   ramp(inner, 0, rows), ifFirst(inner, rows));
    x = swap(cut(x, 0, {inner, outer, inner * block}), 0, 1);
    x = join(x, 0, 3);
    // Exchange between nodes: [node of source][place of source][place][block].
    Value ofNode = ramp(outer, 0, inner * inner * block);
    x = send(x, split.outer, inner * rows, ofNode,
             ifFirst(outer, inner * inner * block), ofNode,
             ifFirst(outer, inner * inner * block));
    x = swap(cut(x, 0, {outer * inner, inner, block}), 0, 1);
    x = join(x, 0, 3);
    // Spread: [node of source][place of source][block].
    return send(x, split.inner, rows, ramp(inner, 0, rows),
                ifFirst(inner, rows), none, toFirst);
  }

private:
  /// Returns the vector of `count` integers first, first + step, ...
  Value ramp(int64_t count, int64_t first, int64_t step) {
    SmallVector<int64_t> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(first + i * step);
    return constant(values);
  }

  /// Returns the vector [size, 0, 0, ...].
  Value onlyFirst(int64_t count, int64_t size) {
    SmallVector<int64_t> values(count, 0);
    values.front() = size;
    return constant(values);
  }

  Value constant(ArrayRef<int64_t> values) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                      rewriter.getI64Type());
    return arith::ConstantOp::create(rewriter, loc,
                                     DenseIntElementsAttr::get(type, values));
  }

  PatternRewriter &rewriter;
  Location loc;
  AxisSplit split;
};

/// a2a_AB(x) = a2a_A(a2a_B(x)) on the view [A, B, ...].
struct SplitAllToAll : public RulePattern<AllToAllOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(AllToAllOp op, PatternRewriter &rewriter) const override {
    std::string reason;
    std::optional<AxisSplit> split =
        findAxisSplit(op, context.collectOnOneRank, reason);
    if (!split)
      return rewriter.notifyMatchFailure(op, reason);
    if (!context.canMeet(op, op.getGroup()))
      return rewriter.notifyMatchFailure(op, kDivergent);
    ExchangeBuilder builder(rewriter, op, *split);
    if (!context.collectOnOneRank) {
      rewriter.replaceOp(op, builder.exchangeInTwoSteps(op));
      return success();
    }
    rewriter.replaceOp(op, builder.exchangeThroughOneRank(op));
    return success();
  }
};

} // namespace

llvm::ArrayRef<Rule> moe::getSplitRules() {
  static const Rule rules[] = {
      {"split-all-to-all", "a2a_AB(x) = a2a_A(a2a_B(x)) on the view [A, B]",
       addPattern<SplitAllToAll>},
  };
  return rules;
}
