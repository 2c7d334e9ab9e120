// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-to-alls that send data once.

#include "RulePatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Analysis/AutomaticDims.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

static Value getExchanged(Operation *op) {
  return op->getOperand(getChainedOperand(op));
}

/// Returns the dim of the result that a dim of the exchanged operand maps to
/// one to one, so that the all-to-all does not split or join it. Returns
/// nullopt if another operand, for example the init of a ragged all-to-all, has
/// another size along this dim, because its parts would not match.
static std::optional<unsigned> findFreeResultDim(Operation *op, int64_t dim) {
  std::optional<DimMap> map = getDimMap(op);
  std::optional<unsigned> resultDim =
      map ? map->getResultDim(getChainedOperand(op), dim, 0) : std::nullopt;
  if (!resultDim)
    return std::nullopt;
  auto type = cast<RankedTensorType>(getExchanged(op).getType());
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (std::optional<unsigned> cut = map->getOperandDim(0, *resultDim, i))
      if (cast<RankedTensorType>(operand.getType()).getDimSize(*cut) !=
          type.getDimSize(dim))
        return std::nullopt;
  return resultDim;
}

/// Returns the dims of an all-to-all's operand to slice, best first: token
/// slots and hidden elements, then the others.
static SmallVector<int64_t> getFreeDims(Operation *op) {
  int64_t rank = cast<RankedTensorType>(getExchanged(op).getType()).getRank();
  SmallVector<int64_t> dims;
  for (int64_t d = 2; d < rank; ++d)
    dims.push_back(d);
  for (int64_t d = 0; d < std::min<int64_t>(2, rank); ++d)
    dims.push_back(d);
  llvm::erase_if(dims, [&](int64_t d) { return !findFreeResultDim(op, d); });
  return dims;
}

