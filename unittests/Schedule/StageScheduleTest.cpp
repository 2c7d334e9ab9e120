// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of several stages.

#include "moe/Schedule/StageSchedule.h"
#include "RandomGraph.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

StagedStep makeStep(int64_t stages, int64_t microBatches,
                    int64_t virtualStages = 1,
                    StageOrder order = StageOrder::OneForwardOneBackward) {
  StagedStep step;
  step.stages = stages;
  step.microBatches = microBatches;
  step.virtualStages = virtualStages;
  step.order = order;
  step.pieces = {{1, 2}};
  return step;
}

std::string spell(const StagedStep &step, int64_t stage) {
  std::string text;
  for (const StagePass &pass : listPasses(step, stage))
    text += (pass.isBackward ? "b" : "f") + std::to_string(pass.microBatch) +
            (step.virtualStages > 1
                 ? "." + std::to_string(pass.piece / step.stages) + " "
                 : " ");
  return text;
}

TEST(StageScheduleTest, OrdersAreThoseOfTheSystems) {
  StagedStep step = makeStep(3, 4);
  EXPECT_EQ(spell(step, 0), "f0 f1 f2 b0 f3 b1 b2 b3 ");
  EXPECT_EQ(spell(step, 1), "f0 f1 b0 f2 b1 f3 b2 b3 ");
  EXPECT_EQ(spell(step, 2), "f0 b0 f1 b1 f2 b2 f3 b3 ");
  EXPECT_EQ(spell(makeStep(3, 4, 1, StageOrder::AllForward), 1),
            "f0 f1 f2 f3 b0 b1 b2 b3 ");
  // Two pieces a stage: Megatron-LM's order for 2 stages and 4 micro-batches.
  EXPECT_EQ(spell(makeStep(2, 4, 2), 0),
            "f0.0 f1.0 f0.1 f1.1 f2.0 b0.1 f3.0 b1.1 f2.1 b0.0 f3.1 b1.0 "
            "b2.1 b3.1 b2.0 b3.0 ");
  EXPECT_EQ(spell(makeStep(2, 4, 2), 1),
            "f0.0 f1.0 f0.1 b0.1 f1.1 b1.1 f2.0 b0.0 f3.0 b1.0 f2.1 b2.1 "
            "f3.1 b3.1 b2.0 b3.0 ");
}

/// One more than the stages behind, or all; and each pass once, in an order
/// that can run.
TEST(StageScheduleTest, HoldsWhatFillsThePipeline) {
  for (int64_t stages = 1; stages <= 5; ++stages)
    for (int64_t microBatches = 1; microBatches <= 7; ++microBatches)
      for (int64_t stage = 0; stage < stages; ++stage) {
        EXPECT_EQ(getMostHeld(makeStep(stages, microBatches), stage),
                  std::min(microBatches, stages - stage));
        EXPECT_EQ(getMostHeld(
                      makeStep(stages, microBatches, 1, StageOrder::AllForward),
                      stage),
                  microBatches);
      }
}

/// The formula is what is simulated: all times are small integers.
TEST(StageScheduleTest, BubbleIsThatOfTheFormula) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    StagedStep step = makeStep(pick(random, 1, 6), 1);
    step.virtualStages = step.stages > 1 ? pick(random, 1, 4) : 1;
    step.microBatches =
        pick(random, 1, 5) * (step.virtualStages > 1 ? step.stages : 1);
    if (step.virtualStages == 1 && pick(random, 0, 1))
      step.order = StageOrder::AllForward;
    step.waitsForSends = pick(random, 0, 1);
    step.endUs = double(pick(random, 0, 3));
    step.pieces = {{double(pick(random, 0, 9)), double(pick(random, 0, 9))}};
    ASSERT_EQ(checkStagedStep(step), "");
    std::optional<double> bubbleUs = getBubbleUs(step);
    ASSERT_TRUE(bubbleUs);
    const PassTimes &piece = step.pieces.front();
    double ownUs = double(step.microBatches * step.virtualStages) *
                   (piece.forwardUs + piece.backwardUs);
    StagedStepTime time = simulateStagedStep(step);
    ASSERT_EQ(time.stepUs, ownUs + *bubbleUs + step.endUs)
        << step.stages << " stages, " << step.microBatches << " micro-batches, "
        << step.virtualStages << " pieces";
    ASSERT_EQ(time.bubbleUs, *bubbleUs);
    ASSERT_EQ(time.busyUs, ownUs);
  }
}

