// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests plans of circuits.

#include "moert_plan.h"
#include "gtest/gtest.h"
#include <cmath>
#include <string>
#include <vector>

namespace {

class PlanCircuitsTest : public testing::Test {
protected:
  PlanCircuitsTest() {
    EXPECT_EQ(moert_plan_circuits_default(&args), MOERT_OK);
    args.num_servers = 4;
    args.optical_degree = 2;
    args.eps_nics = 1;
    args.demand = demand;
    args.effort = MOERT_PLAN_THOROUGH;
  }

  void expectRefused(const char *words) {
    EXPECT_EQ(moert_plan_circuits(&args, circuits, nullptr, nullptr, nullptr),
              MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(moert_last_error(nullptr)).find(words),
              std::string::npos)
        << moert_last_error(nullptr);
  }

  // The demand of test/tools/moe-plan/circuits.test.
  double demand[16] = {9, 12, 0, 1, 4, 0, 1, 0, 0, 1, 7, 20, 1, 0, 6, 0};
  int32_t circuits[16] = {};
  moert_plan_circuits_args args;
  moert_plan_circuits_result result = {};
};

} // namespace

TEST_F(PlanCircuitsTest, AsMoePlanSays) {
  moert_plan_link links[4];
  int32_t numLinks = 0;
  ASSERT_EQ(moert_plan_circuits(&args, circuits, links, &numLinks, &result),
            MOERT_OK)
      << moert_last_error(nullptr);
  std::vector<int32_t> expected = {0, 2, 0, 0, 2, 0, 0, 0,
                                   0, 0, 0, 2, 0, 0, 2, 0};
  EXPECT_EQ(std::vector<int32_t>(circuits, circuits + 16), expected);
  EXPECT_DOUBLE_EQ(result.time, 7);
  EXPECT_DOUBLE_EQ(result.bound, 7);
  EXPECT_DOUBLE_EQ(result.greedy_time, 10);
  EXPECT_DOUBLE_EQ(result.kept_time, 21);
  EXPECT_EQ(result.changed_ports, 8);
  ASSERT_EQ(numLinks, 4);
  for (int32_t k = 0; k < 4; ++k) {
    EXPECT_EQ(links[k].server, k / 2 * 2);
    EXPECT_EQ(links[k].peer, k / 2 * 2 + 1);
    EXPECT_EQ(links[k].nic, k % 2);
    EXPECT_EQ(links[k].peer_nic, k % 2);
  }
  // The current circuits are optimal.
  std::vector<int32_t> up = expected;
  args.keep = up.data();
  ASSERT_EQ(moert_plan_circuits(&args, circuits, nullptr, nullptr, &result),
            MOERT_OK);
  EXPECT_EQ(result.changed_ports, 0);
  EXPECT_DOUBLE_EQ(result.kept_time, 7);
}

TEST_F(PlanCircuitsTest, FailedNicsAreLeftOut) {
  // All optical NICs of server 0.
  int32_t failed[12] = {1, 1, 0};
  args.failed = failed;
  std::vector<int32_t> up = {0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0};
  args.keep = up.data();
  moert_plan_link links[4];
  int32_t numLinks = 0;
  ASSERT_EQ(moert_plan_circuits(&args, circuits, links, &numLinks, &result),
            MOERT_OK)
      << moert_last_error(nullptr);
  for (int32_t j = 0; j < 4; ++j)
    EXPECT_EQ(circuits[j], 0);
  EXPECT_DOUBLE_EQ(result.time, 13);
  EXPECT_DOUBLE_EQ(result.kept_time, 13);
  for (int32_t k = 0; k < numLinks; ++k)
    EXPECT_NE(links[k].server, 0);
  // Also the packet NIC of server 2, so that its demand of 1 has no path.
  failed[8] = 1;
  args.optical_degree = 1;
  int32_t fewer[8] = {0, 0, 0, 0, 0, 1, 0, 0};
  args.failed = fewer;
  args.keep = nullptr;
  ASSERT_EQ(moert_plan_circuits(&args, circuits, nullptr, nullptr, &result),
            MOERT_OK);
  EXPECT_TRUE(std::isinf(result.time));
}

TEST_F(PlanCircuitsTest, Errors) {
  EXPECT_EQ(moert_plan_circuits(nullptr, circuits, nullptr, nullptr, nullptr),
            MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(moert_plan_circuits(&args, nullptr, nullptr, nullptr, nullptr),
            MOERT_INVALID_ARGUMENT);
  moert_plan_link links[4];
  EXPECT_EQ(moert_plan_circuits(&args, circuits, links, nullptr, nullptr),
            MOERT_INVALID_ARGUMENT);
  args.num_servers = 0;
  expectRefused("expected num_servers in [1, 1024], got 0");
  args.num_servers = 4;
  args.effort = static_cast<moert_plan_effort>(3);
  expectRefused("expected effort in [0, 2], got 3");
  args.effort = MOERT_PLAN_FAST;
  args.numa_nodes = 3;
  expectRefused("expected 1 to 2 NUMA nodes for 2 NICs, got 3");
  args.numa_nodes = 1;
  demand[1] = -1;
  expectRefused("expected a finite demand of at least 0 at [0, 1]");
  demand[1] = 1;
  args.uncertainty = 1;
  expectRefused("expected an uncertainty of at least 0 and below 1, got 1");
  args.uncertainty = 0;
  int32_t keep[16] = {0, 3};
  args.keep = keep;
  expectRefused("circuits that are up: expected as many circuits at [0, 1]");
  args.keep = nullptr;
  args.demand = nullptr;
  expectRefused("expected the demand");
  args.struct_size = 8;
  expectRefused("expected a moert_plan_circuits_args of ");
}
