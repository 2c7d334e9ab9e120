// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/BeamSearch.h"
#include "FSMoECases.h"
#include "moe/Schedule/Bounds.h"
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace moe::schedule;

namespace {

TEST(BeamSearchTest, ToyOfFS6) {
  ChunkTimes chunk{1, 0.2, 0.2, 0.2, 1};
  std::vector<ChunkTimes> chunks(4, chunk);
  BeamSearch search;
  OrderPlan plan = search.run(chunks, 0);
  EXPECT_NEAR(plan.fixedOrderUs, 8.40, 1e-12);
  EXPECT_NEAR(plan.timeUs, 8.00, 1e-12);
  EXPECT_TRUE(plan.isExact);
  EXPECT_EQ(plan.lowerBoundUs, plan.timeUs);
  std::optional<double> us = getOrderUs(chunks, 0, plan.order);
  ASSERT_TRUE(us);
  EXPECT_NEAR(*us, 8.00, 1e-12);
  // The order printed in SPEC FS-6.
  us = getOrderUs(chunks, 0, {"DDCCDDCC", "ARARARAR"});
  ASSERT_TRUE(us);
  EXPECT_NEAR(*us, 8.00, 1e-12);
}

TEST(BeamSearchTest, FixedOrder) {
  EXPECT_EQ(getFixedOrder(2, true), (OperationOrder{"DDGCC", "AARR"}));
  EXPECT_EQ(getFixedOrder(3, false), (OperationOrder{"DDDCCC", "AAARRR"}));
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> time(0, 10);
  for (int round = 0; round < 1000; ++round) {
    std::vector<ChunkTimes> chunks(1 + random() % 12);
    for (ChunkTimes &chunk : chunks)
      chunk = {time(random), time(random), time(random), time(random),
               time(random)};
    double gradientUs = random() % 2 ? time(random) * 3 : 0;
    std::optional<double> us =
        getOrderUs(chunks, gradientUs,
                   getFixedOrder(int64_t(chunks.size()), gradientUs > 0));
    ASSERT_TRUE(us);
    EXPECT_NEAR(*us, getFixedOrderUs(chunks, gradientUs), 1e-9);
  }
}

TEST(BeamSearchTest, OrdersThatCannotRun) {
  std::vector<ChunkTimes> chunks(2, {1, 1, 1, 1, 1});
  auto run = [&](const char *inter, const char *intra, double gradientUs = 0) {
    return getOrderUs(chunks, gradientUs, {inter, intra}).has_value();
  };
  EXPECT_TRUE(run("DCDC", "ARAR"));
  EXPECT_TRUE(run("DGCDC", "ARAR"));
  EXPECT_TRUE(run("DCDCG", "ARAR", 3));
  // The first combine needs the second dispatch's all-gather, so this order
  // deadlocks.
  EXPECT_FALSE(run("DCDC", "AARR"));
  EXPECT_FALSE(run("CDDC", "AARR"));
  EXPECT_FALSE(run("DDCC", "RAAR"));
  EXPECT_FALSE(run("DDC", "AARR"));
  EXPECT_FALSE(run("DDCC", "AAR"));
  EXPECT_FALSE(run("DDDCC", "AARR"));
  EXPECT_FALSE(run("DDCC", "AARRR"));
  EXPECT_FALSE(run("DDXCC", "AARR"));
  EXPECT_FALSE(run("DDCC", "AARR", 3));
  EXPECT_FALSE(run("DGDGCC", "AARR", 3));
}

/// Visits all orders of two kinds of `count` operations each in which the first
/// kind is never behind.
void forEachBallot(size_t count, char first, char second,
                   const std::function<void(const std::string &)> &visit) {
  std::string text;
  std::function<void(size_t, size_t)> extend = [&](size_t a, size_t b) {
    if (b == count)
      return visit(text);
    if (a < count) {
      text.push_back(first);
      extend(a + 1, b);
      text.pop_back();
    }
    if (b < a) {
      text.push_back(second);
      extend(a, b + 1);
      text.pop_back();
    }
  };
  extend(0, 0);
}

/// Tries every order. Caches the feasible orders per number of chunks.
class EveryOrder {
public:
  double run(std::span<const ChunkTimes> chunks, double gradientUs) {
    const std::vector<OperationOrder> &orders =
        list(chunks.size(), gradientUs > 0);
    double bestUs = -1;
    for (const OperationOrder &order : orders) {
      double us = time(chunks, gradientUs, order);
      if (bestUs < 0 || us < bestUs)
        bestUs = us;
    }
    return bestUs;
  }

private:
  const std::vector<OperationOrder> &list(size_t count, bool hasGradient) {
    std::vector<OperationOrder> &orders = lists[hasGradient][count];
    if (!orders.empty())
      return orders;
    std::vector<ChunkTimes> ones(count, {1, 1, 1, 1, 1});
    forEachBallot(count, 'D', 'C', [&](const std::string &inter) {
      forEachBallot(count, 'A', 'R', [&](const std::string &intra) {
        for (size_t at = 0; at <= (hasGradient ? inter.size() : 0); ++at) {
          std::string all = inter;
          if (hasGradient)
            all.insert(at, 1, 'G');
          if (getOrderUs(ones, hasGradient, {all, intra}))
            orders.push_back({all, intra});
        }
      });
    });
    return orders;
  }

