// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests plans of node-level deduplicated dispatch.

#include "moert.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace {

/// Offsets and sizes of the rows that one rank sends and receives.
struct Exchange {
  explicit Exchange(int64_t ranks)
      : sendOffsets(ranks), sendSizes(ranks), receiveOffsets(ranks),
        receiveSizes(ranks) {}
  std::vector<int64_t> sendOffsets, sendSizes, receiveOffsets, receiveSizes;
};

struct Plan {
  Plan(int64_t nodes, int64_t places, int64_t own, int64_t joined = 1)
      : between(nodes), inside(places), runOffsets(joined * places * own),
        runSizes(joined * places * own) {}
  Exchange between, inside;
  std::vector<int64_t> runOffsets, runSizes;
};

class NodePlanTest : public ::testing::Test {
protected:
  void SetUp() override {
    moert_config config;
    moert_config_default(&config);
    config.address = "node plan test";
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
  }
  void TearDown() override { moert_finalize(context, 5000000); }

  moert_status make(Plan &plan, int64_t node, int64_t nodes, int64_t place,
                    int64_t places, int64_t experts, int64_t nodeLimit,
                    int64_t limit, const std::vector<int64_t> &counts,
                    int64_t joinedPosition = 0, int64_t joined = 1,
                    const int32_t *members = nullptr) {
    return moert_node_plan(
        context, node, nodes, place, places, joinedPosition, joined, members,
        experts, nodeLimit, limit, counts.data(), MOERT_I64,
        plan.between.sendOffsets.data(), plan.between.sendSizes.data(),
        plan.between.receiveOffsets.data(), plan.between.receiveSizes.data(),
        plan.inside.sendOffsets.data(), plan.inside.sendSizes.data(),
        plan.inside.receiveOffsets.data(), plan.inside.receiveSizes.data(),
        plan.runOffsets.data(), plan.runSizes.data(), MOERT_I64);
  }
  void expectError(moert_status status, const std::string &part) {
    EXPECT_EQ(status, MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(moert_last_error(context)).find(part),
              std::string::npos)
        << moert_last_error(context);
  }

  moert_context *context = nullptr;
};

/// Two nodes of two ranks with one expert per rank. Rank 1 has two assignments
/// to expert 0 and one to expert 3, of two tokens; one of them is sent to both
/// nodes.
TEST_F(NodePlanTest, PlansAnExample) {
  std::vector<int64_t> counts = {0, 0, 0, 0, 0, 0, //
                                 2, 0, 0, 1, 2, 1, //
                                 0, 0, 0, 0, 0, 0, //
                                 0, 1, 1, 0, 1, 1};
  using Numbers = std::vector<int64_t>;
  Plan first(2, 2, 1), second(2, 2, 1);
  ASSERT_EQ(make(first, 0, 2, 0, 2, 4, 3, 2, counts), MOERT_OK);
  ASSERT_EQ(make(second, 0, 2, 1, 2, 4, 3, 2, counts), MOERT_OK);
  // Place 0 receives nothing. Place 1 gets two tokens of its own and one of
  // rank 3, and passes on two assignments to expert 0 and one to expert 1.
  EXPECT_EQ(first.between.receiveSizes, (Numbers{0, 0}));
  EXPECT_EQ(second.between.sendSizes, (Numbers{2, 1}));
  EXPECT_EQ(second.between.sendOffsets, (Numbers{0, 2}));
  EXPECT_EQ(second.between.receiveSizes, (Numbers{2, 1}));
  EXPECT_EQ(second.inside.sendSizes, (Numbers{2, 1}));
  EXPECT_EQ(first.inside.receiveSizes, (Numbers{0, 2}));
  EXPECT_EQ(first.runSizes, (Numbers{0, 2}));
  EXPECT_EQ(first.runOffsets, (Numbers{0, 0}));
  EXPECT_EQ(second.runSizes, (Numbers{0, 1}));
}

