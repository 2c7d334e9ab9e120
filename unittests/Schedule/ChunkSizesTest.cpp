// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/ChunkSizes.h"
#include "FSMoECases.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

using namespace moe::schedule;

namespace {

TEST(ChunkSizesTest, SmallChunksAtTheEndsFillAndDrainAPipeline) {
  // Experts take as long as all dispatches and combines. With many chunks and
  // no alphas, only the time before the first and after the last one counts.
  LinearPhase phase;
  phase.dispatch = phase.combine = {0, 8};
  phase.experts = {0, 40};
  BeamSearch search;
  ChunkSizePlan plan = findChunkSizes(phase, 4, 64, 0, search);
  EXPECT_NEAR(plan.equalUs, 2 + 40 + 2, 1e-9);
  EXPECT_EQ(std::accumulate(plan.parts.begin(), plan.parts.end(), int64_t(0)),
            64);
  EXPECT_LT(plan.plan.timeUs, 40 + 1.5);
  EXPECT_LT(plan.parts.front(), 8);
  EXPECT_LT(plan.parts.back(), 12);
  // No chunk may be smaller than the minimum.
  double freeUs = plan.plan.timeUs;
  plan = findChunkSizes(phase, 4, 64, 0, search, 10);
  for (int64_t part : plan.parts)
    EXPECT_GE(part, 10);
  EXPECT_LT(plan.plan.timeUs, plan.equalUs);
  EXPECT_GT(plan.plan.timeUs, freeUs);
}

TEST(ChunkSizesTest, TheFastestOfAllDegrees) {
  LinearPhase phase;
  phase.dispatch = phase.combine = {0.5, 8};
  phase.experts = {0.5, 40};
  BeamSearch search(16);
  double leastUs = std::numeric_limits<double>::infinity();
  for (int64_t degree = 2; degree <= 6; ++degree)
    leastUs = std::min(
        leastUs, findChunkSizes(phase, degree, 32, 0, search).plan.timeUs);
  auto fastest = findFastestSizes(phase, 6, 32, 0, leastUs + 1);
  ASSERT_TRUE(fastest);
  EXPECT_DOUBLE_EQ(fastest->plan.timeUs, leastUs);
  // Returns nothing if it is not faster, or if chunks would have too few parts.
  EXPECT_FALSE(findFastestSizes(phase, 6, 32, 0, leastUs));
  EXPECT_FALSE(findFastestSizes(phase, 6, 32, 0, leastUs + 1, 17));
}

TEST(ChunkSizesTest, BoundsOfAllSizesNeedPartsForAllChunks) {
  LinearPhase phase;
  phase.dispatch = phase.combine = {1, 8};
  phase.experts = {2, 40};
  std::vector<double> bounds = getAnySizesBoundsUs(phase, 4, 12, 0, 4);
  ASSERT_EQ(bounds.size(), 4u);
  // One chunk takes all parts. With more, the smallest may be first and last.
  EXPECT_NEAR(bounds[0], 9 + 42 + 9, 1e-9);
  EXPECT_NEAR(bounds[1], 44 + 2 * (1 + 8.0 / 3), 1e-9);
  EXPECT_NEAR(bounds[2], 46 + 2 * (1 + 8.0 / 3), 1e-9);
  EXPECT_TRUE(std::isinf(bounds[3]));
  // All all-to-alls share the stream with a long gradient all-reduce.
  EXPECT_NEAR(getAnySizesBoundsUs(phase, 2, 12, 100, 4)[1], 16 + 4 + 100, 1e-9);
}

TEST(ChunkSizesTest, CloseToAllSizesOfThreeChunks) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> exponent(-1, 2);
  auto time = [&] { return std::pow(10, exponent(random)); };
  BeamSearch search;
  double sum = 0, worst = 0, belowSum = 0;
  constexpr int64_t kParts = 24;
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    LinearPhase phase;
    phase.dispatch = phase.combine = {time() / 20, time()};
    phase.allGather = {time() / 20, time()};
    phase.reduceScatter = {time() / 20, time()};
    phase.experts = {time() / 20, time()};
    double gradientUs = random() % 2 ? time() : 0;
    double leastUs = -1;
    for (int64_t a = 1; a <= kParts - 2; ++a)
      for (int64_t b = 1; a + b < kParts; ++b) {
        const ChunkTimes chunks[] = {
            phase.getTimes(double(a) / kParts),
            phase.getTimes(double(b) / kParts),
            phase.getTimes(double(kParts - a - b) / kParts)};
        double us = search.run(chunks, gradientUs).timeUs;
        leastUs = leastUs < 0 ? us : std::min(leastUs, us);
      }
    ChunkSizePlan plan = findChunkSizes(phase, 3, kParts, gradientUs, search);
    // A bound over all sizes in any order.
    double boundUs = getAnySizesBoundsUs(phase, 4, kParts, gradientUs)[2];
    EXPECT_LE(boundUs, leastUs * (1 + 1e-9));
    belowSum += 1 - boundUs / leastUs;
    // The order of SPEC FS-3 is one of all orders.
    ChunkSizePlan fixed = findFixedOrderSizes(phase, 3, kParts, gradientUs);
    EXPECT_EQ(fixed.plan.order, getFixedOrder(3, gradientUs > 0));
    EXPECT_GE(fixed.plan.timeUs, leastUs * (1 - 1e-9));
    EXPECT_LE(fixed.plan.timeUs, fixed.equalUs);
    double off = plan.plan.timeUs / leastUs - 1;
    EXPECT_GE(off, -1e-9);
    sum += off;
    worst = std::max(worst, off);
  }
  std::printf("sizes of three chunks: %.4f %% above the best on average, %.3f "
              "%% at worst; their bound %.2f %% below it on average\n",
              100 * sum / kRounds, 100 * worst, 100 * belowSum / kRounds);
  EXPECT_LE(belowSum / kRounds, 0.1);
  EXPECT_LE(sum / kRounds, 0.001);
  EXPECT_LE(worst, 0.02);
}

