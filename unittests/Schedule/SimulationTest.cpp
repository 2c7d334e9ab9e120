// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start and end times of tasks.

#include "moe/Schedule/Simulation.h"
#include "RandomGraph.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <optional>

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

/// Results of an independent simulation.
struct Oracle {
  std::vector<double> startUs, endUs;
  int64_t peakBytes = 0;
};

/// Steps from one end to the next over all tasks and tracks the remaining time
/// of each. It is slow and shares only the input with the library. Returns
/// nullopt if some task never starts.
std::optional<Oracle> simulateNaively(const RandomGraph &input,
                                      const Contention &contention) {
  size_t numTasks = input.tasks.size();
  Oracle result{std::vector<double>(numTasks, -1),
                std::vector<double>(numTasks, -1)};
  std::vector<double> leftUs;
  for (const Task &task : input.tasks)
    leftUs.push_back(task.durationUs);
  auto hasStarted = [&](size_t i) { return result.startUs[i] >= 0; };
  auto hasEnded = [&](size_t i) { return result.endUs[i] >= 0; };
  double nowUs = 0;
  int64_t bytes = 0;
  while (true) {
    std::vector<size_t> starting;
    for (size_t i = 0; i < numTasks; ++i) {
      bool blocked = hasStarted(i);
      for (size_t j = 0; j < i; ++j)
        blocked |=
            input.tasks[j].stream == input.tasks[i].stream && !hasEnded(j);
      for (auto [before, after] : input.dependencies)
        blocked |= after == i && !hasEnded(before);
      if (!blocked)
        starting.push_back(i);
    }
    for (size_t i : starting) {
      result.startUs[i] = nowUs;
      bytes += input.tasks[i].allocatedBytes;
    }
    result.peakBytes = std::max(result.peakBytes, bytes);

    std::vector<double> slowdown(numTasks, 1.0);
    double stepUs = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < numTasks; ++i) {
      if (!hasStarted(i) || hasEnded(i))
        continue;
      for (ResourceId by = 1; by < kMaxResources; ++by) {
        bool runs = false;
        for (size_t j = 0; j < numTasks; ++j)
          runs |= j != i && hasStarted(j) && !hasEnded(j) &&
                  input.tasks[j].resource == by;
        if (runs && input.tasks[i].resource != kNoResource)
          slowdown[i] *= contention.get(input.tasks[i].resource, by);
      }
      stepUs = std::min(stepUs, leftUs[i] * slowdown[i]);
    }
    if (std::isinf(stepUs))
      break;
    for (size_t i = 0; i < numTasks; ++i) {
      if (!hasStarted(i) || hasEnded(i))
        continue;
      leftUs[i] -= stepUs / slowdown[i];
      // Rounding must not leave a task running for a last instant.
      if (leftUs[i] < 1e-9) {
        result.endUs[i] = nowUs + stepUs;
        bytes -= input.tasks[i].freedBytes;
      }
    }
    nowUs += stepUs;
  }
  for (size_t i = 0; i < numTasks; ++i)
    if (!hasEnded(i))
      return std::nullopt;
  return result;
}

/// Checks that the simulation agrees with the oracle, or that both never end.
void expectAsOracle(const RandomGraph &input, const Contention &contention,
                    double tolerance) {
  Simulator simulator;
  Timeline timeline;
  bool runs = simulator.run(input.graph, contention, timeline);
  std::optional<Oracle> oracle = simulateNaively(input, contention);
  ASSERT_EQ(runs, oracle.has_value()) << simulator.getError();
  if (!runs) {
    EXPECT_FALSE(simulator.getCycle().empty());
    return;
  }
  double makespanUs = 0;
  std::vector<double> busyUs(input.graph.getNumStreams(), 0);
  for (size_t i = 0; i < input.tasks.size(); ++i) {
    EXPECT_NEAR(timeline.startUs[i], oracle->startUs[i], tolerance) << i;
    EXPECT_NEAR(timeline.endUs[i], oracle->endUs[i], tolerance) << i;
    makespanUs = std::max(makespanUs, oracle->endUs[i]);
    busyUs[input.tasks[i].stream] += oracle->endUs[i] - oracle->startUs[i];
  }
  EXPECT_NEAR(timeline.makespanUs, makespanUs, tolerance);
  for (size_t i = 0; i < busyUs.size(); ++i)
    EXPECT_NEAR(timeline.busyUs[i], busyUs[i], tolerance * 100) << i;
  EXPECT_EQ(timeline.peakBytes, oracle->peakBytes);

  // The critical path fills the time from 0 to the makespan without a gap.
  double atUs = 0;
  for (TaskId id : timeline.criticalPath) {
    EXPECT_EQ(timeline.startUs[id], atUs);
    atUs = timeline.endUs[id];
  }
  EXPECT_EQ(atUs, timeline.makespanUs);
}

