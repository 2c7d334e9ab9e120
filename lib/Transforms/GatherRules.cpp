// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of gathers and local slices.

#include "RulePatterns.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"

using namespace mlir;
using namespace moe;

namespace {

/// transpose(all_reduce(x)) = all_reduce(transpose(x)).
struct TransposeBeforeAllReduce : public RulePattern<TransposeOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(TransposeOp op,
                      PatternRewriter &rewriter) const override {
    auto reduce = getLocalDef<AllReduceOp>(op, op.getOperand());
    if (!reduce || !reduce->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no all_reduce with one use");
    auto transpose = TransposeOp::create(
        rewriter, op.getLoc(), reduce.getOperand(), op.getPermutation());
    auto moved =
        AllReduceOp::create(rewriter, reduce.getLoc(), op.getType(), transpose,
                            reduce.getGroup(), reduce.getReduction());
    carryOver(op, transpose);
    carryOver(reduce, moved);
    rewriter.replaceOp(op, moved);
    return success();
  }
};

/// reduce_scatter(transpose(x)) = transpose(reduce_scatter(x)), which copies
/// less.
struct ScatterBeforeTranspose : public RulePattern<ReduceScatterOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(ReduceScatterOp op,
                      PatternRewriter &rewriter) const override {
    auto transpose = getLocalDef<TransposeOp>(op, op.getOperand());
    if (!transpose || !transpose->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no transpose with one use");
    FailureOr<int64_t> groupSize = op.getGroup().getGroupSize(op);
    if (failed(groupSize))
      return failure();
    int64_t dim = transpose.getPermutation()[op.getDim()];
    auto scatter = ReduceScatterOp::create(
        rewriter, op.getLoc(), transpose.getOperand(), op.getGroup(), dim,
        op.getReduction(), *groupSize);
    auto moved =
        TransposeOp::create(rewriter, fuseLocs(op, transpose), op.getType(),
                            scatter, transpose.getPermutation());
    carryOver(op, scatter);
    carryOver(transpose, moved);
    rewriter.replaceOp(op, moved);
    return success();
  }
};

/// f(gather_B(x), w) = gather_B(f(x, w)).
struct GatherAfterRowwise : public RewritePattern {
  GatherAfterRowwise(MLIRContext *mlirContext, RuleContext &context,
                     PatternBenefit benefit)
      : RewritePattern(MatchAnyOpTypeTag(), benefit, mlirContext),
        context(context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return failure();
    if (isScheduled(op))
      return rewriter.notifyMatchFailure(op, kScheduled);
    AllGatherOp gather;
    unsigned position = 0;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (!gather && (gather = getLocalDef<AllGatherOp>(op, operand)))
        position = i;
    if (!gather)
      return failure();
    std::optional<DimMap> map = getDimMap(op);
    if (!map || !map->isPartwise)
      return rewriter.notifyMatchFailure(op, "not known to compute parts as it "
                                             "does the whole");
    std::optional<unsigned> resultDim =
        map->getResultDim(position, gather.getDim(), 0);
    if (!resultDim)
      return rewriter.notifyMatchFailure(op, "gather dim is not one to one");

    // Each operand must be gathered in the same way, or be equal on all
    // gathered ranks.
    IRMapping mapping;
    int64_t gatheredBytes = 0;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      std::optional<unsigned> dim = map->getOperandDim(0, *resultDim, i);
      auto other = getLocalDef<AllGatherOp>(op, operand);
      if (other && dim && other.getGroup() == gather.getGroup() &&
          other.getDim() == *dim && other->hasOneUse()) {
        mapping.map(operand, other.getOperand());
        FailureOr<int64_t> bytes =
            getTensorBytes(cast<RankedTensorType>(operand.getType()));
        if (failed(bytes))
          return rewriter.notifyMatchFailure(op, "dynamic shape");
        gatheredBytes += *bytes;
        continue;
      }
      if (dim)
        return rewriter.notifyMatchFailure(op, "an operand is not gathered");
      if (!context.replication.isReplicatedOver(operand, gather.getGroup()))
        return rewriter.notifyMatchFailure(op, "an operand varies over the "
                                               "group of the gather");
    }
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    FailureOr<int64_t> resultBytes = getTensorBytes(type);
    if (failed(resultBytes) || *resultBytes > gatheredBytes)
      return rewriter.notifyMatchFailure(op, "gathering later sends more");
    FailureOr<int64_t> groupSize = gather.getGroup().getGroupSize(op);
    if (failed(groupSize))
      return failure();
    FailureOr<RankedTensorType> partType =
        inferScatteredType(type, *resultDim, *groupSize);
    if (failed(partType))
      return rewriter.notifyMatchFailure(op, "result dim does not divide");

