// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and the memory budget.

#include "moe/Interpreter/LocalTensor.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace moe;

namespace {

TEST(LocalTensorTest, CountsElementsAndNoticesOverflow) {
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({2, 3}), 6);
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40}), std::nullopt);
  // The tensor is empty, however large the other dims are.
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40, 0}), 0);
}

TEST(LocalTensorTest, BudgetIsChargedBeforeAndReleasedAfter) {
  MemoryBudget budget(100);
  {
    std::optional<LocalTensor> tensor = LocalTensor::allocate({3, 4}, budget);
    ASSERT_TRUE(tensor);
    EXPECT_EQ(budget.getLive(), 96u);
    EXPECT_FALSE(LocalTensor::allocate({1}, budget));
    LocalTensor view = tensor->withShape({12});
    EXPECT_EQ(budget.getLive(), 96u);
    EXPECT_EQ(view.getIdentity(), tensor->getIdentity());
  }
  EXPECT_EQ(budget.getLive(), 0u);
  EXPECT_FALSE(LocalTensor::allocate({int64_t(1) << 62}, budget));
  EXPECT_FALSE(
      LocalTensor::allocate({int64_t(1) << 62, int64_t(1) << 62}, budget));
  EXPECT_EQ(budget.getLive(), 0u);
}

TEST(LocalTensorTest, CopyTransposes) {
  std::vector<Cell> source(2 * 3 * 4), target(24);
  std::iota(source.begin(), source.end(), 0);
  // target[i, j, k] = source[j, k, i]
  copyStrided(source.data(), {1, 12, 4}, target.data(),
              rowMajorStrides({4, 2, 3}), {4, 2, 3});
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 2; ++j)
      for (int64_t k = 0; k < 3; ++k)
        EXPECT_EQ(target[i * 6 + j * 3 + k], source[j * 12 + k * 4 + i]);
}

TEST(LocalTensorTest, CopyTakesABoxAndTouchesNothingElse) {
  std::vector<Cell> source(5 * 7), target(3 * 4, 99);
  std::iota(source.begin(), source.end(), 0);
  // Rows 1 and 2, columns 2 to 4, into rows 0 and 1 at column 1.
  copyStrided(source.data() + 7 + 2, {7, 1}, target.data() + 1, {4, 1}, {2, 3});
  EXPECT_EQ(target,
            (std::vector<Cell>{99, 9, 10, 11, 99, 16, 17, 18, 99, 99, 99, 99}));
}

TEST(LocalTensorTest, CopyOfAScalarAndOfNothing) {
  Cell source = 7, target = 0;
  copyStrided(&source, {}, &target, {}, {});
  EXPECT_EQ(target, 7u);
  target = 0;
  copyStrided(&source, {1, 1}, &target, {1, 1}, {3, 0});
  EXPECT_EQ(target, 0u);
}

} // namespace
