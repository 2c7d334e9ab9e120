//===- RulePatterns.h - Patterns behind the rules, one function each -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_TRANSFORMS_RULEPATTERNS_H
#define MOE_LIB_TRANSFORMS_RULEPATTERNS_H

#include "moe/Transforms/Rules.h"

namespace moe {

using Populate = void(mlir::RewritePatternSet &patterns, RuleContext &context);

// DeduplicationRules.cpp
Populate populateDeduplicateAllToAll;
Populate populateGatherAfterAllToAll;
Populate populateScatterBeforeAllToAll;
// GatherRules.cpp
Populate populateTransposeBeforeAllReduce;
Populate populateScatterBeforeTranspose;
Populate populateGatherAfterRowwise;
Populate populateGatherAfterAllReduce;
Populate populateAllGatherOfDrop;
Populate populateDropBeforeAllReduce;
Populate populateDropOfAllReduce;
Populate populateAllGatherOfReduceScatter;
Populate populateMergeAllGathers;
Populate populateMergeDrops;
// SplitAllToAllRule.cpp
Populate populateSplitAllToAll;

/// A pattern that knows the context of its rule.
template <typename OpT>
struct RulePattern : public mlir::OpRewritePattern<OpT> {
  RulePattern(mlir::MLIRContext *mlirContext, RuleContext &context,
              mlir::PatternBenefit benefit = 1)
      : mlir::OpRewritePattern<OpT>(mlirContext, benefit), context(context) {}
  RuleContext &context;
};

/// The op of that kind that defines `value` in the block of `user`, or null. A
/// collective must not be moved into or out of a branch or loop.
template <typename OpT>
OpT getLocalDef(mlir::Operation *user, mlir::Value value) {
  auto def = value.getDefiningOp<OpT>();
  return def && def->getBlock() == user->getBlock() ? def : OpT();
}

/// True when both groups are stated by axes and share none.
inline bool areDisjoint(const RuleContext &context, GroupAttrInterface a,
                        GroupAttrInterface b) {
  std::optional<uint64_t> first = context.replication.getAxes().getBits(a);
  std::optional<uint64_t> second = context.replication.getAxes().getBits(b);
  return first && second && (*first & *second) == 0;
}

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_RULEPATTERNS_H
