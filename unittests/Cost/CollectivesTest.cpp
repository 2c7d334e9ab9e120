// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of collectives, computed by hand.

#include "moe/Cost/Collectives.h"
#include "Machines.h"
#include "moe/Cost/Extrapolation.h"
#include "gtest/gtest.h"

#include <random>

using namespace moe::cost;

namespace {

constexpr CollectiveKind kAllKinds[] = {
    CollectiveKind::AllToAll, CollectiveKind::AllGather,
    CollectiveKind::ReduceScatter, CollectiveKind::AllReduce};

CollectivePlan makePlan(const Machine &machine, const RankGroups &groups,
                        CollectiveKind kind) {
  auto plan = CollectivePlan::create(machine, groups, kind);
  EXPECT_TRUE(bool(plan)) << (plan ? "" : plan.getError());
  return *plan;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

TEST(RankGroupsTest, LastAxisIsFastest) {
  RankGroups ep = makeGroups({2, 3}, {0});
  EXPECT_EQ(ep.getNumGroups(), 3);
  EXPECT_EQ(std::vector<int64_t>(ep.getGroup(1).begin(), ep.getGroup(1).end()),
            (std::vector<int64_t>{1, 4}));
  RankGroups tp = makeGroups({2, 3}, {1});
  EXPECT_EQ(tp.getNumGroups(), 2);
  EXPECT_EQ(std::vector<int64_t>(tp.getGroup(1).begin(), tp.getGroup(1).end()),
            (std::vector<int64_t>{3, 4, 5}));
  RankGroups both = makeGroups({2, 3}, {1, 0});
  EXPECT_EQ(
      std::vector<int64_t>(both.getGroup(0).begin(), both.getGroup(0).end()),
      (std::vector<int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(makeGroups({2, 3}, {}).getNumGroups(), 6);
}

TEST(RankGroupsTest, RunsInsideALevel) {
  EXPECT_EQ(makeGroups({4, 8}, {1}).countTogether(8), 8);
  EXPECT_TRUE(makeGroups({4, 8}, {1}).stayInside(8));
  EXPECT_TRUE(makeGroups({4, 8}, {1}).stayInside(32));
  EXPECT_EQ(makeGroups({4, 8}, {0}).countTogether(8), 1);
  EXPECT_FALSE(makeGroups({4, 8}, {0}).stayInside(8));
  EXPECT_EQ(makeGroups({4, 8}, {0, 1}).countTogether(8), 8);
  EXPECT_FALSE(makeGroups({4, 8}, {0, 1}).stayInside(8));
  // Nodes of 4 ranks cut groups of 6 into runs of 4 and 2.
  EXPECT_EQ(makeGroups({2, 6}, {1}).countTogether(4), std::nullopt);
  // A rank that returns to its node starts another run.
  EXPECT_EQ(RankGroups::fromLists({0, 4, 1, 5}, 4)->countTogether(4), 1);
}

TEST(RankGroupsTest, Errors) {
  auto getError = [](std::vector<int64_t> shape, std::vector<unsigned> axes) {
    auto groups = RankGroups::fromMesh(shape, axes);
    return groups ? std::string() : groups.getError();
  };
  EXPECT_EQ(getError({2, 0}, {0}),
            "mesh: expected axes of at least 1 rank, got 0");
  EXPECT_EQ(getError({2, -3}, {0}),
            "mesh: expected axes of at least 1 rank, got -3");
  EXPECT_EQ(getError({1 << 20, 1 << 20}, {0}),
            "mesh: expected at most 16777216 ranks, got more");
  EXPECT_EQ(getError({2, 2}, {2}), "group: expected an axis below 2, got 2");
  EXPECT_EQ(getError({2, 2}, {1, 1}),
            "group: expected each axis at most once, got axis 1 twice");
  EXPECT_EQ(RankGroups::fromLists({0, 1, 2}, 2).getError(),
            "groups: expected a positive multiple of 2 ranks, got 3");
  EXPECT_EQ(RankGroups::fromLists({0, 1, 1, 2}, 2).getError(),
            "groups: expected each rank at most once, got rank 1 twice");
  EXPECT_EQ(RankGroups::fromLists({0, -1}, 2).getError(),
            "groups: expected ranks in [0, 16777216), got -1");
  EXPECT_EQ(RankGroups::fromLists({}, 2).getError(),
            "groups: expected a positive multiple of 2 ranks, got 0");
  EXPECT_EQ(RankGroups::fromLists({0}, 0).getError(),
            "groups: expected at least 1 rank a group, got 0");
}

//===----------------------------------------------------------------------===//
// Counts by hand
//===----------------------------------------------------------------------===//

TEST(CollectivesTest, MO2StageTimes) {
  // ep 2 across two nodes, tp 8 inside; efficiencies of Table 8, M = 1e6.
  Machine machine = makeNodes(2);
  machine.levels[0].efficiency = EfficiencyCurve({{64e6, .726}, {256e6, .776}});
  machine.levels[1].efficiency =
      EfficiencyCurve({{8e6, .427}, {32e6, .632}, {256e6, .741}});
  CollectivePlan a2a =
      makePlan(machine, makeGroups({2, 8}, {0}), CollectiveKind::AllToAll);
  CollectivePlan gather =
      makePlan(machine, makeGroups({2, 8}, {1}), CollectiveKind::AllGather);
  EXPECT_EQ(a2a.getResource(), Resource::Inter);
  EXPECT_EQ(gather.getResource(), Resource::Intra);

  // SPEC MO-8, in microseconds: baseline, O1, a chunk of four.
  EXPECT_NEAR(a2a.getTime(Bytes(256e6)).value(), 6909.6, 0.05);
  EXPECT_NEAR(a2a.getTime(Bytes(256e6 / 8)).value(), 1012.7, 0.05);
  EXPECT_NEAR(gather.getTime(Bytes(256e6)).value(), 1443.3, 0.05);
  EXPECT_NEAR(a2a.getTime(Bytes(256e6 / 4 / 8)).value(), 374.7, 0.05);
  EXPECT_NEAR(gather.getTime(Bytes(256e6 / 4)).value(), 385.7, 0.05);

  // MO-2 and MO-3 hold at any size, with the curve at the stage's buffer; they
  // have no latency.
  for (Level &level : machine.levels)
    level.latency = Microseconds(0);
  a2a = makePlan(machine, makeGroups({2, 8}, {0}), CollectiveKind::AllToAll);
  gather =
      makePlan(machine, makeGroups({2, 8}, {1}), CollectiveKind::AllGather);
  for (double size : {1e5, 3e7, 1e8, 4e9}) {
    double r1 = machine.levels[1].efficiency.at(Bytes(size));
    double r2 = machine.levels[0].efficiency.at(Bytes(size));
    EXPECT_DOUBLE_EQ(a2a.getTime(Bytes(size)).value(),
                     size * 0.5 / (25e3 * r1));
    EXPECT_DOUBLE_EQ(gather.getTime(Bytes(size)).value(),
                     size * 7 / 8 / (200e3 * r2));
  }
}

TEST(CollectivesTest, TwoExpertRanksANode) {
  // ep 8 x tp 4 on nodes of 8: rank = 4 ep + tp, so ep 0 and 1 share node 0.
  // Each rank has 7 peers, 1 in its node and 6 outside, and sends each 1/8.
  RankGroups ep = makeGroups({8, 4}, {0});
  CollectivePlan plan = makePlan(makeNodes(4), ep, CollectiveKind::AllToAll);
  CostBreakdown cost = plan.explain(Bytes(8e6));
  ASSERT_EQ(cost.levels.size(), 2u);
  EXPECT_DOUBLE_EQ(cost.levels[0].rankBytes.value(), 1e6);
  EXPECT_DOUBLE_EQ(cost.levels[0].time.value(), 5); // 1e6 / 200e3
  EXPECT_DOUBLE_EQ(cost.levels[1].rankBytes.value(), 6e6);
  EXPECT_DOUBLE_EQ(cost.levels[1].endpointBytes.value(), 6e6);
  EXPECT_DOUBLE_EQ(cost.levels[1].time.value(), 240); // 6e6 / 25e3
  EXPECT_EQ(cost.bottleneck, 1u);
  EXPECT_DOUBLE_EQ(cost.time.value(), 240);
  EXPECT_DOUBLE_EQ(plan.getRankFraction(0), 1.0 / 8);
  EXPECT_DOUBLE_EQ(plan.getRankFraction(1), 6.0 / 8);

  // Two ranks share a NIC, so its bytes double; each rank's bytes do not.
  cost = makePlan(makeNodes(4, 2), ep, CollectiveKind::AllToAll)
             .explain(Bytes(8e6));
  EXPECT_DOUBLE_EQ(cost.levels[1].rankBytes.value(), 6e6);
  EXPECT_DOUBLE_EQ(cost.levels[1].endpointBytes.value(), 12e6);
  EXPECT_DOUBLE_EQ(cost.time.value(), 480);
}

TEST(CollectivesTest, SharedNicOfOneGroupOnly) {
  // One group of two ranks on different nodes does not share its NICs.
  RankGroups pair = *RankGroups::fromLists({0, 8}, 2);
  EXPECT_DOUBLE_EQ(makePlan(makeNodes(2, 8), pair, CollectiveKind::AllToAll)
                       .getTime(Bytes(1e6))
                       .value(),
                   0.5e6 / 25e3);
  // All eight pairs share them.
  EXPECT_DOUBLE_EQ(makePlan(makeNodes(2, 8), makeGroups({2, 8}, {0}),
                            CollectiveKind::AllToAll)
                       .getTime(Bytes(1e6))
                       .value(),
                   8 * 0.5e6 / 25e3);
}

TEST(CollectivesTest, AllGatherOverTwoLevels) {
  // 16 ranks on 2 nodes: half of the result enters a node, spread over 8 ranks
  // (1/16 each); then 7/8 move inside. 1/16 + 7/8 = 15/16 (SPEC CC-2).
  CollectivePlan plan =
      makePlan(makeNodes(2), makeGroups({16}, {0}), CollectiveKind::AllGather);
  EXPECT_DOUBLE_EQ(plan.getRankFraction(1), 1.0 / 16);
  EXPECT_DOUBLE_EQ(plan.getRankFraction(0), 7.0 / 8);
  // 16e6 bytes: 14e6 at 200 GB/s inside, 1e6 at 25 GB/s between nodes.
  CostBreakdown cost = plan.explain(Bytes(16e6));
  EXPECT_DOUBLE_EQ(cost.levels[0].time.value(), 70);
  EXPECT_DOUBLE_EQ(cost.levels[1].time.value(), 40);
  EXPECT_EQ(cost.bottleneck, 0u);
  // Eight ranks share one NIC.
  cost = makePlan(makeNodes(2, 8), makeGroups({16}, {0}),
                  CollectiveKind::AllGather)
             .explain(Bytes(16e6));
  EXPECT_DOUBLE_EQ(cost.levels[1].time.value(), 320);
  EXPECT_EQ(cost.bottleneck, 1u);
}

TEST(CollectivesTest, UnevenParts) {
  // Ranks 0, 1, 2 are on node 0 and rank 8 is on node 1. Node 0 lacks 1/4, in
  // thirds; node 1 lacks 3/4, all for rank 8, which sends its own quarter.
  RankGroups groups = *RankGroups::fromLists({0, 1, 2, 8}, 4);
  CostBreakdown cost = makePlan(makeNodes(2), groups, CollectiveKind::AllGather)
                           .explain(Bytes(12e6));
  EXPECT_DOUBLE_EQ(cost.levels[1].rankBytes.value(), 9e6);
  EXPECT_EQ(cost.levels[1].endpoint, 8);
  // Then each of the three on node 0 lacks 2/3.
  EXPECT_DOUBLE_EQ(cost.levels[0].rankBytes.value(), 8e6);
  // All-to-all: rank 8 has three peers on the other node, the others have one.
  cost = makePlan(makeNodes(2), groups, CollectiveKind::AllToAll)
             .explain(Bytes(12e6));
  EXPECT_DOUBLE_EQ(cost.levels[1].rankBytes.value(), 9e6);
  EXPECT_EQ(cost.levels[1].endpoint, 8);
  EXPECT_DOUBLE_EQ(cost.levels[0].rankBytes.value(), 6e6);
}

TEST(CollectivesTest, CC2Volumes) {
  // Bytes that a rank sends over all levels, for aligned groups of any kind.
  Machine machine;
  machine.levels = {makeLevel("pair", 2, 300), makeLevel("node", 8, 100),
                    makeLevel("network", 64, 25)};
  for (auto &[shape, axes] :
       std::vector<std::pair<std::vector<int64_t>, std::vector<unsigned>>>{
           {{64}, {0}},
           {{8, 8}, {0}},
           {{8, 8}, {1}},
           {{16, 4}, {0}},
           {{2, 4, 8}, {0, 2}},
           {{2, 4, 8}, {0, 1}},
           {{3, 5}, {0}}}) {
    RankGroups groups = makeGroups(shape, axes);
    double n = double(groups.getGroupSize());
    bool isAligned = shape.size() != 2 || shape[0] != 3;
    for (CollectiveKind kind : kAllKinds) {
      CollectivePlan plan = makePlan(machine, groups, kind);
      double sum = 0;
      for (unsigned level = 0; level < 3; ++level)
        sum += plan.getRankFraction(level);
      double times = kind == CollectiveKind::AllReduce ? 2 : 1;
      if (isAligned)
        EXPECT_NEAR(sum, times * (n - 1) / n, 1e-12);
      else // The busiest ranks of levels may differ.
        EXPECT_GE(sum, times * (n - 1) / n - 1e-12);
    }
  }
}

TEST(CollectivesTest, OneRankIsFree) {
  for (CollectiveKind kind : kAllKinds) {
    CollectivePlan plan = makePlan(makeNodes(2), makeGroups({2, 8}, {}), kind);
    EXPECT_EQ(plan.getTime(Bytes(1e9)), Microseconds(0));
    EXPECT_TRUE(plan.explain(Bytes(1e9)).levels.empty());
    EXPECT_FALSE(plan.explain(Bytes(1e9)).bottleneck);
  }
}

TEST(CollectivesTest, LatencyOfTheOutermostLevel) {
  Machine machine = makeNodes(2);
  machine.levels[0].latency = Microseconds(3);
  machine.levels[1].latency = Microseconds(11);
  auto getAlpha = [&](std::vector<int64_t> shape, std::vector<unsigned> axes) {
    return makePlan(machine, makeGroups(shape, axes), CollectiveKind::AllToAll)
        .explain(Bytes(1e6))
        .alpha.value();
  };
  EXPECT_EQ(getAlpha({2, 8}, {1}), 3);
  EXPECT_EQ(getAlpha({2, 8}, {0}), 11);
  EXPECT_EQ(getAlpha({16}, {0}), 11);
  // SPEC CC-3: a curve contains the latency, unless the level states otherwise.
  machine.levels[1].efficiency = EfficiencyCurve({{1e6, 0.5}});
  EXPECT_EQ(getAlpha({2, 8}, {0}), 0);
  machine.levels[1].isCurveLatencyFree = true;
  EXPECT_EQ(getAlpha({2, 8}, {0}), 11);
}

TEST(CollectivesTest, SmallMessagesKeepTheLatencyOfCurves) {
  Machine machine = makeNodes(2);
  machine.levels[1].efficiency = EfficiencyCurve({{1e6, 0.2}, {2e6, 0.3}});
  machine.levels[1].latency = Microseconds(4);
  CollectivePlan plan =
      makePlan(machine, makeGroups({2, 8}, {0}), CollectiveKind::AllToAll);
  double first = plan.getTime(Bytes(1e6)).value();
  double latency = machine.levels[1].latency.value();
  EXPECT_LT(latency, first);
  EXPECT_EQ(plan.getTime(Bytes(64)).value(), latency);
  EXPECT_NEAR(plan.getTime(Bytes(9e5)).value(), .9 * first, 1e-9);
  EXPECT_TRUE(plan.isExtrapolated(Bytes(64)));
  EXPECT_TRUE(plan.isExtrapolated(Bytes(3e6)));
  EXPECT_FALSE(plan.isExtrapolated(Bytes(1e6)));
  CostBreakdown cost = plan.explain(Bytes(64));
  EXPECT_TRUE(cost.isExtrapolated);
  ASSERT_EQ(cost.levels.size(), 1u);
  EXPECT_EQ(cost.time, cost.levels[0].time);
  // The efficiency is consistent with the time.
  EXPECT_NEAR(cost.levels[0].endpointBytes.value() /
                  (machine.levels[1].bandwidth.value() * 1e3 *
                   cost.levels[0].efficiency),
              cost.time.value(), 1e-9);
}

TEST(CollectivesTest, FitsReplaceTheModel) {
  Machine machine = makeNodes(2);
  machine.levels[1].fits[unsigned(CollectiveKind::AllToAll)] =
      CollectiveFit{Microseconds(100),
                    MicrosecondsPerByte(1e-3),
                    {},
                    {},
                    Bytes(1e3),
                    Bytes(1e6),
                    {},
                    "",
                    {}};
  RankGroups ep = makeGroups({2, 8}, {0});
  CollectivePlan plan = makePlan(machine, ep, CollectiveKind::AllToAll);
  EXPECT_DOUBLE_EQ(plan.getTime(Bytes(1e6)).value(), 1100);
  EXPECT_TRUE(plan.explain(Bytes(1e6)).isFit);
  EXPECT_FALSE(plan.explain(Bytes(1e6)).isExtrapolated);
  EXPECT_TRUE(plan.explain(Bytes(2e6)).isExtrapolated);
  EXPECT_TRUE(plan.explain(Bytes(10)).isExtrapolated);
  // The fit does not apply to other kinds or to collectives inside a node.
  EXPECT_FALSE(makePlan(machine, ep, CollectiveKind::AllGather)
                   .explain(Bytes(1e6))
                   .isFit);
  EXPECT_FALSE(
      makePlan(machine, makeGroups({2, 8}, {1}), CollectiveKind::AllToAll)
          .explain(Bytes(1e6))
          .isFit);
  // When measured on two nodes of eight, half of the buffer left each rank's
  // node; with pairs of ranks on different nodes, half of it leaves as well.
  machine.levels[1].fits[unsigned(CollectiveKind::AllToAll)]->groupRanks = 16;
  CollectivePlan pairs = makePlan(machine, ep, CollectiveKind::AllToAll);
  EXPECT_NEAR(pairs.getTime(Bytes(1e6)).value(), 1100, 1e-9);
  EXPECT_TRUE(pairs.explain(Bytes(1e6)).isExtrapolated);
}

StepProtocol makeProtocol(StepAlgorithm algorithm, const char *name,
                          double start, double innerStep, double step) {
  StepProtocol protocol;
  protocol.algorithm = algorithm;
  protocol.name = name;
  protocol.start = Microseconds(start);
  protocol.innerStep = Microseconds(innerStep);
  protocol.step = Microseconds(step);
  return protocol;
}

TEST(CollectivesTest, ARingTakesSteps) {
  Machine machine = makeNodes(2);
  machine.levels[1].latency = Microseconds(1000);
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Ring, "plain", 10, 1, 5)};
  RankGroups all = makeGroups({16}, {0});
  auto getTime = [&](CollectiveKind kind) {
    return makePlan(machine, all, kind).getTime(Bytes(16e6)).value();
  };
  // 14 steps inside, one between nodes. Each rank forwards 15e6 bytes at 200
  // GB/s; each node forwards as many over 8 NICs of 25 GB/s, which takes as
  // long.
  double alpha = 10 + 14 * 1 + 5;
  EXPECT_DOUBLE_EQ(getTime(CollectiveKind::AllGather), alpha + 75);
  EXPECT_DOUBLE_EQ(getTime(CollectiveKind::ReduceScatter), alpha + 75);
  EXPECT_DOUBLE_EQ(getTime(CollectiveKind::AllReduce), 10 + 2 * 19 + 150);
  // All-to-alls use no rings, and protocols do not apply inside a node.
  EXPECT_DOUBLE_EQ(getTime(CollectiveKind::AllToAll), 1000 + 8e6 / 25e3);
  RankGroups node = makeGroups({2, 8}, {1});
  EXPECT_DOUBLE_EQ(makePlan(machine, node, CollectiveKind::AllGather)
                       .getTime(Bytes(16e6))
                       .value(),
                   14e6 / 200e3);
  // Each rank of a pair on two nodes forwards half over its own NIC.
  RankGroups pairs = makeGroups({2, 8}, {0});
  EXPECT_DOUBLE_EQ(makePlan(machine, pairs, CollectiveKind::AllGather)
                       .getTime(Bytes(16e6))
                       .value(),
                   10 + 5 + 8e6 / 25e3);

  StepProtocol &ring = machine.levels[1].protocols[0];
  ring.share = 0.5;
  EXPECT_DOUBLE_EQ(getTime(CollectiveKind::AllGather), alpha + 150);
  ring.mostRate = GBps(10);
  EXPECT_DOUBLE_EQ(getTime(CollectiveKind::AllGather), alpha + 1500);
  EXPECT_DOUBLE_EQ(getTime(CollectiveKind::AllReduce), 10 + 2 * 19 + 3000);
}

TEST(CollectivesTest, ProtocolsTakeTheSlopeOfTheLineInside) {
  Machine machine = makeNodes(2);
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Ring, "plain", 10, 1, 5)};
  CollectiveFit line;
  line.alpha = Microseconds(7);
  line.beta = MicrosecondsPerByte(7e-6);
  line.groupRanks = 8;
  line.minBytes = Bytes(1e6);
  line.maxBytes = Bytes(1e8);
  machine.levels[0].fits[unsigned(CollectiveKind::AllGather)] = line;
  CollectivePlan plan =
      makePlan(machine, makeGroups({16}, {0}), CollectiveKind::AllGather);
  // 8 ranks forwarded 7/8 and 16 forward 15/16, so a byte takes 7.5e-6 us. The
  // steps include the fit's start.
  EXPECT_NEAR(plan.getTime(Bytes(16e6)).value(), 29 + 120, 1e-9);
  CostBreakdown cost = plan.explain(Bytes(16e6));
  EXPECT_EQ(cost.protocol, "ring, plain");
  EXPECT_FALSE(cost.isFit);
  EXPECT_DOUBLE_EQ(cost.alpha.value(), 29);
  ASSERT_EQ(cost.bottleneck, 0u);
  EXPECT_NEAR(cost.levels[0].time.value(), 120, 1e-9);
  EXPECT_NEAR(cost.levels[0].efficiency, 75.0 / 120, 1e-12);
  EXPECT_DOUBLE_EQ(cost.levels[1].endpointBytes.value(), 15e6 / 8);
  EXPECT_FALSE(cost.isExtrapolated);
  EXPECT_TRUE(plan.isExtrapolated(Bytes(1e5)));
  EXPECT_TRUE(plan.explain(Bytes(2e8)).isExtrapolated);
  // A fit of the level itself replaces protocols.
  line.groupRanks = 16;
  machine.levels[1].fits[unsigned(CollectiveKind::AllGather)] = line;
  plan = makePlan(machine, makeGroups({16}, {0}), CollectiveKind::AllGather);
  EXPECT_NEAR(plan.getTime(Bytes(16e6)).value(), 7 + 112, 1e-9);
  EXPECT_TRUE(plan.explain(Bytes(16e6)).protocol.empty());
}

