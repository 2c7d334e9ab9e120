// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds on all schedules.

#include "moe/Schedule/Bounds.h"
#include "RandomGraph.h"
#include "moe/Schedule/Simulation.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

LowerBound getBound(const TaskGraph &graph) {
  BoundFinder finder;
  LowerBound bound;
  EXPECT_TRUE(finder.run(graph, bound)) << finder.getError();
  return bound;
}

/// Dependencies of RandomGraph lead from lower to higher ids, so every stream
/// can run its tasks in the order of ids.
TEST(BoundsTest, NoSimulationIsFaster) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 3000; ++i) {
    RandomGraph input = makeRandomGraph(random, 40);
    Contention contention;
    if (i % 2 == 1)
      for (ResourceId a = 1; a <= 3; ++a)
        contention.set(a, ResourceId(pick(random, 1, 3)), 2);
    Simulator simulator;
    Timeline timeline;
    ASSERT_TRUE(simulator.run(input.graph, contention, timeline));
    ASSERT_LE(getBound(input.graph).getUs(), timeline.makespanUs) << i;
  }
}

/// No order of adding the tasks beats the bound, and on most small graphs one
/// reaches it.
TEST(BoundsTest, NoOrderIsFaster) {
  std::mt19937_64 random(9);
  int numReached = 0;
  constexpr int kGraphs = 300;
  for (int i = 0; i < kGraphs; ++i) {
    RandomGraph input = makeRandomGraph(random, 6);
    size_t numTasks = input.tasks.size();
    double boundUs = getBound(input.graph).getUs();
    double bestUs = HUGE_VAL;
    std::vector<TaskId> order(numTasks);
    std::iota(order.begin(), order.end(), 0);
    Simulator simulator;
    Timeline timeline;
    do {
      std::vector<TaskId> placeOf(numTasks);
      std::vector<Task> tasks;
      for (size_t at = 0; at < numTasks; ++at) {
        placeOf[order[at]] = TaskId(at);
        tasks.push_back(input.tasks[order[at]]);
      }
      std::vector<std::pair<TaskId, TaskId>> dependencies;
      for (auto [before, after] : input.dependencies)
        dependencies.push_back({placeOf[before], placeOf[after]});
      RandomGraph reordered =
          build(input.graph.getNumStreams(), tasks, dependencies);
      if (simulator.run(reordered.graph, timeline))
        bestUs = std::min(bestUs, timeline.makespanUs);
      ASSERT_EQ(getBound(reordered.graph).getUs(), boundUs);
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_LE(boundUs, bestUs) << i;
    numReached += boundUs == bestUs;
  }
  EXPECT_GT(numReached, kGraphs * 9 / 10);
}

/// Returns the longest chain before `task` by trying all paths.
double head(const RandomGraph &input, TaskId task) {
  double us = 0;
  for (auto [before, after] : input.dependencies)
    if (after == task)
      us = std::max(us, head(input, before) + input.tasks[before].durationUs);
  return us;
}
double tail(const RandomGraph &input, TaskId task) {
  double us = 0;
  for (auto [before, after] : input.dependencies)
    if (before == task)
      us = std::max(us, tail(input, after) + input.tasks[after].durationUs);
  return us;
}

/// The stream's bound is the maximum over all sets of its tasks.
TEST(BoundsTest, StreamBoundIsTheMaximumOverSets) {
  std::mt19937_64 random(10);
  for (int i = 0; i < 1000; ++i) {
    RandomGraph input = makeRandomGraph(random, 9);
    double expectedUs = 0, chainUs = 0;
    size_t numTasks = input.tasks.size();
    std::vector<double> heads, tails;
    for (TaskId id = 0; id < numTasks; ++id) {
      heads.push_back(head(input, id));
      tails.push_back(tail(input, id));
      chainUs = std::max(chainUs, heads[id] + input.tasks[id].durationUs);
    }
    for (uint32_t set = 1; set < (1u << numTasks); ++set) {
      double leastHead = HUGE_VAL, leastTail = HUGE_VAL, sumUs = 0;
      bool oneStream = true;
      int stream = -1;
      for (TaskId id = 0; id < numTasks; ++id) {
        if (!(set >> id & 1))
          continue;
        oneStream &= stream < 0 || stream == int(input.tasks[id].stream);
        stream = int(input.tasks[id].stream);
        leastHead = std::min(leastHead, heads[id]);
        leastTail = std::min(leastTail, tails[id]);
        sumUs += input.tasks[id].durationUs;
      }
      if (oneStream)
        expectedUs = std::max(expectedUs, leastHead + sumUs + leastTail);
    }
    LowerBound bound = getBound(input.graph);
    ASSERT_EQ(bound.busiestStreamUs, expectedUs) << i;
    ASSERT_EQ(bound.criticalPathUs, chainUs) << i;
  }
}

/// Two tasks on one stream between a first and a last task: nothing hides the
/// first and the last, and the two cannot run concurrently.
TEST(BoundsTest, NamesTheBusiestStream) {
  RandomGraph input = build(2, {{2, 0}, {5, 1}, {5, 1}, {3, 0}},
                            {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  LowerBound bound = getBound(input.graph);
  EXPECT_EQ(bound.criticalPathUs, 10);
  EXPECT_EQ(bound.busiestStreamUs, 15);
  EXPECT_EQ(bound.busiestStream, 1u);
  EXPECT_EQ(bound.getUs(), 15);
}

/// Two such layers in sequence on different streams: both count.
TEST(BoundsTest, LayersStandOneBehindTheOther) {
  RandomGraph input = build(
      3, {{2, 0}, {5, 1}, {5, 1}, {3, 0}, {2, 0}, {5, 2}, {5, 2}, {3, 0}},
      {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {4, 6}, {5, 7}, {6, 7}});
  LowerBound bound = getBound(input.graph);
  EXPECT_EQ(bound.criticalPathUs, 20);
  EXPECT_EQ(bound.busiestStreamUs, 25);
  EXPECT_EQ(bound.stagedUs, 30);
  EXPECT_EQ(bound.getUs(), 30);
}

TEST(BoundsTest, RefusesWhatHasNoOrder) {
  BoundFinder finder;
  LowerBound bound;
  RandomGraph cyclic = build(2, {{1, 0}, {1, 1}, {1, 0}}, {{1, 2}, {2, 1}});
  EXPECT_FALSE(finder.run(cyclic.graph, bound));
  EXPECT_EQ(finder.getError(),
            "expected dependencies without a cycle, but task 1 waits for task "
            "2 (a dependency), which waits for task 1 (a dependency)");
  EXPECT_FALSE(finder.run(build(1, {{-1, 0}}, {}).graph, bound));
  EXPECT_EQ(finder.getError(),
            "task 0: expected a duration in [0, 1e15] us, got -1");
  // The bound ignores the order on a stream.
  RandomGraph deadlocked = build(1, {{1, 0}, {1, 0}}, {{1, 0}});
  EXPECT_TRUE(finder.run(deadlocked.graph, bound));
  EXPECT_EQ(bound.getUs(), 2);
}

} // namespace
