// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds of training steps.

#include "RandomSteps.h"
#include "moe/Schedule/Bounds.h"
#include "moe/Schedule/EdgeFinding.h"
#include "gtest/gtest.h"

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

/// Checks that the windows allow the optimum and longer times.
void checkWindows(const TaskGraph &graph, double optimumUs) {
  EdgeFinding windows(graph);
  for (unsigned rounds : {0, 1, 5})
    for (double aboveUs : {0.0, 0.25, 3.0})
      ASSERT_FALSE(windows.isImpossible(optimumUs + aboveUs, rounds))
          << aboveUs << " us above, " << rounds << " rounds";
}

/// The bound never exceeds the optimum and is at most a tenth below it, except
/// in a few steps. The bound raised by windows never exceeds it, either, and
/// reaches it in most steps.
TEST(StepBoundsTest, NoOrderOfAStepIsFaster) {
  std::mt19937_64 random(13);
  int numReached = 0, numClose = 0, numRaised = 0;
  constexpr int kSteps = 500;
  for (int i = 0; i < kSteps; ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    RandomGraph input = RandomStep(random).get();
    BoundFinder finder;
    LowerBound bound;
    ASSERT_TRUE(finder.run(input.graph, bound)) << finder.getError();
    double optimumUs = Exhaustive(input).getBestUs();
    ASSERT_LE(bound.getUs(), optimumUs);
    numReached += bound.getUs() == optimumUs;
    numClose += optimumUs <= 1.1 * bound.getUs();
    ASSERT_NO_FATAL_FAILURE(checkWindows(input.graph, optimumUs));
    double raisedUs =
        raiseBound(input.graph, bound.getUs(), optimumUs + 1, /*rounds=*/5);
    ASSERT_GE(raisedUs, bound.getUs());
    ASSERT_LE(raisedUs, optimumUs);
    // Durations are integers.
    numRaised += EdgeFinding(input.graph).isImpossible(optimumUs - 0.5, 5);
  }
  RecordProperty("reached", numReached);
  RecordProperty("close", numClose);
  RecordProperty("raised to the optimum", numRaised);
  EXPECT_GE(numReached, kSteps * 6 / 10);
  EXPECT_GE(numClose, kSteps * 9 / 10);
  EXPECT_GE(numRaised, kSteps * 95 / 100);
}

} // namespace