TEST(CollectivesTest, ProtocolsDoNotReadTheOrderOfRanks) {
  Machine machine = makeNodes(2);
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Ring, "plain", 10, 1, 5)};
  CollectiveFit line;
  line.alpha = Microseconds(7);
  line.beta = MicrosecondsPerByte(7e-6);
  line.groupRanks = 8;
  machine.levels[0].fits[unsigned(CollectiveKind::AllGather)] = line;
  // 0, 8, 1, 9 and so on.
  std::vector<int64_t> ranks;
  for (int64_t i = 0; i < 8; ++i)
    ranks.insert(ranks.end(), {i, 8 + i});
  RankGroups alternating = *RankGroups::fromLists(ranks, 16);
  EXPECT_NEAR(makePlan(machine, alternating, CollectiveKind::AllGather)
                  .getTime(Bytes(16e6))
                  .value(),
              29 + 120, 1e-9);
}

TEST(CollectivesTest, RingsOfOneRankANodeTakeTheStepsOfTrees) {
  Machine machine = makeNodes(2);
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Ring, "plain", 10, 1, 5),
      makeProtocol(StepAlgorithm::Tree, "plain", 20, 2, 8)};
  auto getTime = [&](RankGroups groups) {
    return makePlan(machine, groups, CollectiveKind::AllGather)
        .getTime(Bytes(16e6))
        .value();
  };
  EXPECT_DOUBLE_EQ(getTime(makeGroups({2, 8}, {0})), 10 + 8 + 8e6 / 25e3);
  EXPECT_DOUBLE_EQ(getTime(makeGroups({16}, {0})), 10 + 14 + 5 + 75);
}

