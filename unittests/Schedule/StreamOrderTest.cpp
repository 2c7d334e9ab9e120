// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order imposed by streams and events.

#include "RandomStreams.h"
#include "gtest/gtest.h"

using namespace moe::schedule;
using namespace moe::schedule::test;
using Kind = StreamStep::Kind;

namespace {

TEST(StreamOrderTest, AnEventOrdersWhatStandsBeforeItsLastRecord) {
  std::vector<StreamStep> steps{
      {Kind::Wait, 1, 0},   // before any record: orders nothing
      {Kind::Work, 0},      // 0
      {Kind::Record, 0, 0}, //
      {Kind::Work, 0},      // 1
      {Kind::Work, 1},      // 2
      {Kind::Wait, 1, 0},   //
      {Kind::Work, 1},      // 3
      {Kind::Synchronize, 1}, {Kind::Work, 2}}; // 4
  HappensBefore order(steps);
  ASSERT_EQ(order.getNumWorks(), 5u);
  EXPECT_TRUE(order.isBefore(0, 1));
  EXPECT_FALSE(order.isBefore(1, 0));
  EXPECT_FALSE(order.isBefore(0, 2));
  EXPECT_TRUE(order.isBefore(0, 3));
  EXPECT_FALSE(order.isBefore(1, 3));
  EXPECT_TRUE(order.isBefore(2, 3));
  EXPECT_TRUE(order.isBefore(0, 4));
  EXPECT_TRUE(order.isBefore(3, 4));
  EXPECT_FALSE(order.isBefore(1, 4));
  EXPECT_FALSE(order.isBefore(2, 2));
}

TEST(StreamOrderTest, AHostThatAwaitsAnEventWaitsForNoMore) {
  std::vector<StreamStep> steps{
      {Kind::Await, 0, 0},  // before any record: orders nothing
      {Kind::Work, 0},      // 0
      {Kind::Record, 0, 0}, //
      {Kind::Work, 0},      // 1
      {Kind::Work, 1},      // 2
      {Kind::Await, 0, 0},  //
      {Kind::Work, 1}};     // 3
  HappensBefore order(steps);
  EXPECT_TRUE(order.isBefore(0, 3));
  EXPECT_FALSE(order.isBefore(1, 3));
  EXPECT_FALSE(order.isBefore(0, 2));

  StreamClocks clocks;
  for (const StreamStep &step : steps)
    clocks.add(step);
  EXPECT_EQ(clocks.getNumWorks(0), 2u);
  EXPECT_TRUE(StreamClocks::hasEnded(clocks.getEvent(0), 0, 1));
  EXPECT_FALSE(StreamClocks::hasEnded(clocks.getEvent(0), 0, 2));
  EXPECT_TRUE(StreamClocks::hasEnded(clocks.getHost(), 0, 1));
  EXPECT_FALSE(StreamClocks::hasEnded(clocks.getHost(), 1, 1));
  EXPECT_TRUE(StreamClocks::hasEnded(clocks.getStream(0), 0, 2));
}

TEST(StreamOrderTest, OrderIsThatOfTheDefinition) {
  std::mt19937_64 random(1);
  size_t ordered = 0, free = 0;
  for (int run = 0; run < 2000; ++run) {
    std::vector<StreamStep> steps = makeRandomSteps(random, 24);
    HappensBefore order(steps);
    StepOrder expected(steps);
    ASSERT_EQ(order.getNumWorks(), expected.getNumWorks());
    for (unsigned a = 0; a < order.getNumWorks(); ++a)
      for (unsigned b = 0; b < order.getNumWorks(); ++b) {
        if (a == b)
          continue;
        ASSERT_EQ(order.isBefore(a, b), expected.isBefore(a, b))
            << "run " << run << ", work " << a << " and " << b;
        ++(order.isBefore(a, b) ? ordered : free);
      }
  }
  EXPECT_GT(ordered, 10000u);
  EXPECT_GT(free, 10000u);
}

/// Returns the steps of tasks with one work item each, and with an event per
/// wait except for the one left out.
std::vector<StreamStep>
getSteps(const std::vector<StreamTask> &tasks,
         const std::vector<std::vector<unsigned>> &waits, size_t leftOut) {
  std::vector<StreamStep> steps;
  size_t number = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    for (unsigned other : waits[i])
      if (number++ != leftOut)
        steps.push_back({Kind::Wait, tasks[i].stream, other});
    steps.push_back({Kind::Work, tasks[i].stream});
    steps.push_back({Kind::Record, tasks[i].stream, unsigned(i)});
  }
  return steps;
}

bool isKept(const std::vector<StreamTask> &tasks, const StepOrder &order) {
  for (unsigned i = 0; i < tasks.size(); ++i)
    for (unsigned other : tasks[i].after)
      if (!order.isBefore(other, i))
        return false;
  return true;
}

TEST(StreamOrderTest, WaitsAreEnoughAndNoneIsTooMuch) {
  std::mt19937_64 random(2);
  size_t numWaits = 0, numAfter = 0;
  for (int run = 0; run < 500; ++run) {
    unsigned numStreams = unsigned(pick(random, 1, 4));
    std::vector<StreamTask> tasks(size_t(pick(random, 0, 14)));
    for (unsigned i = 0; i < tasks.size(); ++i) {
      tasks[i].stream = unsigned(pick(random, 0, numStreams - 1));
      for (int64_t n = i == 0 ? 0 : pick(random, 0, 3); n > 0; --n)
        tasks[i].after.push_back(unsigned(pick(random, 0, i - 1)));
      numAfter += tasks[i].after.size();
    }
    std::vector<std::vector<unsigned>> waits = findNecessaryWaits(tasks);
    ASSERT_EQ(waits.size(), tasks.size());
    size_t count = 0;
    for (unsigned i = 0; i < tasks.size(); ++i)
      for (unsigned other : waits[i]) {
        ++count;
        EXPECT_NE(tasks[other].stream, tasks[i].stream);
        EXPECT_NE(
            std::find(tasks[i].after.begin(), tasks[i].after.end(), other),
            tasks[i].after.end());
      }
    EXPECT_TRUE(isKept(tasks, StepOrder(getSteps(tasks, waits, count))));
    for (size_t leftOut = 0; leftOut < count; ++leftOut)
      EXPECT_FALSE(isKept(tasks, StepOrder(getSteps(tasks, waits, leftOut))))
          << "run " << run << ", wait " << leftOut;
    numWaits += count;
  }
  EXPECT_GT(numWaits, 500u);
  EXPECT_LT(numWaits, numAfter);
}

} // namespace