    Operation *part = rewriter.clone(*op, mapping);
    rewriter.modifyOpInPlace(part, [&] {
      part->getResult(0).setType(*partType);
      shareStatedTime(part, *groupSize);
    });
    auto moved =
        AllGatherOp::create(rewriter, fuseLocs(op, gather), type,
                            part->getResult(0), gather.getGroup(), *resultDim);
    carryOver(gather, moved);
    rewriter.replaceOp(op, moved);
    return success();
  }

  RuleContext &context;
};

/// all_reduce_A(gather_B(x)) = gather_B(all_reduce_A(x)).
struct GatherAfterAllReduce : public RulePattern<AllReduceOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(AllReduceOp op,
                      PatternRewriter &rewriter) const override {
    auto gather = getLocalDef<AllGatherOp>(op, op.getOperand());
    if (!gather || !gather->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no all_gather with one use");
    if (!areDisjoint(context, gather.getGroup(), op.getGroup()))
      return rewriter.notifyMatchFailure(op, "groups share an axis");
    auto reduce = AllReduceOp::create(
        rewriter, op.getLoc(), gather.getOperand().getType(),
        gather.getOperand(), op.getGroup(), op.getReduction());
    auto moved =
        AllGatherOp::create(rewriter, fuseLocs(op, gather), op.getType(),
                            reduce, gather.getGroup(), gather.getDim());
    carryOver(op, reduce);
    carryOver(gather, moved);
    rewriter.replaceOp(op, moved);
    return success();
  }
};

/// gather_B(drop_B(x)) = x if x does not vary over B.
struct AllGatherOfDrop : public RulePattern<AllGatherOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(AllGatherOp op,
                      PatternRewriter &rewriter) const override {
    auto drop = getLocalDef<DropOp>(op, op.getOperand());
    if (!drop || drop.getGroup() != op.getGroup() ||
        drop.getDim() != op.getDim() ||
        drop.getOperand().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "no drop of the same dim");
    if (!context.replication.isReplicatedOver(drop.getOperand(), op.getGroup()))
      return rewriter.notifyMatchFailure(op, "operand varies over the group");
    rewriter.replaceOp(op, drop.getOperand());
    return success();
  }
};

/// drop_B(all_reduce_A(x)) = all_reduce_A(drop_B(x)), which reduces less.
struct DropBeforeAllReduce : public RulePattern<DropOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(DropOp op, PatternRewriter &rewriter) const override {
    auto reduce = getLocalDef<AllReduceOp>(op, op.getOperand());
    if (!reduce || !reduce->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no all_reduce with one use");
    if (!areDisjoint(context, reduce.getGroup(), op.getGroup()))
      return rewriter.notifyMatchFailure(op, "groups share an axis");
    auto drop = DropOp::create(rewriter, op.getLoc(), op.getType(),
                               reduce.getOperand(), op.getGroup(), op.getDim());
    auto moved =
        AllReduceOp::create(rewriter, fuseLocs(op, reduce), op.getType(), drop,
                            reduce.getGroup(), reduce.getReduction());
    carryOver(op, drop);
    carryOver(reduce, moved);
    rewriter.replaceOp(op, moved);
    return success();
  }
};

/// drop_B(all_reduce_B(x)) = reduce_scatter_B(x).
struct DropOfAllReduce : public RulePattern<DropOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(DropOp op, PatternRewriter &rewriter) const override {
    auto reduce = getLocalDef<AllReduceOp>(op, op.getOperand());
    if (!reduce || !reduce->hasOneUse() || reduce.getGroup() != op.getGroup())
      return rewriter.notifyMatchFailure(op, "no all_reduce with one use");
    auto scatter = ReduceScatterOp::create(
        rewriter, fuseLocs(op, reduce), op.getType(), reduce.getOperand(),
        op.getGroup(), op.getDim(), reduce.getReduction());
    carryOver(op, scatter);
    carryOver(reduce, scatter);
    rewriter.replaceOp(op, scatter);
    return success();
  }
};

/// gather_B(reduce_scatter_B(x)) = all_reduce_B(x).
struct AllGatherOfReduceScatter : public RulePattern<AllGatherOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(AllGatherOp op,
                      PatternRewriter &rewriter) const override {
    auto scatter = getLocalDef<ReduceScatterOp>(op, op.getOperand());
    if (!scatter || !scatter->hasOneUse() ||
        scatter.getGroup() != op.getGroup() ||
        scatter.getDim() != op.getDim() ||
        scatter.getOperand().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "no reduce_scatter of the dim");
    auto reduce = AllReduceOp::create(rewriter, fuseLocs(op, scatter),
                                      op.getType(), scatter.getOperand(),
                                      op.getGroup(), scatter.getReduction());
    carryOver(op, reduce);
    carryOver(scatter, reduce);
    rewriter.replaceOp(op, reduce);
    return success();
  }
};

