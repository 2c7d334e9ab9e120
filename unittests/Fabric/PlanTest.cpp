// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Regions.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::fabric;

namespace {

PlanOptions withEffort(Effort effort) {
  PlanOptions options;
  options.effort = effort;
  return options;
}

CircuitPlan plan(const Demand &demand, const Ports &ports,
                 const PlanOptions &options = {}) {
  cost::Result<CircuitPlan> plan = planCircuits({{demand, 1}}, ports, options);
  EXPECT_TRUE(plan) << plan.getError();
  if (!plan)
    return CircuitPlan();
  EXPECT_EQ(checkCircuits(plan->circuits, demand, ports), "");
  double time = getTime(demand, plan->circuits, ports);
  if (std::isfinite(time)) {
    EXPECT_NEAR(plan->time, time, 1e-9 * time);
  } else {
    EXPECT_EQ(plan->time, time);
  }
  return *plan;
}

TEST(PlanTest, GreedyIsOptimalWhereAllPairsFit) {
  // SPEC MF-3: n - 1 <= alpha and no EPS.
  std::mt19937 random(2);
  int cases = 0;
  for (int64_t n : {2, 3, 4})
    for (int64_t degree = n - 1; degree <= (n == 4 ? 5 : 6); ++degree)
      for (int trial = 0; trial < 60; ++trial, ++cases) {
        Demand demand(n);
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j)
            if (i != j && random() % 5)
              // Few distinct values cause ties.
              demand.at(i, j) = trial % 2 ? 1 + random() % 4 : random() % 1000;
        Ports ports{degree, 0, Routing::Exclusive};
        double greedy = getTime(demand, planGreedily(demand, ports), ports);
        EXPECT_DOUBLE_EQ(greedy, getLeastTime(demand, ports))
            << n << " servers, degree " << degree;
      }
  EXPECT_GE(cases, 720);
}

TEST(PlanTest, CloseToTheOptimumOfSmallRegions) {
  std::mt19937 random(3);
  for (Routing routing : {Routing::Split, Routing::Exclusive}) {
    double sum = 0, worst = 1, fastSum = 0;
    int trials = 0;
    for (Kind kind : {Kind::Lognormal, Kind::Zipf, Kind::Elephants})
      for (int trial = 0; trial < 12; ++trial, ++trials) {
        Demand demand = draw(random, 5, kind);
        Ports ports{2 + trial % 2, 1, routing};
        double least = getLeastTime(demand, ports);
        double ratio = plan(demand, ports).time / least;
        EXPECT_GE(ratio, 1 - 1e-9);
        sum += ratio;
        worst = std::max(worst, ratio);
        fastSum += plan(demand, ports, withEffort(Effort::Fast)).time / least;
      }
    EXPECT_LE(sum / trials, 1.005);
    EXPECT_LE(worst, 1.05);
    EXPECT_LE(fastSum / trials, 1.04);
  }
}

TEST(PlanTest, UniformDemandLeavesNoServerDark) {
  Demand demand(8, 1);
  Ports ports{6, 2, Routing::Split};
  // SPEC MF-5: greedy builds K7 and leaves one server without circuits.
  EXPECT_GT(plan(demand, ports, withEffort(Effort::Greedy)).time, 3);
  for (Effort effort : {Effort::Fast, Effort::Thorough}) {
    CircuitPlan made = plan(demand, ports, withEffort(effort));
    EXPECT_LE(made.time, 1.15 * made.bound);
    for (int64_t i = 0; i < 8; ++i) {
      int64_t used = 0;
      for (int64_t j = 0; j < 8; ++j)
        used += made.circuits.at(i, j);
      EXPECT_GT(used, 0) << "server " << i;
    }
  }
}