TEST(CollectivesTest, TreesAreForAllReduces) {
  auto getTime = [](int64_t nodes, std::vector<int64_t> shape, double bytes) {
    Machine machine = makeNodes(nodes);
    machine.levels[1].protocols = {
        makeProtocol(StepAlgorithm::Tree, "plain", 20, 2, 8)};
    return makePlan(machine, makeGroups(shape, {0}), CollectiveKind::AllReduce)
        .getTime(Bytes(bytes))
        .value();
  };
  // The chain of 8 is passed up and down; on 2 nodes each sends the buffer
  // once.
  EXPECT_DOUBLE_EQ(getTime(2, {16}, 16e6), 20 + 2 * (7 * 2 + 8) + 160);
  // On 4 or more nodes each sends it twice; the depth is 2, then 4.
  EXPECT_DOUBLE_EQ(getTime(4, {32}, 32e6), 20 + 2 * (7 * 2 + 16) + 320);
  EXPECT_DOUBLE_EQ(getTime(4, {4, 8}, 1e6), 20 + 2 * 16 + 2e6 / 25e3);
  EXPECT_DOUBLE_EQ(getTime(3, {3, 8}, 1e6), 20 + 2 * 8 + 1.5e6 / 25e3);
  EXPECT_DOUBLE_EQ(getTime(16, {16, 8}, 1e6), 20 + 2 * 32 + 2e6 / 25e3);
  EXPECT_DOUBLE_EQ(getTime(2, {2, 8}, 1e6), 20 + 2 * 8 + 1e6 / 25e3);
}

