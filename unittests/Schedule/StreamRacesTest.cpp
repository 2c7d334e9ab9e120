// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution of work in every legal order.

#include "moe/Schedule/StreamRaces.h"
#include "RandomStreams.h"
#include "gtest/gtest.h"

using namespace moe::schedule;
using namespace moe::schedule::test;
using Kind = StreamStep::Kind;

namespace {

StreamProgram makeHandOver() {
  return {{{Kind::Work, 0},
           {Kind::Record, 0, 0},
           {Kind::Wait, 1, 0},
           {Kind::Work, 1}},
          {{{}, {{0, 0, 8}}, {}, {{0, 0, 8}}}, {{{0, 4, 12}}, {}, {}, {}}}};
}

TEST(StreamRacesTest, AnEventHandsABufferOver) {
  StreamProgram program = makeHandOver();
  EXPECT_FALSE(findRace(program));
  EXPECT_FALSE(checkOrders(program, 10, 0));

  // The reader may run first if it does not wait.
  program.steps.erase(program.steps.begin() + 2);
  std::optional<Race> race = findRace(program);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->first, 0u);
  EXPECT_EQ(race->second, 1u);
  EXPECT_EQ(race->bytes.begin, 4u);
  EXPECT_EQ(race->bytes.end, 8u);
  std::optional<OrderDifference> difference = checkOrders(program, 0, 0);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->work, 1u);
  EXPECT_EQ(difference->order, std::vector<unsigned>{1});

  // Accesses to different memories do not conflict.
  program.works[1].reads.front().memory = 1;
  EXPECT_FALSE(findRace(program));
  EXPECT_FALSE(checkOrders(program, 10, 0));
}

TEST(StreamRacesTest, AWriteWaitsForReaders) {
  // Writes, reads on another stream, then writes again without waiting.
  StreamProgram program{{{Kind::Work, 0},
                         {Kind::Record, 0, 0},
                         {Kind::Wait, 1, 0},
                         {Kind::Work, 1},
                         {Kind::Work, 0}},
                        {{{}, {{0, 0, 8}}, {}, {}},
                         {{{0, 0, 8}}, {}, {}, {}},
                         {{}, {{0, 0, 8}}, {}, {}}}};
  ASSERT_TRUE(findRace(program));
  EXPECT_EQ(findRace(program)->first, 1u);
  ASSERT_TRUE(checkOrders(program, 0, 0));
  // Two writers leave different contents.
  program.works[1] = {{}, {{0, 0, 8}}, {}, {}};
  EXPECT_TRUE(findRace(program));
  std::optional<OrderDifference> difference = checkOrders(program, 0, 0);
  ASSERT_TRUE(difference);
  EXPECT_FALSE(difference->work);
}

TEST(StreamRacesTest, TheHostOrdersToo) {
  StreamProgram program = makeHandOver();
  program.steps = {{Kind::Work, 0}, {Kind::Synchronize, 0}, {Kind::Work, 1}};
  EXPECT_FALSE(findRace(program));
  EXPECT_FALSE(checkOrders(program, 10, 0));
}

/// Orders that hold one stream back find all races and only races. The two
/// checks, which share only the division of memory, must always agree.
TEST(StreamRacesTest, OrdersFindExactlyTheRaces) {
  std::mt19937_64 random(5);
  int races = 0, none = 0;
  for (int run = 0; run < 5000; ++run) {
    StreamProgram program;
    program.steps = makeRandomSteps(random, 16);
    for (const StreamStep &step : program.steps) {
      if (step.kind != Kind::Work)
        continue;
      WorkAccesses &work = program.works.emplace_back();
      for (auto *ranges : {&work.reads, &work.writes, &work.partialWrites})
        for (int64_t n = pick(random, 0, 3) / 3; n > 0; --n) {
          uint64_t begin = uint64_t(pick(random, 0, 24));
          ranges->push_back({unsigned(pick(random, 0, 1)), begin,
                             begin + uint64_t(pick(random, 0, 6))});
        }
      if (pick(random, 0, 1))
        work.begins = work.writes;
    }
    bool hasRace = findRace(program).has_value();
    EXPECT_EQ(checkOrders(program, 0, 0).has_value(), hasRace) << "run " << run;
    if (!hasRace) {
      EXPECT_FALSE(checkOrders(program, 3, run)) << "run " << run;
    }
    ++(hasRace ? races : none);
  }
  EXPECT_GT(races, 500);
  EXPECT_GT(none, 500);
}

} // namespace