TEST(PlanTest, MoreEffortIsNeverWorseThanGreedy) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 60; ++trial) {
    int64_t n = 2 + random() % 15;
    Demand demand = draw(random, n, Kind(trial % 3));
    Ports ports{int64_t(random() % 8), int64_t(random() % 3),
                trial % 2 ? Routing::Split : Routing::Exclusive};
    CircuitPlan fast = plan(demand, ports, withEffort(Effort::Fast));
    CircuitPlan thorough = plan(demand, ports);
    EXPECT_LE(fast.time, fast.greedyTime);
    EXPECT_LE(thorough.time, fast.greedyTime);
    if (std::isfinite(thorough.bound)) {
      EXPECT_GE(thorough.time, thorough.bound * (1 - 1e-9));
    }
  }
  for (int64_t n : {64, 256}) {
    Demand demand = draw(random, n, Kind::Lognormal);
    CircuitPlan large = plan(demand, {6, 2, Routing::Split});
    EXPECT_LE(large.time, large.greedyTime);
  }
}

TEST(PlanTest, TheSameSeedGivesTheSamePlan) {
  std::mt19937 random(5);
  Demand demand = draw(random, 10, Kind::Lognormal);
  Ports ports{6, 2, Routing::Split};
  PlanOptions options;
  options.seed = 7;
  EXPECT_EQ(plan(demand, ports, options).circuits,
            plan(demand, ports, options).circuits);
}

TEST(PlanTest, KeepsWhatIsUp) {
  std::mt19937 random(6);
  int64_t fewer = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Demand before = draw(random, 8, Kind(trial % 3)), after = before;
    // Demand drifts a little.
    for (int64_t i = 0; i < 8; ++i)
      for (int64_t j = 0; j < 8; ++j)
        after.at(i, j) *= 0.9 + 0.2 * double(random() % 100) / 100;
    Ports ports{6, 2, Routing::Split};
    CircuitPlan first = plan(before, ports);
    CircuitPlan free = plan(after, ports);
    PlanOptions options;
    options.keep = first.circuits;
    options.uncertainty = 0.05;
    CircuitPlan kept = plan(after, ports, options);
    int64_t changed = countChangedPorts(first.circuits, free.circuits);
    EXPECT_LE(kept.time, free.time * 1.05 * (1 + 1e-9));
    EXPECT_LE(kept.changedPorts, changed);
    fewer += changed - kept.changedPorts;
    // The same demand changes nothing.
    options.uncertainty = 0;
    CircuitPlan same = plan(before, ports, options);
    EXPECT_EQ(same.changedPorts, 0);
    EXPECT_EQ(same.circuits, first.circuits);
  }
  EXPECT_GT(fewer, 100);
}

TEST(PlanTest, OnePlanForSeveralDemands) {
  std::mt19937 random(8);
  for (int trial = 0; trial < 20; ++trial) {
    Demand a = draw(random, 8, Kind::Elephants);
    Demand b = draw(random, 8, Kind::Lognormal);
    Ports ports{6, 2, Routing::Split};
    cost::Result<CircuitPlan> both = planCircuits({{a, 1}, {b, 3}}, ports);
    ASSERT_TRUE(both);
    auto getSum = [&](const Circuits &circuits) {
      return getTime(a, circuits, ports) + 3 * getTime(b, circuits, ports);
    };
    EXPECT_NEAR(both->time, getSum(both->circuits), 1e-9 * both->time);
    // A plan for one demand does not serve both better, up to search noise.
    EXPECT_LE(both->time, 1.02 * getSum(plan(a, ports).circuits));
    EXPECT_LE(both->time, 1.02 * getSum(plan(b, ports).circuits));
  }
}

TEST(PlanTest, CountChangedPorts) {
  Circuits before(3), after(3);
  before.at(0, 1) = before.at(1, 0) = 2;
  after.at(0, 1) = after.at(1, 0) = 1;
  after.at(0, 2) = after.at(2, 0) = 1;
  // One port of 0 changes its peer, one of 1 goes dark, and one of 2 lights up.
  EXPECT_EQ(countChangedPorts(before, after), 3);
  EXPECT_EQ(countChangedPorts(after, after), 0);
}

