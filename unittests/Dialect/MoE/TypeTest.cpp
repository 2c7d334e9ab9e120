// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types and sizes in bytes.

#include "IRTest.h"

using namespace mlir;
using namespace moe;

namespace {

using TypeTest = moe::test::IRTest;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST_F(TypeTest, GatheringMultipliesADim) {
  EXPECT_EQ(*inferGatheredType(type("tensor<2x3xf32>"), 1, 4),
            type("tensor<2x12xf32>"));
  EXPECT_EQ(*inferGatheredType(type("tensor<0x3xf32>"), 0, 4),
            type("tensor<0x3xf32>"));
  EXPECT_EQ(*inferGatheredType(type("tensor<?x3xi4>"), 0, 4),
            type("tensor<?x3xi4>"));
  EXPECT_EQ(*inferGatheredType(type("tensor<2xf32, 7>"), 0, 1),
            type("tensor<2xf32, 7>"));
}

TEST_F(TypeTest, GatheringFailsOutOfRangeAndOnOverflow) {
  for (int64_t dim : {int64_t(-1), int64_t(2), kMin, kMax})
    EXPECT_TRUE(failed(inferGatheredType(type("tensor<2x3xf32>"), dim, 2)));
  EXPECT_TRUE(failed(inferGatheredType(type("tensor<f32>"), 0, 2)));
  for (int64_t size : {int64_t(0), int64_t(-1), kMin})
    EXPECT_TRUE(failed(inferGatheredType(type("tensor<2xf32>"), 0, size)));
  RankedTensorType huge = type("tensor<4611686018427387904xf32>");
  EXPECT_TRUE(failed(inferGatheredType(huge, 0, 2)));
  EXPECT_EQ(*inferGatheredType(huge, 0, 1), huge);
  EXPECT_TRUE(failed(inferGatheredType(type("tensor<2xf32>"), 0, kMax)));
}

TEST_F(TypeTest, ScatteringDividesADim) {
  EXPECT_EQ(*inferScatteredType(type("tensor<2x12xbf16>"), 1, 4),
            type("tensor<2x3xbf16>"));
  EXPECT_EQ(*inferScatteredType(type("tensor<0xf32>"), 0, 4),
            type("tensor<0xf32>"));
  EXPECT_EQ(*inferScatteredType(type("tensor<?x12xf32, 7>"), 0, 5),
            type("tensor<?x12xf32, 7>"));
}

TEST_F(TypeTest, ScatteringFailsOutOfRangeAndOnARemainder) {
  for (int64_t dim : {int64_t(-1), int64_t(2), kMin, kMax})
    EXPECT_TRUE(failed(inferScatteredType(type("tensor<2x3xf32>"), dim, 1)));
  for (int64_t size : {int64_t(0), int64_t(-1), int64_t(-2), kMin})
    EXPECT_TRUE(failed(inferScatteredType(type("tensor<2xf32>"), 0, size)));
  EXPECT_TRUE(failed(inferScatteredType(type("tensor<6xf32>"), 0, 4)));
  EXPECT_TRUE(failed(inferScatteredType(type("tensor<6xf32>"), 0, kMax)));
}

TEST_F(TypeTest, AllToAllDividesTheSplitAndMultipliesTheConcatDim) {
  EXPECT_EQ(*inferAllToAllType(type("tensor<4x5xf32>"), 0, 1, 2),
            type("tensor<2x10xf32>"));
  EXPECT_EQ(*inferAllToAllType(type("tensor<4x?xf32>"), 0, 1, 2),
            type("tensor<2x?xf32>"));
  EXPECT_EQ(*inferAllToAllType(type("tensor<?x5xf32>"), 0, 1, 2),
            type("tensor<?x10xf32>"));
}

TEST_F(TypeTest, AllToAllOnOneDimKeepsTheTypeButMustDivide) {
  EXPECT_EQ(*inferAllToAllType(type("tensor<4x5xf32>"), 0, 0, 2),
            type("tensor<4x5xf32>"));
  EXPECT_TRUE(failed(inferAllToAllType(type("tensor<4x5xf32>"), 1, 1, 2)));
  EXPECT_EQ(*inferAllToAllType(type("tensor<?xf32>"), 0, 0, 2),
            type("tensor<?xf32>"));
}

TEST_F(TypeTest, AllToAllFailsOutOfRangeAndOnOverflow) {
  for (int64_t dim : {int64_t(-1), int64_t(2), kMin, kMax}) {
    EXPECT_TRUE(failed(inferAllToAllType(type("tensor<2x2xf32>"), dim, 0, 2)));
    EXPECT_TRUE(failed(inferAllToAllType(type("tensor<2x2xf32>"), 0, dim, 2)));
  }
  EXPECT_TRUE(failed(
      inferAllToAllType(type("tensor<2x4611686018427387904xf32>"), 0, 1, 2)));
  EXPECT_TRUE(failed(inferAllToAllType(type("tensor<2x2xf32>"), 0, 1, 0)));
}

TEST_F(TypeTest, BytesOfATensor) {
  EXPECT_EQ(*getTensorBytes(type("tensor<2x3xf32>")), 24);
  EXPECT_EQ(*getTensorBytes(type("tensor<2x3xbf16>")), 12);
  EXPECT_EQ(*getTensorBytes(type("tensor<f64>")), 8);
  EXPECT_EQ(*getTensorBytes(type("tensor<5xindex>")), 40);
}

TEST_F(TypeTest, ElementsThatAreNoWholeBytesAreRoundedUp) {
  EXPECT_EQ(*getTensorBytes(type("tensor<5xi1>")), 5);
  EXPECT_EQ(*getTensorBytes(type("tensor<5xi4>")), 5);
  EXPECT_EQ(*getTensorBytes(type("tensor<5xi9>")), 10);
  EXPECT_EQ(*getTensorBytes(type("tensor<5xf8E4M3FN>")), 5);
  EXPECT_EQ(*getTensorBytes(type("tensor<5xf4E2M1FN>")), 5);
}

TEST_F(TypeTest, BytesFailOnDynamicShapesAndOverflow) {
  EXPECT_TRUE(failed(getTensorBytes(type("tensor<?xf32>"))));
  EXPECT_TRUE(failed(getTensorBytes(type("tensor<0x?xf32>"))));
  EXPECT_TRUE(failed(getTensorBytes(type("tensor<2305843009213693952xf32>"))));
  EXPECT_TRUE(failed(
      getTensorBytes(type("tensor<4294967296x4294967296x4294967296xi8>"))));
  EXPECT_EQ(*getTensorBytes(type("tensor<4294967296x4294967296x0xi8>")), 0);
}

TEST_F(TypeTest, NumberOfRanksOfAModule) {
  parse("moe.mesh @mesh axes [\"ep\", \"tp\"] shape [2, 3]");
  EXPECT_EQ(getNumRanks(*module), 6);
  EXPECT_EQ(getNumRanks(find<MeshOp>()), 6);
  parse("func.func private @f()");
  EXPECT_EQ(getNumRanks(*module), 1);
  parse(R"(func.func @f() -> index {
             %i = moe.group_rank on [[0, 1], [2, 3]] : index
             return %i : index
           })");
  EXPECT_EQ(getNumRanks(find<GroupRankOp>()), 4);
}

TEST_F(TypeTest, AxesAsBits) {
  parse("moe.mesh @mesh axes [\"dp\", \"ep\", \"tp\"] shape [1, 2, 3]");
  auto mesh = find<MeshOp>();
  EXPECT_EQ(*getAxisBits(mesh, {}), 0u);
  EXPECT_EQ(*getAxisBits(mesh, {"dp"}), 1u);
  EXPECT_EQ(*getAxisBits(mesh, {"tp", "ep"}), 6u);
  EXPECT_TRUE(failed(getAxisBits(mesh, {"tp", "cp"})));
}

} // namespace
