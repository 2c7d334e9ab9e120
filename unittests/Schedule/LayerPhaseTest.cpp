// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/LayerPhase.h"
#include "moe/Schedule/Simulation.h"
#include <gtest/gtest.h>
#include <random>

using namespace moe::schedule;

namespace {

TEST(LayerPhaseTest, ToyOfFS6) {
  ChunkTimes chunk{1, 0.2, 0.2, 0.2, 1};
  EXPECT_NEAR(getFixedOrderUs(chunk, 4, 0), 8.40, 1e-12);
}

TEST(LayerPhaseTest, NothingToDo) {
  EXPECT_EQ(getFixedOrderUs(std::span<const ChunkTimes>(), 5), 0);
}

TEST(LayerPhaseTest, WorkOfFS2) {
  LayerShape shape;
  shape.microBatch = 2;
  shape.seqLen = 512;
  shape.hidden = 1024;
  shape.ffnHidden = 4096;
  shape.topK = 2;
  shape.capacityFactor = 1.2;
  shape.gemms = 3;
  shape.tp = 8;
  shape.esp = 4;
  double elements = 2 * 1.2 * 2 * 512 * 1024;
  LayerWork forward = getLayerWork(shape, TrainingPhase::Forward);
  EXPECT_DOUBLE_EQ(forward.allToAllElements, elements / 8);
  EXPECT_DOUBLE_EQ(forward.gatheredElements, elements);
  EXPECT_DOUBLE_EQ(forward.macs, elements * 1024 * 3);
  EXPECT_EQ(forward.gemms, 3);
  LayerWork backward = getLayerWork(shape, TrainingPhase::Backward);
  EXPECT_DOUBLE_EQ(backward.macs, 2 * forward.macs);
  EXPECT_EQ(backward.gemms, 6);
  shape.capacityFactor.reset();
  EXPECT_DOUBLE_EQ(getLayerWork(shape, TrainingPhase::Forward).gatheredElements,
                   2 * 2 * 512 * 1024);
}

/// Simulates FS-3 as a task graph with the general simulator.
double simulate(std::span<const ChunkTimes> chunks, double gradientUs) {
  TaskGraph graph;
  StreamId inter = graph.addStream(), intra = graph.addStream(),
           compute = graph.addStream();
  std::vector<TaskId> dispatches, gathers, scatters;
  for (const ChunkTimes &chunk : chunks)
    dispatches.push_back(graph.addTask({chunk.dispatchUs, inter}));
  if (gradientUs > 0)
    graph.addTask({gradientUs, inter});
  for (const ChunkTimes &chunk : chunks)
    gathers.push_back(graph.addTask({chunk.allGatherUs, intra}));
  for (const ChunkTimes &chunk : chunks)
    scatters.push_back(graph.addTask({chunk.reduceScatterUs, intra}));
  for (size_t i = 0; i < chunks.size(); ++i) {
    TaskId experts = graph.addTask({chunks[i].expertsUs, compute});
    TaskId combine = graph.addTask({chunks[i].combineUs, inter});
    graph.addDependency(dispatches[i], gathers[i]);
    graph.addDependency(gathers[i], experts);
    graph.addDependency(experts, scatters[i]);
    graph.addDependency(scatters[i], combine);
  }
  Simulator simulator;
  Timeline timeline;
  EXPECT_TRUE(simulator.run(graph, timeline)) << simulator.getError();
  return timeline.makespanUs;
}

TEST(LayerPhaseTest, EqualsTheGeneralSimulator) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> time(0, 10);
  for (int round = 0; round < 2000; ++round) {
    std::vector<ChunkTimes> chunks(1 + random() % 16);
    bool equal = random() % 2;
    for (ChunkTimes &chunk : chunks)
      chunk = equal && &chunk != &chunks.front()
                  ? chunks.front()
                  : ChunkTimes{time(random), time(random), time(random),
                               time(random), time(random)};
    double gradientUs = random() % 2 ? 3 * time(random) : 0;
    double expected = simulate(chunks, gradientUs);
    EXPECT_NEAR(getFixedOrderUs(chunks, gradientUs), expected,
                1e-12 * expected);
    if (equal) {
      EXPECT_EQ(getFixedOrderUs(chunks.front(), chunks.size(), gradientUs),
                getFixedOrderUs(chunks, gradientUs));
    }
  }
}

} // namespace
