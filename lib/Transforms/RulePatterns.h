// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rules share.

#ifndef MOE_LIB_TRANSFORMS_RULEPATTERNS_H
#define MOE_LIB_TRANSFORMS_RULEPATTERNS_H

#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Transforms/Rules.h"

namespace moe {

/// The rules of each file, their patterns beside them.
llvm::ArrayRef<Rule> getDeduplicationRules();
llvm::ArrayRef<Rule> getGatherRules();
llvm::ArrayRef<Rule> getSplitRules();
llvm::ArrayRef<Rule> getReduceSplitRules();

/// Why a rule leaves what is scheduled alone.
inline constexpr llvm::StringLiteral kScheduled =
    "expected an op that is not in a moe.task: what a task does, and for how "
    "long, is settled; run this before moe-schedule";

/// True for ops of tasks.
inline bool isScheduled(mlir::Operation *op) {
  return op->getParentOfType<TaskOp>() != nullptr;
}

/// A pattern that knows the context of its rule.
template <typename OpT>
struct RulePattern : public mlir::OpRewritePattern<OpT> {
  RulePattern(mlir::MLIRContext *mlirContext, RuleContext &context,
              mlir::PatternBenefit benefit = 1)
      : mlir::OpRewritePattern<OpT>(mlirContext, benefit), context(context) {}

  mlir::LogicalResult
  matchAndRewrite(OpT op, mlir::PatternRewriter &rewriter) const final {
    if (isScheduled(op))
      return rewriter.notifyMatchFailure(op, kScheduled);
    return apply(op, rewriter);
  }

  /// Matches and rewrites an op that is in no task.
  virtual mlir::LogicalResult apply(OpT op,
                                    mlir::PatternRewriter &rewriter) const = 0;

  RuleContext &context;
};

/// Adds one pattern: the `populate` of a rule.
template <typename PatternT, unsigned Benefit = 1>
void addPattern(mlir::RewritePatternSet &patterns, RuleContext &context) {
  patterns.add<PatternT>(patterns.getContext(), context, Benefit);
}

/// The op of that kind that defines `value` in the block of `user`, or null. A
/// collective must not be moved into or out of a branch or loop.
template <typename OpT>
OpT getLocalDef(mlir::Operation *user, mlir::Value value) {
  auto def = value.getDefiningOp<OpT>();
  // At the top of a module an op may use itself.
  return def && def != user && def->getBlock() == user->getBlock() ? def
                                                                   : OpT();
}

/// Why a rule adds no collective where ranks go different ways.
inline constexpr llvm::StringLiteral kDivergent =
    "control flow around it varies over the group";

/// True when both groups are stated by axes and share none.
inline bool areDisjoint(const RuleContext &context, GroupAttrInterface a,
                        GroupAttrInterface b) {
  std::optional<uint64_t> first = context.replication.getAxes().getBits(a);
  std::optional<uint64_t> second = context.replication.getAxes().getBits(b);
  return first && second && (*first & *second) == 0;
}

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_RULEPATTERNS_H