  /// Because the order is feasible, each operation's time is known before
  /// another operation needs it.
  static double time(std::span<const ChunkTimes> chunks, double gradientUs,
                     const OperationOrder &order) {
    size_t dispatched = 0, gathered = 0, scattered = 0, combined = 0;
    std::array<double, 8> dispatchUs, expertsUs, scatterUs;
    double interUs = 0, intraUs = 0, computeUs = 0;
    const char *inter = order.inter.data(),
               *interEnd = inter + order.inter.size();
    const char *intra = order.intra.data(),
               *intraEnd = intra + order.intra.size();
    while (inter != interEnd || intra != intraEnd) {
      for (; inter != interEnd; ++inter) {
        if (*inter == 'G') {
          interUs += gradientUs;
        } else if (*inter == 'D') {
          interUs += chunks[dispatched].dispatchUs;
          dispatchUs[dispatched++] = interUs;
        } else {
          if (combined == scattered)
            break;
          interUs = std::max(interUs, scatterUs[combined]) +
                    chunks[combined].combineUs;
          ++combined;
        }
      }
      for (; intra != intraEnd; ++intra) {
        if (*intra == 'A') {
          if (gathered == dispatched)
            break;
          intraUs = std::max(intraUs, dispatchUs[gathered]) +
                    chunks[gathered].allGatherUs;
          computeUs = std::max(computeUs, intraUs) + chunks[gathered].expertsUs;
          expertsUs[gathered++] = computeUs;
        } else {
          if (scattered == gathered)
            break;
          intraUs = std::max(intraUs, expertsUs[scattered]) +
                    chunks[scattered].reduceScatterUs;
          scatterUs[scattered++] = intraUs;
        }
      }
    }
    return interUs;
  }

