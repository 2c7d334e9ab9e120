// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the prediction from earlier demands.

#include "ocs/DemandHistory.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace moert;

namespace {

using Shares = std::vector<double>;
constexpr int32_t kServers = 4;

/// Returns a demand where all servers send equally, according to the shares of
/// the receivers.
std::vector<double> makeDemand(const Shares &received, double total = 4000) {
  std::vector<double> demand(kServers * kServers);
  for (size_t from = 0; from < kServers; ++from)
    for (size_t to = 0; to < kServers; ++to)
      demand[from * kServers + to] = received[to] * total / kServers;
  return demand;
}

Shares getReceived(const std::vector<double> &demand) {
  Shares received(kServers);
  double all = std::accumulate(demand.begin(), demand.end(), 0.0);
  for (size_t k = 0; k < demand.size(); ++k)
    received[k % kServers] += demand[k] / all;
  return received;
}

double getDistance(const Shares &a, const Shares &b) {
  double distance = 0;
  for (size_t k = 0; k < a.size(); ++k)
    distance += std::abs(a[k] - b[k]);
  return distance;
}

class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}
  Shares shares() {
    Shares drawn(kServers);
    for (double &share : drawn)
      share = std::exponential_distribution<double>()(random);
    double all = std::accumulate(drawn.begin(), drawn.end(), 0.0);
    for (double &share : drawn)
      share /= all;
    return drawn;
  }

private:
  std::mt19937 random;
};

TEST(DemandHistoryTest, NothingIsExpectedOfWhatIsNotKnown) {
  DemandHistory history(kServers);
  EXPECT_FALSE(history.predict("0"));
  history.note("1", makeDemand({1, 0, 0, 0}));
  EXPECT_FALSE(history.predict("0"));
  EXPECT_FALSE(history.getErrors("0"));
}

TEST(DemandHistoryTest, TheLastDemandUntilAFitHasProved) {
  DemandHistory history(kServers);
  std::vector<double> demand = makeDemand({0.5, 0.25, 0.25, 0});
  history.note("0", demand);
  EXPECT_EQ(history.predict("0"), demand);
  // A demand of zeros gives no information and must do no harm.
  std::vector<double> none(kServers * kServers);
  history.note("0", none);
  EXPECT_EQ(history.predict("0"), none);
  history.note("0", demand);
  EXPECT_EQ(history.predict("0"), demand);
}

/// Each layer's tokens follow from the previous layer by a matrix.
TEST(DemandHistoryTest, FollowsTheLayerBefore) {
  Draw draw(7);
  Shares columns[kServers];
  for (Shares &column : columns)
    column = draw.shares();
  auto follow = [&](const Shares &before) {
    Shares after(kServers);
    for (size_t j = 0; j < kServers; ++j)
      for (size_t i = 0; i < kServers; ++i)
        after[i] += columns[j][i] * before[j];
    return after;
  };
  DemandHistory history(kServers);
  double off = 0;
  for (int step = 0; step < 40; ++step) {
    Shares first = draw.shares(), second = follow(first);
    history.note("0", makeDemand(first));
    auto expected = history.predict("1");
    ASSERT_EQ(expected.has_value(), step > 0);
    if (step >= 30) {
      off = std::max(off, getDistance(getReceived(*expected), second));
      EXPECT_NEAR(std::accumulate(expected->begin(), expected->end(), 0.0),
                  4000, 1e-6);
    }
    history.note("1", makeDemand(second));
  }
  EXPECT_LT(off, 0.02);
  auto errors = history.getErrors("1");
  ASSERT_TRUE(errors);
  EXPECT_LT(errors->fitted, errors->last / 4);
}

/// If layers are independent and one of them changes slowly, its last demand is
/// the best prediction.
TEST(DemandHistoryTest, KeepsToTheLastDemandWhereThatIsNearer) {
  Draw draw(8);
  Shares now = draw.shares();
  DemandHistory history(kServers);
  for (int step = 0; step < 30; ++step) {
    history.note("0", makeDemand(draw.shares()));
    auto expected = history.predict("1");
    if (step > 0) {
      EXPECT_EQ(*expected, makeDemand(now)) << step;
    }
    Shares drawn = draw.shares();
    for (size_t k = 0; k < kServers; ++k)
      now[k] = 0.95 * now[k] + 0.05 * drawn[k];
    history.note("1", makeDemand(now));
  }
  auto errors = history.getErrors("1");
  ASSERT_TRUE(errors);
  EXPECT_LT(errors->last, errors->fitted);
}

/// Knowledge about one previous layer must not be used for another one.
TEST(DemandHistoryTest, ForgetsWhenAnotherLayerGoesBefore) {
  Draw draw(9);
  DemandHistory history(kServers);
  for (int step = 0; step < 12; ++step) {
    Shares first = draw.shares();
    history.note("0", makeDemand(first));
    history.predict("1");
    history.note("1", makeDemand(first));
  }
  ASSERT_TRUE(history.getErrors("1"));
  std::vector<double> last = makeDemand(draw.shares());
  history.note("1", last);
  EXPECT_EQ(history.predict("1"), last);
  EXPECT_FALSE(history.getErrors("1"));
}

} // namespace
