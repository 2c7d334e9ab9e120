//===- PlanPredictTest.cpp - Loads that are predicted -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moert_plan.h"
#include "gtest/gtest.h"
#include <cmath>
#include <string>

namespace {

void expectRefused(moert_status status, const char *words) {
  EXPECT_EQ(status, MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(moert_last_error(nullptr)).find(words),
            std::string::npos)
      << moert_last_error(nullptr);
}

} // namespace

// Experts trade places between the layers: two samples tell it (SPEC MF-11).
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
  // One load that was followed by two others, the second far more.
  const double before[] = {1, 1, 1, 1}, after[] = {1, 0, 0, 1}, now[] = {1, 1};
  const double weights[] = {1, 999};
  double predicted[2] = {};
  ASSERT_EQ(moert_plan_predict_load(2, 2, before, after, weights, now, 5000,
                                    predicted, nullptr),
            MOERT_OK);
  EXPECT_NEAR(predicted[1], .999, 1e-3);
}

TEST(PlanPredictTest, Refuses) {
  const double load[] = {1, 1}, none[] = {0, 0};
  double predicted[2] = {};
  moert_plan_load_result result = {};
  expectRefused(moert_plan_predict_load(0, 1, load, load, nullptr, load, 1,
                                        predicted, &result),
                "num_experts");
  expectRefused(moert_plan_predict_load(2, 0, load, load, nullptr, load, 1,
                                        predicted, &result),
                "num_samples");
  expectRefused(moert_plan_predict_load(2, 1, load, load, nullptr, load, 0,
                                        predicted, &result),
                "rounds");
  expectRefused(moert_plan_predict_load(2, 1, load, nullptr, nullptr, load, 1,
                                        predicted, &result),
                "loads of the layer");
  expectRefused(moert_plan_predict_load(2, 1, none, load, nullptr, load, 1,
                                        predicted, &result),
                "before: expected tokens, got none");
  expectRefused(moert_plan_predict_load(2, 1, load, load, none, load, 1,
                                        predicted, &result),
                "expected a finite weight above 0");
  const double wrong[] = {std::nan(""), 1};
  expectRefused(moert_plan_predict_load(2, 1, load, load, nullptr, wrong, 1,
                                        predicted, &result),
                "now: expected finite numbers of tokens");
}
