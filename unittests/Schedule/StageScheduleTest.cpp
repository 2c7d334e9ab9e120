// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of several pipeline stages.

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
    text +=
        std::string(1, "fbiw"[int(pass.kind)]) +
        std::to_string(pass.microBatch) +
        (step.virtualStages > 1 ? "." + std::to_string(pass.piece / step.stages)
                                : "") +
        (pass.isPaired ? "+" : " ");
  return text;
}

TEST(StageScheduleTest, OrdersAreThoseOfTheSystems) {
  StagedStep step = makeStep(3, 4);
  EXPECT_EQ(spell(step, 0), "f0 f1 f2 b0 f3 b1 b2 b3 ");
  EXPECT_EQ(spell(step, 1), "f0 f1 b0 f2 b1 f3 b2 b3 ");
  EXPECT_EQ(spell(step, 2), "f0 b0 f1 b1 f2 b2 f3 b3 ");
  EXPECT_EQ(spell(makeStep(3, 4, 1, StageOrder::AllForward), 1),
            "f0 f1 f2 f3 b0 b1 b2 b3 ");
  // Two pieces per stage: Megatron-LM's order for 2 stages and 4 micro-batches.
  EXPECT_EQ(spell(makeStep(2, 4, 2), 0),
            "f0.0 f1.0 f0.1 f1.1 f2.0 b0.1 f3.0 b1.1 f2.1 b0.0 f3.1 b1.0 "
            "b2.1 b3.1 b2.0 b3.0 ");
  EXPECT_EQ(spell(makeStep(2, 4, 2), 1),
            "f0.0 f1.0 f0.1 b0.1 f1.1 b1.1 f2.0 b0.0 f3.0 b1.0 f2.1 b2.1 "
            "f3.1 b3.1 b2.0 b3.0 ");
}

StagedStep makePairs(StageOrder order, int64_t stages, int64_t microBatches) {
  bool isV = order == StageOrder::DualPipeV;
  return makeStep(stages, microBatches, isV ? 2 : 1, order);
}

