// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for the best strategy of an all-to-all.

#include "moe/Schedule/AllToAllStrategy.h"
#include "RandomGraph.h"
#include "moe/Schedule/Simulation.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

/// Costs with stage times from a table, so that only the search is under test.
class TableCosts : public ExchangeCosts {
public:
  double baselineUs = 0;
  /// Stage times without chunks; `stages[i]` has those with i + 1 chunks.
  StageTimes whole;
  std::vector<StageTimes> stages;
  double bytes = 1000;
  double o3StallUs = 0;
  StageResources resources;
  Contention contention;
  std::optional<Strategy> firstImpossible;
  double uncertainty = 0;

  double getUncertainty() const override { return uncertainty; }
  double getBaselineUs() const override { return baselineUs; }
  StageTimes getStageTimes(int64_t chunks, Strategy strategy) const override {
    if (strategy == Strategy::O1)
      return whole;
    StageTimes result = stages[size_t(chunks - 1)];
    // Models a stall of only one strategy's operations.
    if (strategy == Strategy::O3)
      result.allGatherUs += o3StallUs;
    return result;
  }
  StageResources getResources() const override { return resources; }
  double getMessageBytes(int64_t chunks) const override {
    return bytes / double(chunks);
  }
  Contention getContention() const override { return contention; }
  std::string getWhyNot(Strategy strategy) const override {
    return firstImpossible && strategy >= *firstImpossible ? "not possible"
                                                           : "";
  }
};

TableCosts makeCosts(std::mt19937_64 &random, int64_t maxChunks, int64_t most) {
  TableCosts costs;
  auto us = [&] { return double(pick(random, 0, most)); };
  costs.baselineUs = us() * 4;
  costs.whole = {us(), us(), us()};
  for (int64_t i = 0; i < maxChunks; ++i) {
    // Integer times slightly above an even share, so that many are close or
    // equal.
    double n = double(i + 1);
    auto us = [&] { return double(pick(random, 0, most / 4)); };
    costs.stages.push_back({std::ceil((costs.whole.allToAllUs + us()) / n),
                            std::ceil((costs.whole.allGatherUs + us()) / n),
                            std::ceil((costs.whole.copyUs + us()) / n)});
  }
  return costs;
}

/// Simulates the pipeline of one strategy as a separate graph.
double simulate(const TableCosts &costs, int64_t chunks, Strategy strategy) {
  StageTimes stages = costs.getStageTimes(chunks, strategy);
  bool share = costs.resources.allToAll == costs.resources.allGather;
  StreamId gather = share ? 0 : 1;
  TaskGraph graph;
  for (int i = 0; i < 3; ++i)
    graph.addStream();
  for (int64_t i = 0; i < chunks; ++i) {
    TaskId id = graph.addTask({stages.allToAllUs, 0, costs.resources.allToAll});
    graph.addTask({stages.allGatherUs, gather, costs.resources.allGather});
    graph.addTask({stages.copyUs, strategy == Strategy::O2 ? gather : 2,
                   costs.resources.copy});
    graph.addDependency(id, id + 1);
    graph.addDependency(id + 1, id + 2);
  }
  Simulator simulator;
  Timeline timeline;
  EXPECT_TRUE(simulator.run(graph, costs.contention, timeline));
  return timeline.makespanUs;
}

/// Checks that the planner finds the first of the fastest among all strategies
/// with all chunk counts.
void expectBest(const TableCosts &costs, int64_t maxChunks, double minBytes,
                StrategyPlanner &planner) {
  struct Entry {
    Strategy strategy;
    int64_t chunks;
    double us;
  };
  std::vector<Entry> entries = {
      {Strategy::Baseline, 1, costs.baselineUs},
      {Strategy::O1, 1, costs.whole.allToAllUs + costs.whole.allGatherUs}};
  for (Strategy strategy : {Strategy::O2, Strategy::O3})
    for (int64_t n = 1; n <= maxChunks && costs.bytes / double(n) >= minBytes;
         ++n)
      entries.push_back({strategy, n, simulate(costs, n, strategy)});
  auto best = [&](auto &&accept) {
    const Entry *found = nullptr;
    for (const Entry &entry : entries)
      if (accept(entry) && (!found || entry.us < found->us * (1 - 1e-12)))
        found = &entry;
    return found;
  };

  StrategyPlan plan = planner.plan(costs, {maxChunks, {}, minBytes});
  const Entry *chosen = best([](auto &) { return true; });
  EXPECT_EQ(plan.chosen, chosen->strategy);
  EXPECT_DOUBLE_EQ(plan.get(plan.chosen).timeUs, chosen->us);
  EXPECT_EQ(plan.get(plan.chosen).chunks, chosen->chunks);
  for (size_t i = 0; i < kNumStrategies; ++i) {
    const Entry *entry =
        best([&](const Entry &e) { return e.strategy == Strategy(i); });
    ASSERT_EQ(plan.strategies[i].possible, entry != nullptr);
    EXPECT_EQ(plan.strategies[i].whyNot.empty(), entry != nullptr);
    if (!entry)
      continue;
    EXPECT_DOUBLE_EQ(plan.strategies[i].timeUs, entry->us);
    EXPECT_EQ(plan.strategies[i].chunks, entry->chunks);
  }
  const Entry *second =
      best([&](const Entry &e) { return e.strategy != chosen->strategy; });
  ASSERT_TRUE(plan.runnerUp.has_value());
  EXPECT_EQ(*plan.runnerUp, second->strategy);
  EXPECT_NEAR(plan.gapUs, second->us - chosen->us, 1e-9);
}