TEST(CollectivesTest, SwitchesReduceForTheRanksOfANode) {
  auto make = [](int64_t nodes, std::vector<int64_t> shape) {
    Machine machine = makeNodes(nodes);
    CollectiveFit line;
    line.beta = MicrosecondsPerByte(1);
    machine.levels[0].fits[unsigned(CollectiveKind::AllReduce)] = line;
    machine.levels[1].protocols = {
        makeProtocol(StepAlgorithm::NvlsTree, "plain", 10, 3, 5)};
    return makePlan(machine, makeGroups(shape, {0}), CollectiveKind::AllReduce);
  };
  // A rank gives 16e6 bytes at 200 and an eighth of the result, which takes
  // longer than the 8 NICs of 25. The node's line was measured without
  // switches.
  EXPECT_DOUBLE_EQ(make(2, {16}).getTime(Bytes(16e6)).value(),
                   10 + 3 + 2 * 5 + 90);
  // On 4 nodes each sends twice as much as on 2.
  EXPECT_DOUBLE_EQ(make(4, {32}).getTime(Bytes(16e6)).value(),
                   10 + 3 + 2 * 2 * 5 + 160);
  // Not for fewer than 4 ranks in a node, nor for other collectives.
  EXPECT_EQ(make(4, {16, 2}).explain(Bytes(1e6)).protocol, "nvls-tree, plain");
  EXPECT_EQ(make(4, {8, 4}).explain(Bytes(1e6)).protocol, "");
  Machine machine = makeNodes(2);
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::NvlsTree, "plain", 10, 3, 5)};
  EXPECT_EQ(makePlan(machine, makeGroups({16}, {0}), CollectiveKind::AllGather)
                .explain(Bytes(1e6))
                .protocol,
            "");
}

