//===- Rules.cpp - The list of rules -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Transforms/Rules.h"
#include "RulePatterns.h"

using namespace moe;

void RuleContext::noteRewritten(AllToAllOp original, AllToAllOp made) {
  auto it = originalBytes.find(original);
  if (it != originalBytes.end()) {
    originalBytes[made] = it->second;
    return;
  }
  llvm::FailureOr<int64_t> bytes = original.getSendBytes();
  originalBytes[made] = mlir::succeeded(bytes) ? *bytes : 0;
}

llvm::ArrayRef<Rule> moe::getRules() {
  static const Rule rules[] = {
      {"deduplicate-all-to-all",
       "a2a_A(x) = gather_B(a2a_A(drop_B(x))) for x replicated over B",
       populateDeduplicateAllToAll},
      {"gather-after-all-to-all", "a2a_A(gather_B(x)) = gather_B(a2a_A(x))",
       populateGatherAfterAllToAll},
      {"scatter-before-all-to-all",
       "a2a_A(all_reduce_B(x)) = gather_B(a2a_A(reduce_scatter_B(x)))",
       populateScatterBeforeAllToAll},
      {"transpose-before-all-reduce",
       "transpose(all_reduce(x)) = all_reduce(transpose(x))",
       populateTransposeBeforeAllReduce},
      {"scatter-before-transpose",
       "reduce_scatter(transpose(x)) = transpose(reduce_scatter(x))",
       populateScatterBeforeTranspose},
      {"gather-after-rowwise", "f(gather_B(x), w) = gather_B(f(x, w))",
       populateGatherAfterRowwise},
      {"gather-after-all-reduce",
       "all_reduce_A(gather_B(x)) = gather_B(all_reduce_A(x))",
       populateGatherAfterAllReduce},
      {"all-gather-of-drop", "gather_B(drop_B(x)) = x for x replicated over B",
       populateAllGatherOfDrop},
      {"drop-before-all-reduce",
       "drop_B(all_reduce_A(x)) = all_reduce_A(drop_B(x))",
       populateDropBeforeAllReduce},
      {"drop-of-all-reduce", "drop_B(all_reduce_B(x)) = reduce_scatter_B(x)",
       populateDropOfAllReduce},
      {"all-gather-of-reduce-scatter",
       "gather_B(reduce_scatter_B(x)) = all_reduce_B(x)",
       populateAllGatherOfReduceScatter},
      {"merge-all-gathers", "gather_A(gather_B(x)) = gather_AB(x)",
       populateMergeAllGathers},
      {"merge-drops", "drop_B(drop_A(x)) = drop_AB(x)", populateMergeDrops},
      {"split-all-to-all", "a2a_AB(x) = a2a_A(a2a_B(x)) on the view [A, B]",
       populateSplitAllToAll},
  };
  return rules;
}

const Rule *moe::findRule(llvm::StringRef name) {
  for (const Rule &rule : getRules())
    if (rule.name == name)
      return &rule;
  return nullptr;
}