TEST(PlanTest, FailedNics) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 60; ++trial) {
    Demand demand = draw(random, 8, Kind(trial % 3));
    Ports ports{6, 2, trial % 2 ? Routing::Split : Routing::Exclusive};
    CircuitPlan whole = plan(demand, ports);
    ports.failedOptical.assign(8, 0);
    ports.failedEps.assign(8, 0);
    ports.failedOptical[random() % 8] = 1 + random() % 6;
    ports.failedEps[random() % 8] = 1;
    PlanOptions options;
    if (trial % 3)
      options.keep = whole.circuits;
    CircuitPlan left = plan(demand, ports, options);
    EXPECT_EQ(checkCircuits(left.circuits, demand, ports), "");
    EXPECT_NEAR(left.time, getTime(demand, left.circuits, ports),
                1e-9 * left.time);
    EXPECT_LE(left.time, left.greedyTime * (1 + 1e-9));
    EXPECT_GE(left.time, left.bound * (1 - 1e-9));
    // Fewer NICs are no faster, up to search noise.
    EXPECT_GE(left.time, 0.98 * whole.time);
  }
  // A server that has lost all but one NIC takes longest.
  Ports ports{2, 1, Routing::Split, {2, 0, 0}};
  CircuitPlan alone = plan(Demand(3, 1), ports);
  EXPECT_DOUBLE_EQ(alone.time, 2);
  EXPECT_DOUBLE_EQ(alone.bound, 2);
}

TEST(PlanTest, Trim) {
  Circuits circuits(3);
  circuits.at(0, 1) = circuits.at(1, 0) = 2;
  circuits.at(0, 2) = circuits.at(2, 0) = 1;
  Demand demand(3);
  demand.at(0, 1) = 8;
  demand.at(2, 0) = 5;
  Circuits trimmed =
      trimCircuits(circuits, demand, {3, 1, Routing::Split, {1, 0, 0}});
  EXPECT_EQ(trimmed.at(0, 1), 1);
  EXPECT_EQ(trimmed.at(1, 0), 1);
  EXPECT_EQ(trimmed.at(0, 2), 1);
}

TEST(PlanTest, OddShapes) {
  EXPECT_EQ(plan(Demand(1, 5), {6, 2, Routing::Split}).time, 0);
  EXPECT_EQ(plan(Demand(4), {6, 2, Routing::Split}).time, 0);
  CircuitPlan none = plan(Demand(4, 1), {0, 2, Routing::Split});
  EXPECT_DOUBLE_EQ(none.time, 1.5);
  EXPECT_EQ(none.circuits, Circuits(4));
  // Some pairs have no path.
  EXPECT_TRUE(std::isinf(plan(Demand(4, 1), {1, 0, Routing::Split}).time));
}

TEST(PlanTest, Errors) {
  Ports ports{1, 1, Routing::Split};
  auto getError = [&](const std::vector<WeightedDemand> &demands,
                      const PlanOptions &options = {}) {
    return planCircuits(demands, ports, options).getError();
  };
  EXPECT_EQ(getError({}), "expected at least one demand, got none");
  EXPECT_EQ(getError({{Demand(2), 1}, {Demand(3), 1}}),
            "expected demands of 2 servers, got one of 3");
  EXPECT_NE(getError({{Demand(2), -1}}).find("weight"), std::string::npos);
  ports.failedOptical = {0};
  EXPECT_EQ(getError({{Demand(2), 1}}),
            "expected failed optical NICs of 2 servers, got such of 1");
  ports.failedOptical = {0, 2};
  EXPECT_EQ(getError({{Demand(2), 1}}),
            "expected 0 to 1 failed optical NICs of a server, got 2");
  ports.failedOptical.clear();
  PlanOptions options;
  options.keep = Circuits(3);
  EXPECT_EQ(getError({{Demand(2), 1}}, options),
            "circuits that are up: expected circuits of 2 servers, got such of "
            "3");
}

} // namespace