TEST(CollectivesTest, AProtocolsCurveReplacesTheLevels) {
  Machine machine = makeNodes(2);
  machine.levels[1].efficiency = EfficiencyCurve({{1, 0.1}});
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Tree, "plain", 20, 2, 8)};
  StepProtocol &tree = machine.levels[1].protocols[0];
  tree.efficiency = EfficiencyCurve({{1e6, 0.25}, {1e8, 0.75}});
  auto getTime = [&](double bytes) {
    return makePlan(machine, makeGroups({16}, {0}), CollectiveKind::AllReduce)
        .getTime(Bytes(bytes))
        .value();
  };
  double alpha = 20 + 2 * (7 * 2 + 8);
  // A node passes the buffer on over 8 NICs of 25; the rate inside stays.
  EXPECT_DOUBLE_EQ(getTime(1e6), alpha + 5 / 0.25);
  EXPECT_DOUBLE_EQ(getTime(1e8), alpha + 2e8 / 200e3);
  // The limit applies to the bytes up and down the tree.
  tree.mostRate = GBps(40);
  EXPECT_DOUBLE_EQ(getTime(1e6), alpha + 2e6 / 40e3 / 0.25);
  EXPECT_DOUBLE_EQ(getTime(1e7), alpha + 2e7 / 40e3 / 0.5);
}

