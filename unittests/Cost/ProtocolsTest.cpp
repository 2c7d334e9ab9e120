// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of collectives that run in steps of a protocol, computed by hand.

#include "Machines.h"
#include "moe/Cost/Collectives.h"
#include "moe/Cost/Extrapolation.h"
#include "gtest/gtest.h"

using namespace moe::cost;

namespace {

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

TEST(ProtocolsTest, ARingTakesSteps) {
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

TEST(ProtocolsTest, ProtocolsTakeTheSlopeOfTheLineInside) {
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

TEST(ProtocolsTest, ProtocolsDoNotReadTheOrderOfRanks) {
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

TEST(ProtocolsTest, RingsOfOneRankANodeTakeTheStepsOfTrees) {
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

TEST(ProtocolsTest, TreesAreForAllReduces) {
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

TEST(ProtocolsTest, SwitchesReduceForTheRanksOfANode) {
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

TEST(ProtocolsTest, AProtocolsCurveReplacesTheLevels) {
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

TEST(ProtocolsTest, TheHighestRateOfAProtocolIsOfItsLevel) {
  Machine machine = makeNodes(2);
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Ring, "plain", 10, 1, 5)};
  machine.levels[1].protocols[0].mostRate = GBps(10);
  RankGroups all = makeGroups({16}, {0});
  CollectivePlan plan = makePlan(machine, all, CollectiveKind::AllGather);
  CostBreakdown cost = plan.explain(Bytes(16e6));
  // 15e6 bytes at 10 GB/s. The links inside a node take 75 us, at their full
  // rate.
  EXPECT_TRUE(cost.isAtProtocolLimit);
  ASSERT_EQ(cost.bottleneck, 1u);
  EXPECT_DOUBLE_EQ(cost.levels[1].time.value(), 1500);
  EXPECT_DOUBLE_EQ(cost.levels[0].time.value(), 75);
  EXPECT_DOUBLE_EQ(cost.levels[0].efficiency, 1);
  EXPECT_EQ(cost.time, cost.alpha + cost.levels[1].time);
  // The curve of the level did not give the time.
  machine.levels[1].efficiency = EfficiencyCurve({{1, 1}, {10, 1}});
  EXPECT_FALSE(makePlan(machine, all, CollectiveKind::AllGather)
                   .isExtrapolated(Bytes(16e6)));

  machine.levels[1].protocols[0].mostRate = GBps(1000);
  cost = makePlan(machine, all, CollectiveKind::AllGather).explain(Bytes(16e6));
  EXPECT_FALSE(cost.isAtProtocolLimit);
}

TEST(ProtocolsTest, SizesOfAProtocolsOwnCurve) {
  Machine machine = makeNodes(2);
  machine.levels[1].efficiency = EfficiencyCurve({{1, 0.1}, {10, 0.1}});
  machine.levels[1].protocols = {
      makeProtocol(StepAlgorithm::Tree, "plain", 20, 2, 8)};
  StepProtocol &tree = machine.levels[1].protocols[0];
  tree.efficiency = EfficiencyCurve({{1e6, 0.25}, {1e8, 0.3}});
  RankGroups all = makeGroups({16}, {0});
  auto describe = [&](double bytes) {
    return describeExtrapolation(machine, all, CollectiveKind::AllReduce,
                                 Bytes(bytes));
  };
  EXPECT_EQ(describe(1e9),
            "1000000000 bytes, where 1000000 to 100000000 bytes were measured");
  tree.mostRate = GBps(1);
  EXPECT_EQ(describe(1e9),
            "1000000000 bytes, where 1000000 to 100000000 bytes were measured");
}

TEST(ProtocolsTest, TheFastestProtocolCounts) {
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

TEST(ProtocolsTest, ProtocolAtALineOfOtherGroups) {
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

} // namespace
