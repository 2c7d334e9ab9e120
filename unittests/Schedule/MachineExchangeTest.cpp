// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of an all-to-all on a machine.

#include "moe/Schedule/MachineExchange.h"
#include "RandomGraph.h"
#include "moe/Schedule/Resources.h"
#include "gtest/gtest.h"

using namespace moe;
using namespace moe::schedule;
using namespace moe::schedule::test;

namespace {

/// Returns two nodes of `nodeRanks` ranks, with one endpoint per rank on both
/// levels.
cost::Machine makeMachine(int64_t nodeRanks, double interGBps,
                          double intraGBps) {
  cost::Machine machine;
  machine.name = "two nodes";
  machine.levels.resize(2);
  machine.levels[0].name = "node";
  machine.levels[0].ranks = nodeRanks;
  machine.levels[0].bandwidth = cost::GBps(intraGBps);
  machine.levels[1].name = "cluster";
  machine.levels[1].ranks = 2 * nodeRanks;
  machine.levels[1].bandwidth = cost::GBps(interGBps);
  return machine;
}

/// Returns MoNTA's testbed with the efficiencies of its section on 8K sequences
/// and Table 8, and a copy bandwidth that makes D2D 0.05 ms (SPEC MO-8).
cost::Machine makeTable8() {
  cost::Machine machine = makeMachine(8, 25, 200);
  machine.levels[0].efficiency =
      cost::EfficiencyCurve({{64e6, 0.726}, {256e6, 0.776}});
  machine.levels[1].efficiency =
      cost::EfficiencyCurve({{8e6, 0.427}, {32e6, 0.632}, {256e6, 0.741}});
  machine.copy.emplace();
  machine.copy->bandwidth = cost::GBps(1600);
  machine.copy->efficiency = cost::EfficiencyCurve({{64e6, 0.8}});
  return machine;
}

MachineExchange makeExchange(const cost::Machine &machine, double bytes,
                             int64_t ep, int64_t tp) {
  auto exchange = MachineExchange::create(machine, cost::Bytes(bytes), ep, tp);
  EXPECT_TRUE(bool(exchange));
  return *exchange;
}

/// Reproduces the printed milliseconds to the last digit.
TEST(MachineExchangeTest, Table8OfMoNTA) {
  cost::Machine machine = makeTable8();
  MachineExchange exchange = makeExchange(machine, 256e6, 2, 8);
  constexpr double kHalfDigit = 0.05;
  EXPECT_NEAR(exchange.getBaselineUs(), 6909.6, kHalfDigit);
  StageTimes whole = exchange.getStageTimes(1, Strategy::O1);
  EXPECT_NEAR(whole.allToAllUs, 1012.7, kHalfDigit);
  EXPECT_NEAR(whole.allGatherUs, 1443.3, kHalfDigit);
  StageTimes chunk = exchange.getStageTimes(4, Strategy::O3);
  EXPECT_NEAR(chunk.allToAllUs, 374.7, kHalfDigit);
  EXPECT_NEAR(chunk.allGatherUs, 385.7, kHalfDigit);
  EXPECT_NEAR(chunk.copyUs, 50, kHalfDigit);

  StrategyPlan plan = StrategyPlanner().plan(exchange, {64, 4, 0});
  auto overBaseline = [&](Strategy strategy) {
    return plan.get(strategy).timeUs / plan.get(Strategy::Baseline).timeUs;
  };
  EXPECT_NEAR(overBaseline(Strategy::O1), 0.355, 0.0005);
  EXPECT_NEAR(overBaseline(Strategy::O2), 0.306, 0.0005);
  EXPECT_NEAR(overBaseline(Strategy::O3), 0.285, 0.0005);
  // SPEC MO-8: with Table 8 alone the choice at 8K is O3.
  EXPECT_EQ(plan.chosen, Strategy::O3);
  EXPECT_EQ(*plan.runnerUp, Strategy::O2);
}

/// SPEC MO-2 and MO-3 as printed, with random efficiencies.
TEST(MachineExchangeTest, FormulasOfMoNTA) {
  std::mt19937_64 random(14);
  for (int i = 0; i < 500; ++i) {
    double b1 = double(pick(random, 1, 100)), b2 = double(pick(random, 1, 900));
    double b3 = double(pick(random, 1, 3000));
    int64_t t = pick(random, 2, 16), e = 2;
    double tp = double(t), ep = double(e);
    cost::Machine machine = makeMachine(t, b1, b2);
    auto makeCurve = [&] {
      return cost::EfficiencyCurve(
          {{1e3, double(pick(random, 1, 50)) / 100}, {1e9, 0.9}});
    };
    machine.levels[0].efficiency = makeCurve();
    machine.levels[1].efficiency = makeCurve();
    machine.copy.emplace();
    machine.copy->bandwidth = cost::GBps(b3);
    machine.copy->efficiency = makeCurve();
    auto r1 = [&](double bytes) {
      return machine.levels[1].efficiency.at(cost::Bytes(bytes));
    };
    auto r2 = [&](double bytes) {
      return machine.levels[0].efficiency.at(cost::Bytes(bytes));
    };
    auto r3 = [&](double bytes) {
      return machine.copy->efficiency.at(cost::Bytes(bytes));
    };
    double bytes = double(pick(random, 1, 1000000000));
    MachineExchange exchange = makeExchange(machine, bytes, e, t);
    auto near = [](double got, double expected) {
      EXPECT_NEAR(got, expected, 1e-9 * expected);
    };
    near(exchange.getBaselineUs(),
         bytes * ((ep - 1) / ep) / (b1 * 1e3 * r1(bytes)));
    for (int64_t chunks : {1, 2, 7, 64}) {
      double n = double(chunks), part = bytes / (n * tp), piece = bytes / n;
      StageTimes stages = exchange.getStageTimes(chunks, Strategy::O2);
      near(stages.allToAllUs, part * ((ep - 1) / ep) / (b1 * 1e3 * r1(part)));
      near(stages.allGatherUs,
           piece * ((tp - 1) / tp) / (b2 * 1e3 * r2(piece)));
      near(stages.copyUs, piece / (b3 * 1e3 * r3(piece)));
      EXPECT_EQ(exchange.getMessageBytes(chunks), part);
    }
  }
}

/// Each operation of a chunked pipeline pays the stall; one chunk pays none.
TEST(MachineExchangeTest, StallOfPipelinedOperations) {
  cost::Machine machine = makeTable8();
  MachineExchange plain = makeExchange(machine, 256e6, 2, 8);
  cost::Machine stalling = machine;
  stalling.pipelineStall.value = cost::Microseconds(100);
  MachineExchange stalled = makeExchange(stalling, 256e6, 2, 8);
  EXPECT_EQ(plain.getBaselineUs(), stalled.getBaselineUs());
  for (int64_t chunks : {1, 4}) {
    double stallUs = chunks == 1 ? 0 : 100;
    StageTimes a = plain.getStageTimes(chunks, Strategy::O2);
    StageTimes b = stalled.getStageTimes(chunks, Strategy::O2);
    EXPECT_DOUBLE_EQ(b.allToAllUs, a.allToAllUs + stallUs);
    EXPECT_DOUBLE_EQ(b.allGatherUs, a.allGatherUs + stallUs);
    EXPECT_DOUBLE_EQ(b.copyUs, a.copyUs + stallUs);
  }
}

/// Inside a node both collectives use the same links and take turns, and
/// likewise if both leave the node. Only copies can then be hidden.
TEST(MachineExchangeTest, CollectivesOnTheSameLinksTakeTurns) {
  cost::Machine machine = makeTable8();
  StageResources resources = makeExchange(machine, 256e6, 2, 4).getResources();
  EXPECT_EQ(resources.allToAll, getResourceId(cost::Resource::Intra));
  EXPECT_EQ(resources.allGather, resources.allToAll);
  resources = makeExchange(machine, 256e6, 2, 8).getResources();
  EXPECT_EQ(resources.allToAll, getResourceId(cost::Resource::Inter));
  EXPECT_EQ(resources.allGather, getResourceId(cost::Resource::Intra));
  EXPECT_EQ(resources.copy, getResourceId(cost::Resource::Copy));

  MachineExchange exchange = makeExchange(machine, 256e6, 2, 4);
  StrategyPlan plan = StrategyPlanner().plan(exchange, {64, 4, 0});
  const StrategyTime &o2 = plan.get(Strategy::O2), &o3 = plan.get(Strategy::O3);
  double collectivesUs = o2.stages.allToAllUs + o2.stages.allGatherUs;
  EXPECT_DOUBLE_EQ(o2.timeUs, 4 * (collectivesUs + o2.stages.copyUs));
  EXPECT_DOUBLE_EQ(o3.timeUs, 4 * collectivesUs + o3.stages.copyUs);
}

/// Table 8 with all-gathers three times as slow during a copy. In O3 the second
/// to fourth all-gathers each start during a copy of 50 us and do only a third
/// of the work meanwhile.
TEST(MachineExchangeTest, ContentionOfTheMachine) {
  cost::Machine quiet = makeTable8(), contending = quiet;
  contending.contention.push_back(
      {cost::Resource::Intra, cost::Resource::Copy, 3, "test"});
  MachineExchange alone = makeExchange(quiet, 256e6, 2, 8);
  MachineExchange beside = makeExchange(contending, 256e6, 2, 8);
  EXPECT_FALSE(alone.getContention().hasAny());
  ResourceId intra = getResourceId(cost::Resource::Intra);
  ResourceId copy = getResourceId(cost::Resource::Copy);
  EXPECT_EQ(beside.getContention().get(intra, copy), 3);
  EXPECT_EQ(beside.getContention().get(copy, intra), 1);

  StrategyPlan without = StrategyPlanner().plan(alone, {64, 4, 0});
  StrategyPlan with = StrategyPlanner().plan(beside, {64, 4, 0});
  EXPECT_NEAR(with.get(Strategy::O3).timeUs,
              without.get(Strategy::O3).timeUs + 3 * (50 - 50.0 / 3), 1e-9);
  // O2 never copies during an all-gather.
  EXPECT_NEAR(with.get(Strategy::O2).timeUs, without.get(Strategy::O2).timeUs,
              1e-9);
}

TEST(MachineExchangeTest, WhatCannotBeDone) {
  cost::Machine machine = makeTable8();
  EXPECT_EQ(makeExchange(machine, 1, 1, 8).getWhyNot(Strategy::O1),
            "nothing to exchange: one expert-parallel rank");
  EXPECT_EQ(makeExchange(machine, 1, 1, 8).getBaselineUs(), 0);
  EXPECT_EQ(makeExchange(machine, 1, 2, 1).getWhyNot(Strategy::O3),
            "no copies to drop: one tensor-parallel rank");
  EXPECT_EQ(makeExchange(machine, 1, 2, 8).getWhyNot(Strategy::O3), "");
  machine.copy.reset();
  EXPECT_EQ(makeExchange(machine, 1, 2, 8).getWhyNot(Strategy::O1), "");
  EXPECT_EQ(makeExchange(machine, 1, 2, 8).getWhyNot(Strategy::O2),
            "chunks cannot be put in place: 'two nodes' states no bandwidth of "
            "copies");

  auto error = [&](double bytes, int64_t ep, int64_t tp) {
    auto exchange =
        MachineExchange::create(machine, cost::Bytes(bytes), ep, tp);
    return exchange ? std::string("none") : exchange.getError();
  };
  EXPECT_EQ(error(0, 2, 8),
            "expected a finite number of bytes above 0, got 0.000000");
  EXPECT_EQ(error(-1, 2, 8),
            "expected a finite number of bytes above 0, got -1.000000");
  EXPECT_EQ(error(1, 0, 8), "expected degrees of parallelism of at least 1, "
                            "got ep 0 and tp 8");
  EXPECT_EQ(error(1, 4, 8), "expected a machine of at least ep * tp = 4 * 8 "
                            "ranks, got 'two nodes' with 16");
  EXPECT_EQ(error(1, int64_t(1) << 62, int64_t(1) << 62),
            "expected a machine of at least ep * tp = 4611686018427387904 * "
            "4611686018427387904 ranks, got 'two nodes' with 16");
}

} // namespace