TEST(CollectivesTest, TheFastestProtocolCounts) {
  Machine machine = makeNodes(2);
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Ring, "slow start", 100, 0, 0),
      makeProtocol(StepAlgorithm::Ring, "slow bytes", 1, 0, 0),
      makeProtocol(StepAlgorithm::Tree, "tree", 0, 0, 0)};
  machine.levels[1].protocols[1].share = 0.1;
  RankGroups all = makeGroups({16}, {0});
  CollectivePlan plan = makePlan(machine, all, CollectiveKind::AllGather);
  EXPECT_EQ(plan.explain(Bytes(1e3)).protocol, "ring, slow bytes");
  EXPECT_EQ(plan.explain(Bytes(1e9)).protocol, "ring, slow start");
  double before = 0;
  for (double bytes = 1; bytes < 1e10; bytes *= 3) {
    CostBreakdown cost = plan.explain(Bytes(bytes));
    EXPECT_GE(cost.time.value(), before);
    EXPECT_EQ(cost.time, plan.getTime(Bytes(bytes)));
    EXPECT_EQ(cost.time, cost.alpha + cost.levels[*cost.bottleneck].time);
    before = cost.time.value();
  }
  EXPECT_EQ(makePlan(machine, all, CollectiveKind::AllReduce)
                .explain(Bytes(1e3))
                .protocol,
            "tree, tree");
}

