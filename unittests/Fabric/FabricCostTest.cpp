// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/FabricCost.h"
#include "moe/Fabric/Failures.h"
#include "moe/Fabric/LinkLoads.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::fabric;
using cost::CollectiveKind;

namespace {

/// Returns servers of 4 ranks, 16 ranks in all. Links inside them carry 100
/// bytes per microsecond, those outside ten.
cost::Machine makeMachine() {
  cost::Machine machine;
  machine.name = "toy";
  machine.levels.resize(2);
  machine.levels[0].name = "node";
  machine.levels[0].ranks = 4;
  machine.levels[0].bandwidth = cost::GBps(0.1);
  machine.levels[1].name = "cluster";
  machine.levels[1].ranks = 16;
  machine.levels[1].bandwidth = cost::GBps(0.01);
  return machine;
}

/// Returns options with one NIC of 10 bytes per microsecond for each rank.
FabricOptions makeCostOptions(FabricKind kind, int64_t servers) {
  FabricOptions options;
  options.serverRanks = 4;
  options.network.kind = kind;
  options.network.servers = servers;
  options.network.nics = 4;
  options.network.nicRate = 10;
  options.network.latency = 1;
  options.network.opticalNics = 3;
  return options;
}

cost::RankGroups getRankGroups(std::vector<int64_t> shape,
                               std::vector<unsigned> axes) {
  return *cost::RankGroups::fromMesh(shape, axes);
}

double getUs(FabricPricer &pricer, const cost::RankGroups &groups,
             const cost::Traffic &traffic, const GivenCircuits &given = {}) {
  auto cost = pricer.getCost(makeMachine(), groups, traffic, given);
  EXPECT_TRUE(bool(cost)) << (cost ? "" : cost.getError());
  return cost ? cost->byLevels.time.value() : -1;
}

TEST(FabricCostTest, AllToAllOfAllGroups) {
  // Four groups with a rank in each server: a rank sends 400 bytes to each
  // other server, so servers send each other 1600 and 4800 in all, at 40 bytes
  // per us.
  FabricPricer pricer(makeCostOptions(FabricKind::FatTree, 4), 16);
  cost::BlockExchange blocks{CollectiveKind::AllToAll, 1600};
  auto cost = pricer.getCost(makeMachine(), getRankGroups({4, 4}, {0}), blocks);
  ASSERT_TRUE(bool(cost));
  EXPECT_NEAR(cost->byLevels.time.value(), 120 + 2, 1e-9);
  ASSERT_EQ(cost->byLevels.levels.size(), 1u);
  EXPECT_EQ(cost->byLevels.levels[0].level, 1u);
  EXPECT_NEAR(cost->byLevels.levels[0].endpointBytes.value(), 1200, 1e-9);
  ASSERT_TRUE(cost->flows);
  EXPECT_EQ(cost->flows->numFlows, 12);
  // Inside servers, the levels of the machine determine the time, without
  // flows.
  auto inside =
      pricer.getCost(makeMachine(), getRankGroups({4, 4}, {1}), blocks);
  ASSERT_TRUE(bool(inside));
  EXPECT_FALSE(inside->flows);
  EXPECT_NEAR(inside->byLevels.time.value(), 1200 / 100., 1e-9);
}

TEST(FabricCostTest, BothGoOnAtOnce) {
  // All 16 ranks: 12 blocks of 100 bytes leave the server, and 3 do not.
  FabricPricer pricer(makeCostOptions(FabricKind::FatTree, 4), 16);
  cost::BlockExchange blocks{CollectiveKind::AllToAll, 1600};
  auto cost = pricer.getCost(makeMachine(), getRankGroups({16}, {0}), blocks);
  ASSERT_TRUE(bool(cost));
  ASSERT_EQ(cost->byLevels.levels.size(), 2u);
  EXPECT_NEAR(cost->byLevels.levels[0].time.value(), 3, 1e-9);
  EXPECT_NEAR(cost->byLevels.time.value(), 4 * 12 * 100 / 40. + 2, 1e-9);
  EXPECT_EQ(cost->byLevels.bottleneck, 1u);
}

TEST(FabricCostTest, RingsAndUnequalBlocks) {
  FabricPricer pricer(makeCostOptions(FabricKind::FatTree, 4), 16);
  cost::RankGroups groups = getRankGroups({4, 4}, {0});
  // Each rank sends 3/4 of the result to the next server, as do three others.
  EXPECT_NEAR(getUs(pricer, groups,
                    cost::BlockExchange{CollectiveKind::AllGather, 800}),
              4 * 600 / 40. + 2, 1e-9);
  EXPECT_NEAR(getUs(pricer, groups,
                    cost::BlockExchange{CollectiveKind::AllReduce, 800}),
              4 * 1200 / 40. + 2, 1e-9);
  // All messages are for the first server.
  EXPECT_NEAR(
      getUs(pricer, groups,
            cost::MessageList{{{1, 0, 100}, {2, 0, 100}, {3, 0, 100}}, true}),
      4 * 300 / 40. + 2, 1e-9);
}

TEST(FabricCostTest, CopiesShareTrunks) {
  // Leaves of one server, twice oversubscribed, and two copies of a program on
  // two servers: the copies do not interfere because each has trunks of its
  // own.
  FabricOptions options = makeCostOptions(FabricKind::FatTree, 2);
  options.network.switchPorts = 8;
  options.network.tiers = 2;
  options.network.oversubscription = 2;
  cost::RankGroups groups = getRankGroups({2, 4}, {0});
  cost::BlockExchange blocks{CollectiveKind::AllToAll, 800};
  FabricPricer one(options, 8);
  options.network.servers = 4;
  FabricPricer two(options, 8);
  EXPECT_EQ(two.getNumCopies(), 2);
  EXPECT_NEAR(getUs(one, groups, blocks), 1600 / 20. + 4, 1e-9);
  EXPECT_NEAR(getUs(two, groups, blocks), 1600 / 20. + 4, 1e-9);
}

TEST(FabricCostTest, CircuitsPlannedOrGiven) {
  cost::RankGroups groups = getRankGroups({2, 4}, {0});
  cost::BlockExchange blocks{CollectiveKind::AllToAll, 800};
  FabricOptions options = makeCostOptions(FabricKind::MFabric, 2);
  // 1600 bytes over three circuits and one packet NIC.
  FabricPricer each(options, 8);
  EXPECT_NEAR(getUs(each, groups, blocks), 1600 / 40. + 2, 1e-9);
  // Reductions and gathers use packets.
  EXPECT_NEAR(
      getUs(each, groups, cost::BlockExchange{CollectiveKind::AllGather, 800}),
      1600 / 10. + 2, 1e-9);
  FabricPricer once(options, 8, FabricPricer::CircuitUse::Once);
  ASSERT_FALSE(once.addDemand(groups, blocks, 1));
  ASSERT_FALSE(once.planOnce());
  EXPECT_NEAR(getUs(once, groups, blocks), 1600 / 40. + 2, 1e-9);
  // The program's own circuits: none at first, then one.
  FabricPricer given(options, 8, FabricPricer::CircuitUse::Given);
  EXPECT_NEAR(getUs(given, groups, blocks), 1600 / 10. + 2, 1e-9);
  Circuits circuits(2);
  circuits.at(0, 1) = circuits.at(1, 0) = 1;
  EXPECT_NEAR(getUs(given, groups, blocks, {&circuits}), 1600 / 20. + 2, 1e-9);
  EXPECT_NEAR(getUs(given, groups, blocks, {&circuits, Routing::Exclusive}),
              1600 / 10. + 1, 1e-9);
  circuits.at(0, 1) = circuits.at(1, 0) = 4;
  auto many =
      given.getCost(makeMachine(), groups, blocks, GivenCircuits{&circuits});
  EXPECT_EQ(many.getError(), "expected at most 3 circuits at a server, as many "
                             "as it has optical NICs, got 4 at server 0");
  FabricPricer tree(makeCostOptions(FabricKind::FatTree, 2), 8);
  EXPECT_EQ(tree.getCost(makeMachine(), groups, blocks, {&circuits}).getError(),
            "expected a fabric with a circuit switch for a program that goes "
            "over circuits, got fat-tree");
  FabricOptions wide = makeCostOptions(FabricKind::FatTree, 2);
  wide.serverRanks = 3;
  EXPECT_EQ(
      FabricPricer(wide, 8).getCost(makeMachine(), groups, blocks).getError(),
      "expected a level of machine toy that spans the 3 ranks of a "
      "server, found none");
}

TEST(LinkLoadsTest, AddsUp) {
  FabricPricer pricer(makeCostOptions(FabricKind::FatTree, 2), 8);
  auto cost = pricer.getCost(makeMachine(), getRankGroups({2, 4}, {0}),
                             cost::MessageList{{{0, 1, 400}}, true});
  ASSERT_TRUE(bool(cost));
  LinkLoadSum sum;
  sum.add(*cost->flows, 3);
  LinkLoads loads = sum.get();
  ASSERT_EQ(loads.classes.size(), 2u);
  EXPECT_EQ(loads.classes[0].name, "server up");
  EXPECT_EQ(loads.classes[0].bytes, 3 * 1600);
  // Half of the links are busy for 40 of 42 us.
  EXPECT_NEAR(loads.classes[0].getUtilisation(), 20 / 42., 1e-12);
  EXPECT_NEAR(loads.classes[0].busiest, 40 / 42., 1e-12);
  ASSERT_EQ(loads.links.size(), 2u);
  EXPECT_EQ(loads.links[0].name, "server 1 down");
}

std::string getError(FabricOptions options, const Failures &failures) {
  auto left = applyFailures(options, failures);
  return left ? "" : left.getError();
}

TEST(FailuresTest, WhatIsLeft) {
  FabricOptions whole = makeCostOptions(FabricKind::MFabric, 4);
  Failures failures;
  failures.nics = {{1, 0}};
  failures.servers = {2};
  auto left = applyFailures(whole, failures);
  ASSERT_TRUE(bool(left)) << left.getError();
  EXPECT_EQ(left->network.servers, 5);
  EXPECT_EQ(left->getPlace(2), 4);
  EXPECT_EQ(left->getPlace(1), 1);
  EXPECT_EQ(left->network.failed.size(), 5u);
  // The ranks of server 2 are reached on their new server.
  auto exchange = runFabricExchange(*left, {{0, 9, 100}});
  ASSERT_TRUE(bool(exchange)) << exchange.getError();
  EXPECT_EQ(exchange->serverEnds[2], 0);
  EXPECT_NEAR(exchange->serverEnds[4], 10 + 2, 1e-9);

  failures = {};
  failures.circuitSwitches = {0};
  left = applyFailures(whole, failures);
  ASSERT_TRUE(bool(left));
  EXPECT_EQ(left->network.failed.size(), 12u);
  EXPECT_EQ(getError(whole, {.circuitSwitches = {1}}),
            "expected a circuit switch of mfabric in [0, 1), got 1");
  EXPECT_EQ(
      getError(makeCostOptions(FabricKind::Rail, 4), {.allCircuits = true}),
      "expected no circuit switch of rail to fail, which has none, got "
      "0");
  EXPECT_EQ(getError(whole, {.servers = {4}}),
            "expected a server of mfabric in [0, 4), got 4");
  EXPECT_EQ(getError(whole, {.servers = {1, 1}}),
            "expected each server once, got 1 twice");
}

TEST(FailuresTest, SwitchesOfTrees) {
  // Each leaf of eight ports has a server of four NICs and four uplinks.
  FabricOptions whole = makeCostOptions(FabricKind::FatTree, 4);
  whole.network.switchPorts = 8;
  auto time = [](const FabricOptions &options) {
    auto exchange = runFabricExchange(options, {{0, 4, 400}});
    return exchange ? exchange->times.makespan : -1;
  };
  EXPECT_NEAR(time(whole), 400 / 40. + 4, 1e-9);
  auto left = applyFailures(whole, {.spines = 1});
  ASSERT_TRUE(bool(left));
  EXPECT_NEAR(time(*left), 400 / 30. + 4, 1e-9);
  EXPECT_EQ(getError(whole, {.spines = 4}),
            "expected a number of spines of fat-tree in [0, 4), got 4");
  // A server without its leaf is cut off.
  left = applyFailures(whole, {.leaves = {1}});
  ASSERT_TRUE(bool(left));
  EXPECT_EQ(time(*left), -1);
  // A rail's switch takes one NIC of each of its servers down.
  whole.network.kind = FabricKind::Rail;
  left = applyFailures(whole, {.leaves = {1}});
  ASSERT_TRUE(bool(left));
  EXPECT_EQ(left->network.failed.size(), 4u);
  EXPECT_NEAR(time(*left), 400 / 30. + 2, 1e-9);
  // If ranks have NICs of their own, another rail carries the traffic.
  whole.network.sharesNics = false;
  EXPECT_NEAR(time(whole), 400 / 10. + 2, 1e-9);
  left = applyFailures(whole, {.nics = {{0, 0}}});
  ASSERT_TRUE(bool(left));
  EXPECT_NEAR(time(*left), 400 / 10. + 2, 1e-9);
}

} // namespace
