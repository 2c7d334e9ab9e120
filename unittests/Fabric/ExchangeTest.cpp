// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/CircuitExchange.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::fabric;

namespace {

/// Returns 4 servers of 2 ranks: 100 GB/s inside and 10 GB/s per NIC outside.
cost::Machine getMachine() {
  cost::Machine machine;
  machine.name = "four";
  cost::Level inside, outside;
  inside.name = "inside";
  outside.name = "outside";
  inside.ranks = 2;
  inside.bandwidth = cost::GBps(100);
  inside.latency = cost::Microseconds(1);
  outside.ranks = 8;
  outside.ranksPerNic = 2;
  outside.bandwidth = cost::GBps(10);
  outside.latency = cost::Microseconds(5);
  machine.levels = {inside, outside};
  cost::Circuits circuits;
  circuits.serverRanks = 2;
  circuits.opticalDegree = 3;
  circuits.epsNics = 1;
  circuits.nicRate = cost::GBps(10);
  circuits.reconfigurationBase = cost::Microseconds(41100);
  circuits.reconfigurationPerPair = cost::Microseconds(350);
  circuits.linkUp = cost::Microseconds(5.67e6);
  machine.circuits = circuits;
  return machine;
}

cost::RankGroups getGroups(std::vector<int64_t> ranks, int64_t size) {
  auto groups = cost::RankGroups::fromLists(std::move(ranks), size);
  return *groups;
}

Circuits join(int64_t n,
              std::vector<std::tuple<int64_t, int64_t, int32_t>> pairs) {
  Circuits circuits(n);
  for (auto [i, j, count] : pairs)
    circuits.at(i, j) = circuits.at(j, i) = count;
  return circuits;
}

TEST(ExchangeTest, CircuitsCarryWhatTheyCan) {
  Demand demand(3);
  demand.at(0, 1) = 12;
  demand.at(1, 0) = 2;
  demand.at(0, 2) = 3;
  Circuits circuits = join(3, {{0, 1, 2}});
  Ports ports{2, 1, Routing::Split};
  // 12 = 2 T + the part on EPS, which also carries 3: T = 5.
  ASSERT_DOUBLE_EQ(getTime(demand, circuits, ports), 5);
  EXPECT_EQ(listCircuitLoads(demand, circuits, ports),
            (std::vector<CircuitLoad>{{0, 1, 2, 10, 12}, {1, 0, 2, 2, 2}}));
  ports.routing = Routing::Exclusive;
  EXPECT_EQ(listCircuitLoads(demand, circuits, ports),
            (std::vector<CircuitLoad>{{0, 1, 2, 12, 12}, {1, 0, 2, 2, 2}}));
  // Without EPS, demand without a circuit has no path; circuits carry the rest.
  ports = {2, 0, Routing::Split};
  EXPECT_EQ(listCircuitLoads(demand, circuits, ports),
            (std::vector<CircuitLoad>{{0, 1, 2, 12, 12}, {1, 0, 2, 2, 2}}));
}

double getTimeOf(const cost::Traffic &traffic, const Circuits &circuits,
                 Routing routing = Routing::Split) {
  auto cost =
      getExchangeCost(getMachine(), getGroups({0, 1, 2, 3, 4, 5, 6, 7}, 8),
                      traffic, circuits, routing);
  EXPECT_TRUE(bool(cost)) << cost.getError();
  return cost ? cost->time.value() : -1;
}

TEST(ExchangeTest, WithoutCircuitsAsOverEps) {
  cost::RankGroups groups = getGroups({0, 1, 2, 3, 4, 5, 6, 7}, 8);
  cost::BlockExchange blocks{cost::CollectiveKind::AllToAll, 8000000};
  auto eps = cost::getTrafficCost(getMachine(), groups, blocks);
  ASSERT_TRUE(bool(eps));
  // Two ranks send 6 blocks of 1 MB each over one NIC.
  EXPECT_DOUBLE_EQ(eps->time.value(), 5 + 1200);
  EXPECT_DOUBLE_EQ(getTimeOf(blocks, Circuits(4)), eps->time.value());
  // 4 MB to each server: a quarter of the time with 3 circuits and EPS.
  Circuits all = join(
      4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}});
  EXPECT_DOUBLE_EQ(getTimeOf(blocks, all), 5 + 300);
  EXPECT_DOUBLE_EQ(getTimeOf(blocks, all, Routing::Exclusive), 5 + 400);
}

