// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of streams that effectively run in turn.

#include "moe/Schedule/CumulativeBound.h"
#include "RandomGraph.h"
#include "moe/Schedule/Simulation.h"
#include "gtest/gtest.h"

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

/// Returns two tasks of 5 us on two streams, with resources 1 and 2.
RandomGraph makeTwo() { return build(2, {{5, 0, 1}, {5, 1, 2}}, {}); }

double getBoundUs(const TaskGraph &graph, const Contention &contention) {
  BoundFinder finder;
  LowerBound bound;
  EXPECT_TRUE(findBound(finder, graph, contention, bound));
  return bound.getUs();
}

/// A task that another stream slows down by a factor of 1e6 runs after it. The
/// bound is slightly below 10 us, because the task still advances a little.
TEST(CumulativeBoundTest, WhatWaitsIsInTurn) {
  Contention contention;
  contention.set(2, 1, 1e6);
  RandomGraph two = makeTwo();
  std::optional<TaskGraph> joined = joinStreams(two.graph, contention);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->getTask(0).stream, joined->getTask(1).stream);
  EXPECT_NEAR(getBoundUs(two.graph, contention), 10, 1e-3);
  EXPECT_EQ(getBoundUs(two.graph, Contention()), 5);
}

/// Two tasks that slow each other down by 2 run as if in turn, too. With less
/// contention they gain from running concurrently.
TEST(CumulativeBoundTest, HalfAsFastIsInTurn) {
  Contention twice;
  twice.set(1, 2, 2);
  twice.set(2, 1, 2);
  RandomGraph two = makeTwo();
  EXPECT_TRUE(joinStreams(two.graph, twice));
  Contention less;
  less.set(1, 2, 2);
  less.set(2, 1, 1.9);
  EXPECT_FALSE(joinStreams(two.graph, less));
  EXPECT_FALSE(joinStreams(two.graph, Contention()));
}

/// One resource on three streams does three tasks in twice the time of one.
TEST(CumulativeBoundTest, OneResourceOnManyStreams) {
  RandomGraph three = build(3, {{5, 0, 1}, {5, 1, 1}, {5, 2, 1}}, {});
  Contention contention;
  contention.set(1, 1, 2);
  EXPECT_FALSE(joinStreams(three.graph, contention));
  contention.set(1, 1, 3);
  EXPECT_TRUE(joinStreams(three.graph, contention));
}

/// No schedule beats the bound, under any contention.
TEST(CumulativeBoundTest, NoSimulationIsFaster) {
  std::mt19937_64 random(21);
  int numRaised = 0;
  for (int i = 0; i < 2000; ++i) {
    RandomGraph input = makeRandomGraph(random, 40);
    Contention contention;
    constexpr double kFactors[] = {1, 1.5, 2, 3, 1e6};
    for (ResourceId a = 1; a <= 3; ++a)
      for (ResourceId b = 1; b <= 3; ++b)
        contention.set(a, b, kFactors[pick(random, 0, 4)]);
    Simulator simulator;
    Timeline timeline;
    ASSERT_TRUE(simulator.run(input.graph, contention, timeline));
    double boundUs = getBoundUs(input.graph, contention);
    ASSERT_LE(boundUs, timeline.makespanUs * (1 + 1e-12)) << i;
    numRaised += boundUs > getBoundUs(input.graph, Contention());
  }
  EXPECT_GT(numRaised, 100);
}

} // namespace