/// Returns the group along the axes of `outer`, then of `inner`; nullopt if
/// they are not defined by axes of one mesh, or share an axis.
std::optional<GroupAttr> joinGroups(GroupAttrInterface outer,
                                    GroupAttrInterface inner) {
  auto first = dyn_cast<GroupAttr>(Attribute(outer));
  auto second = dyn_cast<GroupAttr>(Attribute(inner));
  if (!first || !second || first.getMesh() != second.getMesh())
    return std::nullopt;
  SmallVector<StringRef> names = *first.getAxisNames();
  SmallVector<StringRef> innerNames = *second.getAxisNames();
  for (StringRef name : innerNames) {
    if (llvm::is_contained(names, name))
      return std::nullopt;
    names.push_back(name);
  }
  return GroupAttr::get(first.getMesh(), names);
}

/// gather_A(gather_B(x)) = gather_AB(x) along one dim.
struct MergeAllGathers : public RulePattern<AllGatherOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(AllGatherOp op,
                      PatternRewriter &rewriter) const override {
    auto inner = getLocalDef<AllGatherOp>(op, op.getOperand());
    if (!inner || !inner->hasOneUse() || inner.getDim() != op.getDim())
      return rewriter.notifyMatchFailure(op, "no all_gather of the same dim");
    auto group = joinGroups(op.getGroup(), inner.getGroup());
    if (!group)
      return rewriter.notifyMatchFailure(op, "groups do not join");
    if (!context.canMeet(op, *group))
      return rewriter.notifyMatchFailure(op, kDivergent);
    auto merged =
        AllGatherOp::create(rewriter, fuseLocs(op, inner), op.getType(),
                            inner.getOperand(), *group, op.getDim());
    carryOver(op, merged);
    carryOver(inner, merged);
    rewriter.replaceOp(op, merged);
    return success();
  }
};

/// drop_B(drop_A(x)) = drop_AB(x) along one dim.
struct MergeDrops : public RulePattern<DropOp> {
  using RulePattern::RulePattern;

  LogicalResult apply(DropOp op, PatternRewriter &rewriter) const override {
    auto outer = getLocalDef<DropOp>(op, op.getOperand());
    if (!outer || outer.getDim() != op.getDim())
      return rewriter.notifyMatchFailure(op, "no drop of the same dim");
    auto group = joinGroups(outer.getGroup(), op.getGroup());
    if (!group)
      return rewriter.notifyMatchFailure(op, "groups do not join");
    auto merged = DropOp::create(rewriter, fuseLocs(op, outer), op.getType(),
                                 outer.getOperand(), *group, op.getDim());
    carryOver(op, merged);
    carryOver(outer, merged);
    rewriter.replaceOp(op, merged);
    return success();
  }
};

} // namespace

llvm::ArrayRef<Rule> moe::getGatherRules() {
  static const Rule rules[] = {
      {"transpose-before-all-reduce",
       "transpose(all_reduce(x)) = all_reduce(transpose(x))",
       addPattern<TransposeBeforeAllReduce>},
      {"scatter-before-transpose",
       "reduce_scatter(transpose(x)) = transpose(reduce_scatter(x))",
       addPattern<ScatterBeforeTranspose>},
      {"gather-after-rowwise", "f(gather_B(x), w) = gather_B(f(x, w))",
       addPattern<GatherAfterRowwise>},
      {"gather-after-all-reduce",
       "all_reduce_A(gather_B(x)) = gather_B(all_reduce_A(x))",
       addPattern<GatherAfterAllReduce>},
      {"all-gather-of-drop", "gather_B(drop_B(x)) = x for x replicated over B",
       addPattern<AllGatherOfDrop>},
      {"drop-before-all-reduce",
       "drop_B(all_reduce_A(x)) = all_reduce_A(drop_B(x))",
       addPattern<DropBeforeAllReduce>},
      {"drop-of-all-reduce", "drop_B(all_reduce_B(x)) = reduce_scatter_B(x)",
       addPattern<DropOfAllReduce>},
      {"all-gather-of-reduce-scatter",
       "gather_B(reduce_scatter_B(x)) = all_reduce_B(x)",
       addPattern<AllGatherOfReduceScatter>},
      {"merge-all-gathers", "gather_A(gather_B(x)) = gather_AB(x)",
       addPattern<MergeAllGathers>},
      {"merge-drops", "drop_B(drop_A(x)) = drop_AB(x)", addPattern<MergeDrops>},
  };
  return rules;
}
