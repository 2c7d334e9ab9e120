//===- ExpectedNodesTest.cpp - Nodes that a token goes to -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Cost/ExpectedNodes.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using moe::cost::getExpectedNodes;

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
