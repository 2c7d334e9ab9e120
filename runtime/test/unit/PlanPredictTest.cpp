// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the prediction of loads.

#include "moert_plan.h"
#include "gtest/gtest.h"
#include <cmath>
#include <string>

// Experts are swapped between the layers; two samples determine the matrix
// (SPEC MF-11).
TEST(PlanPredictTest, TellsTheMatrix) {
  const double before[] = {3, 1, 1, 4}, after[] = {1, 3, 4, 1}, now[] = {9, 1};
  double predicted[2] = {};
  moert_plan_load_result result = {};
  ASSERT_EQ(moert_plan_predict_load(2, 2, before, after, nullptr, now, 5000,
                                    predicted, &result),
            MOERT_OK)
      << moert_last_error(nullptr);
  EXPECT_NEAR(predicted[0], .1, 1e-4);
  EXPECT_NEAR(predicted[1], .9, 1e-4);
  EXPECT_EQ(result.rank, 2);
  EXPECT_LE(result.error, 1e-8);
  EXPECT_LE(result.gap, 1e-8);
}

TEST(PlanPredictTest, WeightsCount) {
  // The same load was followed by two different ones; the second has a much
  // larger weight.
  const double before[] = {1, 1, 1, 1}, after[] = {1, 0, 0, 1}, now[] = {1, 1};
  const double weights[] = {1, 999};
  double predicted[2] = {};
  ASSERT_EQ(moert_plan_predict_load(2, 2, before, after, weights, now, 5000,
                                    predicted, nullptr),
            MOERT_OK);
  EXPECT_NEAR(predicted[1], .999, 1e-3);
}

TEST(PlanPredictTest, Refuses) {
  const double load[] = {1, 1}, none[] = {0, 0}, wrong[] = {std::nan(""), 1};
  struct Asked {
    const char *words;
    int32_t experts = 2, samples = 1;
    int64_t rounds = 1;
    const double *before = nullptr, *after = nullptr, *weights = nullptr,
                 *now = nullptr;
  } cases[] = {
      {"num_experts", 0, 1, 1, load, load, nullptr, load},
      {"num_samples", 2, 0, 1, load, load, nullptr, load},
      {"rounds", 2, 1, 0, load, load, nullptr, load},
      {"loads of the layer", 2, 1, 1, load, nullptr, nullptr, load},
      {"before: expected tokens, got none", 2, 1, 1, none, load, nullptr, load},
      {"expected a finite weight above 0", 2, 1, 1, load, load, none, load},
      {"now: expected finite numbers", 2, 1, 1, load, load, nullptr, wrong}};
  for (const Asked &own : cases) {
    double predicted[2] = {};
    EXPECT_EQ(moert_plan_predict_load(own.experts, own.samples, own.before,
                                      own.after, own.weights, own.now,
                                      own.rounds, predicted, nullptr),
              MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(moert_last_error(nullptr)).find(own.words),
              std::string::npos)
        << moert_last_error(nullptr);
  }
}
