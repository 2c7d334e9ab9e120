// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of rules for their callers.
//
// The tests in test/Transforms check, and prove, the rewrites. These tests
// check the table, the answers without a rewrite, and the bytes recorded for
// remarks.

#include "moe/Transforms/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "gtest/gtest.h"
#include <set>

using namespace moe;
using namespace mlir;

namespace {

/// A fixture with two ranks along ep and four along tp.
struct RulesTest : public ::testing::Test {
  RulesTest() {
    context.loadDialect<MoEDialect, func::FuncDialect, arith::ArithDialect,
                        scf::SCFDialect, tensor::TensorDialect>();
  }

  /// Parses `body` in a function of %x: tensor<2x3x8x5xf32>, which varies over
  /// ep, and %c: i1, which varies over tp.
  void parse(StringRef body) {
    std::string source = R"(
      moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]
      func.func @f(%x: tensor<2x3x8x5xf32> {moe.varying = ["ep"]},
                   %c: i1 {moe.varying = ["tp"]}) -> tensor<2x3x8x5xf32> {
    )";
    source += body.str() + "}";
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module) << source;
    replication = std::move(*ReplicationInfo::compute(*module));
    rules = std::make_unique<RuleContext>(*replication);
  }

  AllToAllOp findAllToAll() {
    AllToAllOp found;
    module->walk([&](AllToAllOp op) { found = op; });
    return found;
  }

  /// Returns the dim and axis of a deduplication, or the reason for none.
  std::string deduplicate() {
    std::string reason;
    auto way = findDeduplication(findAllToAll(), *rules, reason);
    if (!way)
      return reason;
    StringRef axis = cast<StringAttr>(way->axis.getAxes()[0]).getValue();
    return ("dim " + Twine(way->dim) + " over " + axis + " of " +
            Twine(way->axisSize))
        .str();
  }

  /// Returns the sizes of a split, or the reason for none.
  std::string split(bool collectOnOneRank = false) {
    std::string reason;
    auto way = findAxisSplit(findAllToAll(), collectOnOneRank, reason);
    if (!way)
      return reason;
    return (Twine(way->outerSize) + " x " + Twine(way->innerSize)).str();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<ReplicationInfo> replication;
  std::unique_ptr<RuleContext> rules;
};

constexpr StringLiteral kExchange = R"(
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
  return %r : tensor<2x3x8x5xf32>
)";

TEST_F(RulesTest, Table) {
  parse(kExchange);
  std::set<StringRef> names;
  for (const Rule &rule : getRules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name.str();
    EXPECT_FALSE(rule.summary.empty()) << rule.name.str();
    EXPECT_EQ(findRule(rule.name), &rule);
    RewritePatternSet patterns(&context);
    rule.populate(patterns, *rules);
    EXPECT_FALSE(patterns.getNativePatterns().empty()) << rule.name.str();
  }
  EXPECT_EQ(findRule("nonsense"), nullptr);
  EXPECT_EQ(findRule(""), nullptr);
}

TEST_F(RulesTest, FindsADeduplication) {
  parse(kExchange);
  EXPECT_EQ(deduplicate(), "dim 2 over tp of 4");
  rules->dropDim = 2;
  EXPECT_EQ(deduplicate(), "dim 2 over tp of 4");
  rules->dropDim = 3;
  EXPECT_EQ(deduplicate(),
            "expected a free dim that divides by the 4 ranks along \"tp\", got "
            "dim 3 (5)");
  rules->dropDim = -1;
  rules->dropAxes = 0;
  EXPECT_NE(deduplicate().find("drop over"), std::string::npos)
      << deduplicate();
}

TEST_F(RulesTest, RanksMustMeet) {
  parse(R"(
    %r = scf.if %c -> tensor<2x3x8x5xf32> {
      %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
         : tensor<2x3x8x5xf32> -> tensor<2x3x8x5xf32>
      scf.yield %a : tensor<2x3x8x5xf32>
    } else {
      scf.yield %x : tensor<2x3x8x5xf32>
    }
    return %r : tensor<2x3x8x5xf32>
  )");
  AllToAllOp op = findAllToAll();
  EXPECT_TRUE(rules->canMeet(op, op.getGroup()));
  auto tp =
      GroupAttr::get(FlatSymbolRefAttr::get(&context, "mesh"), StringRef("tp"));
  EXPECT_FALSE(rules->canMeet(op, tp));
  EXPECT_TRUE(rules->canMeet(op->getParentOp(), tp));
  EXPECT_NE(deduplicate().find("got scf.if"), std::string::npos)
      << deduplicate();
}

TEST_F(RulesTest, FindsASplit) {
  parse(R"(
    %v = tensor.collapse_shape %x [[0, 1, 2, 3]]
       : tensor<2x3x8x5xf32> into tensor<240xf32>
    %a = moe.all_to_all %v on <@mesh, ["ep", "tp"]> split 0 concat 0
       : tensor<240xf32> -> tensor<240xf32>
    return %x : tensor<2x3x8x5xf32>
  )");
  EXPECT_EQ(split(), "2 x 4");
  EXPECT_EQ(split(/*collectOnOneRank=*/true), "2 x 4");
  parse(kExchange);
  EXPECT_EQ(split(), "expected a group of at least two axes, the last inside a "
                     "node, got 1 (moe-split-mesh-axis splits one)");
}

// The exchange that a rule creates records the one it replaces: a rank sends
// half of 960 bytes before, and the remark compares with that.
TEST_F(RulesTest, NotesTheBytesOfWhatIsReplaced) {
  parse(kExchange);
  RewritePatternSet patterns(&context);
  findRule("deduplicate-all-to-all")->populate(patterns, *rules);
  GreedyRewriteConfig config;
  config.setListener(replication.get());
  ASSERT_TRUE(
      succeeded(applyPatternsGreedily(*module, std::move(patterns), config)));
  AllToAllOp made = findAllToAll();
  EXPECT_EQ(made.getType().getDimSize(2), 2);
  ASSERT_EQ(rules->rewritten.size(), 1u);
  RewrittenExchange exchange = rules->rewritten.lookup(made);
  EXPECT_EQ(exchange.originalBytes, 480);
  ASSERT_EQ(exchange.parts.size(), 1u);
  EXPECT_EQ(exchange.parts.front().first, 2);
}

} // namespace
