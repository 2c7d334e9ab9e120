// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the planners through the C interface.
//
// The unit tests of the planners and of the compiler check the results. These
// tests check that the C interface reaches the planners.

#include "moert_plan.h"
#include "gtest/gtest.h"
#include <cstring>
#include <string>

namespace {

std::string getError() { return moert_last_error(nullptr); }

class PlanTest : public testing::Test {
protected:
  PlanTest() {
    levels[0] = {};
    levels[0].name = "server";
    levels[0].ranks = 8;
    levels[0].gigabytes_per_second = 100;
    levels[0].ranks_per_nic = 1;
    levels[1] = {};
    levels[1].name = "cluster";
    levels[1].ranks = 16;
    levels[1].gigabytes_per_second = 10;
    levels[1].ranks_per_nic = 1;
    levels[1].latency_us = 5;
    EXPECT_EQ(moert_plan_machine_default(&config), MOERT_OK);
    config.levels = levels;
    config.num_levels = 2;
    config.copy_gigabytes_per_second = 1000;
  }
  ~PlanTest() override {
    if (machine) {
      EXPECT_EQ(moert_plan_machine_destroy(machine), MOERT_OK);
    }
  }

  void expectRefused(const std::string &words) {
    EXPECT_EQ(moert_plan_machine_create(&config, &machine),
              MOERT_INVALID_ARGUMENT);
    EXPECT_NE(getError().find(words), std::string::npos) << getError();
  }

  moert_plan_level levels[2];
  moert_plan_machine_config config;
  moert_plan_machine *machine = nullptr;
};

TEST_F(PlanTest, TimesByHand) {
  ASSERT_EQ(moert_plan_machine_create(&config, &machine), MOERT_OK)
      << getError();
  // Half of a megabyte crosses 10 GB/s, after 5 us.
  int64_t pair[] = {0, 8};
  double us = 0;
  ASSERT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_TO_ALL, pair, 2,
                                       1, 1e6, &us),
            MOERT_OK);
  EXPECT_DOUBLE_EQ(us, 55);
  ASSERT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_REDUCE, pair, 2,
                                       1, 1e6, &us),
            MOERT_OK);
  EXPECT_DOUBLE_EQ(us, 105);
  // Inside of a server, without latency.
  int64_t inside[] = {0, 1, 2, 3};
  ASSERT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_GATHER, inside,
                                       2, 2, 1e6, &us),
            MOERT_OK);
  EXPECT_DOUBLE_EQ(us, 5);

  moert_plan_all_to_all_result result;
  ASSERT_EQ(moert_plan_all_to_all(machine, 1000000, 2, 8, 0, 64, &result),
            MOERT_OK)
      << getError();
  EXPECT_DOUBLE_EQ(result.strategies[MOERT_PLAN_BASELINE].time_us, 55);
  // One eighth over the network; seven eighths of the whole from the
  // neighbours.
  const moert_plan_strategy_time &o1 = result.strategies[MOERT_PLAN_O1];
  ASSERT_TRUE(o1.possible);
  EXPECT_DOUBLE_EQ(o1.all_to_all_us, 5 + 6.25);
  EXPECT_DOUBLE_EQ(o1.all_gather_us, 8.75);
  EXPECT_DOUBLE_EQ(o1.time_us, 20);
  EXPECT_LE(result.time_us, 20);
  EXPECT_EQ(result.time_us, result.strategies[result.chosen].time_us);
  EXPECT_EQ(result.chunks, result.strategies[result.chosen].chunks);
  // If one number of chunks is requested, all strategies use it.
  ASSERT_EQ(moert_plan_all_to_all(machine, 1000000, 2, 8, 2, 64, &result),
            MOERT_OK);
  EXPECT_EQ(result.strategies[MOERT_PLAN_O2].chunks, 2);
}