TEST(SimulationTest, AsAnIndependentSimulationWithoutContention) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    expectAsOracle(makeRandomGraph(random, 24), Contention(), 0);
  }
}

TEST(SimulationTest, AsAnIndependentSimulationWithContention) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    Contention contention;
    for (ResourceId a = 1; a <= 3; ++a)
      for (ResourceId b = 1; b <= 3; ++b)
        // Powers of 2 keep all times exact, so that events that coincide in one
        // simulation coincide in the other.
        contention.set(a, b, double(int64_t(1) << pick(random, 0, 2)));
    expectAsOracle(makeRandomGraph(random, 16), contention, 0);
  }
}

TEST(SimulationTest, AsAnIndependentSimulationWithUnevenContention) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    Contention contention;
    contention.set(1, 2, 1.0 + double(pick(random, 0, 100)) / 97);
    contention.set(2, 1, 1.0 + double(pick(random, 0, 100)) / 89);
    RandomGraph input = makeRandomGraph(random, 16);
    // Memory at an instant depends on which of two nearly equal events is
    // first, so this test does not compare it.
    for (Task &task : input.tasks)
      task.allocatedBytes = task.freedBytes = 0;
    input = build(input.graph.getNumStreams(), input.tasks, input.dependencies);
    expectAsOracle(input, contention, 1e-7);
  }
}

TEST(SimulationTest, AsAnIndependentSimulationWhenTasksMayDeadlock) {
  std::mt19937_64 random(4);
  int numDeadlocks = 0;
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    RandomGraph input = makeRandomGraph(random, 8, /*anyDirection=*/true);
    expectAsOracle(input, Contention(), 0);
    Simulator simulator;
    Timeline timeline;
    if (simulator.run(input.graph, timeline))
      continue;
    ++numDeadlocks;
    // Each task of the cycle must wait for the next.
    std::span<const TaskId> cycle = simulator.getCycle();
    for (size_t at = 0; at < cycle.size(); ++at) {
      TaskId from = cycle[at], to = cycle[(at + 1) % cycle.size()];
      bool waits =
          input.tasks[from].stream == input.tasks[to].stream && to < from;
      for (auto [before, after] : input.dependencies)
        waits |= before == to && after == from;
      EXPECT_TRUE(waits) << from << " " << to;
    }
  }
  EXPECT_GT(numDeadlocks, 100);
}

TEST(SimulationTest, NothingToDo) {
  Simulator simulator;
  Timeline timeline;
  TaskGraph graph;
  ASSERT_TRUE(simulator.run(graph, timeline));
  EXPECT_EQ(timeline.makespanUs, 0);
  EXPECT_TRUE(timeline.criticalPath.empty());
}

/// Two equal tasks halve each other's speed, and the second starts 4 us later:
/// 4 us alone, then both at half speed until the first has done its 10 us, then
/// the other alone.
TEST(SimulationTest, RatesChangeAtEvents) {
  RandomGraph input = build(3, {{4, 0}, {10, 1, 1}, {10, 2, 2}}, {{0, 2}});
  Contention contention;
  contention.set(1, 2, 2);
  contention.set(2, 1, 2);
  Simulator simulator;
  Timeline timeline;
  ASSERT_TRUE(simulator.run(input.graph, contention, timeline));
  EXPECT_EQ(timeline.endUs[1], 16);
  EXPECT_EQ(timeline.endUs[2], 20);
  EXPECT_EQ(timeline.busyUs, (std::vector<double>{4, 16, 16}));
}

/// A buffer freed and allocated at the same instant is not counted twice; a
/// kept one is.
TEST(SimulationTest, PeakMemory) {
  RandomGraph input = build(
      1, {{1, 0, 0, 100, 100}, {1, 0, 0, 100, 0}, {1, 0, 0, 50, 150}}, {});
  Simulator simulator;
  Timeline timeline;
  ASSERT_TRUE(simulator.run(input.graph, timeline));
  EXPECT_EQ(timeline.peakBytes, 150);
}

