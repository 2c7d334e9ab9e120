// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Cost/MeshShape.h"
#include "gtest/gtest.h"

using namespace moe::cost;

namespace {

constexpr int64_t kShape[] = {2, 3, 4};

TEST(MeshShapeTest, LastAxisIsFastest) {
  EXPECT_EQ(getStrides(kShape), (std::vector<int64_t>{12, 4, 1}));
  EXPECT_EQ(getStride(kShape, 0), 12);
  EXPECT_TRUE(getStrides({}).empty());
}

TEST(MeshShapeTest, ProjectsRanks) {
  // Rank 23 is at (1, 2, 3).
  EXPECT_EQ(projectRank(kShape, 23, 0b000), 0);
  EXPECT_EQ(projectRank(kShape, 23, 0b001), 12);
  EXPECT_EQ(projectRank(kShape, 23, 0b010), 8);
  EXPECT_EQ(projectRank(kShape, 23, 0b101), 15);
  EXPECT_EQ(projectRank(kShape, 23, 0b111), 23);
}

TEST(MeshShapeTest, FindsAxesThatDiffer) {
  for (int64_t rank = 0; rank < 24; ++rank)
    for (int64_t other = 0; other < 24; ++other) {
      uint64_t axes = findDifferentAxes(kShape, rank, other);
      EXPECT_EQ(axes & 1, uint64_t(rank / 12 != other / 12));
      EXPECT_EQ(axes >> 1 & 1, uint64_t(rank / 4 % 3 != other / 4 % 3));
      EXPECT_EQ(axes >> 2, uint64_t(rank % 4 != other % 4));
    }
}

TEST(MeshShapeTest, ListsGroups) {
  const int64_t shape[] = {2, 2, 2};
  const unsigned outer[] = {0}, turned[] = {2, 0};
  EXPECT_EQ(listGroups(shape, outer),
            (std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(getGroupSize(shape, turned), 4);
  EXPECT_EQ(getGroupSize(shape, {}), 1);
  // The last axis of a group is its fastest, whatever the order of the mesh.
  EXPECT_EQ(listGroups(shape, turned),
            (std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(listGroups(shape, {}),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

} // namespace