TEST(CollectivesTest, Errors) {
  Machine machine = makeNodes(2);
  auto plan = CollectivePlan::create(machine, makeGroups({32}, {0}),
                                     CollectiveKind::AllToAll);
  EXPECT_EQ(plan.getError(),
            "platform 'nodes': expected at most 16 ranks, which the outermost "
            "level spans, got 32");
  machine.levels[1].bandwidth = GBps(0);
  plan = CollectivePlan::create(machine, makeGroups({2}, {0}),
                                CollectiveKind::AllToAll);
  EXPECT_EQ(plan.getError(), "platform 'nodes': levels[1].bandwidth_GBps: "
                             "expected a number > 0, got 0");
  machine.levels[1].bandwidth = GBps(1);
  machine.levels[1].protocols.resize(2);
  machine.levels[1].protocols[1].share = 1.5;
  plan = CollectivePlan::create(machine, makeGroups({2}, {0}),
                                CollectiveKind::AllToAll);
  EXPECT_EQ(plan.getError(),
            "platform 'nodes': levels[1].protocols[1].bandwidth_share: "
            "expected a share above 0 and at most 1, got 1.5");
  machine.levels.clear();
  plan = CollectivePlan::create(machine, makeGroups({2}, {0}),
                                CollectiveKind::AllToAll);
  EXPECT_EQ(plan.getError(),
            "platform 'nodes': levels: expected at least one level");
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// Returns a random machine of 64 ranks, without curves.
Machine makeRandom(std::mt19937 &random) {
  auto pick = [&](std::vector<int64_t> of) { return of[random() % of.size()]; };
  int64_t node = pick({2, 4, 8, 16});
  Machine machine;
  machine.levels = {
      makeLevel("node", node, double(pick({50, 100, 450}))),
      makeLevel("rack", 32, double(pick({12, 25, 50})), pick({1, 2})),
      makeLevel("all", 64, double(pick({5, 25, 50})), pick({1, 4, 32}))};
  for (Level &level : machine.levels)
    level.latency = Microseconds(double(random() % 20));
  for (size_t l : {1, 2})
    for (StepAlgorithm algorithm : {StepAlgorithm::Ring, StepAlgorithm::Tree})
      for (double share : {0.5, 1.0}) {
        if (random() % 2)
          continue;
        StepProtocol protocol;
        protocol.algorithm = algorithm;
        protocol.name = share < 1 ? "fast" : "";
        protocol.start = Microseconds(double(random() % 8));
        protocol.innerStep = Microseconds(share * double(random() % 4));
        protocol.step = Microseconds(share * double(random() % 10));
        protocol.share = share;
        if (random() % 4 == 0)
          protocol.mostRate = GBps(double(pick({20, 80})));
        machine.levels[l].protocols.push_back(protocol);
      }
  return machine;
}

RankGroups makeRandomGroups(std::mt19937 &random) {
  static const std::vector<std::vector<int64_t>> kShapes = {
      {64}, {8, 8}, {4, 16}, {2, 4, 8}, {16, 2, 2}, {3, 5, 4}, {7, 9}};
  const std::vector<int64_t> &shape = kShapes[random() % kShapes.size()];
  std::vector<unsigned> axes;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (random() % 2)
      axes.push_back(axis);
  return makeGroups(shape, axes);
}

TEST(CollectivesTest, ProtocolAtALineOfOtherGroups) {
  // A line inside of nodes, of 4 ranks, for the 8 that a node has.
  Machine machine = makeNodes(2);
  CollectiveFit line;
  line.alpha = Microseconds(1);
  line.beta = MicrosecondsPerByte(1e-3);
  line.groupRanks = 4;
  machine.levels[0].fits[unsigned(CollectiveKind::AllGather)] = line;
  StepProtocol protocol;
  machine.levels[1].protocols = {protocol};
  RankGroups groups = makeGroups({16}, {0});
  CollectivePlan plan = makePlan(machine, groups, CollectiveKind::AllGather);
  CostBreakdown cost = plan.explain(Bytes(1e6));
  // No name, no comma.
  EXPECT_EQ(cost.protocol, "ring");
  ASSERT_TRUE(cost.bottleneck);
  EXPECT_EQ(cost.levels[*cost.bottleneck].lineRanks, 8);
  EXPECT_TRUE(cost.isExtrapolated);
  EXPECT_EQ(describeExtrapolation(machine, groups, CollectiveKind::AllGather,
                                  Bytes(1e6)),
            "groups of 8 ranks, where 4 were measured");

  // Lines of smaller and of larger groups.
  CollectiveFit larger = line;
  larger.groupRanks = 16;
  machine.levels[0].fits[unsigned(CollectiveKind::AllGather)]->others = {
      larger};
  EXPECT_FALSE(makePlan(machine, groups, CollectiveKind::AllGather)
                   .isExtrapolated(Bytes(1e6)));

  // Ranks one a node take no line, so its sizes are not what was measured.
  RankGroups apart = makeGroups({2, 8}, {0});
  machine.levels[0].fits[unsigned(CollectiveKind::AllGather)]->maxBytes =
      Bytes(10);
  EXPECT_FALSE(makePlan(machine, apart, CollectiveKind::AllGather)
                   .isExtrapolated(Bytes(1e6)));
}

TEST(CollectivesPropertyTest, Monotonic) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Machine machine = makeRandom(random);
    RankGroups groups = makeRandomGroups(random);
    CollectiveKind kind = kAllKinds[random() % 4];
    CollectivePlan plan = makePlan(machine, groups, kind);
    Microseconds before = plan.getTime(Bytes(0));
    for (double bytes = 1; bytes < 1e10; bytes *= 7) {
      Microseconds time = plan.getTime(Bytes(bytes));
      EXPECT_GE(time, before);
      before = time;
      CostBreakdown cost = plan.explain(Bytes(bytes));
      EXPECT_EQ(cost.time, time);
      if (cost.bottleneck)
        EXPECT_EQ(cost.alpha + cost.levels[*cost.bottleneck].time, time);
    }
    // More bandwidth at any level never takes longer.
    Machine faster = machine;
    faster.levels[random() % 3].bandwidth += GBps(30);
    EXPECT_LE(makePlan(faster, groups, kind).getTime(Bytes(1e8)),
              plan.getTime(Bytes(1e8)));
    // An all-reduce is a reduce-scatter and an all-gather, with one latency.
    CollectivePlan gather =
        makePlan(machine, groups, CollectiveKind::AllGather);
    CollectivePlan reduce =
        makePlan(machine, groups, CollectiveKind::AllReduce);
    CostBreakdown half = gather.explain(Bytes(1e8));
    // Protocols use other algorithms for an all-reduce.
    if (!half.protocol.empty() || !reduce.explain(Bytes(1e8)).protocol.empty())
      continue;
    EXPECT_NEAR(reduce.getTime(Bytes(1e8)).value(),
                (2 * half.time - half.alpha).value(), 1e-6);
  }
}