/// Random tokens: sent and expected rows must agree, and each assignment must
/// reach its expert.
TEST_F(NodePlanTest, AgreesOnAnyTokens) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    auto draw = [&](int64_t most) {
      return static_cast<int64_t>(random() % (most + 1));
    };
    int64_t nodes = 1 + draw(3), places = 1 + draw(3), own = 1 + draw(2);
    int64_t ranks = nodes * places, experts = ranks * own;
    int64_t perNode = experts / nodes, columns = experts + nodes;
    int64_t tokens = draw(9), choices = 1 + draw(3);
    bool oneHot = trial % 5 == 0;
    std::vector<int64_t> counts(ranks * columns);
    for (int64_t rank = 0; rank < ranks; ++rank)
      for (int64_t t = 0; t < tokens; ++t) {
        std::vector<bool> isThere(nodes);
        for (int64_t j = 0; j < choices; ++j) {
          int64_t expert = oneHot ? experts - 1 : draw(experts - 1);
          ++counts[rank * columns + expert];
          isThere[expert / perNode] = true;
        }
        for (int64_t n = 0; n < nodes; ++n)
          counts[rank * columns + experts + n] += isThere[n];
      }
    std::vector<int64_t> received(ranks), arrived(ranks);
    for (int64_t rank = 0; rank < ranks; ++rank) {
      for (int64_t e = 0; e < experts; ++e)
        received[e / own] += counts[rank * columns + e];
      for (int64_t n = 0; n < nodes; ++n)
        arrived[n * places + rank % places] +=
            counts[rank * columns + experts + n];
    }
    int64_t limit = *std::max_element(received.begin(), received.end());
    int64_t nodeLimit = *std::max_element(arrived.begin(), arrived.end());
    std::vector<Plan> plans;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      plans.emplace_back(nodes, places, own);
      ASSERT_EQ(make(plans.back(), rank / places, nodes, rank % places, places,
                     experts, nodeLimit, limit, counts),
                MOERT_OK)
          << moert_last_error(context);
    }
    for (int64_t rank = 0; rank < ranks; ++rank) {
      const Plan &plan = plans[rank];
      int64_t node = rank / places, place = rank % places, row = 0;
      for (int64_t n = 0; n < nodes; ++n)
        EXPECT_EQ(plan.between.sendSizes[n],
                  plans[n * places + place].between.receiveSizes[node]);
      for (int64_t l = 0; l < places; ++l) {
        EXPECT_EQ(plan.inside.sendSizes[l],
                  plans[node * places + l].inside.receiveSizes[place]);
        EXPECT_EQ(plan.inside.receiveOffsets[l], row);
        for (int64_t e = 0; e < own; ++e) {
          int64_t sum = 0;
          for (int64_t m = 0; m < nodes; ++m)
            sum += counts[(m * places + l) * columns + rank * own + e];
          EXPECT_EQ(plan.runOffsets[l * own + e], row);
          EXPECT_EQ(plan.runSizes[l * own + e], sum);
          row += sum;
        }
      }
    }
    if (limit == 0)
      continue;
    // With one row less than necessary in either limit, all ranks must fail
    // with the same message.
    std::string words;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      expectError(make(plans[rank], rank / places, nodes, rank % places, places,
                       experts, nodeLimit, limit - 1, counts),
                  "expected at most " + std::to_string(limit - 1) +
                      " rows for a rank, got ");
      if (words.empty())
        words = moert_last_error(context);
      EXPECT_EQ(words, moert_last_error(context));
      expectError(make(plans[rank], rank / places, nodes, rank % places, places,
                       experts, nodeLimit - 1, limit, counts),
                  "expected at most " + std::to_string(nodeLimit - 1) +
                      " rows for a rank, got ");
    }
  }
}

