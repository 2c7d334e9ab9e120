// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Cost/TieTolerance.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace moe::cost;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double getUs(double us) { return us; }

int64_t pick(const std::vector<double> &times, double uncertainty) {
  auto it = pickWithinTolerance(times, uncertainty, getUs);
  return it == times.end() ? -1 : it - times.begin();
}

TEST(ChoiceTest, FirstWithinTheUncertainty) {
  EXPECT_EQ(pick({11, 10, 9.5}, 0), 2);
  EXPECT_EQ(pick({11, 10, 9.5}, 0.06), 1);
  EXPECT_EQ(pick({11, 10, 9.5}, 0.2), 0);
  // A candidate at the bound counts as equally good.
  EXPECT_EQ(pick({15, 10}, 0.5), 0);
  EXPECT_EQ(pick({0, 0}, 0), 0);
}

TEST(ChoiceTest, RoundingIsNoDifference) {
  EXPECT_EQ(pick({1 + 1e-14, 1}, 0), 0);
  EXPECT_EQ(pick({1 + 1e-9, 1}, 0), 1);
  EXPECT_FALSE(isFaster(1, 1 + 1e-14));
  EXPECT_TRUE(isFaster(1, 1 + 1e-9));
}

TEST(ChoiceTest, NothingToChoose) {
  EXPECT_EQ(pick({}, 0.1), -1);
  EXPECT_EQ(pick({kNever, kNever}, 0.1), -1);
  EXPECT_EQ(pick({kNever, 3, kNever, 2}, 0), 3);
  EXPECT_EQ(pick({kNever, 3, kNever, 2}, 0.6), 1);
}

/// Compares the choice with its definition for random candidates in random
/// order.
TEST(ChoiceTest, SimplestOfAllThatAreAsGood) {
  struct Option {
    double us;
    int simplicity;
  };
  std::mt19937_64 random(7);
  auto draw = [&](int most) {
    return std::uniform_int_distribution<int>(0, most)(random);
  };
  for (int round = 0; round < 2000; ++round) {
    std::vector<Option> candidates(size_t(1 + draw(12)));
    for (Option &candidate : candidates)
      candidate = {double(10 + draw(20)), draw(4)};
    double uncertainty = draw(50) / 100.0, leastUs = kNever;
    for (const Option &candidate : candidates)
      leastUs = std::min(leastUs, candidate.us);
    auto best = pickWithinTolerance(
        candidates, uncertainty, [](const Option &c) { return c.us; },
        [](const Option &a, const Option &b) {
          return a.simplicity < b.simplicity;
        });
    ASSERT_NE(best, candidates.end());
    EXPECT_LE(best->us, leastUs * (1 + uncertainty) + 1e-9);
    for (auto it = candidates.begin(); it != candidates.end(); ++it) {
      if (it->us > leastUs * (1 + uncertainty) - 1e-9)
        continue;
      EXPECT_GE(it->simplicity, best->simplicity);
      if (it < best) {
        EXPECT_NE(it->simplicity, best->simplicity);
      }
    }
  }
}

} // namespace
