//===- DegreePlannerTest.cpp ----------------------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Schedule/DegreePlanner.h"
#include "FSMoECases.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace moe::schedule;

namespace {

/// FS-3 by the letter and by no formula: at each instant, every idle stream
/// starts its next operation if what that waits for has ended, then time moves
/// on to the next end.
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
  // Ended operations of each kind; they end in order.
  std::map<char, int64_t> ended;
  size_t next[3] = {0, 0, 0};
  // End of what each stream runs; below 0 when idle.
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

/// Prints the figures of the acceptance beside checking them.
TEST(DegreePlannerTest, ClosedFormsAreCloseAndChooseTheSameDegree) {
  DegreePlanner planner;
  double sum = 0, worst = 0;
  int64_t count = 0, cases = 0, otherDegree = 0;
  double worstLoss = 0;
  std::map<std::pair<std::string, int>, std::array<double, 3>> groups;
  forEachFSMoECase([&](const FSMoECase &each) {
    DegreePlan plan = planner.plan(each.phase, 16, each.gradientUs);
    auto &group = groups[{each.testbed->name, int(each.which)}];
    for (const DegreeTime &time : plan.byDegree) {
      double error =
          std::abs(time.closedForm.timeUs - time.timeUs) / time.timeUs;
      sum += error;
      group[0] += error;
      group[1] = std::max(group[1], error);
      ++group[2];
      worst = std::max(worst, error);
      ++count;
    }
    ClosedFormChoice choice =
        minimizeClosedForm(each.phase, 16, each.gradientUs);
    ++cases;
    if (choice.degree != plan.degree) {
      ++otherDegree;
      worstLoss =
          std::max(worstLoss, plan.get(choice.degree).timeUs / plan.timeUs - 1);
    }
  });
  for (auto &[key, group] : groups)
    std::printf("%s phase %d: mean %.4f %%, worst %.4f %%\n", key.first.c_str(),
                key.second, 100 * group[0] / group[2], 100 * group[1]);
  std::printf("mean %.4f %%, worst %.4f %%; of %ld cases %ld with another "
              "degree, at most %.4f %% longer\n",
              100 * sum / double(count), 100 * worst, long(cases),
              long(otherDegree), 100 * worstLoss);
}

} // namespace
