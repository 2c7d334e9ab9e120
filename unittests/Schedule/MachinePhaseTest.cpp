// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/MachinePhase.h"
#include "FSMoECases.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::schedule;

namespace {

constexpr cost::BytesPerElement kFloat(4);

/// Returns a testbed of FSMoE as a machine, with fits per element of four
/// bytes.
cost::Machine makeTestbed(const Testbed &testbed) {
  cost::Machine machine;
  machine.name = testbed.name;
  auto fit = [](double alphaMs, double betaMs) {
    cost::CollectiveFit fit;
    fit.alpha = cost::Microseconds(alphaMs * 1e3);
    fit.beta = cost::MicrosecondsPerElement(betaMs * 1e3) / kFloat;
    return fit;
  };
  cost::Level node, network;
  node.name = "node";
  node.ranks = testbed.ranksPerNode;
  node.bandwidth = cost::GBps(100);
  node.fits[unsigned(cost::CollectiveKind::AllGather)] =
      fit(testbed.alphaGather, testbed.betaGather);
  node.fits[unsigned(cost::CollectiveKind::ReduceScatter)] =
      fit(testbed.alphaScatter, testbed.betaScatter);
  network.name = "network";
  network.ranks = 6 * node.ranks;
  network.bandwidth = cost::GBps(25);
  network.ranksPerNic = node.ranks;
  network.fits[unsigned(cost::CollectiveKind::AllToAll)] =
      fit(testbed.alphaAllToAll, testbed.betaAllToAll);
  machine.levels = {node, network};
  machine.gemm =
      cost::GemmCost{cost::Microseconds(testbed.alphaGemm * 1e3),
                     cost::MicrosecondsPerMac(testbed.betaGemm * 1e3), "test"};
  return machine;
}

void expectNear(const ChunkTimes &a, const ChunkTimes &b) {
  EXPECT_NEAR(a.dispatchUs, b.dispatchUs, 1e-9 * b.dispatchUs);
  EXPECT_NEAR(a.allGatherUs, b.allGatherUs, 1e-9 * b.allGatherUs);
  EXPECT_NEAR(a.expertsUs, b.expertsUs, 1e-9 * b.expertsUs);
  EXPECT_NEAR(a.reduceScatterUs, b.reduceScatterUs, 1e-9 * b.reduceScatterUs);
  EXPECT_NEAR(a.combineUs, b.combineUs, 1e-9 * b.combineUs);
}

TEST(MachinePhaseTest, TestbedsOfFSMoE) {
  const cost::Machine machines[] = {makeTestbed(kTestbeds[0]),
                                    makeTestbed(kTestbeds[1])};
  forEachFSMoECase([&](const FSMoECase &each) {
    if (each.gradientUs > 0)
      return;
    auto phase = MachinePhase::create(machines[each.testbed - kTestbeds],
                                      each.shape, each.which, kFloat);
    ASSERT_TRUE(phase) << phase.getError();
    EXPECT_EQ(phase->getExpertParallelRanks(), 6);
    ASSERT_TRUE(phase->getLinear());
    for (double share : {1.0, 1.0 / 3, 1.0 / 16}) {
      expectNear(phase->getTimes(share), each.phase.getTimes(share));
      expectNear(phase->getLinear()->getTimes(share),
                 each.phase.getTimes(share));
    }
  });
}

LayerShape makeShape() {
  LayerShape shape;
  shape.seqLen = 1024;
  shape.hidden = 2048;
  shape.ffnHidden = 4096;
  shape.topK = 2;
  shape.tp = shape.esp = 8;
  return shape;
}

TEST(MachinePhaseTest, WithoutFitsTheLinksDecide) {
  cost::Machine machine = makeTestbed(kTestbeds[0]);
  for (cost::Level &level : machine.levels)
    level.fits = {};
  machine.levels[1].latency = cost::Microseconds(7);
  auto phase = MachinePhase::create(machine, makeShape(),
                                    TrainingPhase::Forward, kFloat);
  ASSERT_TRUE(phase) << phase.getError();
  ASSERT_TRUE(phase->getLinear());
  // Eight ranks share a NIC of 25 GB/s, and each sends 5/6 of its T/8.
  double elements = 2.0 * 1024 * 2048;
  double sentBytes = elements / 8 * 4 * 5 / 6;
  EXPECT_NEAR(phase->getTimes(1).dispatchUs, 7 + 8 * sentBytes / 25e3, 1e-6);
  EXPECT_NEAR(phase->getTimes(1).allGatherUs, elements * 4 * 7 / 8 / 100e3,
              1e-6);
  EXPECT_EQ(phase->getLinear()->dispatch.alphaUs, 7);

  // The phases read the machine, which changes below.
  ChunkTimes whole = phase->getTimes(1), half = phase->getTimes(.5);
  // A curve makes the time nonlinear; a stall delays all but the unchunked
  // phase.
  machine.levels[1].efficiency = cost::EfficiencyCurve({{1e3, .1}, {1e8, 1}});
  auto curved = MachinePhase::create(machine, makeShape(),
                                     TrainingPhase::Forward, kFloat);
  ASSERT_TRUE(curved);
  EXPECT_FALSE(curved->getLinear());
  machine.levels[1].efficiency = {};
  machine.pipelineStall.value = cost::Microseconds(50);
  auto stalled = MachinePhase::create(machine, makeShape(),
                                      TrainingPhase::Forward, kFloat);
  ASSERT_TRUE(stalled);
  EXPECT_FALSE(stalled->getLinear());
  expectNear(stalled->getTimes(1), whole);
  EXPECT_NEAR(stalled->getTimes(.5).expertsUs, half.expertsUs + 50, 1e-9);
  EXPECT_NEAR(stalled->getTimes(.5).combineUs, half.combineUs + 50, 1e-9);
}

TEST(MachinePhaseTest, SmallestMessageLimitsTheDegree) {
  cost::Machine machine = makeTestbed(kTestbeds[0]);
  auto getMaxDegree = [&](double leastBytes) {
    machine.minimumMessage.value = cost::Bytes(leastBytes);
    auto phase = MachinePhase::create(machine, makeShape(),
                                      TrainingPhase::Forward, kFloat);
    return phase->getMaxDegree(16);
  };
  double bytes = 2.0 * 1024 * 2048 / 8 * 4;
  EXPECT_EQ(getMaxDegree(0), 16);
  EXPECT_EQ(getMaxDegree(bytes / 5), 5);
  EXPECT_EQ(getMaxDegree(bytes * 2), 1);
  machine.minimumMessage.value = cost::Bytes(bytes / 5);
  auto phase = MachinePhase::create(machine, makeShape(),
                                    TrainingPhase::Forward, kFloat);
  EXPECT_EQ(phase->getLeastParts(64), 13);
  machine.minimumMessage.value = cost::Bytes(0);
  EXPECT_EQ(phase->getLeastParts(64), 1);
}

TEST(MachinePhaseTest, SkewMultipliesTheBusiestRanksWork) {
  cost::Machine machine = makeTestbed(kTestbeds[0]);
  ExpertSkew skew{3, 2};
  auto even = MachinePhase::create(machine, makeShape(),
                                   TrainingPhase::Backward, kFloat);
  auto uneven =
      MachinePhase::create(machine, makeShape(), TrainingPhase::Backward,
                           kFloat, std::nullopt, skew);
  ASSERT_TRUE(even && uneven);
  const LinearPhase &a = *even->getLinear(), &b = *uneven->getLinear();
  EXPECT_NEAR(b.dispatch.slopeUs, 2 * a.dispatch.slopeUs, 1e-9);
  EXPECT_NEAR(b.combine.slopeUs, 2 * a.combine.slopeUs, 1e-9);
  EXPECT_NEAR(b.allGather.slopeUs, 3 * a.allGather.slopeUs, 1e-9);
  EXPECT_NEAR(b.reduceScatter.slopeUs, 3 * a.reduceScatter.slopeUs, 1e-9);
  EXPECT_NEAR(b.experts.slopeUs, 3 * a.experts.slopeUs, 1e-9);
  EXPECT_EQ(b.experts.alphaUs, a.experts.alphaUs);
}

TEST(MachinePhaseTest, SaysWhatIsMissing) {
  cost::Machine machine = makeTestbed(kTestbeds[0]);
  auto getError = [&](const LayerShape &shape,
                      std::optional<int64_t> ep = std::nullopt) {
    auto phase = MachinePhase::create(machine, shape, TrainingPhase::Forward,
                                      kFloat, ep);
    return phase ? std::string() : phase.getError();
  };
  LayerShape shape = makeShape();
  shape.tp = 7;
  EXPECT_EQ(getError(shape),
            "esp: expected a divisor of the 7 tensor-parallel ranks, got 8");
  shape.esp = 1;
  EXPECT_EQ(getError(shape),
            "platform 'A': expected ranks that divide by tp 7, got 48");
  shape.tp = 8;
  EXPECT_EQ(getError(shape, 7), "platform 'A': expected 1 to 6 expert-parallel "
                                "ranks of tp 8, got 7");
  shape.tp = 16;
  EXPECT_EQ(getError(shape),
            "platform 'A': expected all-to-alls over 3 expert-parallel ranks "
            "and collectives over 16 tensor-parallel ranks on links of their "
            "own, got both beyond level 'node' of 8 ranks");
  shape.tp = 2;
  EXPECT_EQ(getError(shape, 4),
            "platform 'A': expected all-to-alls over 4 expert-parallel ranks "
            "and collectives over 2 tensor-parallel ranks on links of their "
            "own, got both inside of level 'node' of 8 ranks");
  shape = makeShape();
  shape.hidden = 0;
  EXPECT_EQ(getError(shape), "hidden size: expected at least 1, got 0");
  shape = makeShape();
  shape.capacityFactor = 0;
  EXPECT_EQ(getError(shape), "capacity factor: expected a finite number above "
                             "0, got 0.000000");
  machine.gemm.reset();
  EXPECT_EQ(getError(makeShape()),
            "platform 'A': experts cannot be timed without gemm_alpha_us and "
            "gemm_beta_us_per_mac; measure them with moe-profile measure");
}

} // namespace
