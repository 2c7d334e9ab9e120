// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests plans of ragged exchanges.

#include "moert.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace {

/// The plan of one rank.
struct PlannedRuns {
  PlannedRuns(int64_t ranks, int64_t own, int64_t sources)
      : sendOffsets(ranks), sendSizes(ranks), receiveOffsets(ranks),
        receiveSizes(ranks), runOffsets(sources * own),
        runSizes(sources * own) {}
  std::vector<int64_t> sendOffsets, sendSizes, receiveOffsets, receiveSizes,
      runOffsets, runSizes;
};

class RaggedPlanTest : public ::testing::Test {
protected:
  void SetUp() override {
    moert_config config;
    moert_config_default(&config);
    config.address = "ragged plan test";
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
  }
  void TearDown() override { moert_finalize(context, 5000000); }

  moert_status make(PlannedRuns &plan, int64_t position, int64_t ranks,
                    int64_t experts, int64_t limit,
                    const std::vector<int64_t> &counts,
                    int64_t joinedPosition = 0, int64_t joined = 1,
                    const int32_t *members = nullptr) {
    return moert_ragged_plan(context, position, ranks, joinedPosition, joined,
                             members, experts, limit, counts.data(), MOERT_I64,
                             plan.sendOffsets.data(), plan.sendSizes.data(),
                             plan.receiveOffsets.data(),
                             plan.receiveSizes.data(), plan.runOffsets.data(),
                             plan.runSizes.data(), MOERT_I64);
  }
  void expectError(moert_status status, const std::string &part) {
    EXPECT_EQ(status, MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(moert_last_error(context)).find(part),
              std::string::npos)
        << moert_last_error(context);
  }

  moert_context *context = nullptr;
};

/// The example of the dialect's reference page.
TEST_F(RaggedPlanTest, PlansTheExample) {
  std::vector<int64_t> counts = {2, 1, 0, 1, 0, 2, 3, 1};
  PlannedRuns a(2, 2, 2), b(2, 2, 2);
  ASSERT_EQ(make(a, 0, 2, 4, 6, counts), MOERT_OK);
  ASSERT_EQ(make(b, 1, 2, 4, 6, counts), MOERT_OK);
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(a.sendOffsets, (Numbers{0, 3}));
  EXPECT_EQ(a.sendSizes, (Numbers{3, 1}));
  EXPECT_EQ(a.receiveOffsets, (Numbers{0, 3}));
  EXPECT_EQ(a.receiveSizes, (Numbers{3, 2}));
  EXPECT_EQ(a.runOffsets, (Numbers{0, 2, 3, 3}));
  EXPECT_EQ(a.runSizes, (Numbers{2, 1, 0, 2}));
  EXPECT_EQ(b.receiveOffsets, (Numbers{0, 1}));
  EXPECT_EQ(b.receiveSizes, (Numbers{1, 4}));
  EXPECT_EQ(b.runOffsets, (Numbers{0, 0, 1, 4}));
}

