// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that only their dialect can interpret.

#include "AnalysisTest.h"
#include "ForeignDialect.h"
#include "moe/Analysis/Chunking.h"
#include "moe/Analysis/Volumes.h"

using namespace moe;
using namespace mlir;

namespace {

struct FallbackTest : public test::AnalysisTest {
  FallbackTest() {
    context.loadDialect<test::ForeignDialect>();
    parse(R"(
      moe.mesh @mesh axes ["ep"] shape [4]
      func.func @f(%x: tensor<4x10x50xf32>) -> tensor<4x10x50xf32> {
        %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
           : tensor<4x10x50xf32> -> tensor<4x10x50xf32>
        %1 = "foreign.scale"(%0) : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
        %2 = moe.all_to_all %1 on <@mesh, ["ep"]> split 0 concat 0
           : tensor<4x10x50xf32> -> tensor<4x10x50xf32>
        %3 = "foreign.shift"(%2) {group = #moe.group<@mesh, ["ep"]>}
           : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
        %4 = "foreign.other"(%3) : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
        return %4 : tensor<4x10x50xf32>
      }
    )");
  }
};

TEST_F(FallbackTest, Costs) {
  ASSERT_FALSE(find("foreign.scale")->isRegistered());
  EXPECT_EQ(getTime("foreign.scale"), 3);
  EXPECT_EQ(getLocalResource(find("foreign.scale")), cost::Resource::Copy);
  EXPECT_EQ(getTime("foreign.other"), -1);
  EXPECT_EQ(error, "'foreign.other' op cannot be timed: it has no cost model; "
                   "state its time in microseconds, {moe.time_us = 1.0 : f64}");
}

TEST_F(FallbackTest, Exchanges) {
  // Every second rank sends to the other node.
  EXPECT_DOUBLE_EQ(getTime("foreign.shift"), 8000 / 10e3);
  SmallVector<CollectiveVolume> volumes = computeVolumes(*module);
  ASSERT_EQ(volumes.size(), 3u);
  EXPECT_EQ(volumes[2].op, find("foreign.shift"));
  EXPECT_EQ(volumes[2].axes, "ep");
  EXPECT_EQ(volumes[2].getTotalBytes(), 8000);
  EXPECT_EQ(volumes[2].bound, VolumeBound::Exact);
}

TEST_F(FallbackTest, Effects) {
  auto collective = dyn_cast<CollectiveOpInterface>(find("foreign.shift"));
  ASSERT_TRUE(collective);
  EXPECT_EQ(*collective.getSendBytes(), 8000);
  EXPECT_TRUE(isAllToAll(find("foreign.shift")));
  EXPECT_TRUE(isMemoryEffectFree(find("foreign.scale")));
  EXPECT_FALSE(isMemoryEffectFree(find("foreign.other")));
}

TEST_F(FallbackTest, Chains) {
  EXPECT_TRUE(appliesExperts(find("foreign.scale")));
  Chain chain =
      findChain(cast<AllToAllOp>(find("moe.all_to_all")), ChainScope::Layer);
  ASSERT_EQ(chain.ops.size(), 4u);
  EXPECT_EQ(chain.ops[1], find("foreign.scale"));
  std::string reason;
  std::optional<ChunkDim> dim = findChunkDim(chain, 2, reason);
  ASSERT_TRUE(dim) << reason;
  EXPECT_EQ(dim->size, 50);
  EXPECT_EQ(findChain(cast<AllToAllOp>(find("moe.all_to_all")),
                      ChainScope::Communication)
                .ops.size(),
            1u);
  // A chain may also start there.
  ASSERT_TRUE(isDivisibleAllToAll(find("foreign.shift")));
  EXPECT_EQ(findChain(find("foreign.shift"), ChainScope::Layer).ops, chain.ops);
}

TEST_F(FallbackTest, Dims) {
  std::optional<DimMap> map = getDimMap(find("foreign.scale"));
  ASSERT_TRUE(map);
  EXPECT_TRUE(map->isPartwise);
  EXPECT_EQ(map->getResultDim(0, 1, 0), 1u);
  map = getDimMap(find("foreign.shift"));
  ASSERT_TRUE(map);
  EXPECT_FALSE(map->isPartwise);
  EXPECT_FALSE(map->getResultDim(0, 0, 0));
  EXPECT_FALSE(getDimMap(find("foreign.other")));
}

TEST_F(FallbackTest, Indices) {
  parse(R"(
    func.func @f(%i: tensor<4xi32>) {
      "foreign.pick"(%i) : (tensor<4xi32>) -> ()
      return
    }
  )");
  auto indexed = dyn_cast<IndexOpInterface>(find("foreign.pick"));
  ASSERT_TRUE(indexed);
  EXPECT_EQ(indexed.getIndexRange(0)->low, 3);
  EXPECT_EQ(indexed.getIndexRange(0)->high, 5);
}

} // namespace