/// Joined groups have the same plans as separate groups; the runs of all groups
/// are in consecutive buffers.
TEST_F(NodePlanTest, JoinsPlansOfGroups) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 100; ++trial) {
    int64_t nodes = 1 + random() % 3, places = 1 + random() % 3;
    int64_t own = 1 + random() % 2, joined = 1 + random() % 3;
    int64_t ranks = nodes * places, experts = ranks * own;
    std::vector<int64_t> counts(joined * ranks * (experts + nodes));
    for (int64_t &count : counts)
      count = random() % 4;
    int64_t limit = 3 * ranks * own, nodeLimit = 3 * nodes;
    int64_t alone = ranks * (experts + nodes);
    for (int64_t rank = 0; rank < ranks; ++rank)
      for (int64_t q = 0; q < joined; ++q) {
        Plan all(nodes, places, own, joined);
        ASSERT_EQ(make(all, rank / places, nodes, rank % places, places,
                       experts, nodeLimit, limit, counts, q, joined),
                  MOERT_OK)
            << moert_last_error(context);
        for (int64_t other = 0; other < joined; ++other) {
          Plan one(nodes, places, own);
          ASSERT_EQ(make(one, rank / places, nodes, rank % places, places,
                         experts, nodeLimit, limit,
                         {counts.begin() + other * alone,
                          counts.begin() + (other + 1) * alone}),
                    MOERT_OK);
          for (int64_t run = 0; run < places * own; ++run) {
            int64_t at = other * places * own + run;
            EXPECT_EQ(all.runOffsets[at], other * limit + one.runOffsets[run]);
            EXPECT_EQ(all.runSizes[at], one.runSizes[run]);
          }
          if (other != q)
            continue;
          EXPECT_EQ(all.between.sendSizes, one.between.sendSizes);
          EXPECT_EQ(all.between.receiveSizes, one.between.receiveSizes);
          EXPECT_EQ(all.between.receiveOffsets, one.between.receiveOffsets);
          EXPECT_EQ(all.inside.sendOffsets, one.inside.sendOffsets);
          EXPECT_EQ(all.inside.sendSizes, one.inside.sendSizes);
          EXPECT_EQ(all.inside.receiveSizes, one.inside.receiveSizes);
        }
      }
  }
  // Too many rows of one group: the ranks of all groups must fail with the same
  // message.
  Plan plan(1, 1, 1, 2);
  for (int64_t q = 0; q < 2; ++q)
    expectError(make(plan, 0, 1, 0, 1, 1, 9, 3, {1, 1, 4, 4}, q, 2),
                "at most 3 rows for a rank, got 4 for the one at position 0 of "
                "group 1 of 2");
  expectError(make(plan, 0, 1, 0, 1, 1, 9, 3, {1, 1, 1, 1}, 2, 2),
              "a joined position in [0, 1]");
}

TEST_F(NodePlanTest, RefusesWrongCounts) {
  Plan plan(2, 1, 1);
  std::vector<int64_t> zeros(8);
  EXPECT_EQ(make(plan, 0, 2, 0, 1, 2, 0, 0, zeros), MOERT_OK);
  expectError(make(plan, 0, 2, 0, 1, 2, 9, 9, {0, 0, 0, 0, 0, 0, 0, -4}),
              "counts of at least 0, got -4 of node 1 from position 1");
  expectError(make(plan, 0, 2, 0, 1, 2, 9, 9, {0, 0, 0, 0, 0, -4, 0, 0}),
              "counts of at least 0, got -4 of expert 1 from position 1");
  expectError(
      make(plan, 1, 2, 0, 1, 2, 9, 9, {INT64_MAX, 0, 1, 0, INT64_MAX, 0, 1, 0}),
      "at most 9 rows for a rank, got 9223372036854775807 for the one "
      "at position 0");
  expectError(make(plan, 1, 2, 0, 1, 2, 1, 9, {1, 0, 1, 0, 1, 0, 1, 0}),
              "between nodes, at place 0: expected at most 1 rows for a rank, "
              "got 2 for the one at position 0");
  // The message names the rank in the job.
  int32_t members[] = {3, 1};
  expectError(
      make(plan, 1, 2, 0, 1, 2, 1, 9, {1, 0, 1, 0, 1, 0, 1, 0}, 0, 1, members),
      "between nodes, at place 0: expected at most 1 rows for a rank, got 2 "
      "for rank 3, position 0 of its group");
  expectError(
      make(plan, 1, 2, 0, 1, 2, 9, 1, {0, 1, 0, 1, 0, 1, 0, 1}, 0, 1, members),
      "expected at most 1 rows for a rank, got 2 for rank 1, position "
      "1 of its group");
  expectError(make(plan, 2, 2, 0, 1, 2, 9, 9, zeros), "a position in [0, 1]");
  expectError(make(plan, 0, 2, 1, 1, 2, 9, 9, zeros), "a position in [0, 0]");
  expectError(make(plan, 0, 2, 0, 1, 3, 9, 9, zeros),
              "experts that divide by the 2 ranks, got 3");
  expectError(make(plan, 0, 0, 0, 1, 2, 9, 9, zeros), "nodes of at least 1");
  expectError(make(plan, 0, INT64_MAX, 0, INT64_MAX, 2, 9, 9, zeros), "ranks");
  expectError(make(plan, 0, 2, 0, 1, 2, -1, 9, zeros), "a limit of at least 0");
}

} // namespace
