// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/DegreePlanner.h"
#include "FSMoECases.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace moe::schedule;

namespace {

/// Simulates FS-3 literally, without formulas. At each instant, every idle
/// stream starts its next operation if its dependencies have ended; then time
/// advances to the next end.
double runFixedOrder(const ChunkTimes &chunk, int64_t degree,
                     double gradientUs) {
  struct Operation {
    char kind;
    int64_t chunk;
    double us;
  };
  std::vector<Operation> streams[3];
  for (int64_t i = 0; i < degree; ++i)
    streams[0].push_back({'D', i, chunk.dispatchUs});
  streams[0].push_back({'G', 0, gradientUs});
  for (int64_t i = 0; i < degree; ++i) {
    streams[0].push_back({'C', i, chunk.combineUs});
    streams[1].push_back({'A', i, chunk.allGatherUs});
    streams[2].push_back({'E', i, chunk.expertsUs});
  }
  for (int64_t i = 0; i < degree; ++i)
    streams[1].push_back({'R', i, chunk.reduceScatterUs});
  const std::map<char, char> waitsFor = {
      {'A', 'D'}, {'E', 'A'}, {'R', 'E'}, {'C', 'R'}};
  // Number of operations of each kind that have ended; they end in order.
  std::map<char, int64_t> ended;
  size_t next[3] = {0, 0, 0};
  // End time of each stream's operation; negative if idle.
  double endUs[3] = {-1, -1, -1};
  double nowUs = 0;
  while (true) {
    bool started = true;
    while (started) {
      started = false;
      for (int s = 0; s < 3; ++s) {
        if (endUs[s] >= 0 || next[s] == streams[s].size())
          continue;
        const Operation &operation = streams[s][next[s]];
        auto before = waitsFor.find(operation.kind);
        if (before != waitsFor.end() &&
            ended[before->second] <= operation.chunk)
          continue;
        endUs[s] = nowUs + operation.us;
        started = true;
      }
    }
    int first = -1;
    for (int s = 0; s < 3; ++s)
      if (endUs[s] >= 0 && (first < 0 || endUs[s] < endUs[first]))
        first = s;
    if (first < 0)
      return nowUs;
    nowUs = endUs[first];
    endUs[first] = -1;
    ++ended[streams[first][next[first]++].kind];
  }
}

TEST(DegreePlannerTest, TimesAreThoseOfABruteForceSimulation) {
  DegreePlanner planner;
  forEachFSMoECase([&](const FSMoECase &each) {
    DegreePlan plan = planner.plan(each.phase, 16, each.gradientUs);
    double leastUs = 0;
    for (int64_t r = 1; r <= 16; ++r) {
      double us =
          runFixedOrder(each.phase.getTimes(1 / double(r)), r, each.gradientUs);
      ASSERT_NEAR(plan.get(r).timeUs, us, 1e-9 * us);
      leastUs = r == 1 ? us : std::min(leastUs, us);
    }
    ASSERT_NEAR(plan.timeUs, leastUs, 1e-9 * leastUs);
    ASSERT_EQ(plan.timeUs, plan.get(plan.degree).timeUs);
  });
}

/// SPEC FS-6 with gradients, and the loss when the closed form chooses the
/// degree.
TEST(DegreePlannerTest, ClosedFormsAreCloseAndChooseTheSameDegree) {
  struct Figures {
    double sum = 0, worst = 0, loss = 0;
    int64_t degrees = 0, cases = 0, other = 0;
  };
  DegreePlanner planner;
  Figures all;
  std::map<std::pair<std::string, TrainingPhase>, Figures> groups;
  forEachFSMoECase([&](const FSMoECase &each) {
    DegreePlan plan = planner.plan(each.phase, 16, each.gradientUs);
    ClosedFormChoice choice =
        minimizeClosedForm(each.phase, 16, each.gradientUs);
    double loss = plan.get(choice.degree).timeUs / plan.timeUs - 1;
    std::vector<Figures *> into = {&all};
    // The figures of SPEC FS-6 are without gradients.
    if (each.gradientUs == 0)
      into.push_back(&groups[{each.testbed->name, each.which}]);
    for (Figures *figures : into) {
      for (const DegreeTime &time : plan.byDegree) {
        double error =
            std::abs(time.closedForm.timeUs - time.timeUs) / time.timeUs;
        figures->sum += error;
        figures->worst = std::max(figures->worst, error);
        ++figures->degrees;
      }
      ++figures->cases;
      figures->other += choice.degree != plan.degree;
      figures->loss = std::max(figures->loss, loss);
    }
  });
  auto print = [](const std::string &name, const Figures &figures) {
    std::printf("%s: closed form off by %.3f %% on average, %.2f %% at worst; "
                "of %ld cases %ld choose another degree, %.2f %% longer at "
                "worst\n",
                name.c_str(), 100 * figures.sum / double(figures.degrees),
                100 * figures.worst, long(figures.cases), long(figures.other),
                100 * figures.loss);
  };
  print("all", all);
  for (const auto &[key, figures] : groups) {
    print(key.first +
              (key.second == TrainingPhase::Forward ? " forward" : " backward"),
          figures);
    EXPECT_LE(figures.sum, 0.003 * double(figures.degrees));
    EXPECT_LE(figures.worst, 0.032);
  }
  EXPECT_EQ(all.cases, 5832);
  EXPECT_LE(all.sum, 0.003 * double(all.degrees));
  EXPECT_LE(all.worst, 0.032);
  // One shape of testbed A, backward without gradients, occurs under eight
  // combinations of batch, length and width. There the closed form of r = 4
  // omits the 1.6 % that make r = 3 better. Everywhere else the degrees agree.
  EXPECT_EQ(all.other, 8);
  Figures &backward = groups[{"A", TrainingPhase::Backward}];
  EXPECT_EQ(backward.other, 8);
  EXPECT_LE(all.loss, 0.013);
}

TEST(DegreePlannerTest, SmallestWithinTheUncertainty) {
  LinearPhase phase;
  phase.dispatch = phase.combine = {1, 60};
  phase.experts = {1, 100};
  DegreePlanner planner;
  DegreePlan exact = planner.plan(phase, 16, 0);
  ASSERT_GT(exact.degree, 3);
  for (double uncertainty : {0.01, 0.05, 0.1, 0.3, 0.9}) {
    DegreePlan plan = planner.plan(phase, 16, 0, uncertainty);
    double enoughUs = exact.timeUs * (1 + uncertainty);
    EXPECT_LE(plan.timeUs, enoughUs);
    EXPECT_EQ(plan.timeUs, plan.get(plan.degree).timeUs);
    for (int64_t degree = 1; degree < plan.degree; ++degree)
      EXPECT_GT(plan.get(degree).timeUs, enoughUs);
    if (plan.degree != exact.degree)
      EXPECT_EQ(*plan.runnerUp, exact.degree);
  }
  EXPECT_EQ(planner.plan(phase, 16, 0, 0.9).degree, 1);
}

TEST(DegreePlannerTest, SmallerDegreeWinsTies) {
  // Experts only, without an alpha: all degrees take the same time.
  LinearPhase phase;
  phase.experts = {0, 12};
  DegreePlanner planner;
  DegreePlan plan = planner.plan(phase, 16, 0);
  EXPECT_EQ(plan.degree, 1);
  EXPECT_EQ(plan.runnerUp, 2);
  plan = planner.plan(phase, 1, 0);
  EXPECT_EQ(plan.degree, 1);
  EXPECT_FALSE(plan.runnerUp);
  // All-to-alls and experts: two halves overlap.
  phase.dispatch = phase.combine = {0, 6};
  plan = planner.plan(phase, 2, 0);
  EXPECT_EQ(plan.degree, 2);
  EXPECT_NEAR(plan.timeUs, 3 + 6 + 6 + 3, 1e-12);
  EXPECT_EQ(plan.runnerUp, 1);
  EXPECT_EQ(plan.byDegree.size(), 2u);
}

TEST(DegreePlannerTest, BoundsOfEqualChunksAreThoseOfChunks) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> time(0, 10);
  for (int round = 0; round < 1000; ++round) {
    ChunkTimes chunk{time(random), time(random), time(random), time(random),
                     time(random)};
    int64_t degree = 1 + int64_t(random() % 16);
    double gradientUs = random() % 2 ? 5 * time(random) : 0;
    std::vector<ChunkTimes> chunks(size_t(degree), chunk);
    EXPECT_EQ(getAnyOrderBoundUs(chunk, degree, gradientUs),
              getAnyOrderBoundUs(chunks, gradientUs));
    EXPECT_LE(getAnyOrderBoundUs(chunks, gradientUs),
              getFixedOrderUs(chunks, gradientUs) * (1 + 1e-12));
  }
}

TEST(DegreePlannerTest, WorkMemoryIsReused) {
  LinearPhase phase;
  phase.experts = {1, 12};
  DegreePlanner planner;
  const DegreeTime *first = planner.plan(phase, 16, 0).byDegree.data();
  for (int64_t maxDegree : {1, 7, 16})
    EXPECT_EQ(planner.plan(phase, maxDegree, 0).byDegree.data(), first);
}

} // namespace
