// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of collectives, computed by hand.

#include "moe/Cost/Collectives.h"
#include "Machines.h"
#include "gtest/gtest.h"

#include <random>

using namespace moe::cost;

namespace {

constexpr CollectiveKind kAllKinds[] = {
    CollectiveKind::AllToAll, CollectiveKind::AllGather,
    CollectiveKind::ReduceScatter, CollectiveKind::AllReduce};

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
