//===- StepBoundsTest.cpp - The bound of training steps -------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomSteps.h"
#include "moe/Schedule/Bounds.h"
#include "gtest/gtest.h"

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

/// The bound never exceeds the optimum, and is at most a tenth below it but in
/// a few steps.
TEST(StepBoundsTest, NoOrderOfAStepIsFaster) {
  std::mt19937_64 random(13);
  int numReached = 0, numClose = 0;
  constexpr int kSteps = 500;
  for (int i = 0; i < kSteps; ++i) {
    RandomGraph input = RandomStep(random).get();
    BoundFinder finder;
    LowerBound bound;
    ASSERT_TRUE(finder.run(input.graph, bound)) << finder.getError();
    double optimumUs = Exhaustive(input).getBestUs();
    ASSERT_LE(bound.getUs(), optimumUs) << "step " << i;
    numReached += bound.getUs() == optimumUs;
    numClose += optimumUs <= 1.1 * bound.getUs();
  }
  RecordProperty("reached", numReached);
  RecordProperty("close", numClose);
  EXPECT_GE(numReached, kSteps * 6 / 10);
  EXPECT_GE(numClose, kSteps * 9 / 10);
}

} // namespace