/// Random counts: sent and expected rows must agree, and runs must be
/// consecutive in the received rows.
TEST_F(RaggedPlanTest, AgreesOnAnyCounts) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 1000; ++round) {
    int64_t ranks = 1 + random() % 6, own = 1 + random() % 4;
    int64_t experts = ranks * own, joined = 1 + random() % 3;
    std::vector<int64_t> counts(joined * ranks * experts);
    for (size_t i = 0; i < counts.size(); ++i) {
      int64_t from = i / experts % ranks, expert = i % experts;
      // Random, one hot expert, a rank without rows, all rows to one rank,
      // none.
      bool isUsed = round % 5 == 0 ||
                    (round % 5 == 1 && expert == 1 % experts) ||
                    (round % 5 == 2 && from != 0) ||
                    (round % 5 == 3 && expert / own == ranks - 1);
      counts[i] = isUsed && random() % 3 ? random() % 50 : 0;
    }
    int64_t most = 0;
    std::vector<std::vector<PlannedRuns>> plans;
    for (int64_t q = 0; q < joined; ++q)
      for (int64_t to = 0; to < ranks; ++to) {
        int64_t rows = 0;
        for (int64_t from = 0; from < ranks; ++from)
          for (int64_t e = to * own; e < (to + 1) * own; ++e)
            rows += counts[(q * ranks + from) * experts + e];
        most = std::max(most, rows);
      }
    for (int64_t q = 0; q < joined; ++q) {
      plans.emplace_back();
      for (int64_t p = 0; p < ranks; ++p) {
        plans[q].emplace_back(ranks, own, joined * ranks);
        ASSERT_EQ(make(plans[q][p], p, ranks, experts, most, counts, q, joined),
                  MOERT_OK)
            << moert_last_error(context);
      }
    }
    for (int64_t q = 0; q < joined; ++q)
      for (int64_t p = 0; p < ranks; ++p) {
        const PlannedRuns &plan = plans[q][p];
        int64_t sent = 0, received = 0;
        for (int64_t peer = 0; peer < ranks; ++peer) {
          EXPECT_EQ(plan.sendSizes[peer], plans[q][peer].receiveSizes[p]);
          EXPECT_EQ(plan.sendOffsets[peer], sent);
          EXPECT_EQ(plan.receiveOffsets[peer], received);
          sent += plan.sendSizes[peer];
          received += plan.receiveSizes[peer];
        }
        for (int64_t at = 0, run = 0; at < joined; ++at) {
          int64_t row = at * most;
          for (int64_t from = 0; from < ranks; ++from)
            for (int64_t e = 0; e < own; ++e, ++run) {
              EXPECT_EQ(plan.runOffsets[run], row);
              EXPECT_EQ(plan.runSizes[run],
                        counts[(at * ranks + from) * experts + p * own + e]);
              row += plan.runSizes[run];
            }
        }
      }
    if (most == 0)
      continue;
    // With a limit of one row less, all ranks must fail with the same message.
    std::string words;
    for (int64_t q = 0; q < joined; ++q)
      for (int64_t p = 0; p < ranks; ++p) {
        expectError(
            make(plans[q][p], p, ranks, experts, most - 1, counts, q, joined),
            "expected at most " + std::to_string(most - 1) +
                " rows for a rank, got " + std::to_string(most) +
                " for the one at position ");
        if (words.empty())
          words = moert_last_error(context);
        EXPECT_EQ(words, moert_last_error(context));
      }
  }
}

TEST_F(RaggedPlanTest, RefusesWrongCounts) {
  PlannedRuns plan(2, 1, 4);
  expectError(make(plan, 0, 2, 2, 9, {1, 0, -3, 0}),
              "counts of at least 0, got -3 of expert 0 from position 1");
  expectError(make(plan, 0, 2, 2, 9, {0, 9, 0, 1}),
              "at most 9 rows for a rank, got 10 for the one at position 1");
  // Sums that overflow.
  expectError(make(plan, 0, 2, 2, 9, {0, INT64_MAX, 0, INT64_MAX}),
              "at most 9 rows for a rank, got 9223372036854775807 for the one "
              "at position 1");
  expectError(make(plan, 1, 2, 2, 9, {0, 0, 0, 0, 0, 0, 10, 0}, 0, 2),
              "got 10 for the one at position 0 of group 1 of 2");
  // The message names the rank in the job.
  int32_t members[] = {5, 7, 6, 8};
  expectError(make(plan, 0, 2, 2, 9, {0, 9, 0, 1}, 0, 1, members),
              "at most 9 rows for a rank, got 10 for rank 7, position 1 of its "
              "group: a greater limit (--receive-factor) takes them");
  expectError(make(plan, 1, 2, 2, 9, {0, 0, 0, 0, 0, 0, 10, 0}, 0, 2, members),
              "got 10 for rank 6, position 0 of its group: a greater limit");
  expectError(make(plan, 2, 2, 2, 9, {0, 0, 0, 0}), "a position in [0, 1]");
  expectError(make(plan, 0, 2, 3, 9, {0, 0, 0, 0, 0, 0}),
              "experts that divide by the 2 ranks, got 3");
  expectError(make(plan, 0, 2, 2, -1, {0, 0, 0, 0}), "a limit of at least 0");
  expectError(make(plan, 0, 2, 2, INT64_MAX, {0, 0, 0, 0}, 0, 2),
              "the limit of 9223372036854775807 rows, 2 times, to fit i64");

  std::vector<int32_t> counts = {100, 100, 0, 0};
  int8_t narrow[6][2];
  auto makeNarrow = [&](int64_t limit) {
    return moert_ragged_plan(context, 0, 2, 0, 1, /*members=*/nullptr, 2, limit,
                             counts.data(), MOERT_I32, narrow[0], narrow[1],
                             narrow[2], narrow[3], narrow[4], narrow[5],
                             MOERT_I8);
  };
  expectError(makeNarrow(128), "the limit of 128 rows, 1 times, to fit i8");
  expectError(makeNarrow(120), "to fit i8, got 100 before position 1 and 100 "
                               "for it");
  counts = {100, 27, 0, 0};
  EXPECT_EQ(makeNarrow(127), MOERT_OK);
  EXPECT_EQ(narrow[0][1], 100);
  EXPECT_EQ(narrow[1][1], 27);
}

} // namespace
