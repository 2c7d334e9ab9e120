// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected number of nodes that a token is sent to.

#include "moe/Cost/ExpectedNodes.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using moe::cost::getExpectedNodes;
using moe::cost::getExpectedTokens;

TEST(ExpectedNodesTest, IsThatOfKnownModels) {
  auto round = [](double nodes) { return std::round(nodes * 1000) / 1000; };
  EXPECT_EQ(round(getExpectedNodes(256, 8, 2)), 1.993);
  EXPECT_EQ(round(getExpectedNodes(256, 8, 4)), 3.614);
  EXPECT_EQ(round(getExpectedNodes(256, 8, 8)), 5.295);
  EXPECT_EQ(round(getExpectedNodes(256, 8, 16)), 6.523);
  EXPECT_EQ(round(getExpectedNodes(8, 2, 2)), 1.571);
  EXPECT_EQ(round(getExpectedNodes(8, 2, 4)), 1.857);
  EXPECT_EQ(getExpectedNodes(8, 2, 8), 2);
}

TEST(ExpectedNodesTest, HasItsBounds) {
  EXPECT_EQ(getExpectedNodes(8, 8, 4), 4);
  EXPECT_EQ(getExpectedNodes(8, 3, 1), 1);
  EXPECT_DOUBLE_EQ(getExpectedNodes(8, 1, 4), 1);
  EXPECT_EQ(getExpectedNodes(8, 7, 4), 4);
}

TEST(ExpectedNodesTest, IsTheMeanOfDraws) {
  std::mt19937_64 random(3);
  const int experts = 24, topK = 4, nodes = 6, draws = 20000;
  int64_t sum = 0;
  for (int draw = 0; draw < draws; ++draw) {
    std::set<int> chosen, seen;
    while (chosen.size() < topK)
      chosen.insert(random() % experts);
    for (int expert : chosen)
      seen.insert(expert / (experts / nodes));
    sum += seen.size();
  }
  EXPECT_NEAR(double(sum) / draws, getExpectedNodes(experts, topK, nodes),
              0.02);
}

TEST(ExpectedTokensTest, IsThatOfEachTokenWhereExpertsAreAlike) {
  for (auto [experts, topK, nodes] :
       {std::tuple(256, 8, 8), std::tuple(8, 2, 4), std::tuple(8, 8, 2)}) {
    std::vector<double> copies(size_t(experts), 30.0 * topK / experts);
    for (double tokens : getExpectedTokens(copies, topK, nodes))
      EXPECT_NEAR(tokens, 30 * getExpectedNodes(experts, topK, nodes) / nodes,
                  1e-9);
  }
}

TEST(ExpectedTokensTest, HasItsBounds) {
  using Tokens = std::vector<double>;
  EXPECT_EQ(getExpectedTokens({0, 0, 0, 0}, 2, 2), (Tokens{0, 0}));
  // All tokens to one expert; both choices on one node; one choice on each.
  EXPECT_EQ(getExpectedTokens({6, 0, 0, 0}, 1, 2), (Tokens{6, 0}));
  EXPECT_EQ(getExpectedTokens({5, 5, 0, 0}, 2, 2), (Tokens{5, 0}));
  EXPECT_EQ(getExpectedTokens({5, 0, 5, 0}, 2, 2), (Tokens{5, 5}));
  // No tokens can produce this row; the largest count of an expert is used.
  EXPECT_EQ(getExpectedTokens({8, 0, 0, 0}, 2, 2)[0], 4);
}

TEST(ExpectedTokensTest, IsNearTheMeanOfDraws) {
  // Tokens draw their experts one after the other, popular ones more often.
  std::mt19937_64 random(5);
  const int experts = 16, topK = 4, nodes = 4, tokens = 40000;
  std::vector<double> weights, copies(experts), seen(nodes);
  for (int expert = 0; expert < experts; ++expert)
    weights.push_back(1.0 / (1 + (expert * 7) % experts));
  for (int token = 0; token < tokens; ++token) {
    std::vector<double> left = weights;
    std::set<int> of;
    for (int choice = 0; choice < topK; ++choice) {
      int expert =
          std::discrete_distribution<int>(left.begin(), left.end())(random);
      left[expert] = 0;
      ++copies[expert];
      of.insert(expert / (experts / nodes));
    }
    for (int node : of)
      ++seen[node];
  }
  std::vector<double> expected = getExpectedTokens(copies, topK, nodes);
  for (int node = 0; node < nodes; ++node)
    EXPECT_NEAR(expected[node] / seen[node], 1, 0.02) << node;
}