/// Sends lengthen a step: on the way of the first micro-batch and of the last
/// gradient, each over all stages, and more where stages wait for them.
TEST(StageScheduleTest, SendsAreOnTheWay) {
  StagedStep step = makeStep(4, 8, 1, StageOrder::AllForward);
  step.sendUs = .25;
  EXPECT_EQ(getBubbleUs(step), std::nullopt);
  EXPECT_EQ(simulateStagedStep(step).stepUs, 8 * 3 + 3 * 3 + 2 * 3 * .25);
  step.waitsForSends = true;
  double waitingUs = simulateStagedStep(step).stepUs;
  EXPECT_EQ(waitingUs, (8 + 3) * (1 + .25) + (8 + 3) * (2 + .25) - 2 * .25);
  // One forward, one backward: a round trip of two sends between the passes of
  // neighbours does not fit beside them.
  step.order = StageOrder::OneForwardOneBackward;
  step.waitsForSends = false;
  EXPECT_GT(simulateStagedStep(step).stepUs, 8 * 3 + 3 * 3 + 2 * 3 * .25);
}

/// No step is shorter than what a stage computes and what the first and last
/// micro-batch wait for; several pieces shorten the bubble by their number.
TEST(StageScheduleTest, PiecesShortenTheBubble) {
  StagedStep whole = makeStep(4, 8), cut = makeStep(4, 8, 4);
  whole.pieces = {{4, 8}};
  EXPECT_EQ(simulateStagedStep(whole).bubbleUs, 36);
  EXPECT_EQ(simulateStagedStep(cut).bubbleUs, 9);
  // And hold more.
  EXPECT_EQ(simulateStagedStep(whole).heldMicroBatches, 4);
  EXPECT_GT(simulateStagedStep(cut).heldMicroBatches, 4);
  // The slowest of unequal pieces sets the pace.
  StagedStep uneven = makeStep(2, 10);
  uneven.pieces = {{1, 2}, {2, 4}};
  EXPECT_EQ(simulateStagedStep(uneven).stepUs, 1 + 10 * 6 + 2);
}

TEST(StageScheduleTest, SaysWhatWasExpected) {
  auto say = [](auto change) {
    StagedStep step = makeStep(4, 8);
    change(step);
    return checkStagedStep(step);
  };
  EXPECT_EQ(say([](StagedStep &step) { step.stages = 0; }),
            "expected at least 1 stage, got 0");
  EXPECT_EQ(say([](StagedStep &step) { step.microBatches = -1; }),
            "expected at least 1 micro-batch, got -1");
  EXPECT_EQ(say([](StagedStep &step) {
              step.virtualStages = 2;
              step.microBatches = 6;
            }),
            "expected a multiple of the 4 stages as micro-batches, as pieces "
            "are run through in turns of so many, got 6");
  EXPECT_EQ(say([](StagedStep &step) {
              step.virtualStages = 2;
              step.order = StageOrder::AllForward;
            }),
            "expected one piece of the model a stage where all forward passes "
            "come first, got 2");
  EXPECT_EQ(say([](StagedStep &step) {
              step.stages = 1;
              step.virtualStages = 2;
            }),
            "expected at least 2 stages where each holds several pieces of the "
            "model, got 1");
  EXPECT_EQ(say([](StagedStep &step) { step.pieces.resize(3); }),
            "expected times of 1 piece or of 4, got 3");
  EXPECT_EQ(say([](StagedStep &step) { step.pieces[0].forwardUs = -1; }),
            "expected times of passes from 0 to 1e15 us, got -1.000000");
  EXPECT_EQ(say([](StagedStep &step) { step.sendUs = NAN; }),
            "expected times of sends and of the end from 0 to 1e15 us, got " +
                std::to_string(NAN));
  EXPECT_EQ(say([](StagedStep &step) { step.microBatches = 1 << 20; }),
            "expected at most 4194304 passes of all stages, got 2 x 4 x 1 x "
            "1048576");
}

} // namespace
