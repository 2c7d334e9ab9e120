// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests emulated links.

#include "host/Links.h"
#include <gtest/gtest.h>

using namespace moert;

/// Returns the time of a collective in microseconds.
static double bookUs(Links &links, int32_t rank, std::vector<int32_t> ranks,
                     std::vector<size_t> sent, std::vector<size_t> received,
                     Links::Time start) {
  return std::chrono::duration<double, std::micro>(
             links.book(rank, ranks, sent, received, start) - start)
      .count();
}

TEST(LinksTest, TakesTheSlowestLevelAndItsLatency) {
  // SPEC CC-1 by hand: nodes of two ranks, 100 GB/s and 1 us inside, 10 GB/s
  // and 5 us between nodes.
  Links links({{2, 100, 1}, {4, 10, 5}}, 4);
  Links::Time now = Deadline::Clock::now();
  // Rank 0 sends 1 MB to each rank: 10 us inside, 2 x 100 us between nodes.
  size_t mb = 1000000;
  EXPECT_NEAR(
      bookUs(links, 0, {0, 1, 2, 3}, {mb, mb, mb, mb}, {mb, mb, mb, mb}, now),
      205, 0.1);
  // Received bytes count if there are more of them.
  EXPECT_NEAR(bookUs(links, 1, {1, 0}, {0, 0}, {0, 4 * mb}, now), 41, 0.1);
}

TEST(LinksTest, ServesOneCollectiveAtATime) {
  Links links({{2, 1, 0}}, 2);
  Links::Time now = Deadline::Clock::now();
  EXPECT_NEAR(bookUs(links, 0, {0, 1}, {0, 1000}, {0, 1000}, now), 1, 0.01);
  EXPECT_NEAR(bookUs(links, 0, {0, 1}, {0, 1000}, {0, 1000}, now), 2, 0.01);
}

TEST(LinksTest, RefusesWrongLevels) {
  moert_link descending[] = {{4, 1, 0}, {2, 1, 0}};
  moert_link slow[] = {{2, 0, 0}}, late[] = {{2, 1, -1}}, small[] = {{2, 1, 0}};
  EXPECT_EQ(verifyLinks(descending, 2, 2).getCode(), MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(verifyLinks(slow, 1, 2).getCode(), MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(verifyLinks(late, 1, 2).getCode(), MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(verifyLinks(small, 1, 4).getCode(), MOERT_INVALID_ARGUMENT);
  EXPECT_TRUE(verifyLinks(small, 1, 2).ok());
}