TEST(AllToAllStrategyTest, BestOfAll) {
  std::mt19937_64 random(11);
  StrategyPlanner planner;
  std::array<int, kNumStrategies> numChosen = {};
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    int64_t maxChunks = pick(random, 1, 12);
    TableCosts costs = makeCosts(random, maxChunks, i % 2 ? 5 : 100);
    if (i % 5 == 0)
      costs.resources = {2, 2, 3};
    if (i % 4 == 0)
      costs.o3StallUs = 50;
    double minBytes = i % 3 == 0 ? double(pick(random, 0, 1200)) : 0;
    expectBest(costs, maxChunks, minBytes, planner);
    ++numChosen[size_t(planner.plan(costs, {maxChunks, {}, minBytes}).chosen)];
  }
  // Every strategy must be chosen sometimes, so that the test covers all.
  for (size_t i = 0; i < kNumStrategies; ++i)
    EXPECT_GT(numChosen[i], 20) << getName(Strategy(i));
}

/// With contention most chunk counts are never simulated, but the answer must
/// equal that of simulating all.
TEST(AllToAllStrategyTest, BestOfAllWithContention) {
  std::mt19937_64 random(12);
  StrategyPlanner planner;
  for (int i = 0; i < 1000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    int64_t maxChunks = pick(random, 1, 12);
    TableCosts costs = makeCosts(random, maxChunks, i % 2 ? 5 : 100);
    costs.contention.set(2, 3, double(pick(random, 1, 2)));
    costs.contention.set(3, 2, double(pick(random, 1, 4)));
    if (i % 3 == 0)
      costs.resources = {2, 2, 3};
    expectBest(costs, maxChunks, 0, planner);
  }
}

/// The same with contention among all stages by uneven factors. Bounds that are
/// too high would lose the best chunk count.
TEST(AllToAllStrategyTest, BestTimeWithUnevenContention) {
  std::mt19937_64 random(15);
  StrategyPlanner planner;
  for (int i = 0; i < 1000; ++i) {
    int64_t maxChunks = pick(random, 1, 20);
    TableCosts costs = makeCosts(random, maxChunks, 1000);
    if (i % 3 == 0)
      costs.resources = {2, 2, 3};
    for (ResourceId slowed = 1; slowed <= 3; ++slowed)
      for (ResourceId by = 1; by <= 3; ++by)
        if (slowed != by)
          costs.contention.set(slowed, by,
                               1 + double(pick(random, 0, 200)) / 100);
    StrategyPlan plan = planner.plan(costs, {maxChunks, {}, 0});
    for (Strategy strategy : {Strategy::O2, Strategy::O3}) {
      double bestUs = HUGE_VAL;
      for (int64_t n = 1; n <= maxChunks; ++n)
        bestUs = std::min(bestUs, simulate(costs, n, strategy));
      ASSERT_NEAR(plan.get(strategy).timeUs, bestUs, 1e-9 * bestUs) << i;
    }
  }
}

/// SPEC MO-7: on a tie the simpler strategy wins, then the smaller chunk count,
/// even if adding in another order rounds the other way.
TEST(AllToAllStrategyTest, TiesGoToTheSimpler) {
  TableCosts costs;
  costs.whole = {0.1, 0.2, 0};
  costs.stages = {{0.1, 0.2, 0}, {0.1, 0.1, 0}};
  StrategyPlanner planner;
  costs.baselineUs = 0.1 + 0.2;
  EXPECT_EQ(planner.plan(costs, {2, {}, 0}).chosen, Strategy::Baseline);
  costs.baselineUs = 1;
  StrategyPlan plan = planner.plan(costs, {2, {}, 0});
  EXPECT_EQ(plan.chosen, Strategy::O1);
  EXPECT_EQ(*plan.runnerUp, Strategy::O2);
  EXPECT_EQ(plan.get(Strategy::O2).chunks, 1);
  EXPECT_EQ(plan.get(Strategy::O3).chunks, 1);

  // O2 equals O3 if there are no copies.
  std::mt19937_64 random(13);
  for (int i = 0; i < 1000; ++i) {
    auto us = [&] { return double(random() >> 11) * 0x1p-50; };
    costs.whole = {10 + us(), 10 + us(), 0};
    costs.stages.clear();
    for (int n = 1; n <= 4; ++n)
      costs.stages.push_back({(us() + 1) / n, (us() + 1) / n, 0});
    costs.baselineUs = 100;
    ASSERT_EQ(planner.plan(costs, {4, {}, 0}).chosen, Strategy::O2);
  }
}