TEST(ExchangeTest, Messages) {
  // 8 MB from server 0 to server 1, 2 MB to server 2.
  cost::MessageList blocks{
      {{0, 2, 5000000}, {1, 3, 3000000}, {0, 4, 2000000}, {6, 6, 1000000000}},
      /*isAllToAll=*/true};
  EXPECT_DOUBLE_EQ(getTimeOf(blocks, Circuits(4)), 5 + 1000);
  Circuits two = join(4, {{0, 1, 2}});
  EXPECT_DOUBLE_EQ(getTimeOf(blocks, two, Routing::Exclusive), 5 + 400);
  EXPECT_DOUBLE_EQ(getTimeOf(blocks, two), 5 + 1e3 / 3);
  // Messages and rings give the same time.
  EXPECT_DOUBLE_EQ(getTimeOf(cost::MessageList{blocks.messages}, two),
                   5 + 1e3 / 3);
  cost::RingTraffic ring{{7, 0, 1000000}};
  EXPECT_DOUBLE_EQ(getTimeOf(ring, Circuits(4)), 5 + 200);
  EXPECT_DOUBLE_EQ(getTimeOf(ring, join(4, {{0, 1, 1}, {2, 3, 1}})), 5 + 200);
  // Traffic inside a server takes the time of its links.
  cost::MessageList near{{{0, 1, 1000000}}, true};
  EXPECT_DOUBLE_EQ(getTimeOf(near, two), 1 + 10);
  // The slowest link inside outlasts the circuits.
  cost::MessageList both{{{0, 1, 10000000}, {0, 2, 100000}}, true};
  EXPECT_DOUBLE_EQ(getTimeOf(both, two), 5 + 100);
}

TEST(ExchangeTest, GroupsAddUp) {
  // Two groups, each with one rank of every server.
  cost::RankGroups groups = getGroups({0, 2, 4, 6, 1, 3, 5, 7}, 4);
  auto demand = getServerDemand(
      groups, cost::BlockExchange{cost::CollectiveKind::AllToAll, 4000}, 2);
  ASSERT_TRUE(bool(demand));
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 4; ++j)
      EXPECT_DOUBLE_EQ(demand->at(i, j), i == j ? 0 : 2000);
}

TEST(ExchangeTest, RatesAreExact) {
  // 3 circuits of 400 Gb/s are 150 GB/s.
  cost::Machine machine = getMachine();
  machine.circuits->nicRate = cost::GBps(50);
  machine.circuits->epsNics = 0;
  auto cost = getExchangeCost(machine, getGroups({0, 1, 2, 3, 4, 5, 6, 7}, 8),
                              cost::MessageList{{{0, 2, 150000000}}, true},
                              join(4, {{0, 1, 3}}), Routing::Split);
  ASSERT_TRUE(bool(cost)) << cost.getError();
  EXPECT_DOUBLE_EQ(cost->betweenServers.value(), 1000);
  EXPECT_DOUBLE_EQ(cost->nicBytes.value(), 50000000);
  // The explanation agrees: the level outside of servers is the slowest.
  const cost::CostBreakdown &levels = cost->byLevels;
  EXPECT_EQ(levels.time, cost->time);
  ASSERT_TRUE(levels.bottleneck);
  EXPECT_EQ(*levels.bottleneck, levels.levels.size() - 1);
  EXPECT_EQ(levels.levels.back().time, cost->betweenServers);
  EXPECT_EQ(levels.levels.back().endpointBytes, cost->nicBytes);
  EXPECT_EQ(levels.levels.back().rankBytes.value(), 150000000);
}