  std::array<std::array<std::vector<OperationOrder>, 8>, 2> lists;
};

TEST(BeamSearchTest, EqualsExhaustiveSearchOnFSMoEsConfigurations) {
  BeamSearch search;
  EveryOrder exhaustive;
  double gain = 0;
  forEachFSMoECase([&](const FSMoECase &each) {
    for (int64_t r = 1; r <= 4; ++r) {
      std::vector<ChunkTimes> chunks(size_t(r),
                                     each.phase.getTimes(1 / double(r)));
      OrderPlan plan = search.run(chunks, each.gradientUs);
      double us = exhaustive.run(chunks, each.gradientUs);
      ASSERT_NEAR(plan.timeUs, us, 1e-9 * us);
      ASSERT_TRUE(plan.isExact);
      std::optional<double> again =
          getOrderUs(chunks, each.gradientUs, plan.order);
      ASSERT_TRUE(again);
      ASSERT_NEAR(*again, plan.timeUs, 1e-9 * us);
      ASSERT_LE(getAnyOrderBoundUs(chunks, each.gradientUs), us * (1 + 1e-9));
      gain = std::max(gain, plan.fixedOrderUs / us - 1);
    }
  });
  EXPECT_GT(gain, 0.03);
}

TEST(BeamSearchTest, EqualsExhaustiveSearchOnRandomChunks) {
  BeamSearch search;
  EveryOrder exhaustive;
  std::mt19937_64 random(3);
  // Small integers make ties, zeros and equal chunks likely.
  for (int round = 0; round < 4000; ++round) {
    std::vector<ChunkTimes> chunks(1 + random() % 4);
    auto time = [&] { return double(random() % 7); };
    for (ChunkTimes &chunk : chunks)
      chunk = random() % 2 && &chunk != &chunks.front()
                  ? chunks.front()
                  : ChunkTimes{time(), time(), time(), time(), time()};
    double gradientUs = random() % 2 ? 2 * time() : 0;
    OrderPlan plan = search.run(chunks, gradientUs);
    double us = exhaustive.run(chunks, gradientUs);
    ASSERT_NEAR(plan.timeUs, us, 1e-9) << "round " << round;
    ASSERT_LE(getAnyOrderBoundUs(chunks, gradientUs), us + 1e-9);
    ASSERT_EQ(getOrderUs(chunks, gradientUs, plan.order), plan.timeUs);
  }
}

TEST(BeamSearchTest, MoreChunksAreNeverWorseThanTheFixedOrder) {
  BeamSearch search(32);
  std::mt19937_64 random(19);
  std::uniform_real_distribution<double> time(0, 10);
  for (int round = 0; round < 500; ++round) {
    std::vector<ChunkTimes> chunks(5 + random() % 12);
    bool equal = random() % 2;
    for (ChunkTimes &chunk : chunks)
      chunk = equal && &chunk != &chunks.front()
                  ? chunks.front()
                  : ChunkTimes{time(random), time(random), time(random),
                               time(random), time(random)};
    double gradientUs = random() % 2 ? 4 * time(random) : 0;
    OrderPlan plan = search.run(chunks, gradientUs);
    EXPECT_EQ(plan.fixedOrderUs, getFixedOrderUs(chunks, gradientUs));
    EXPECT_LE(plan.timeUs, plan.fixedOrderUs);
    EXPECT_LE(plan.lowerBoundUs, plan.timeUs);
    std::optional<double> us = getOrderUs(chunks, gradientUs, plan.order);
    ASSERT_TRUE(us);
    EXPECT_NEAR(*us, plan.timeUs, 1e-9 * *us);
    if (plan.isExact) {
      EXPECT_EQ(plan.lowerBoundUs, plan.timeUs);
    }
    if (equal) {
      EXPECT_EQ(
          search.run(chunks.front(), int64_t(chunks.size()), gradientUs).timeUs,
          plan.timeUs);
    }
  }
}

TEST(BeamSearchTest, FiveChunksAreCloseToExhaustiveSearch) {
  BeamSearch search;
  EveryOrder exhaustive;
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> time(0, 10);
  int64_t found = 0, claimed = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<ChunkTimes> chunks(5);
    bool equal = random() % 2;
    for (ChunkTimes &chunk : chunks)
      chunk = equal && &chunk != &chunks.front()
                  ? chunks.front()
                  : ChunkTimes{time(random), time(random), time(random),
                               time(random), time(random)};
    double gradientUs = round % 4 == 0 ? 3 * time(random) : 0;
    OrderPlan plan = search.run(chunks, gradientUs);
    double us = exhaustive.run(chunks, gradientUs);
    EXPECT_GE(plan.timeUs, us * (1 - 1e-9));
    EXPECT_LE(plan.timeUs, us * 1.001);
    EXPECT_LE(plan.lowerBoundUs, us * (1 + 1e-9));
    found += plan.timeUs <= us * (1 + 1e-9);
    claimed += plan.isExact;
    if (plan.isExact) {
      EXPECT_NEAR(plan.timeUs, us, 1e-9 * us);
    }
  }
  std::printf("five chunks: %ld of %d optimal, %ld known to be\n", long(found),
              kRounds, long(claimed));
}

TEST(BeamSearchTest, BestOrderOverAllDegrees) {
  DegreePlanner planner;
  BeamSearch search;
  int64_t skip = 0, gains = 0;
  forEachFSMoECase([&](const FSMoECase &each) {
    if (skip++ % 11 != 0)
      return;
    DegreePlan degrees = planner.plan(each.phase, 16, each.gradientUs);
    DegreeOrderPlan best = search.run(degrees, each.gradientUs);
    // Searches every degree separately and skips none.
    double leastUs = degrees.timeUs, boundUs = degrees.timeUs;
    for (const DegreeTime &time : degrees.byDegree) {
      OrderPlan plan = search.run(time.chunk, time.degree, each.gradientUs);
      leastUs = std::min(leastUs, plan.timeUs);
      boundUs = std::min(boundUs, plan.lowerBoundUs);
    }
    ASSERT_NEAR(best.plan.timeUs, leastUs, 1e-9 * leastUs);
    ASSERT_LE(best.lowerBoundUs, boundUs * (1 + 1e-9));
    ASSERT_LE(best.plan.timeUs, degrees.timeUs);
    gains += best.plan.timeUs < degrees.timeUs * (1 - 1e-9);
  });
  EXPECT_GT(gains, 10);
}

} // namespace
