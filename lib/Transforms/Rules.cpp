// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of rules.

#include "moe/Transforms/Rules.h"
#include "RulePatterns.h"

using namespace moe;

bool RuleContext::canMeet(mlir::Operation *op, GroupAttrInterface group) const {
  const MeshAxes &axes = replication.getAxes();
  return !control.findDivergenceWithCalls(
      op, axes.getBits(group).value_or(axes.all()));
}

void RuleContext::noteRewritten(CollectiveOpInterface original,
                                CollectiveOpInterface made, int64_t dim,
                                GroupAttrInterface group) {
  RewrittenExchange known;
  if (auto it = rewritten.find(original); it != rewritten.end())
    known = it->second;
  else if (auto bytes = original.getSendBytes(); mlir::succeeded(bytes))
    known.originalBytes = *bytes;
  known.parts.emplace_back(dim, group);
  rewritten[made] = std::move(known);
}

llvm::ArrayRef<Rule> moe::getRules() {
  static const llvm::SmallVector<Rule> rules = [] {
    llvm::SmallVector<Rule> all;
    for (llvm::ArrayRef<Rule> some : {getDeduplicationRules(), getGatherRules(),
                                      getSplitRules(), getReduceSplitRules()})
      llvm::append_range(all, some);
    return all;
  }();
  return rules;
}

const Rule *moe::findRule(llvm::StringRef name) {
  for (const Rule &rule : getRules())
    if (rule.name == name)
      return &rule;
  return nullptr;
}