TEST(ExchangeTest, CurvesCountForAllNics) {
  cost::Machine machine = getMachine();
  machine.levels[1].efficiency =
      cost::EfficiencyCurve({{1e3, 0.5}, {1e6, 0.5}});
  auto cost = getExchangeCost(machine, getGroups({0, 1, 2, 3, 4, 5, 6, 7}, 8),
                              cost::MessageList{{{0, 2, 3000000}}, true},
                              join(4, {{0, 1, 2}}), Routing::Split);
  ASSERT_TRUE(bool(cost)) << cost.getError();
  // The curve contains the latency.
  EXPECT_DOUBLE_EQ(cost->time.value(), 200);
  EXPECT_TRUE(cost->byLevels.isExtrapolated);
}

TEST(ExchangeTest, Changes) {
  cost::Circuits machine = *getMachine().circuits;
  Circuits none(4), two = join(4, {{0, 1, 2}}),
                    other = join(4, {{0, 2, 1}, {1, 3, 1}, {2, 3, 2}});
  EXPECT_EQ(getChangeCost(machine, two, two).getTime().value(), 0);
  ChangeCost cost = getChangeCost(machine, none, two);
  EXPECT_EQ(cost.pairs, 2);
  EXPECT_DOUBLE_EQ(cost.change.value(), 41800);
  EXPECT_DOUBLE_EQ(cost.linkUp.value(), 5.67e6);
  // Removing circuits brings no link up.
  EXPECT_EQ(getChangeCost(machine, two, none).linkUp.value(), 0);
  EXPECT_EQ(getChangeCost(machine, two, other).pairs, 4);
}

TEST(ExchangeTest, Regions) {
  auto joined = joinRegions(
      5, {{{3, 0}, join(2, {{0, 1, 2}})}, {{1, 2}, join(2, {{0, 1, 1}})}});
  ASSERT_TRUE(bool(joined)) << joined.getError();
  EXPECT_EQ(*joined, join(5, {{0, 3, 2}, {1, 2, 1}}));
  EXPECT_EQ(joinRegions(2, {{{0, 1}, Circuits(3)}}).getError(),
            "expected circuits of the 2 servers of a region, got such of 3");
  EXPECT_EQ(joinRegions(2, {{{0, 2}, Circuits(2)}}).getError(),
            "expected servers in [0, 2), got 2");
  EXPECT_EQ(joinRegions(2, {{{0}, Circuits(1)}, {{0}, Circuits(1)}}).getError(),
            "expected each server in one region, got server 0 a second time");
}

TEST(ExchangeTest, Errors) {
  cost::Machine machine = getMachine();
  cost::RankGroups groups = getGroups({0, 1, 2, 3, 4, 5, 6, 7}, 8);
  cost::Traffic blocks =
      cost::BlockExchange{cost::CollectiveKind::AllToAll, 8000};
  auto getError = [&](const cost::Traffic &traffic, const Circuits &circuits) {
    return getExchangeCost(machine, groups, traffic, circuits, Routing::Split)
        .getError();
  };
  EXPECT_EQ(getError(cost::BlockExchange{cost::CollectiveKind::AllGather, 80},
                     Circuits(4)),
            "expected an all-to-all over circuits, got all_gather");
  EXPECT_EQ(getError(blocks, Circuits(3)),
            "expected circuits of 4 servers, got such of 3");
  EXPECT_EQ(getError(blocks, join(4, {{0, 1, 4}})),
            "expected at most 3 circuits at server 0, got 4");
  EXPECT_EQ(getError(cost::MessageList{{{0, 9, 1}}, true}, Circuits(4)),
            "traffic: expected places in groups of 8 ranks, got place 9");
  machine.circuits->epsNics = 0;
  EXPECT_EQ(getError(blocks, join(4, {{0, 1, 3}})),
            "expected a circuit or an EPS NIC for each pair of servers with "
            "demand, some have neither");
  machine.circuits->serverRanks = 4;
  EXPECT_EQ(getError(blocks, Circuits(2)),
            "expected a level of machine four that spans the 4 ranks of a "
            "server, found none");
  machine.circuits.reset();
  EXPECT_EQ(getError(blocks, Circuits(4)),
            "expected a machine with circuits, four has none");
}

} // namespace
