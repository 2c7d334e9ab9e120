// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement of buffers in memory.

#include "moe/Schedule/BufferPlan.h"
#include "RandomStreams.h"
#include "moe/Schedule/StreamRaces.h"
#include "gtest/gtest.h"
#include <functional>

using namespace moe::schedule;
using namespace moe::schedule::test;
using Kind = StreamStep::Kind;

namespace {

TEST(BufferPlanTest, AChainNeedsTwoBuffers) {
  std::vector<StreamStep> steps(4, {Kind::Work, 0});
  std::vector<PlannedBuffer> buffers{
      {100, {0, 1}}, {100, {1, 2}}, {100, {2, 3}}, {64, {3}}};
  BufferPlan plan = planBuffers(HappensBefore(steps), buffers, 64);
  EXPECT_EQ(plan.bytes, 256u);
  EXPECT_EQ(plan.lowerBound, 256u);
  EXPECT_EQ(plan.unshared, 448u);
  EXPECT_EQ(plan.offsets[0], plan.offsets[2]);
}

/// Buffers on two unordered streams share no memory. Launch order would allow
/// sharing, which the lower bound shows.
TEST(BufferPlanTest, StreamsWithoutEventsShareNothing) {
  std::vector<StreamStep> steps{{Kind::Work, 0}, {Kind::Work, 1}};
  std::vector<PlannedBuffer> buffers{{64, {0}}, {64, {1}}};
  BufferPlan plan = planBuffers(HappensBefore(steps), buffers, 64);
  EXPECT_EQ(plan.bytes, 128u);
  EXPECT_EQ(plan.lowerBound, 64u);
  steps.insert(steps.begin() + 1, {{Kind::Record, 0, 0}, {Kind::Wait, 1, 0}});
  EXPECT_EQ(planBuffers(HappensBefore(steps), buffers, 64).bytes, 64u);
}

TEST(BufferPlanTest, BuffersNobodyUsesTakeNoPlace) {
  std::vector<StreamStep> steps{{Kind::Work, 0}};
  std::vector<PlannedBuffer> buffers{{640, {}}, {0, {0}}};
  BufferPlan plan = planBuffers(HappensBefore(steps), buffers, 64);
  EXPECT_EQ(plan.bytes, 0u);
  EXPECT_EQ(plan.offsets, std::vector<uint64_t>(2, 0));
}

/// Calls `visit` with every order of the work items that the definition allows.
void forEachOrder(
    const StepOrder &order,
    const std::function<void(const std::vector<unsigned> &)> &visit) {
  unsigned count = unsigned(order.getNumWorks());
  std::vector<unsigned> sequence;
  std::vector<char> done(count);
  std::function<void()> go = [&] {
    if (sequence.size() == count)
      return visit(sequence);
    for (unsigned work = 0; work < count; ++work) {
      bool isReady = !done[work];
      for (unsigned other = 0; other < count; ++other)
        isReady &= done[other] || !order.isBefore(other, work);
      if (!isReady)
        continue;
      done[work] = 1;
      sequence.push_back(work);
      go();
      sequence.pop_back();
      done[work] = 0;
    }
  };
  go();
}

/// Buffers that share memory are never in use concurrently, in any legal order.
TEST(BufferPlanTest, NoLegalOrderHoldsTwoBuffersInOnePlace) {
  std::mt19937_64 random(3);
  uint64_t shared = 0, orders = 0;
  for (int run = 0; run < 400; ++run) {
    std::vector<StreamStep> steps = makeRandomSteps(random, 13);
    HappensBefore order(steps);
    StepOrder expected(steps);
    if (order.getNumWorks() == 0 || order.getNumWorks() > 7)
      continue;
    std::vector<PlannedBuffer> buffers(size_t(pick(random, 1, 6)));
    for (PlannedBuffer &buffer : buffers) {
      buffer.bytes = uint64_t(pick(random, 0, 200));
      for (int64_t n = pick(random, 0, 3); n > 0; --n)
        buffer.works.push_back(
            unsigned(pick(random, 0, int64_t(order.getNumWorks()) - 1)));
    }
    BufferPlan plan = planBuffers(order, buffers, 16);
    EXPECT_GE(plan.bytes, plan.lowerBound);
    EXPECT_LE(plan.bytes, plan.unshared);
    shared += plan.unshared - plan.bytes;
    auto overlap = [&](size_t a, size_t b) {
      return plan.offsets[a] < plan.offsets[b] + buffers[b].bytes &&
             plan.offsets[b] < plan.offsets[a] + buffers[a].bytes;
    };
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(plan.offsets[i] % 16, 0u);
      if (!buffers[i].works.empty()) {
        EXPECT_LE(plan.offsets[i] + buffers[i].bytes, plan.bytes);
      }
    }
    forEachOrder(expected, [&](const std::vector<unsigned> &sequence) {
      ++orders;
      std::vector<std::pair<size_t, size_t>> lives;
      for (const PlannedBuffer &buffer : buffers) {
        size_t first = sequence.size(), last = 0;
        for (size_t at = 0; at < sequence.size(); ++at)
          for (unsigned work : buffer.works)
            if (sequence[at] == work) {
              first = std::min(first, at);
              last = at;
            }
        lives.emplace_back(first, last);
      }
      for (size_t a = 0; a < buffers.size(); ++a)
        for (size_t b = 0; b < a; ++b)
          if (!buffers[a].works.empty() && !buffers[b].works.empty() &&
              lives[a].first <= lives[b].second &&
              lives[b].first <= lives[a].second)
            EXPECT_FALSE(overlap(a, b)) << "run " << run;
    });
  }
  EXPECT_GT(shared, 1000u);
  EXPECT_GT(orders, 1000u);
}

/// Plans of larger programs add no race that the buffers' own uses do not have.
TEST(BufferPlanTest, SharingMakesNoRace) {
  std::mt19937_64 random(4);
  int checked = 0;
  for (int run = 0; run < 300; ++run) {
    std::vector<StreamStep> steps = makeRandomSteps(random, 60);
    HappensBefore order(steps);
    unsigned count = unsigned(order.getNumWorks());
    if (count == 0)
      continue;
    // One work item writes each buffer, and later ones read it.
    std::vector<PlannedBuffer> buffers(size_t(pick(random, 1, 20)));
    for (PlannedBuffer &buffer : buffers) {
      buffer.bytes = uint64_t(pick(random, 1, 400));
      unsigned writer = unsigned(pick(random, 0, count - 1));
      buffer.works.push_back(writer);
      for (unsigned reader = writer + 1; reader < count; ++reader)
        if (order.isBefore(writer, reader) && pick(random, 0, 3) == 0)
          buffer.works.push_back(reader);
    }
    BufferPlan plan = planBuffers(order, buffers, 64);
    StreamProgram program{steps, std::vector<WorkAccesses>(count)};
    for (size_t i = 0; i < buffers.size(); ++i) {
      MemoryRange range{0, plan.offsets[i], plan.offsets[i] + buffers[i].bytes};
      WorkAccesses &writer = program.works[buffers[i].works.front()];
      writer.begins.push_back(range);
      writer.writes.push_back(range);
      for (size_t j = 1; j < buffers[i].works.size(); ++j)
        program.works[buffers[i].works[j]].reads.push_back(range);
    }
    EXPECT_FALSE(findRace(program)) << "run " << run;
    EXPECT_FALSE(checkOrders(program, 5, run)) << "run " << run;
    ++checked;
  }
  EXPECT_GT(checked, 200);
}

} // namespace
