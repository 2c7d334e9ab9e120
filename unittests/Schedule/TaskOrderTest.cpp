// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of tasks on their streams.

#include "moe/Schedule/TaskOrder.h"
#include "RandomSteps.h"
#include "moe/Schedule/Bounds.h"
#include "gtest/gtest.h"

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

double simulate(const TaskGraph &graph,
                const Contention &contention = Contention()) {
  Simulator simulator;
  Timeline timeline;
  EXPECT_TRUE(simulator.run(graph, contention, timeline))
      << simulator.getError();
  return timeline.makespanUs;
}

/// Checks that an order takes its stated time and contains each task once,
/// after its dependencies.
void check(const RandomGraph &input, const TaskOrder &found,
           const Contention &contention = Contention()) {
  ASSERT_EQ(found.order.size(), input.tasks.size());
  std::vector<size_t> places(input.tasks.size(), ~size_t(0));
  for (size_t i = 0; i < found.order.size(); ++i) {
    ASSERT_EQ(places[found.order[i]], ~size_t(0));
    places[found.order[i]] = i;
  }
  for (auto [before, after] : input.dependencies)
    ASSERT_LT(places[before], places[after]);
  ASSERT_EQ(simulate(permute(input.graph, found.order), contention),
            found.timeUs);
}

TaskOrder getOwnOrder(const RandomGraph &input) {
  TaskOrder own;
  for (TaskId id = 0; id < input.tasks.size(); ++id)
    own.order.push_back(id);
  own.timeUs = simulate(input.graph);
  return own;
}

/// The pruned search finds the same optimum as trying all orders.
TEST(TaskOrderTest, SearchFindsTheOptimum) {
  std::mt19937_64 random(17);
  for (int i = 0; i < 150; ++i) {
    RandomGraph input = RandomStep(random).get();
    OrderProof proof =
        searchAllOrders(input.graph, getOwnOrder(input), /*width=*/1 << 16);
    check(input, proof.best);
    ASSERT_EQ(proof.best.timeUs, Exhaustive(input).getBestUs()) << i;
    ASSERT_TRUE(proof.isExact);
    ASSERT_EQ(proof.lowerBoundUs, proof.best.timeUs);
  }
}

/// If the search skips orders, its bound on the skipped ones bounds the
/// optimum.
TEST(TaskOrderTest, NarrowSearchBoundsTheOptimum) {
  std::mt19937_64 random(18);
  int numOpen = 0;
  for (int i = 0; i < 100; ++i) {
    RandomGraph input = RandomStep(random).get();
    OrderProof proof =
        searchAllOrders(input.graph, getOwnOrder(input), /*width=*/1);
    check(input, proof.best);
    double optimumUs = Exhaustive(input).getBestUs();
    ASSERT_LE(proof.lowerBoundUs, optimumUs);
    ASSERT_GE(proof.best.timeUs, optimumUs);
    ASSERT_EQ(proof.isExact, proof.lowerBoundUs == proof.best.timeUs);
    LowerBound bound;
    BoundFinder finder;
    ASSERT_TRUE(finder.run(input.graph, bound));
    ASSERT_GE(proof.lowerBoundUs, bound.getUs());
    numOpen += !proof.isExact;
  }
  EXPECT_GT(numOpen, 0);
}

/// Swaps reach the optimum of most small steps.
TEST(TaskOrderTest, SwapsComeCloseToTheOptimum) {
  std::mt19937_64 random(19);
  int numReached = 0;
  constexpr int kSteps = 300;
  for (int i = 0; i < kSteps; ++i) {
    RandomGraph input = RandomStep(random).get();
    TaskOrder found = improveOrder(input.graph, Contention(), 500);
    check(input, found);
    double optimumUs = Exhaustive(input).getBestUs();
    ASSERT_GE(found.timeUs, optimumUs);
    ASSERT_LE(found.timeUs, simulate(input.graph));
    numReached += found.timeUs == optimumUs;
  }
  RecordProperty("reached", numReached);
  EXPECT_GE(numReached, kSteps * 95 / 100);
}

/// Graphs of all kinds, with tasks that slow each other down.
TEST(TaskOrderTest, SwapsKeepWhatDependsOnWhat) {
  std::mt19937_64 random(20);
  Contention contention;
  contention.set(1, 2, 1.5);
  contention.set(2, 1, 2);
  contention.set(3, 3, 1.25);
  for (int i = 0; i < 300; ++i) {
    RandomGraph input = makeRandomGraph(random, 40);
    TaskOrder found = improveOrder(input.graph, contention, 200);
    check(input, found, contention);
    ASSERT_LE(found.timeUs, simulate(input.graph, contention));
  }
}

/// Returns the last order reached by moving tasks late and early.
TaskOrder justify(const RandomGraph &input, unsigned trials, double enoughUs,
                  bool takes = true) {
  TaskOrder found = getOwnOrder(input), own = found;
  justifyOrders(input.graph, own.order, trials, enoughUs,
                [&](std::span<const TaskId> order) {
                  TaskOrder next{{order.begin(), order.end()}, 0};
                  next.timeUs = simulate(permute(input.graph, order));
                  check(input, next);
                  EXPECT_LT(next.timeUs, (takes ? found : own).timeUs);
                  found = std::move(next);
                  return takes;
                });
  return found;
}