TEST_F(PlanTest, WithoutCopiesO2IsRefusedInWords) {
  config.copy_gigabytes_per_second = 0;
  ASSERT_EQ(moert_plan_machine_create(&config, &machine), MOERT_OK);
  moert_plan_all_to_all_result result;
  ASSERT_EQ(moert_plan_all_to_all(machine, 1000000, 2, 8, 0, 64, &result),
            MOERT_OK);
  EXPECT_FALSE(result.strategies[MOERT_PLAN_O2].possible);
  EXPECT_NE(std::string(result.strategies[MOERT_PLAN_O2].why_not), "");
}

TEST_F(PlanTest, FitsCurvesAndContentionCount) {
  moert_plan_fit fit = {MOERT_PLAN_ALL_TO_ALL, 100, 1e-3, 0, 0};
  levels[1].fits = &fit;
  levels[1].num_fits = 1;
  moert_plan_point points[] = {{1e3, 0.5}, {1e9, 0.5}};
  levels[0].efficiency = points;
  levels[0].num_efficiency = 2;
  config.pipeline_stall_us = 1000;
  ASSERT_EQ(moert_plan_machine_create(&config, &machine), MOERT_OK)
      << getError();
  moert_plan_all_to_all_result result;
  ASSERT_EQ(moert_plan_all_to_all(machine, 1000000, 2, 8, 0, 64, &result),
            MOERT_OK);
  EXPECT_DOUBLE_EQ(result.strategies[MOERT_PLAN_BASELINE].time_us, 1100);
  EXPECT_DOUBLE_EQ(result.strategies[MOERT_PLAN_O1].all_gather_us, 17.5);
  EXPECT_EQ(result.chosen, MOERT_PLAN_O1);
}

TEST_F(PlanTest, ProtocolsCount) {
  moert_plan_point half[] = {{1, 0.5}};
  moert_plan_protocol protocols[] = {
      {1, MOERT_PLAN_RING, 10, 1, 5, 0.5, 0, nullptr, 0},
      {1, MOERT_PLAN_TREE, 1, 1, 1, 1, 2, half, 1}};
  config.protocols = protocols;
  config.num_protocols = 2;
  ASSERT_EQ(moert_plan_machine_create(&config, &machine), MOERT_OK)
      << getError();
  // One step between servers, and half of a megabyte at half of 10 GB/s.
  int64_t pair[] = {0, 8};
  double us = 0;
  ASSERT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_GATHER, pair, 2,
                                       1, 1e6, &us),
            MOERT_OK);
  EXPECT_DOUBLE_EQ(us, 10 + 5 + 100);
  // The tree's two kilobytes pass at half of 2 GB/s.
  ASSERT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_REDUCE, pair, 2,
                                       1, 1e3, &us),
            MOERT_OK);
  EXPECT_DOUBLE_EQ(us, 1 + 2 + 2);
  EXPECT_EQ(moert_plan_machine_destroy(machine), MOERT_OK);
  machine = nullptr;

  protocols[1].bandwidth_share = 0;
  expectRefused("levels[1].protocols[1].bandwidth_share: expected a share");
  protocols[1].algorithm = static_cast<moert_plan_algorithm>(7);
  expectRefused(
      "protocols[1].algorithm: expected a moert_plan_algorithm, got 7");
  protocols[0].level = 2;
  expectRefused("protocols[0].level: expected one of 2 levels, got 2");
  config.protocols = nullptr;
  expectRefused("protocols: expected a list, got 2 at ");
}

