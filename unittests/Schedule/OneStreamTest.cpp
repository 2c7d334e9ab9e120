// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/GradientPartition.h"
#include "moe/Schedule/Simulation.h"
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::schedule;

namespace {

LinearPhase makePhase(std::mt19937_64 &random) {
  auto draw = [&](double most) {
    return std::uniform_real_distribution<double>(0, most)(random);
  };
  LinearPhase phase;
  phase.dispatch = phase.combine = {draw(50), draw(2000)};
  phase.allGather = {draw(50), draw(1000)};
  phase.reduceScatter = {draw(50), draw(1000)};
  phase.experts = {draw(50), draw(3000)};
  return phase;
}

/// Tutel's order as a task graph, with an all-reduce where the stream changes
/// direction.
TEST(OneStreamTest, EqualsTheSimulator) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 200; ++round) {
    LinearPhase phase = makePhase(random);
    for (const BackwardChoice &choice : getOneStreamChoices(phase, 8))
      for (double gradientUs : {0.0, 100.0, 5000.0}) {
        ChunkTimes chunk = phase.getTimes(1.0 / double(choice.degree));
        TaskGraph graph;
        StreamId collectives = graph.addStream(), compute = graph.addStream();
        std::vector<TaskId> experts;
        for (int64_t i = 0; i < choice.degree; ++i) {
          TaskId in = graph.addTask(
              {chunk.dispatchUs + chunk.allGatherUs, collectives});
          experts.push_back(graph.addTask({chunk.expertsUs, compute}));
          graph.addDependency(in, experts.back());
        }
        graph.addTask({gradientUs, collectives});
        for (TaskId task : experts)
          graph.addDependency(
              task, graph.addTask({chunk.reduceScatterUs + chunk.combineUs,
                                   collectives}));
        Simulator simulator;
        Timeline timeline;
        ASSERT_TRUE(simulator.run(graph, timeline)) << simulator.getError();
        EXPECT_NEAR(choice.getUs(gradientUs), timeline.makespanUs, 1e-6);
      }
  }
}

} // namespace