/// In most small steps whose own order is not optimal, moving tasks late and
/// early reaches the optimum.
TEST(TaskOrderTest, JustificationComesCloseToTheOptimum) {
  std::mt19937_64 random(23);
  int numSlow = 0, numReached = 0, numAtOnce = 0;
  for (int i = 0; i < 150; ++i) {
    RandomGraph input = RandomStep(random).get();
    double optimumUs = Exhaustive(input).getBestUs();
    double ownUs = simulate(input.graph);
    TaskOrder found = justify(input, 200, optimumUs);
    ASSERT_GE(found.timeUs, optimumUs);
    ASSERT_LE(found.timeUs, ownUs);
    numSlow += ownUs > optimumUs;
    numReached += ownUs > optimumUs && found.timeUs == optimumUs;
    // The search stops once the time is enough, and does not continue from a
    // rejected order.
    ASSERT_EQ(justify(input, 200, ownUs).timeUs, ownUs);
    justify(input, 20, optimumUs, /*takes=*/false);
    numAtOnce += justify(input, 0, optimumUs).timeUs < ownUs;
  }
  RecordProperty("slow", numSlow);
  RecordProperty("reached", numReached);
  EXPECT_GE(numReached, numSlow * 2 / 3) << "of " << numSlow;
  EXPECT_GE(numAtOnce, numSlow / 10);
  justifyOrders(TaskGraph(), {}, 10, 0, [](auto) { return true; });
}

/// Tasks of zero length stay between their predecessors and successors.
TEST(TaskOrderTest, JustificationKeepsWhatDependsOnWhat) {
  std::mt19937_64 random(24);
  for (int i = 0; i < 300; ++i) {
    RandomGraph input = makeRandomGraph(random, 40);
    ASSERT_LE(justify(input, 50, 0).timeUs, simulate(input.graph));
  }
}

/// With all tasks in the window and all orders kept the search is exact;
/// otherwise its order is still feasible.
TEST(TaskOrderTest, SearchAheadFindsOrders) {
  std::mt19937_64 random(22);
  int numReached = 0;
  constexpr int kSteps = 150;
  for (int i = 0; i < kSteps; ++i) {
    RandomGraph input = RandomStep(random).get();
    std::vector<TaskId> own = getOwnOrder(input).order;
    TaskOrder all = searchOrdersAhead(input.graph, own, 1 << 16, own.size());
    check(input, all);
    double optimumUs = Exhaustive(input).getBestUs();
    ASSERT_EQ(all.timeUs, optimumUs) << i;
    TaskOrder few = searchOrdersAhead(input.graph, own, 4, 5);
    few.timeUs = simulate(permute(input.graph, few.order));
    check(input, few);
    ASSERT_GE(few.timeUs, optimumUs);
    numReached += few.timeUs == optimumUs;
  }
  RecordProperty("reached", numReached);
  EXPECT_GE(numReached, kSteps * 7 / 10);
  EXPECT_TRUE(searchOrdersAhead(TaskGraph(), {}, 4, 5).order.empty());
}

/// Many layers of two parts: a window of a few tasks suffices to make them take
/// turns, although a task may be visited long after its dependency.
TEST(TaskOrderTest, SearchAheadTakesLongSchedules) {
  std::vector<Task> tasks;
  std::vector<std::pair<TaskId, TaskId>> dependencies;
  constexpr int kTasks = 1000;
  for (int i = 0; i < kTasks; ++i)
    for (int part = 0; part < 2; ++part) {
      tasks.push_back({3, StreamId(i % 2)});
      if (i > 0)
        dependencies.push_back(
            {TaskId(tasks.size() - 3), TaskId(tasks.size() - 1)});
    }
  // The last task waits for the first.
  dependencies.push_back({0, TaskId(tasks.size() - 1)});
  RandomGraph input = build(2, tasks, dependencies);
  std::vector<TaskId> own = getOwnOrder(input).order;
  TaskOrder found = searchOrdersAhead(input.graph, own, 2, 16);
  check(input, found);
  EXPECT_EQ(found.timeUs, 3 * (kTasks + 1));
}

/// Two parts of a batch in sequence: if they take turns, the second part's work
/// hides the first part's exchanges.
TEST(TaskOrderTest, PartsTakeTurns) {
  std::vector<Task> tasks;
  std::vector<std::pair<TaskId, TaskId>> dependencies;
  for (int part = 0; part < 2; ++part)
    for (int i = 0; i < 8; ++i) {
      tasks.push_back({3, StreamId(i % 2)});
      if (i > 0)
        dependencies.push_back(
            {TaskId(tasks.size() - 2), TaskId(tasks.size() - 1)});
    }
  RandomGraph input = build(2, tasks, dependencies);
  EXPECT_EQ(simulate(input.graph), 45);
  TaskOrder found = improveOrder(input.graph, Contention(), 1000);
  check(input, found);
  EXPECT_EQ(found.timeUs, 27);
  OrderProof proof = searchAllOrders(input.graph, found, 1000);
  EXPECT_TRUE(proof.isExact);
  EXPECT_EQ(proof.best.timeUs, 27);
}

} // namespace
