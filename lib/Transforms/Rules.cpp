//===- Rules.cpp - The list of rules ----------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Transforms/Rules.h"
#include "RulePatterns.h"

using namespace moe;

bool RuleContext::canMeet(mlir::Operation *op, GroupAttrInterface group) const {
  const MeshAxes &axes = replication.getAxes();
  return !control.findDivergenceWithCalls(
      op, axes.getBits(group).value_or(axes.all()));
}

void RuleContext::noteRewritten(CollectiveOpInterface original,
                                CollectiveOpInterface made) {
  auto it = originalBytes.find(original);
  if (it != originalBytes.end()) {
    originalBytes[made] = it->second;
    return;
  }
  llvm::FailureOr<int64_t> bytes = original.getSendBytes();
  originalBytes[made] = mlir::succeeded(bytes) ? *bytes : 0;
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
