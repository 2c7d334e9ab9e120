// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closed forms compared with the simulation.

#include "moe/Schedule/FlowShop.h"
#include "RandomGraph.h"
#include "moe/Schedule/Simulation.h"
#include "gtest/gtest.h"

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

/// Simulates jobs through stages, each on a stream of its own.
double simulate(std::span<const double> timesUs, int64_t numStages) {
  TaskGraph graph;
  for (int64_t stage = 0; stage < numStages; ++stage)
    graph.addStream();
  for (size_t i = 0; i < timesUs.size(); ++i) {
    int64_t stage = int64_t(i) % numStages;
    TaskId id = graph.addTask({timesUs[i], StreamId(stage)});
    if (stage != 0)
      graph.addDependency(id - 1, id);
  }
  Simulator simulator;
  Timeline timeline;
  EXPECT_TRUE(simulator.run(graph, timeline)) << simulator.getError();
  return timeline.makespanUs;
}

/// SPEC MO-6, on integer times so that equal means equal.
TEST(FlowShopTest, EqualJobsAsSimulated) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 10000; ++i) {
    int64_t numStages = pick(random, 1, 4), numJobs = pick(random, 1, 20);
    std::vector<double> stageUs;
    for (int64_t stage = 0; stage < numStages; ++stage)
      stageUs.push_back(double(pick(random, 0, 1000)));
    std::vector<double> timesUs;
    for (int64_t job = 0; job < numJobs; ++job)
      timesUs.insert(timesUs.end(), stageUs.begin(), stageUs.end());
    double simulatedUs = simulate(timesUs, numStages);
    ASSERT_EQ(getEqualJobsMakespanUs(stageUs, numJobs), simulatedUs) << i;
    std::vector<double> doneUs(static_cast<size_t>(numStages));
    ASSERT_EQ(getFlowShopMakespanUs(timesUs, doneUs, numStages), simulatedUs);
  }
}

TEST(FlowShopTest, UnequalJobsAsSimulated) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10000; ++i) {
    int64_t numStages = pick(random, 1, 4), numJobs = pick(random, 0, 20);
    std::vector<double> timesUs;
    for (int64_t j = 0; j < numStages * numJobs; ++j)
      timesUs.push_back(double(random() >> 11) * 0x1p-40);
    std::vector<double> doneUs(static_cast<size_t>(numStages));
    // Both add the same numbers in the same order.
    ASSERT_EQ(getFlowShopMakespanUs(timesUs, doneUs, numStages),
              simulate(timesUs, numStages))
        << i;
  }
}

/// The case that the paper's form for O3 omits: the copy is the longest stage
/// (SPEC MO-6). AllToAll 1, AllGather 1, D2D copy 2, four chunks.
TEST(FlowShopTest, CopyIsTheLongestStage) {
  EXPECT_EQ(getEqualJobsMakespanUs(std::vector<double>{1, 1, 2}, 4), 10);
  // O2 runs AllGather and copy on one resource.
  EXPECT_EQ(getEqualJobsMakespanUs(std::vector<double>{1, 1 + 2}, 4), 13);
}

TEST(FlowShopTest, NoJobsOrStages) {
  EXPECT_EQ(getEqualJobsMakespanUs(std::vector<double>{1, 2}, 0), 0);
  EXPECT_EQ(getEqualJobsMakespanUs({}, 3), 0);
}

} // namespace