TEST(CollectivesPropertyTest, TheOrderOfGroupsDoesNotMatter) {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    Machine machine = makeRandom(random);
    RankGroups groups = makeRandomGroups(random);
    std::vector<int64_t> ranks;
    for (int64_t g = groups.getNumGroups(); g-- > 0;) {
      std::vector<int64_t> group(groups.getGroup(g).begin(),
                                 groups.getGroup(g).end());
      std::shuffle(group.begin(), group.end(), random);
      ranks.insert(ranks.end(), group.begin(), group.end());
    }
    RankGroups shuffled = *RankGroups::fromLists(ranks, groups.getGroupSize());
    for (CollectiveKind kind : kAllKinds)
      EXPECT_NEAR(makePlan(machine, groups, kind).getTime(Bytes(1e7)).value(),
                  makePlan(machine, shuffled, kind).getTime(Bytes(1e7)).value(),
                  1e-6);
  }
}

TEST(CostModelTest, MakesAPlanOnce) {
  CostModel model(makeNodes(2));
  auto plan = model.getPlan(makeGroups({2, 8}, {0}), CollectiveKind::AllToAll);
  ASSERT_TRUE(bool(plan));
  for (unsigned i = 0; i < 16; ++i)
    (void)model.getPlan(makeGroups({16}, {0}), kAllKinds[i % 4]);
  EXPECT_EQ(*model.getPlan(makeGroups({2, 8}, {0}), CollectiveKind::AllToAll),
            *plan);
  EXPECT_NE(*model.getPlan(makeGroups({2, 8}, {0}), CollectiveKind::AllGather),
            *plan);
  EXPECT_FALSE(model.getPlan(makeGroups({99}, {0}), CollectiveKind::AllToAll));
}

} // namespace
