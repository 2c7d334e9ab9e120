// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains and the dims along which they are chunked.
//
// The programs in test/Transforms cover the pipelines built from chains. These
// tests check each op's part of a chain and of its dim, which no program shows.

#include "moe/Analysis/Chunking.h"
#include "AnalysisTest.h"

using namespace moe;
using namespace mlir;

namespace {

/// A layer that gathers its tokens over tp before the experts; another op reads
/// the gathered tensor, too.
struct ChunkingTest : public test::AnalysisTest {
  void SetUp() override {
    parse(R"(
      moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
      func.func @f(%x: tensor<2x1x4x6xf32>, %a: tensor<1x6x5xf32>,
                   %b: tensor<1x5x6xf32>)
          -> (tensor<2x1x4x6xf32>, tensor<1x2x8x6xf32>) {
        %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
           : tensor<2x1x4x6xf32> -> tensor<2x1x4x6xf32>
        %t = moe.transpose %d [1, 0, 2, 3]
           : tensor<2x1x4x6xf32> -> tensor<1x2x4x6xf32>
        %g = moe.all_gather %t on <@mesh, ["tp"]> dim 2
           : tensor<1x2x4x6xf32> -> tensor<1x2x8x6xf32>
        %o = arith.addf %g, %g : tensor<1x2x8x6xf32>
        %y = moe.experts gpt %g, %a, %b
           : tensor<1x2x8x6xf32>, tensor<1x6x5xf32>, tensor<1x5x6xf32>
           -> tensor<1x2x8x6xf32>
        %s = moe.reduce_scatter %y on <@mesh, ["tp"]> dim 2
           : tensor<1x2x8x6xf32> -> tensor<1x2x4x6xf32>
        %u = moe.transpose %s [1, 0, 2, 3]
           : tensor<1x2x4x6xf32> -> tensor<2x1x4x6xf32>
        %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0
           : tensor<2x1x4x6xf32> -> tensor<2x1x4x6xf32>
        return %c, %o : tensor<2x1x4x6xf32>, tensor<1x2x8x6xf32>
      }
    )");
    chain =
        findChain(cast<AllToAllOp>(find("moe.all_to_all")), ChainScope::Layer);
  }

  Chain chain;
};

TEST_F(ChunkingTest, ChainOfALayer) {
  SmallVector<StringRef> names;
  for (Operation *op : chain.ops)
    names.push_back(op->getName().stripDialect());
  EXPECT_EQ(names, (SmallVector<StringRef>{
                       "all_to_all", "transpose", "all_gather", "experts",
                       "reduce_scatter", "transpose", "all_to_all"}));
  EXPECT_EQ(chain.operands, SmallVector<unsigned>(7, 0));
  EXPECT_EQ(chain.getInput(), find("func.func")->getRegion(0).getArgument(0));
  EXPECT_EQ(chain.getTaps(), SmallVector<Operation *>{find("moe.all_gather")});
  auto later = chain.getLaterOps();
  ASSERT_TRUE(later);
  EXPECT_EQ(*later, SmallVector<Operation *>{find("arith.addf")});
}

TEST_F(ChunkingTest, ChainOfAnExchange) {
  Chain exchange = findChain(cast<AllToAllOp>(find("moe.all_to_all")),
                             ChainScope::Communication);
  // The chain ends at an op that has other readers.
  EXPECT_EQ(exchange.ops.size(), 3u);
  EXPECT_EQ(exchange.ops.back(), find("moe.all_gather"));
  EXPECT_TRUE(exchange.getTaps().empty());
}

// Between the gather and the scatter the dim is folded, so a chunk is a part of
// each rank's contribution. Weights are taken whole.
TEST_F(ChunkingTest, FoldedDim) {
  std::string reason;
  auto dim = findChunkDim(chain, 2, reason);
  ASSERT_TRUE(dim) << reason;
  EXPECT_EQ(dim->inputDim, 2);
  EXPECT_EQ(dim->size, 4);
  EXPECT_TRUE(dim->isFolded());
  EXPECT_EQ(dim->folds, (SmallVector<int64_t>{1, 1, 2, 2, 1, 1, 1}));
  EXPECT_EQ(dim->resultDims, SmallVector<int64_t>(7, 2));
  EXPECT_EQ(dim->operandDims[3], (SmallVector<int64_t>{2, -1, -1}));
}

TEST_F(ChunkingTest, Refusals) {
  std::string reason;
  // The all-to-alls split and join dim 0; the experts read dim 3 as a whole.
  EXPECT_FALSE(findChunkDim(chain, 0, reason));
  EXPECT_EQ(reason, "dim 0 does not pass moe.all_to_all one to one");
  reason.clear();
  EXPECT_FALSE(findChunkDim(chain, 3, reason));
  EXPECT_EQ(reason, "dim 3 does not pass moe.experts one to one");
  reason.clear();
  auto dim = chooseChunkDim(chain, std::nullopt, 4, reason);
  ASSERT_TRUE(dim) << reason;
  EXPECT_EQ(dim->inputDim, 2);
  EXPECT_FALSE(chooseChunkDim(chain, std::nullopt, 5, reason));
  EXPECT_NE(reason.find("dim 2 of size 4 is shorter than the degree"),
            std::string::npos)
      << reason;
}

} // namespace
