// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the rules.

#ifndef MOE_LIB_TRANSFORMS_RULEPATTERNS_H
#define MOE_LIB_TRANSFORMS_RULEPATTERNS_H

#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Transforms/Rules.h"

namespace moe {

/// The rules of each file, which also has their patterns.
llvm::ArrayRef<Rule> getDeduplicationRules();
llvm::ArrayRef<Rule> getGatherRules();
llvm::ArrayRef<Rule> getSplitRules();
llvm::ArrayRef<Rule> getReduceSplitRules();

/// The reason why a rule does not rewrite scheduled ops.
inline constexpr llvm::StringLiteral kScheduled =
    "expected an op that is not in a moe.task: what a task does, and for how "
    "long, is settled; run this before moe-schedule";

inline bool isScheduled(mlir::Operation *op) {
  return op->getParentOfType<TaskOp>() != nullptr;
}

/// A pattern with access to the context of its rule.
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

/// Adds one pattern; used as the `populate` of a rule.
template <typename PatternT, unsigned Benefit = 1>
void addPattern(mlir::RewritePatternSet &patterns, RuleContext &context) {
  patterns.add<PatternT>(patterns.getContext(), context, Benefit);
}

/// Returns the op of this kind that defines `value` in the block of `user`, or
/// null. A collective must not be moved into or out of a branch or loop.
template <typename OpT>
OpT getLocalDef(mlir::Operation *user, mlir::Value value) {
  auto def = value.getDefiningOp<OpT>();
  // At the top level of a module, an op may be its own operand.
  return def && def != user && def->getBlock() == user->getBlock() ? def
                                                                   : OpT();
}

/// The reason why a rule adds no collective at a point where ranks diverge.
inline constexpr llvm::StringLiteral kDivergent =
    "control flow around it varies over the group";

/// Returns true if both groups are defined by axes and share none.
inline bool areDisjoint(const RuleContext &context, GroupAttrInterface a,
                        GroupAttrInterface b) {
  std::optional<uint64_t> first = context.replication.getAxes().getBits(a);
  std::optional<uint64_t> second = context.replication.getAxes().getBits(b);
  return first && second && (*first & *second) == 0;
}

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_RULEPATTERNS_H
