// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JointOptimum.h"
#include "Regions.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::fabric;

namespace {

double planFor(const Demand &demand, const Ports &ports, Effort effort) {
  PlanOptions options;
  options.effort = effort;
  cost::Result<CircuitPlan> plan = planCircuits({{demand, 1}}, ports, options);
  EXPECT_TRUE(plan) << plan.getError();
  return plan ? plan->time : 0;
}

TEST(JointOptimumTest, IsThatOfAllCircuits) {
  std::mt19937 random(7);
  for (Kind kind : {Kind::Lognormal, Kind::Zipf, Kind::Elephants})
    for (int trial = 0; trial < 20; ++trial) {
      Demand demand = draw(random, 5, kind);
      Ports ports{2 + trial % 2, 1, Routing::Split};
      double least = getLeastTime(demand, ports);
      JointOptimum optimum = findJointOptimum(
          demand, ports, getTime(demand, Circuits(5), ports), 1000000);
      EXPECT_LE(optimum.least, least * (1 + 1e-9));
      EXPECT_GE(optimum.found, least * (1 - 1e-9));
      EXPECT_LE(optimum.found, 1.001 * optimum.least * (1 + 1e-9));
    }
}

/// Compares plans with the least time over all circuits, for 8 servers with 6
/// optical and 2 electrical NICs each.
TEST(JointOptimumTest, PlansAreCloseToIt) {
  std::mt19937 random(5);
  const Ports ports{6, 2, Routing::Split};
  constexpr int kTrials = 200;
  for (auto [kind, fastMean] :
       {std::pair(Kind::Lognormal, 1.04), std::pair(Kind::Zipf, 1.01),
        std::pair(Kind::Elephants, 1.01)}) {
    double fastSum = 0, fastWorst = 1, sum = 0, worst = 1;
    for (int trial = 0; trial < kTrials; ++trial) {
      Demand demand = draw(random, 8, kind);
      double fast = planFor(demand, ports, Effort::Fast),
             thorough = planFor(demand, ports, Effort::Thorough);
      JointOptimum optimum =
          findJointOptimum(demand, ports, thorough, /*mostBranches=*/20000);
      // No circuits are faster by more than a thousandth.
      ASSERT_LE(optimum.found, 1.001 * optimum.least * (1 + 1e-9));
      fastSum += fast / optimum.found;
      sum += thorough / optimum.found;
      fastWorst = std::max(fastWorst, fast / optimum.found);
      worst = std::max(worst, thorough / optimum.found);
    }
    EXPECT_LE(fastSum / kTrials, fastMean) << "kind " << int(kind);
    EXPECT_LE(sum / kTrials, 1.01) << "kind " << int(kind);
    EXPECT_LE(fastWorst, 1.2) << "kind " << int(kind);
    EXPECT_LE(worst, 1.15) << "kind " << int(kind);
  }
}

} // namespace