/// Returns the part of `whole` along `dim` that belongs to this rank, where all
/// ranks of the group hold the same data and `ranks` divides the dim. If all
/// elements are equal, returns a smaller constant, splat or empty tensor
/// instead of a slice.
static Value takePart(PatternRewriter &rewriter, Location loc, Value whole,
                      GroupAttrInterface group, int64_t dim, int64_t ranks) {
  auto type = cast<RankedTensorType>(whole.getType());
  FailureOr<RankedTensorType> partType = inferScatteredType(type, dim, ranks);
  DenseElementsAttr constant;
  if (matchPattern(whole, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(rewriter, loc,
                                     constant.resizeSplat(*partType));
  Operation *def = whole.getDefiningOp();
  if (!isa_and_nonnull<tensor::EmptyOp, tensor::SplatOp>(def) ||
      type.isDynamicDim(dim))
    return DropOp::create(rewriter, loc, whole, group, dim, ranks);
  Operation *part = def->clone();
  part->getResult(0).setType(*partType);
  return rewriter.insert(part)->getResult(0);
}

/// Replaces `op` by an all-to-all of `part`, which is a part along a free dim
/// of its operand, and a gather of the result. `moved` is the gather that the
/// new gather replaces, if any. The other operands of `op` must be equal on all
/// gathered ranks.
static void exchangePart(PatternRewriter &rewriter, RuleContext &context,
                         CollectiveOpInterface op, Value part, int64_t dim,
                         GroupAttrInterface gathered, int64_t ranks,
                         AllGatherOp moved = nullptr) {
  unsigned resultDim = *findFreeResultDim(op, dim);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[resultDim] = cast<RankedTensorType>(part.getType()).getDimSize(dim);
  std::optional<DimMap> map = getDimMap(op);
  SmallVector<Value> operands(op->getOperands());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (i == getChainedOperand(op))
      operand = part;
    else if (std::optional<unsigned> cut = map->getOperandDim(0, resultDim, i))
      operand = takePart(rewriter, op.getLoc(), operand, gathered, *cut, ranks);
  }
  // Completes the op before inserting it, because listeners read its operands
  // and types.
  Operation *clone = op->clone();
  clone->setOperands(operands);
  clone->getResult(0).setType(type.clone(shape));
  auto exchange = cast<CollectiveOpInterface>(rewriter.insert(clone));
  context.noteRewritten(op, exchange, dim, gathered);
  auto gather =
      AllGatherOp::create(rewriter, moved ? fuseLocs(op, moved) : op->getLoc(),
                          type, exchange->getResult(0), gathered, resultDim);
  if (moved)
    carryOver(moved, gather);
  rewriter.replaceOp(op, gather);
}

static constexpr StringLiteral kOthersVary =
    "another operand varies over the group";

/// Returns, for example, `["tp", "esp"]`.
static std::string formatNames(ArrayRef<StringRef> names) {
  std::string text = "[";
  for (StringRef name : names)
    text += (text.size() > 1 ? ", \"" : "\"") + name.str() + "\"";
  return text + "]";
}

/// Returns the first of `dims` with a static size that `size` divides. If there
/// is none, `found` lists all of them with their sizes.
static std::optional<int64_t> firstDividing(RankedTensorType type,
                                            ArrayRef<int64_t> dims,
                                            int64_t size, std::string &found) {
  for (int64_t d : dims) {
    if (!type.isDynamicDim(d) && type.getDimSize(d) % size == 0 &&
        type.getDimSize(d) > 0)
      return d;
    found += (found.empty() ? "dim " : ", dim ") + std::to_string(d) + " (" +
             (type.isDynamicDim(d) ? "dynamic"
                                   : std::to_string(type.getDimSize(d))) +
             ")";
  }
  if (found.empty())
    found = "none";
  return std::nullopt;
}

/// Returns the dim of `op`'s operand for dim `dim` of the normal form [ranks,
/// experts, slots, M]. Rows [rows, M] only have the last dim of this form.
static int64_t fromNormalForm(Operation *op, int64_t dim) {
  constexpr int64_t kHidden = 3;
  auto type = cast<RankedTensorType>(getExchanged(op).getType());
  return isa<RaggedAllToAllOp>(op) && type.getRank() == 2 && dim == kHidden
             ? 1
             : dim;
}

/// Returns the dim to cut over `size` ranks: the requested one, or the first
/// free one.
static std::optional<int64_t> chooseDim(Operation *op,
                                        const RuleContext &context,
                                        int64_t size, StringRef axis,
                                        std::string &reason) {
  auto type = cast<RankedTensorType>(getExchanged(op).getType());
  SmallVector<int64_t> dims = getFreeDims(op);
  if (context.dropDim >= 0) {
    int64_t dim = fromNormalForm(op, context.dropDim);
    if (!llvm::is_contained(dims, dim)) {
      reason = "expected a drop dim that is neither the split nor the concat "
               "dim and below rank " +
               std::to_string(type.getRank()) + ", got " +
               std::to_string(context.dropDim);
      return std::nullopt;
    }
    dims = {dim};
  }
  std::string found;
  if (SmallVector<StringRef> automatic = AutomaticDims::getAxes(op);
      !automatic.empty()) {
    AutomaticDims sharded(op->getParentOfType<FunctionOpInterface>());
    llvm::erase_if(dims, [&](int64_t dim) {
      auto over = sharded.find(getExchanged(op), dim, automatic);
      if (!over.empty())
        found += (found.empty() ? "dim " : ", dim ") + std::to_string(dim) +
                 " (sharded automatically over " + llvm::join(over, ", ") + ")";
      return !over.empty();
    });
  }
  if (auto dim = firstDividing(type, dims, size, found))
    return dim;
  reason = "expected a free dim that divides by the " + std::to_string(size) +
           " ranks along \"" + axis.str() + "\", got " + found;
  return std::nullopt;
}

std::optional<Deduplication> moe::findDeduplication(CollectiveOpInterface op,
                                                    const RuleContext &context,
                                                    std::string &reason) {
  if (isScheduled(op)) {
    reason = kScheduled;
    return std::nullopt;
  }
  const MeshAxes &axes = context.replication.getAxes();
  std::optional<uint64_t> group = axes.getBits(op.getGroup());
  if (!group) {
    reason = "expected a group of mesh axes, got explicit rank lists";
    return std::nullopt;
  }
  if (FailureOr<int64_t> ranks = op.getGroup().getGroupSize(op);
      succeeded(ranks) && *ranks == 1) {
    reason = "the group has one rank, which sends nothing";
    return std::nullopt;
  }
  uint64_t others = axes.all() & ~*group & context.dropAxes;
  if (others == 0) {
    reason =
        (axes.all() & ~*group) == 0
            ? "no mesh axis outside the group to drop over"
            : "expected an axis to drop over that does not belong to the "
              "group of the all-to-all, got " +
                  formatNames(axes.getNames(axes.all() & context.dropAxes));
    return std::nullopt;
  }
  uint64_t candidates = others;
  for (Value operand : op->getOperands())
    candidates &= ~context.replication.getVarying(operand);
  if (candidates == 0) {
    reason = "already deduplicated: the operand varies over " +
             formatNames(axes.getNames(others));
    return std::nullopt;
  }
  // The gather is an additional rendezvous of ranks, over another axis.
  if (auto found = context.control.findDivergenceWithCalls(op, candidates)) {
    uint64_t divergent = context.control.getDivergentAxes(op, candidates);
    candidates &= ~divergent;
    if (candidates == 0) {
      reason =
          "expected the control flow around " +
          std::string(found->isAroundCall ? "calls of the function" : "it") +
          " to be the same on ranks that differ in " +
          formatNames(axes.getNames(divergent)) + ", got " +
          found->op.getStringRef().str();
      return std::nullopt;
    }
  }
  MeshOp mesh = axes.getMesh();
  reason.clear();
  for (StringRef name : axes.getNames(candidates)) {
    int64_t size = mesh.getShape()[*mesh.getAxisIndex(name)];
    std::string why;
    if (auto dim = chooseDim(op, context, size, name, why))
      return Deduplication{
          GroupAttr::get(FlatSymbolRefAttr::get(mesh.getSymNameAttr()), {name}),
          size, *dim};
    reason += (reason.empty() ? "" : "; ") + why;
  }
  return std::nullopt;
}

namespace {

/// A pattern for all divisible all-to-alls. It matches any op because patterns
/// for an interface are not tried on ops that get the interface from their
/// dialect.
struct ExchangePattern : public RewritePattern {
  ExchangePattern(MLIRContext *mlirContext, RuleContext &context,
                  PatternBenefit benefit)
      : RewritePattern(MatchAnyOpTypeTag(), benefit, mlirContext),
        context(context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    if (!isDivisibleAllToAll(op))
      return failure();
    if (isScheduled(op))
      return rewriter.notifyMatchFailure(op, kScheduled);
    return apply(cast<CollectiveOpInterface>(op), rewriter);
  }

  virtual LogicalResult apply(CollectiveOpInterface op,
                              PatternRewriter &rewriter) const = 0;

  /// Returns true if all operands except the exchanged one are equal on all
  /// ranks of the group.
  bool areOthersReplicated(Operation *op, GroupAttrInterface group) const {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (i != getChainedOperand(op) &&
          !context.replication.isReplicatedOver(operand, group))
        return false;
    return true;
  }

  RuleContext &context;
};

/// a2a_A(x) = gather_B(a2a_A(drop_B(x))) if x does not vary over B.
struct DeduplicateAllToAll : public ExchangePattern {
  using ExchangePattern::ExchangePattern;

  LogicalResult apply(CollectiveOpInterface op,
                      PatternRewriter &rewriter) const override {
    std::string reason;
    std::optional<Deduplication> found = findDeduplication(op, context, reason);
    if (!found)
      return rewriter.notifyMatchFailure(op, reason);
    auto drop = DropOp::create(rewriter, op.getLoc(), getExchanged(op),
                               found->axis, found->dim, found->axisSize);
    exchangePart(rewriter, context, op, drop, found->dim, found->axis,
                 found->axisSize);
    return success();
  }
};

/// a2a_A(gather_B(x)) = gather_B(a2a_A(x)).
struct GatherAfterAllToAll : public ExchangePattern {
  using ExchangePattern::ExchangePattern;

  LogicalResult apply(CollectiveOpInterface op,
                      PatternRewriter &rewriter) const override {
    auto gather = getLocalDef<AllGatherOp>(op, getExchanged(op));
    if (!gather || !gather->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no all_gather with one use");
    if (!findFreeResultDim(op, gather.getDim()))
      return rewriter.notifyMatchFailure(op, "gather dim is split or concat");
    if (!areDisjoint(context, gather.getGroup(), op.getGroup()))
      return rewriter.notifyMatchFailure(op, "groups share an axis");
    if (!areOthersReplicated(op, gather.getGroup()))
      return rewriter.notifyMatchFailure(op, kOthersVary);
    FailureOr<int64_t> ranks = gather.getGroup().getGroupSize(op);
    if (failed(ranks))
      return failure();
    exchangePart(rewriter, context, op, gather.getOperand(), gather.getDim(),
                 gather.getGroup(), *ranks, gather);
    return success();
  }
};

/// a2a_A(all_reduce_B(x)) = gather_B(a2a_A(reduce_scatter_B(x))).
struct ScatterBeforeAllToAll : public ExchangePattern {
  using ExchangePattern::ExchangePattern;

  LogicalResult apply(CollectiveOpInterface op,
                      PatternRewriter &rewriter) const override {
    auto reduce = getLocalDef<AllReduceOp>(op, getExchanged(op));
    if (!reduce || !reduce->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no all_reduce with one use");
    if (!areDisjoint(context, reduce.getGroup(), op.getGroup()))
      return rewriter.notifyMatchFailure(op, "groups share an axis");
    std::optional<uint64_t> bits =
        context.replication.getAxes().getBits(reduce.getGroup());
    if (!bits || (*bits & ~context.dropAxes) != 0)
      return rewriter.notifyMatchFailure(op, "not an axis to drop over");
    if (!context.canMeet(op, reduce.getGroup()))
      return rewriter.notifyMatchFailure(op, kDivergent);
    if (!areOthersReplicated(op, reduce.getGroup()))
      return rewriter.notifyMatchFailure(op, kOthersVary);
    FailureOr<int64_t> scattered = reduce.getGroup().getGroupSize(op);
    std::string reason;
    auto dim = chooseDim(op, context, *scattered, "the all_reduce", reason);
    if (!dim)
      return rewriter.notifyMatchFailure(op, reason);
    auto scatter = ReduceScatterOp::create(
        rewriter, reduce.getLoc(), reduce.getOperand(), reduce.getGroup(), *dim,
        reduce.getReduction(), *scattered);
    carryOver(reduce, scatter);
    exchangePart(rewriter, context, op, scatter, *dim, reduce.getGroup(),
                 *scattered);
    return success();
  }
};

} // namespace

// If two rules match an all-to-all, the rule that adds no work has the higher
// benefit.
llvm::ArrayRef<Rule> moe::getDeduplicationRules() {
  static const Rule rules[] = {
      {"deduplicate-all-to-all",
       "a2a_A(x) = gather_B(a2a_A(drop_B(x))) for x replicated over B",
       addPattern<DeduplicateAllToAll>},
      {"gather-after-all-to-all", "a2a_A(gather_B(x)) = gather_B(a2a_A(x))",
       addPattern<GatherAfterAllToAll, 3>},
      {"scatter-before-all-to-all",
       "a2a_A(all_reduce_B(x)) = gather_B(a2a_A(reduce_scatter_B(x)))",
       addPattern<ScatterBeforeAllToAll, 2>},
  };
  return rules;
}
