// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Cost/Matrix.h"
#include "gtest/gtest.h"

using namespace moe::cost;

namespace {

TEST(MatrixTest, HasRowsAndColumns) {
  auto matrix = Matrix<int>::of(2, 3, 7);
  matrix.at(1, 2) = 5;
  matrix.getRow(0)[1] = 4;
  EXPECT_EQ(matrix, (Matrix<int>{{7, 4, 7}, {7, 7, 5}}));
  EXPECT_EQ(matrix, Matrix<int>::fromValues(3, {7, 4, 7, 7, 7, 5}));
  EXPECT_EQ(matrix.getNumRows(), 2);
  EXPECT_EQ(matrix.getNumColumns(), 3);
  EXPECT_EQ(Matrix<int>(2, 1), (Matrix<int>{{1, 1}, {1, 1}}));
}

TEST(MatrixTest, ComparesShapes) {
  EXPECT_NE((Matrix<int>{{1, 2}}), (Matrix<int>{{1}, {2}}));
  EXPECT_TRUE(Matrix<int>(0).isEmpty());
  EXPECT_EQ(Matrix<int>(0), Matrix<int>());
  EXPECT_EQ(Matrix<int>().getNumRows(), 0);
}

} // namespace
