// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of excerpts of traces.

#include "moe/Traffic/Excerpt.h"
#include "gtest/gtest.h"

using namespace moe::traffic;

namespace {

/// Returns steps of two layers of 2 ranks and 4 experts: 16 counts per step.
Trace makeTrace(int64_t numSteps) {
  Trace trace;
  trace.numRanks = 2;
  trace.numExperts = 4;
  for (int64_t step = 0; step < numSteps; ++step)
    trace.steps.push_back({step,
                           {{"0", cost::Matrix<double>::of(2, 4, 1)},
                            {"1", cost::Matrix<double>::of(2, 4, 1)}}});
  return trace;
}

TEST(ExcerptTest, TakesAllThereIsRoomFor) {
  EXPECT_EQ(takeExcerpt(makeTrace(3), std::nullopt).steps,
            (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(takeExcerpt(makeTrace(9), std::nullopt, 48).steps,
            (std::vector<size_t>{0, 3, 6}));
  EXPECT_EQ(takeExcerpt(makeTrace(10), std::nullopt, 63).steps,
            (std::vector<size_t>{0, 3, 6}));
}

TEST(ExcerptTest, TakesTheStepAskedFor) {
  EXPECT_EQ(takeExcerpt(makeTrace(9), 5, 16).steps, std::vector<size_t>{5});
}

TEST(ExcerptTest, SaysWhyThereIsNone) {
  Excerpt excerpt = takeExcerpt(makeTrace(9), 5, 15);
  EXPECT_TRUE(excerpt.steps.empty());
  EXPECT_EQ(excerpt.whyNone, "a step has 16 of them, and there is room for 15");
}

} // namespace
