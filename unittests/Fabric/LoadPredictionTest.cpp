// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/LoadPrediction.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::fabric;

namespace {

Load draw(std::mt19937 &random, int64_t n, double sharpness) {
  std::vector<double> tokens(static_cast<size_t>(n));
  for (double &count : tokens)
    count = std::exp(std::normal_distribution<double>(0, sharpness)(random));
  return *normalizeLoad(tokens);
}

Transition drawTransition(std::mt19937 &random, int64_t n) {
  Transition matrix(n);
  for (int64_t j = 0; j < n; ++j) {
    Load column = draw(random, n, 1.5);
    for (int64_t i = 0; i < n; ++i)
      matrix.at(i, j) = column[size_t(i)];
  }
  return matrix;
}

// SPEC MF-11: loads that differ enough from step to step determine the matrix.
TEST(LoadPredictionTest, RecoversMatrix) {
  std::mt19937 random(1);
  for (int64_t n : {2, 5, 8, 16}) {
    Transition matrix = drawTransition(random, n);
    std::vector<LoadSample> samples;
    for (int64_t k = 0; k < 6 * n; ++k) {
      Load before = draw(random, n, 1);
      samples.push_back({before, predictLoad(matrix, before)});
    }
    auto fit = fitTransition(samples, {1e-14, 20000});
    ASSERT_TRUE(bool(fit)) << fit.getError();
    EXPECT_EQ(fit->rank, n);
    EXPECT_LE(fit->error, 1e-8);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        EXPECT_NEAR(fit->matrix.at(i, j), matrix.at(i, j), 1e-2) << n;
  }
}

TEST(LoadPredictionTest, BestOfAllMatrices) {
  // The matrix of two experts has two numbers, which a grid covers.
  std::mt19937 random(2);
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<LoadSample> samples;
    for (int k = 0; k < 4; ++k)
      samples.push_back({draw(random, 2, 1), draw(random, 2, 1), 1. + k});
    auto fit = fitTransition(samples);
    ASSERT_TRUE(bool(fit));
    double least = INFINITY;
    for (int a = 0; a <= 200; ++a)
      for (int b = 0; b <= 200; ++b) {
        double error = 0;
        for (const LoadSample &own : samples) {
          double first = own.before[0] * a / 200. + own.before[1] * b / 200. -
                         own.after[0];
          error += own.weight * 2 * first * first;
        }
        least = std::min(least, error);
      }
    EXPECT_LE(fit->error, least + 1e-12);
    EXPECT_GE(fit->error, least - 1e-3);
    EXPECT_LE(fit->gap, 1e-10);
    for (int64_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(fit->matrix.at(0, j) + fit->matrix.at(1, j), 1, 1e-12);
      EXPECT_GE(fit->matrix.at(0, j), 0);
      EXPECT_GE(fit->matrix.at(1, j), 0);
    }
  }
}

TEST(LoadPredictionTest, FewSamplesAsMany) {
  // Each sample once, and as 20 parts of its weight. The fits must agree,
  // although few samples are visited one by one and many are summed up before.
  std::mt19937 random(5);
  std::vector<LoadSample> few, many;
  for (int k = 0; k < 4; ++k) {
    LoadSample own{draw(random, 24, 1), draw(random, 24, 1), 1. + k};
    few.push_back(own);
    own.weight /= 20;
    many.insert(many.end(), 20, own);
  }
  auto first = fitTransition(few, {1e-10, 400}),
       second = fitTransition(many, {1e-10, 400});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->rank, 4);
  EXPECT_EQ(second->rank, 4);
  EXPECT_NEAR(first->error, second->error, 1e-9);
  for (int64_t i = 0; i < 24; ++i)
    for (int64_t j = 0; j < 24; ++j)
      EXPECT_NEAR(first->matrix.at(i, j), second->matrix.at(i, j), 1e-6);
}

TEST(LoadPredictionTest, KnowsWhatItCannotTell) {
  // The same load repeats.
  std::mt19937 random(3);
  Load before = draw(random, 8, 1), after = draw(random, 8, 1);
  auto fit = fitTransition({{before, after}, {before, after}});
  ASSERT_TRUE(bool(fit));
  EXPECT_EQ(fit->rank, 1);
  EXPECT_NEAR(getLoadDistance(predictLoad(fit->matrix, before), after), 0,
              1e-9);
}

TEST(LoadPredictionTest, CountsAndMeasures) {
  cost::Matrix<double> joint(2);
  joint.at(0, 0) = 1;
  joint.at(0, 1) = 3;
  Transition matrix = countTransition(joint);
  EXPECT_EQ(predictLoad(matrix, {1, 0}), (Load{.25, .75}));
  EXPECT_EQ(predictLoad(matrix, {0, 1}), (Load{.5, .5}));
  EXPECT_EQ(getLoadDistance({1, 0}, {0, 1}), 2);
  EXPECT_EQ(getTopShare({.1, .5, .4}, {.3, .5, .2}, 2), .5);
}

TEST(LoadPredictionTest, Errors) {
  EXPECT_EQ(normalizeLoad({0, 0}).getError(), "expected tokens, got none");
  EXPECT_EQ(normalizeLoad({-1}).getError(),
            "expected finite numbers of tokens of at least 0, got -1");
  EXPECT_EQ(fitTransition({}).getError(),
            "expected at least one sample, got none");
  EXPECT_EQ(fitTransition({{{1}, {.5, .5}}}).getError(),
            "expected loads of 1 experts, at least one, got 1 and 2");
  EXPECT_EQ(fitTransition({{{.5, .4}, {.5, .5}}}).getError(),
            "expected shares of at least 0 that add up to 1, got 0.9");
}

} // namespace