TEST_F(PlanTest, DegreesByHand) {
  config.gemm_us_per_mac = 1e-6;
  ASSERT_EQ(moert_plan_machine_create(&config, &machine), MOERT_OK)
      << getError();
  // 1024 tokens of 1000 elements, each for one expert: 4.096e6 bytes. Each rank
  // sends an eighth of them over the network, in 5 + 25.6 us, gathers seven
  // eighths in 35.84 us, and computes 2 * 1024e3 * 500 / 8 in 128 us.
  moert_plan_layer layer = {1, 1024, 1000, 500, 1, 1, 2, 8, 8, 4, 0};
  moert_plan_degree_result result;
  ASSERT_EQ(moert_plan_degree(machine, &layer, 0, 1, &result), MOERT_OK)
      << getError();
  EXPECT_EQ(result.degree, 1);
  EXPECT_NEAR(result.time_us, 2 * 30.6 + 2 * 35.84 + 128, 1e-9);
  ASSERT_EQ(moert_plan_degree(machine, &layer, 0, 16, &result), MOERT_OK);
  EXPECT_GT(result.degree, 1);
  EXPECT_LT(result.time_us, result.degree_one_us);
  EXPECT_LE(result.lower_bound_us, result.time_us);
  EXPECT_GE(result.lower_bound_us, 128);
  // A chunk has at least one token.
  layer.seq_len = 2;
  ASSERT_EQ(moert_plan_degree(machine, &layer, 0, 16, &result), MOERT_OK);
  EXPECT_LE(result.degree, 2);

  auto expectRefused = [&](double gradient, int64_t most, const char *words) {
    EXPECT_EQ(moert_plan_degree(machine, &layer, gradient, most, &result),
              MOERT_INVALID_ARGUMENT);
    EXPECT_NE(getError().find(words), std::string::npos) << getError();
  };
  expectRefused(-1, 16, "expected gradient_us in");
  expectRefused(0, 65, "expected max_degree in [1, 64], got 65");
  layer.element_bytes = 0;
  expectRefused(0, 16, "expected element_bytes > 0, got 0");
  layer.element_bytes = 4;
  layer.capacity_factor = -1;
  expectRefused(0, 16, "expected capacity_factor >= 0, got -1");
  layer.capacity_factor = 1;
  layer.hidden = 0;
  expectRefused(0, 16, "hidden size: expected at least 1, got 0");
}

TEST_F(PlanTest, DegreesNeedTheTimeOfGemms) {
  ASSERT_EQ(moert_plan_machine_create(&config, &machine), MOERT_OK);
  moert_plan_layer layer = {1, 1024, 1000, 500, 1, 1, 2, 8, 8, 4, 0};
  moert_plan_degree_result result;
  EXPECT_EQ(moert_plan_degree(machine, &layer, 0, 16, &result),
            MOERT_INVALID_ARGUMENT);
  EXPECT_NE(getError().find("gemm"), std::string::npos) << getError();
}

TEST_F(PlanTest, MachinesOfOtherCallersHaveOtherSizes) {
  union {
    moert_plan_machine_config machine;
    unsigned char bytes[4096];
  } memory;
  std::memset(memory.bytes, 0xee, sizeof(memory));
  ASSERT_EQ(moert_plan_machine_default_sized(&memory.machine, 512), MOERT_OK);
  EXPECT_EQ(memory.machine.struct_size, 512u);
  EXPECT_EQ(moert_plan_machine_create(&memory.machine, &machine),
            MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(moert_last_error(nullptr), "at least one level"),
            nullptr)
      << moert_last_error(nullptr);
  memory.bytes[511] = 1;
  EXPECT_EQ(moert_plan_machine_create(&memory.machine, &machine),
            MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(moert_last_error(nullptr),
                        "expected a moert_plan_machine_config whose bytes "),
            nullptr)
      << moert_last_error(nullptr);
}

