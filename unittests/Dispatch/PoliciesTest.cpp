// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Dispatch/Policies.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace moe;
using namespace moe::dispatch;

namespace {

/// A fixture with two nodes of two devices, one expert per device and eight
/// rows per device.
class PoliciesTest : public ::testing::Test {
protected:
  Topology topology = *Topology::parse("[2,2]");
  Links links = *Links::create(topology, {{1, 0.01}, {10, 0.1}}, {0, 0.001});
  Demand demand = {8, 1, 100};
  DispatchPlan target =
      *planDispatch(topology, links, demand, {LocalShare::Bandwidth, 0});
  ExpertRows wanted = {{8, 0, 0, 0}, {4, 4, 0, 0}, {0, 4, 2, 2}, {2, 2, 2, 2}};

  PolicyOutcome apply(Policy policy, double factor, double nodeShare = 0.5) {
    cost::Result<PolicyOutcome> outcome = applyPolicy(
        policy, wanted, demand, topology, links, target, {factor, nodeShare});
    EXPECT_TRUE(outcome) << outcome.getError();
    return outcome ? *outcome : PolicyOutcome();
  }
};

TEST_F(PoliciesTest, Dropless) {
  PolicyOutcome outcome = apply(Policy::Dropless, 1);
  EXPECT_EQ(outcome.kept, wanted);
  EXPECT_EQ(outcome.dropped, 0);
  // The slowest device is 2, with 4 rows for device 1: 10 + 0.1 * 400.
  EXPECT_DOUBLE_EQ(outcome.dispatchUs, 50);
  EXPECT_DOUBLE_EQ(outcome.sizesUs, 10.4);
  EXPECT_DOUBLE_EQ(outcome.busiestExpert, 14 / 8.0);
}

TEST_F(PoliciesTest, LocalIsPadded) {
  PolicyOutcome outcome = apply(Policy::Local, 1);
  EXPECT_EQ(
      outcome.kept,
      (ExpertRows{{2, 0, 0, 0}, {2, 2, 0, 0}, {0, 2, 2, 2}, {2, 2, 2, 2}}));
  EXPECT_EQ(outcome.dropped, 6 + 4 + 2);
  // Every pair exchanges two rows, used or not.
  EXPECT_DOUBLE_EQ(outcome.dispatchUs, 30);
  EXPECT_EQ(outcome.sizesUs, 0);
  // Capacities round up.
  EXPECT_EQ(apply(Policy::Local, 1.01).kept.at(0, 0), 3);
}

TEST_F(PoliciesTest, GlobalGoesByDevice) {
  PolicyOutcome outcome = apply(Policy::Global, 1);
  EXPECT_EQ(
      outcome.kept,
      (ExpertRows{{8, 0, 0, 0}, {0, 4, 0, 0}, {0, 4, 2, 2}, {0, 0, 2, 2}}));
  EXPECT_EQ(outcome.dropped, 4 + 4);
  EXPECT_EQ(outcome.redirected, 0);
  EXPECT_DOUBLE_EQ(outcome.sizesUs, 2 * 10.4);
}

TEST_F(PoliciesTest, FixedRatioIgnoresTheGate) {
  PolicyOutcome outcome = apply(Policy::FixedRatio, 1, 0.75);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t e = 0; e < 4; ++e)
      EXPECT_EQ(outcome.kept.at(i, e), i / 2 == e / 2 ? 3 : 1);
  EXPECT_EQ(outcome.dropped, 0);
  EXPECT_EQ(outcome.redirected, 5 + 2 + 3 + 2);
  EXPECT_DOUBLE_EQ(outcome.busiestExpert, 1);
}

TEST_F(PoliciesTest, TargetLimitsByTheTarget) {
  PolicyOutcome outcome = apply(Policy::Target, 1);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t e = 0; e < 4; ++e)
      EXPECT_LE(outcome.kept.at(i, e), std::ceil(target.target.at(i, e)));
  EXPECT_EQ(outcome.kept.at(0, 0),
            std::min<int64_t>(8, std::ceil(target.target.at(0, 0))));
  // Nothing is dropped if there is enough headroom.
  EXPECT_EQ(apply(Policy::Target, 1e6).kept, wanted);
}

TEST_F(PoliciesTest, NothingIsMadeUp) {
  std::mt19937 random(3);
  const char *trees[] = {"4", "[2,2]", "[[1,2],[1]]", "ring:4"};
  for (int trial = 0; trial < 400; ++trial) {
    topology = *Topology::parse(trees[trial % 4]);
    demand = {1 + int64_t(random() % 60), 1 + int64_t(random() % 3), 64};
    std::vector<Link> levels(topology.isRing() ? 1 : topology.getNumLevels(),
                             {2, 0.01});
    links = *Links::create(topology, levels, {0, 0.001});
    target = *planDispatch(topology, links, demand);
    int64_t experts = 4 * (1 + random() % 3);
    wanted = ExpertRows::of(4, experts);
    for (int64_t i = 0; i < 4; ++i)
      for (int64_t left = demand.getRows(); left > 0; --left)
        ++wanted.at(i, int64_t(random() % (trial % 2 ? 2 : experts)));
    double factor = 0.25 + 0.25 * double(random() % 8);
    double capacity = factor * double(demand.getRows()) * 4 / double(experts);
    for (Policy policy : {Policy::Dropless, Policy::Local, Policy::Global,
                          Policy::FixedRatio, Policy::Target}) {
      PolicyOutcome outcome =
          apply(policy, factor, 0.1 * double(random() % 11));
      int64_t wantedRows = 0, keptRows = 0;
      for (int64_t i = 0; i < 4; ++i) {
        wantedRows += demand.getRows();
        for (int64_t rows : outcome.kept.getRow(i))
          keptRows += rows;
        for (int64_t e = 0; e < experts; ++e) {
          EXPECT_GE(outcome.kept.at(i, e), 0);
          if (policy != Policy::FixedRatio) {
            EXPECT_LE(outcome.kept.at(i, e), wanted.at(i, e));
          }
        }
      }
      EXPECT_EQ(keptRows, wantedRows - outcome.dropped);
      EXPECT_GE(outcome.redirected, 0);
      for (int64_t e = 0; policy == Policy::Global && e < experts; ++e) {
        int64_t sum = 0;
        for (int64_t i = 0; i < 4; ++i)
          sum += outcome.kept.at(i, e);
        EXPECT_LE(double(sum), std::ceil(capacity));
      }
    }
  }
}

TEST_F(PoliciesTest, Errors) {
  auto getError = [&](ExpertRows rows, PolicyOptions options = {}) {
    return applyPolicy(Policy::Local, rows, demand, topology, links, target,
                       options)
        .getError();
  };
  EXPECT_EQ(getError({{8}, {8}}), "expected rows of 4 devices, got such of 2");
  EXPECT_EQ(getError({{8}, {8}, {8}, {8}}),
            "expected a multiple of 4 experts, got 1");
  ExpertRows rows = wanted;
  rows.at(3, 0) = 3;
  EXPECT_EQ(getError(rows),
            "expected 8 rows of device 3, tokens times top-k, got 9");
  rows.at(3, 0) = 9;
  rows.at(3, 1) = -1;
  EXPECT_EQ(getError(rows), "expected 4 numbers of at least 0 for device 3");
  EXPECT_NE(getError(wanted, {0, 0.5}).find("capacity factor"),
            std::string::npos);
  EXPECT_NE(getError(wanted, {1, 1.5}).find("[0, 1]"), std::string::npos);
}

} // namespace