/// "+" joins a pair; i and w are gradients of inputs and weights.
TEST(StageScheduleTest, OrdersOfPairsAreThoseOfDeepSeek) {
  StagedStep step = makePairs(StageOrder::DualPipeV, 2, 5);
  EXPECT_EQ(spell(step, 0),
            "f0.0 f1.0 f2.0 f0.1 i0.1 w0.1 f1.1 f3.0+b1.1 f2.1+b0.0 "
            "f4.0+b2.1 f3.1+b1.0 b3.1 f4.1+b2.0 b4.1 i3.0 w3.0 i4.0 w4.0 ");
  EXPECT_EQ(spell(step, 1),
            "f0.0 f0.1 f1.0 f1.1 f2.0 b0.1 f2.1+b0.0 f3.0+b1.1 f3.1+b1.0 "
            "f4.0+b2.1 f4.1+b2.0 b3.1 b3.0 i4.1 i4.0 w4.1 w4.0 ");
  // Both stages that hold a piece run it in the same order.
  step = makePairs(StageOrder::DualPipe, 4, 10);
  EXPECT_EQ(spell(step, 0), spell(step, 3));
  EXPECT_EQ(listPieces(step, 0), (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(listPieces(step, 2), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(getMostHeld(step, 0), 5);
}

/// The table of DualPipe's README: (PP / 2 - 1)(F&B + B - 3W), with PP pieces
/// that each run PP + 1 times on a stage.
TEST(StageScheduleTest, BubblesOfPairsAreThoseOfTheirFormula) {
  for (StageOrder order : {StageOrder::DualPipeV, StageOrder::DualPipe})
    for (int64_t half = 1; half <= 6; ++half)
      for (int64_t more = 0; more <= 3; ++more) {
        bool isV = order == StageOrder::DualPipeV;
        StagedStep step = makePairs(order, isV ? half : 2 * half,
                                    (2 * half + more) * (isV ? 1 : 2));
        // Each gradient takes as long as a forward pass.
        step.pieces = {{4, 8, 4}};
        ASSERT_EQ(checkStagedStep(step), "");
        StagedStepTime time = simulateStagedStep(step);
        EXPECT_EQ(time.bubbleUs, double(half - 1) * (12 + 8 - 12)) << half;
        // Everything but the ends of the pipeline runs in pairs of 9 us.
        step.pieces = {{4, 8, 4, 1, 2, 3, 6}};
        StagedStepTime paired = simulateStagedStep(step);
        double pairs = double(2 * half + more) * 2;
        EXPECT_EQ(paired.stepUs, pairs * 9 + 9 + double(half - 1) * 11);
        EXPECT_LT(paired.stepUs, time.stepUs);
        for (int64_t stage = 0; stage < step.stages; ++stage)
          EXPECT_EQ(getMostHeld(step, stage), 2 * half + 1);
      }
}

TEST(StageScheduleTest, ProductsOfPairsHideExchanges) {
  PassTimes layers{10, 20, 4, 5, 8, 3, 12}, empty{};
  auto expectSaving = [](PairSaving saving, double forwardUs,
                         double backwardUs) {
    EXPECT_DOUBLE_EQ(saving.forwardUs, forwardUs);
    EXPECT_DOUBLE_EQ(saving.backwardUs, backwardUs);
  };
  // Products of the forward pass hide 3 us of the backward exchange, and
  // gradients of weights hide 4 us.
  expectSaving(getPairSaving(layers, layers, 0), 5, 7);
  // An empty piece can hide nothing.
  expectSaving(getPairSaving(layers, empty, 0), 0, 0);
  expectSaving(getPairSaving(empty, layers, 0), 0, 4);
  // Products lose a quarter of the hidden time.
  expectSaving(getPairSaving(layers, layers, .25), .75 * 5, .75 * 5.6);
}

/// The middle stages of a DualPipe send to each other, as all neighbors do; a
/// DualPipeV has both pieces on one stage.
TEST(StageScheduleTest, HalvesOfADualPipeSendToEachOther) {
  for (bool isV : {false, true}) {
    StagedStep step =
        makePairs(isV ? StageOrder::DualPipeV : StageOrder::DualPipe,
                  isV ? 1 : 2, isV ? 4 : 8);
    double alone = simulateStagedStep(step).stepUs;
    step.sendUs = .25;
    double sending = simulateStagedStep(step).stepUs;
    if (isV)
      EXPECT_EQ(sending, alone);
    else
      EXPECT_GT(sending, alone);
  }
}

/// A stage near the start of a piece holds more of its micro-batches.
TEST(StageScheduleTest, HoldsMoreOfTheNearPiece) {
  StagedStep step = makePairs(StageOrder::DualPipe, 16, 64);
  using Held = std::vector<int64_t>;
  std::array<double, 2> alike{1, 1}, near{1, 0}, far{0, 1};
  EXPECT_EQ(countHeld(step, 0, alike), (Held{16, 1}));
  EXPECT_EQ(countHeld(step, 7, alike), (Held{9, 8}));
  EXPECT_EQ(countHeld(step, 0, near)[0], 16);
  EXPECT_GE(countHeld(step, 0, far)[1], 1);
}

TEST(StageScheduleTest, PairsHaveLimits) {
  EXPECT_EQ(checkStagedStep(makeStep(2, 4, 1, StageOrder::DualPipeV)),
            "expected 2 pieces of the model a stage with dualpipev, got 1");
  EXPECT_EQ(checkStagedStep(makePairs(StageOrder::DualPipeV, 2, 3)),
            "expected at least 4 micro-batches with dualpipev, twice the "
            "stages, got 3");
  EXPECT_EQ(checkStagedStep(makePairs(StageOrder::DualPipe, 3, 8)),
            "expected an even number of stages with dualpipe, got 3");
  EXPECT_EQ(checkStagedStep(makePairs(StageOrder::DualPipe, 2, 5)),
            "expected an even number of micro-batches with dualpipe, got 5");
  StagedStep step = makePairs(StageOrder::DualPipe, 2, 4);
  step.pieces = {{1, 2, 3}};
  EXPECT_EQ(checkStagedStep(step),
            "expected passes that take at least what they exchange or put off");
}

/// A stage holds one micro-batch more than there are later stages, or all. Each
/// pass occurs once, in a feasible order.
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

/// The formula equals the simulation; all times are small integers.
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

/// Sends lengthen a step by the path of the first micro-batch and of the last
/// gradient over all stages, and further if stages wait for their sends.
TEST(StageScheduleTest, SendsAreOnTheWay) {
  StagedStep step = makeStep(4, 8, 1, StageOrder::AllForward);
  step.sendUs = .25;
  EXPECT_EQ(getBubbleUs(step), std::nullopt);
  EXPECT_EQ(simulateStagedStep(step).stepUs, 8 * 3 + 3 * 3 + 2 * 3 * .25);
  step.waitsForSends = true;
  double waitingUs = simulateStagedStep(step).stepUs;
  EXPECT_EQ(waitingUs, (8 + 3) * (1 + .25) + (8 + 3) * (2 + .25) - 2 * .25);
  // One forward, one backward: the passes of neighbors leave no time for a
  // round trip of two sends.
  step.order = StageOrder::OneForwardOneBackward;
  step.waitsForSends = false;
  EXPECT_GT(simulateStagedStep(step).stepUs, 8 * 3 + 3 * 3 + 2 * 3 * .25);
}

/// No step is shorter than a stage's compute plus the waits for the first and
/// last micro-batch; several pieces divide the bubble by their number.
TEST(StageScheduleTest, PiecesShortenTheBubble) {
  StagedStep whole = makeStep(4, 8), cut = makeStep(4, 8, 4);
  whole.pieces = {{4, 8}};
  EXPECT_EQ(simulateStagedStep(whole).bubbleUs, 36);
  EXPECT_EQ(simulateStagedStep(cut).bubbleUs, 9);
  // More pieces hold more micro-batches.
  EXPECT_EQ(simulateStagedStep(whole).heldMicroBatches, 4);
  EXPECT_GT(simulateStagedStep(cut).heldMicroBatches, 4);
  // The slowest of unequal pieces determines the rate.
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