TEST(ChunkSizesTest, EqualSizesStayWhereNothingIsToGain) {
  LinearPhase phase;
  phase.dispatch = phase.combine = {1, 40};
  BeamSearch search;
  ChunkSizePlan plan = findChunkSizes(phase, 4, 64, 0, search);
  EXPECT_EQ(plan.parts, std::vector<int64_t>(4, 16));
  EXPECT_EQ(plan.plan.timeUs, plan.equalUs);
  plan = findChunkSizes(phase, 3, 64, 0, search);
  EXPECT_EQ(plan.plan.timeUs, plan.equalUs);
  for (int64_t part : plan.parts)
    EXPECT_TRUE(part == 21 || part == 22) << part;
  EXPECT_EQ(findChunkSizes(phase, 1, 64, 0, search).parts,
            std::vector<int64_t>{64});
}

TEST(ChunkSizesTest, NeverWorseThanEqualOnFSMoEsConfigurations) {
  BeamSearch search(16);
  DegreePlanner planner;
  double sum = 0, most = 0;
  int64_t count = 0, gains = 0, skip = 0;
  forEachFSMoECase([&](const FSMoECase &each) {
    if (skip++ % 7 != 0)
      return;
    DegreePlan degrees = planner.plan(each.phase, 16, each.gradientUs);
    ChunkSizePlan plan =
        findChunkSizes(each.phase, degrees.degree, 64, each.gradientUs, search);
    ASSERT_LE(plan.plan.timeUs, plan.equalUs);
    ASSERT_EQ(std::accumulate(plan.parts.begin(), plan.parts.end(), int64_t(0)),
              64);
    std::vector<ChunkTimes> chunks;
    for (int64_t part : plan.parts)
      chunks.push_back(each.phase.getTimes(double(part) / 64));
    std::optional<double> us =
        getOrderUs(chunks, each.gradientUs, plan.plan.order);
    ASSERT_TRUE(us);
    ASSERT_NEAR(*us, plan.plan.timeUs, 1e-9 * *us);
    double gain = plan.equalUs / plan.plan.timeUs - 1;
    sum += gain;
    most = std::max(most, gain);
    gains += gain > 0;
    ++count;
  });
  std::printf("unequal chunks gain %.3f %% on average, %.2f %% at most, in %ld "
              "of %ld cases\n",
              100 * sum / double(count), 100 * most, long(gains), long(count));
  EXPECT_GT(gains, 0);
}

} // namespace
