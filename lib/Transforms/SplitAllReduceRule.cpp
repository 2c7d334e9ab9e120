// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hierarchical all-reduces.

#include "RulePatterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Analysis/AutomaticDims.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

/// Returns the dim that is divided among `ranks`: the outermost dim if
/// possible, -1 if only the whole tensor as one row can be divided, else
/// another dim; nullopt if nothing can be. Dims that XLA shards are never
/// divided.
static std::optional<int64_t> findPartsDim(AllReduceOp op, int64_t ranks) {
  auto type = cast<RankedTensorType>(op.getType());
  llvm::SmallBitVector sharded(type.getRank());
  if (SmallVector<StringRef> axes = AutomaticDims::getAxes(op); !axes.empty()) {
    AutomaticDims dims(op->getParentOfType<FunctionOpInterface>());
    for (int64_t d = 0; d < type.getRank(); ++d)
      sharded[d] = !dims.find(op.getOperand(), d, axes).empty();
  }
  auto divides = [&](int64_t size) {
    return !ShapedType::isDynamic(size) && size % ranks == 0;
  };
  auto isPart = [&](int64_t d) {
    return !sharded.test(d) && divides(type.getDimSize(d));
  };
  if (type.getRank() > 0 && isPart(0))
    return 0;
  if (sharded.none() && type.hasStaticShape() && divides(type.getNumElements()))
    return -1;
  for (int64_t d = 1; d < type.getRank(); ++d)
    if (isPart(d))
      return d;
  return std::nullopt;
}

/// Splits a group into its axes inside of servers, and its other axes.
static std::optional<AxisSplit>
splitAtServers(AllReduceOp op, int64_t serverRanks, std::string &reason) {
  auto group = dyn_cast<GroupAttr>(Attribute(op.getGroup()));
  if (!group) {
    reason = "expected a group of mesh axes, got explicit rank lists";
    return std::nullopt;
  }
  SmallVector<StringRef> inner, outer;
  SmallVector<StringRef> names = *group.getAxisNames();
  for (StringRef name : llvm::reverse(names)) {
    SmallVector<StringRef> more{name};
    llvm::append_range(more, inner);
    auto ranks = getRankGroups(op, GroupAttr::get(group.getMesh(), more));
    if (!ranks) {
      reason = ranks.getError();
      return std::nullopt;
    }
    if (ranks->stayInside(serverRanks))
      inner = std::move(more);
    else
      outer.insert(outer.begin(), name);
  }
  AxisSplit split;
  split.inner = GroupAttr::get(group.getMesh(), inner);
  split.outer = GroupAttr::get(group.getMesh(), outer);
  FailureOr<int64_t> innerSize = split.inner.getGroupSize(op);
  FailureOr<int64_t> outerSize = split.outer.getGroupSize(op);
  if (failed(innerSize) || failed(outerSize)) {
    reason = "expected a group that resolves";
    return std::nullopt;
  }
  split.innerSize = *innerSize;
  split.outerSize = *outerSize;
  return split;
}

std::optional<AxisSplit>
moe::findReduceSplit(AllReduceOp op, std::optional<int64_t> serverRanks,
                     std::string &reason) {
  if (isScheduled(op)) {
    reason = kScheduled;
    return std::nullopt;
  }
  std::optional<AxisSplit> split =
      serverRanks ? splitAtServers(op, *serverRanks, reason)
                  : splitAxes(op, op.getGroup(), reason);
  if (!split)
    return std::nullopt;
  if (split->outerSize == 1) {
    reason = "expected a group over several servers, got one";
    return std::nullopt;
  }
  if (split->innerSize == 1) {
    reason = "expected several ranks of the group on a server, got one "
             "(moe-split-mesh-axis splits an axis over servers)";
    return std::nullopt;
  }
  if (!findPartsDim(op, split->innerSize)) {
    reason = "expected a dim, or all elements of a static shape, to divide by "
             "the " +
             std::to_string(split->innerSize) +
             " ranks on a server, each of which sums its part";
    return std::nullopt;
  }
  return split;
}

Value moe::buildSplitReduce(OpBuilder &builder, AllReduceOp op,
                            const AxisSplit &split) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  int64_t dim = *findPartsDim(op, split.innerSize);
  SmallVector<ReassociationIndices> row(1);
  Value x = op.getOperand();
  if (dim < 0) {
    row.front() = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    x = tensor::CollapseShapeOp::create(builder, loc, x, row);
  }
  int64_t along = std::max<int64_t>(dim, 0);
  auto part = ReduceScatterOp::create(builder, loc, x, split.inner, along,
                                      op.getReduction(), split.innerSize);
  auto sum = AllReduceOp::create(builder, loc, part.getType(), part,
                                 split.outer, op.getReduction());
  auto all = AllGatherOp::create(builder, loc, sum, split.inner, along,
                                 split.innerSize);
  for (Operation *made :
       {part.getOperation(), sum.getOperation(), all.getOperation()})
    carryOver(op, made);
  if (dim < 0)
    return tensor::ExpandShapeOp::create(builder, loc, type, all, row);
  return all;
}

namespace {

/// all_reduce_AB(x) = gather_B(all_reduce_A(reduce_scatter_B(x))).
struct SplitAllReduce : public RulePattern<AllReduceOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(AllReduceOp op,
                      PatternRewriter &rewriter) const override {
    std::string reason;
    std::optional<AxisSplit> split =
        findReduceSplit(op, context.serverRanks, reason);
    if (!split)
      return rewriter.notifyMatchFailure(op, reason);
    if (!context.canMeet(op, op.getGroup()))
      return rewriter.notifyMatchFailure(op, kDivergent);
    rewriter.replaceOp(op, buildSplitReduce(rewriter, op, *split));
    return success();
  }
};

} // namespace

llvm::ArrayRef<Rule> moe::getReduceSplitRules() {
  static const Rule rules[] = {
      {"split-all-reduce",
       "all_reduce_AB(x) = gather_B(all_reduce_A(reduce_scatter_B(x)))",
       addPattern<SplitAllReduce>},
  };
  return rules;
}