/// The planner chooses the simplest candidate that takes at most the
/// uncertainty longer than the fastest: strategies in their order, then chunks.
TEST(AllToAllStrategyTest, SimplestWithinTheUncertainty) {
  std::mt19937_64 random(16);
  StrategyPlanner planner;
  int numSimpler = 0, numFewer = 0;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    int64_t maxChunks = pick(random, 1, 12);
    TableCosts costs = makeCosts(random, maxChunks, 100);
    if (i % 2) {
      costs.contention.set(2, 3, 1.5);
      costs.contention.set(3, 1, 1.25);
    }
    StrategyPlan exact = planner.plan(costs, {maxChunks, {}, 0});
    costs.uncertainty = double(pick(random, 0, 40)) / 100;
    StrategyPlan plan = planner.plan(costs, {maxChunks, {}, 0});
    double leastUs = exact.get(exact.chosen).timeUs;
    ASSERT_DOUBLE_EQ(plan.leastUs, leastUs);
    double enoughUs = leastUs * (1 + costs.uncertainty) + 1e-9;
    auto find = [&]() -> std::pair<Strategy, int64_t> {
      if (costs.baselineUs <= enoughUs)
        return {Strategy::Baseline, 1};
      if (costs.whole.allToAllUs + costs.whole.allGatherUs <= enoughUs)
        return {Strategy::O1, 1};
      for (Strategy strategy : {Strategy::O2, Strategy::O3})
        for (int64_t n = 1; n <= maxChunks; ++n)
          if (simulate(costs, n, strategy) <= enoughUs)
            return {strategy, n};
      return {Strategy::O3, 0};
    };
    auto [strategy, chunks] = find();
    ASSERT_EQ(plan.chosen, strategy);
    ASSERT_EQ(plan.get(strategy).chunks, chunks);
    ASSERT_LE(plan.get(strategy).timeUs, enoughUs);
    numSimpler += plan.chosen != exact.chosen;
    numFewer +=
        plan.chosen == exact.chosen && chunks < exact.get(exact.chosen).chunks;
  }
  EXPECT_GT(numSimpler, 100);
  EXPECT_GT(numFewer, 20);
}

TEST(AllToAllStrategyTest, GivenChunkCount) {
  TableCosts costs;
  costs.baselineUs = 100;
  costs.whole = {40, 40, 0};
  costs.stages = {{40, 40, 4}, {20, 20, 2}, {14, 14, 2}, {1, 1, 1}};
  StrategyPlanner planner;
  StrategyPlan plan = planner.plan(costs, {4, 2, 0});
  EXPECT_EQ(plan.chosen, Strategy::O3);
  EXPECT_EQ(plan.get(Strategy::O3).chunks, 2);
  EXPECT_EQ(plan.get(Strategy::O3).timeUs, 62);
  EXPECT_EQ(plan.get(Strategy::O2).timeUs, 64);
  EXPECT_EQ(plan.gapUs, 2);

  // A chunk count with too small messages leaves only O1.
  plan = planner.plan(costs, {4, 4, 251});
  EXPECT_EQ(plan.chosen, Strategy::O1);
  EXPECT_FALSE(plan.get(Strategy::O2).possible);
  EXPECT_EQ(plan.get(Strategy::O3).whyNot,
            "messages of 250 bytes with 4 chunks, at least 251 expected");
}

TEST(AllToAllStrategyTest, SomeStrategiesArePossible) {
  TableCosts costs;
  costs.baselineUs = 7;
  costs.whole = {2, 2, 0};
  StrategyPlanner planner;
  costs.firstImpossible = Strategy::O1;
  StrategyPlan plan = planner.plan(costs, {});
  EXPECT_EQ(plan.chosen, Strategy::Baseline);
  EXPECT_EQ(plan.get(Strategy::Baseline).timeUs, 7);
  EXPECT_EQ(plan.get(Strategy::O1).whyNot, "not possible");
  EXPECT_FALSE(plan.runnerUp.has_value());
  costs.firstImpossible = Strategy::O2;
  plan = planner.plan(costs, {});
  EXPECT_EQ(plan.chosen, Strategy::O1);
  EXPECT_EQ(*plan.runnerUp, Strategy::Baseline);
  EXPECT_EQ(plan.gapUs, 3);
  EXPECT_EQ(plan.get(Strategy::O3).whyNot, "not possible");
}

} // namespace