TEST(SimulationTest, NamesTheCycle) {
  // Task 1 follows task 0 on its stream, which needs task 2, which needs task
  // 1.
  RandomGraph input = build(2, {{1, 0}, {1, 0}, {1, 1}}, {{2, 0}, {1, 2}});
  Simulator simulator;
  Timeline timeline;
  ASSERT_FALSE(simulator.run(input.graph, timeline));
  EXPECT_EQ(simulator.getError(),
            "expected an order in which every task can run, but task 0 waits "
            "for task 2 (a dependency), which waits for task 1 (a dependency), "
            "which waits for task 0 (before it on stream 0)");
  EXPECT_EQ(describeCycle(
                input.graph, simulator.getCycle(),
                [](TaskId task) { return std::string(1, char('a' + task)); }),
            "a waits for c (a dependency), which waits for b (a dependency), "
            "which waits for a (before it on stream 0)");
  // A workspace stays usable after an error.
  RandomGraph good = build(1, {{3, 0}}, {});
  ASSERT_TRUE(simulator.run(good.graph, timeline));
  EXPECT_EQ(timeline.makespanUs, 3);
  EXPECT_EQ(simulator.getError(), "");
  EXPECT_TRUE(simulator.getCycle().empty());
}

TEST(SimulationTest, RefusesMalformedTasks) {
  auto error = [](const Task &task) {
    Simulator simulator;
    Timeline timeline;
    EXPECT_FALSE(simulator.run(build(1, {{1, 0}, task}, {}).graph, timeline));
    return simulator.getError();
  };
  EXPECT_EQ(error({-1, 0}),
            "task 1: expected a duration in [0, 1e15] us, got -1");
  EXPECT_EQ(error({std::nan(""), 0}),
            "task 1: expected a duration in [0, 1e15] us, got nan");
  EXPECT_EQ(error({HUGE_VAL, 0}),
            "task 1: expected a duration in [0, 1e15] us, got inf");
  EXPECT_EQ(error({1, 0, 8}), "task 1: expected a resource below 8, got 8");
  EXPECT_EQ(error({1, 0, 0, -5}), "task 1: expected memory >= 0 bytes, got -5");
  EXPECT_EQ(error({1, 0, 0, 0, -5}),
            "task 1: expected memory >= 0 bytes, got -5");
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  Simulator simulator;
  Timeline timeline;
  EXPECT_FALSE(simulator.run(
      build(1, {{1, 0, 0, kHuge}, {1, 0, 0, 1}}, {}).graph, timeline));
  EXPECT_EQ(simulator.getError(),
            "task 1: expected less than 2^63 bytes in all tasks together, "
            "got more");
}

/// A cleared graph is rebuilt in the same memory.
TEST(SimulationTest, ClearedGraphsStartAnew) {
  TaskGraph graph;
  graph.addStream();
  graph.addTask({5, 0});
  graph.addTask({5, 0});
  graph.addDependency(0, 1);
  graph.clear();
  graph.addStream();
  graph.addStream();
  graph.addTask({1, 0});
  graph.addTask({2, 1});
  Simulator simulator;
  Timeline timeline;
  ASSERT_TRUE(simulator.run(graph, timeline));
  EXPECT_EQ(timeline.makespanUs, 2);
  EXPECT_EQ(graph.getNumDependencies(), 0u);
}

/// Simulates one layer as SPEC FS-3 schedules it. Letters give the orders of
/// the inter-node and intra-node streams: D dispatch, C combine; A AllGather, R
/// ReduceScatter. The i-th letter of a kind is chunk i.
double runLayer(const std::string &inter, const std::string &intra) {
  TaskGraph graph;
  StreamId streams[] = {graph.addStream(), graph.addStream(),
                        graph.addStream()};
  std::vector<TaskId> dispatch, combine, gather, scatter, expert;
  for (char kind : inter)
    (kind == 'D' ? dispatch : combine)
        .push_back(graph.addTask({1.0, streams[0]}));
  for (char kind : intra)
    (kind == 'A' ? gather : scatter)
        .push_back(graph.addTask({0.2, streams[1]}));
  for (size_t i = 0; i < dispatch.size(); ++i) {
    expert.push_back(graph.addTask({0.2, streams[2]}));
    graph.addDependency(dispatch[i], gather[i]);
    graph.addDependency(gather[i], expert[i]);
    graph.addDependency(expert[i], scatter[i]);
    graph.addDependency(scatter[i], combine[i]);
  }
  Simulator simulator;
  Timeline timeline;
  EXPECT_TRUE(simulator.run(graph, timeline)) << simulator.getError();
  return timeline.makespanUs;
}

/// The toy example of SPEC FS-6: FS-3's fixed order is not optimal.
TEST(SimulationTest, LayerOfFSMoE) {
  EXPECT_NEAR(runLayer("DDDDCCCC", "AAAARRRR"), 8.4, 1e-12);
  EXPECT_NEAR(runLayer("DDCCDDCC", "ARARARAR"), 8.0, 1e-12);
}

} // namespace
