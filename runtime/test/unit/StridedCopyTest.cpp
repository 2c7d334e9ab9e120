// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares random boxes with a plain loop.

#include "core/StridedCopy.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace moert;

static void copyPlain(const std::vector<int64_t> &sizes,
                      const std::vector<int64_t> &to,
                      const std::vector<int64_t> &from, uint32_t *target,
                      const uint32_t *source, size_t dim = 0) {
  if (dim == sizes.size()) {
    *target = *source;
    return;
  }
  for (int64_t i = 0; i < sizes[dim]; ++i)
    copyPlain(sizes, to, from, target + i * to[dim], source + i * from[dim],
              dim + 1);
}

TEST(StridedCopyTest, PermutesRandomBoxes) {
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    size_t dims = random() % 6;
    std::vector<int64_t> sizes(dims), from(dims), to(dims);
    for (int64_t &size : sizes)
      size = 1 + random() % 7;
    // Source and target are dense, in two orders of the dims, with padded rows.
    auto lay = [&](std::vector<int64_t> &strides) {
      std::vector<size_t> order(dims);
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      int64_t next = 1;
      for (size_t d : order) {
        strides[d] = next;
        next *= sizes[d] + (random() % 4 == 0);
      }
      return next;
    };
    std::vector<uint32_t> source(lay(from)), target(lay(to), 7),
        expected = target;
    std::iota(source.begin(), source.end(), 1000);
    copyPlain(sizes, to, from, expected.data(), source.data());
    copyBox(normalizeBox(sizes, to, from), target.data(), source.data(), 4);
    ASSERT_EQ(target, expected) << "round " << round;
  }
}

TEST(StridedCopyTest, MergesWhatIsContiguous) {
  Box box = normalizeBox({2, 1, 3, 4}, {12, 5, 4, 1}, {12, 9, 4, 1});
  EXPECT_EQ(box.sizes, std::vector<int64_t>({24}));
  Box rows = normalizeBox({2, 3, 4}, {24, 4, 1}, {12, 4, 1});
  EXPECT_EQ(rows.sizes, std::vector<int64_t>({2, 12}));
}