TEST_F(PlanTest, BadMachines) {
  config.struct_size = 0;
  expectRefused("expected a moert_plan_machine_config of ");
  config.struct_size = sizeof(config);
  config.num_levels = 0;
  expectRefused("levels: expected at least one level");
  config.num_levels = -1;
  expectRefused("levels: expected a list, got -1");
  config.num_levels = 2;
  levels[1].ranks = 12;
  expectRefused("levels[1].ranks: expected levels from the innermost outward");
  levels[1].ranks = 16;
  levels[0].gigabytes_per_second = 0;
  expectRefused("levels[0].bandwidth_GBps: expected a number > 0, got 0");
  levels[0].gigabytes_per_second = 100;
  moert_plan_point point = {10, 2};
  levels[0].efficiency = &point;
  levels[0].num_efficiency = 1;
  expectRefused("levels[0].efficiency[0]: ");
  levels[0].num_efficiency = 0;
  moert_plan_fit fits[] = {{MOERT_PLAN_ALL_GATHER, 1, 1, 0, 0},
                           {MOERT_PLAN_ALL_GATHER, 1, 1, 0, 0}};
  levels[0].fits = fits;
  levels[0].num_fits = 2;
  expectRefused("levels[0].fits[1].collective: ");
  fits[0].group_ranks = fits[1].group_ranks = 16;
  fits[0].ranks_together = 17;
  expectRefused("levels[0].fits[0].ranks_together: expected 0 to 16 ranks, "
                "those of the group, got 17");
  fits[0].ranks_together = fits[1].ranks_together = 1;
  expectRefused("levels[0].fits[1].collective: ");
  fits[0].group_ranks = fits[0].ranks_together = 0;
  levels[0].num_fits = 1;
  fits[0].alpha_us = -1;
  expectRefused("levels[0].fits[0].alpha_us: expected a number >= 0, got -1");
  levels[0].num_fits = 0;
  config.copy_gigabytes_per_second = 0;
  config.copy_latency_us = 1;
  expectRefused("copy_gigabytes_per_second: expected a number > 0 beside");
  config.copy_latency_us = 0;
  config.gemm_alpha_us = 1;
  expectRefused("gemm_us_per_mac: expected a number > 0 beside gemm_alpha_us");
  config.gemm_alpha_us = 0;
  moert_plan_contention contention = {MOERT_PLAN_INTER, MOERT_PLAN_INTRA, 0.5};
  config.contention = &contention;
  config.num_contention = 1;
  expectRefused("contention[0].factor: expected a number >= 1, got 0.5");
  contention.by = static_cast<moert_plan_resource>(9);
  expectRefused("contention[0]: expected resources, got 9");
}

TEST_F(PlanTest, BadQuestions) {
  ASSERT_EQ(moert_plan_machine_create(&config, &machine), MOERT_OK);
  moert_plan_all_to_all_result result;
  auto expectRefused = [&](int64_t bytes, int64_t ep, int64_t tp,
                           int64_t chunks, int64_t most, const char *words) {
    EXPECT_EQ(
        moert_plan_all_to_all(machine, bytes, ep, tp, chunks, most, &result),
        MOERT_INVALID_ARGUMENT);
    EXPECT_NE(getError().find(words), std::string::npos) << getError();
  };
  expectRefused(0, 2, 8, 0, 64, "expected bytes in [1, 2^53], got 0");
  expectRefused(1, 2, 8, 65, 64, "expected chunks in [0, 64], got 65");
  expectRefused(1, 2, 8, 0, 0, "expected max_chunks in");
  expectRefused(1, 0, 8, 0, 64, "ep 0");
  expectRefused(1, 4, 8, 0, 64, "expected a machine of at least ep * tp");
  double us;
  int64_t twice[] = {1, 1};
  EXPECT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_TO_ALL, twice, 2,
                                       1, 1, &us),
            MOERT_INVALID_ARGUMENT);
  int64_t outside[] = {1, 99};
  EXPECT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_TO_ALL, outside,
                                       2, 1, 1, &us),
            MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(moert_plan_collective_time(machine, MOERT_PLAN_ALL_TO_ALL, outside,
                                       2, INT64_MAX, 1, &us),
            MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(moert_plan_all_to_all(nullptr, 1, 1, 1, 0, 64, &result),
            MOERT_INVALID_ARGUMENT);
}

} // namespace
