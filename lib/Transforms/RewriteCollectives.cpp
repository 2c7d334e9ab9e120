//===- RewriteCollectives.cpp - Apply single rules --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Rules.h"
#include "llvm/ADT/StringExtras.h"

namespace moe {
#define GEN_PASS_DEF_REWRITECOLLECTIVES
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {
struct RewriteCollectives
    : public moe::impl::RewriteCollectivesBase<RewriteCollectives> {
  using RewriteCollectivesBase::RewriteCollectivesBase;

  LogicalResult initialize(MLIRContext *context) override {
    for (const std::string &name : rules)
      if (!findRule(name)) {
        auto names = llvm::map_range(
            getRules(), [](const Rule &rule) { return rule.name; });
        return emitError(UnknownLoc::get(context))
               << "moe-rewrite-collectives: unknown rule '" << name
               << "', expected one of: " << llvm::join(names, ", ");
      }
    if (rules.empty())
      return emitError(UnknownLoc::get(context))
             << "moe-rewrite-collectives: expected rules=NAME,NAME";
    return success();
  }

  void runOnOperation() override {
    auto replication = ReplicationInfo::compute(getOperation());
    if (failed(replication))
      return signalPassFailure();
    RuleContext context(**replication);
    RewritePatternSet patterns(&getContext());
    for (const std::string &name : rules)
      findRule(name)->populate(patterns, context);
    GreedyRewriteConfig config;
    config.setListener(replication->get());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      getOperation()->emitError("rules did not come to an end");
      signalPassFailure();
    }
  }
};
} // namespace
