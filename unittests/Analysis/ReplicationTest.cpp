// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that stay true under rewrites.
//
// The tests in test/Analysis check over which axes values vary. These tests
// check the facts about ops that a rewriter creates and erases after the
// analysis ran.

#include "moe/Analysis/Replication.h"
#include "AnalysisTest.h"

using namespace moe;
using namespace mlir;

namespace {

struct ReplicationTest : public test::AnalysisTest {
  void SetUp() override {
    parse(R"(
      moe.mesh @mesh axes ["one", "ep", "tp"] shape [1, 2, 4]
      func.func @f(%x: tensor<4x8xf32> {moe.varying = ["ep"]},
                   %y: tensor<4x8xf32> {moe.varying = []}) {
        %d = moe.drop %x on <@mesh, ["tp"]> dim 0
           : tensor<4x8xf32> -> tensor<1x8xf32>
        %g = moe.all_gather %d on <@mesh, ["tp"]> dim 0
           : tensor<1x8xf32> -> tensor<4x8xf32>
        return
      }
    )");
    info = std::move(*ReplicationInfo::compute(*module));
    function = *module->getOps<func::FuncOp>().begin();
  }

  /// Returns the names of the axes that a value varies over.
  std::string getNames(Value value) {
    return llvm::join(info->getAxes().getNames(info->getVarying(value)), ",");
  }

  std::unique_ptr<ReplicationInfo> info;
  func::FuncOp function;
};

TEST_F(ReplicationTest, Axes) {
  // Axes of one rank are left out.
  EXPECT_EQ(llvm::join(info->getAxes().getNames(info->getAxes().all()), ","),
            "ep,tp");
  auto group = cast<DropOp>(find("moe.drop")).getGroup();
  EXPECT_EQ(info->getAxes().getNames(*info->getAxes().getBits(group)),
            SmallVector<StringRef>{"tp"});
  auto lists = ReplicaGroupsAttr::get(
      &context,
      DenseIntElementsAttr::get(
          RankedTensorType::get({1, 2}, IntegerType::get(&context, 64)),
          ArrayRef<int64_t>{0, 1}));
  EXPECT_EQ(info->getAxes().getBits(lists), std::nullopt);
  EXPECT_TRUE(info->isReplicatedOver(function.getArgument(0), group));
  EXPECT_FALSE(info->isReplicatedOver(find("moe.drop")->getResult(0), group));
}

TEST_F(ReplicationTest, KnowsWhatARewriterMakes) {
  Operation *drop = find("moe.drop"), *gather = find("moe.all_gather");
  EXPECT_EQ(getNames(drop->getResult(0)), "ep,tp");
  EXPECT_EQ(getNames(gather->getResult(0)), "ep");

  IRRewriter rewriter(&context, info.get());
  rewriter.setInsertionPointAfter(gather);
  // Clones the two ops onto a value that is equal on all ranks.
  IRMapping mapping;
  mapping.map(function.getArgument(0), function.getArgument(1));
  Operation *otherDrop = rewriter.clone(*drop, mapping);
  Operation *otherGather = rewriter.clone(*gather, mapping);
  EXPECT_EQ(getNames(otherDrop->getResult(0)), "tp");
  EXPECT_EQ(getNames(otherGather->getResult(0)), "");
  // The result of an unknown op varies over every axis, whatever it reads.
  context.allowUnregisteredDialects();
  OperationState state(drop->getLoc(), "test.unknown");
  state.addOperands(function.getArgument(1));
  state.addTypes(function.getArgument(1).getType());
  Operation *unknown = rewriter.create(state);
  EXPECT_EQ(getNames(unknown->getResult(0)), "ep,tp");
}

// A value created at the address of an erased one has facts of its own.
TEST_F(ReplicationTest, ForgetsWhatARewriterErases) {
  Operation *drop = find("moe.drop");
  IRRewriter rewriter(&context, info.get());
  rewriter.setInsertionPoint(function.getBody().front().getTerminator());
  IRMapping mapping;
  mapping.map(function.getArgument(0), function.getArgument(1));
  for (int i = 0; i < 16; ++i) {
    Operation *narrow = rewriter.clone(*drop, mapping);
    EXPECT_EQ(getNames(narrow->getResult(0)), "tp");
    rewriter.eraseOp(narrow);
    Operation *wide = rewriter.clone(*drop);
    EXPECT_EQ(getNames(wide->getResult(0)), "ep,tp");
    rewriter.eraseOp(wide);
  }
}

} // namespace
