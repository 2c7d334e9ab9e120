// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/NetworkExchange.h"
#include <chrono>
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::fabric;

namespace {

FabricOptions makeOptions(FabricKind kind, int64_t servers, int64_t nics = 8) {
  FabricOptions options;
  options.network.kind = kind;
  options.network.servers = servers;
  options.network.nics = nics;
  options.network.nicRate = 10;
  options.network.latency = 0;
  options.serverRanks = nics;
  return options;
}

/// Returns messages of equal size between all pairs of ranks.
std::vector<RankMessage> makeAllToAll(int64_t ranks, double bytes) {
  std::vector<RankMessage> messages;
  for (int64_t i = 0; i < ranks; ++i)
    for (int64_t j = 0; j < ranks; ++j)
      if (i != j)
        messages.push_back({i, j, bytes});
  return messages;
}

FabricExchange run(const FabricOptions &options,
                   const std::vector<RankMessage> &messages) {
  auto circuits = planFabricCircuits(options, messages);
  EXPECT_TRUE(bool(circuits)) << (circuits ? "" : circuits.getError());
  auto exchange = runFabricExchange(options, messages, *circuits);
  EXPECT_TRUE(bool(exchange)) << (exchange ? "" : exchange.getError());
  return exchange ? *exchange : FabricExchange();
}

TEST(NetworkTest, NonBlockingTreeIsBoundByNics) {
  // 16 servers of one NIC on a tree of 4-port switches: three tiers.
  FabricOptions options = makeOptions(FabricKind::FatTree, 16, 1);
  options.network.switchPorts = 4;
  auto network = Network::create(options.network);
  ASSERT_TRUE(bool(network));
  ASSERT_EQ(network->getClasses().size(), 6u);
  EXPECT_EQ(network->getClasses()[2].count, 8);
  EXPECT_EQ(network->getClasses()[4].count, 4);
  EXPECT_EQ(network->getName(network->getClasses()[4].first + 1), "pod 1 up");
  EXPECT_EQ(network->getWay({0, 0}, {15, 0})->hops, 6);
  EXPECT_EQ(network->getWay({0, 0}, {1, 0})->hops, 2);
  FabricExchange exchange = run(options, makeAllToAll(16, 100));
  EXPECT_NEAR(exchange.times.makespan, 150, 1e-9);
  EXPECT_EQ(exchange.numFlows, 240);
  // Twice oversubscribed: leaves send 13/15 of their two servers' bytes.
  options.network.oversubscription = 2;
  EXPECT_NEAR(run(options, makeAllToAll(16, 100)).times.makespan, 280, 1e-9);
  // Hashed flows collide.
  options.network.oversubscription = 1;
  options.network.isMultiPath = false;
  EXPECT_GT(run(options, makeAllToAll(16, 100)).times.makespan, 151);
}

TEST(NetworkTest, RanksWithNicsOfTheirOwn) {
  // Rank 0 sends all messages.
  FabricOptions options = makeOptions(FabricKind::FatTree, 2, 4);
  std::vector<RankMessage> messages{{0, 4, 100}, {0, 5, 100}};
  EXPECT_NEAR(run(options, messages).times.makespan, 5, 1e-9);
  options.network.sharesNics = false;
  EXPECT_NEAR(run(options, messages).times.makespan, 20, 1e-9);
  // On rails, messages for rank 1 of another server leave by NIC 1.
  options.network.kind = FabricKind::Rail;
  EXPECT_NEAR(run(options, messages).times.makespan, 10, 1e-9);
  // A NIC fails, so its rank uses the next one.
  options.network.kind = FabricKind::FatTree;
  options.network.failed = {{1, 0}};
  messages = {{0, 4, 100}, {1, 5, 100}};
  EXPECT_NEAR(run(options, messages).times.makespan, 20, 1e-9);
  options.network.sharesNics = true;
  EXPECT_NEAR(run(options, messages).times.makespan, 200 / 30., 1e-9);
}

TEST(NetworkTest, Grids) {
  // A ring of four: 1 sends half of its bytes to 3 in each direction.
  FabricOptions options = makeOptions(FabricKind::Ring, 4, 2);
  EXPECT_NEAR(run(options, {{2, 6, 100}}).times.makespan, 5, 1e-9);
  EXPECT_NEAR(run(options, {{2, 4, 100}}).times.makespan, 10, 1e-9);
  auto network = Network::create(makeOptions(FabricKind::Torus, 24).network);
  ASSERT_TRUE(bool(network));
  // Sides 2, 3 and 4, two ports each.
  EXPECT_EQ(network->getLinks().size(), 24u * 6);
  EXPECT_EQ(network->getWay({0, 0}, {23, 0})->hops, 3);
  options = makeOptions(FabricKind::Torus, 24);
  options.network.torus = {5, 5};
  EXPECT_EQ(checkNetwork(options.network),
            "torus: expected sides whose product "
            "is the 24 servers, got 25");
}

TEST(NetworkTest, CircuitsCarryAsPlanned) {
  // Uneven demand of 8 servers, 6 of 8 NICs optical; the times agree with
  // `getTime`.
  FabricOptions options = makeOptions(FabricKind::MFabric, 8);
  options.serverRanks = 1;
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<RankMessage> messages = makeAllToAll(8, 0);
    Demand demand(8);
    for (RankMessage &message : messages)
      demand.at(message.from, message.to) = message.bytes =
          double(random() % 1000);
    auto pairs = planFabricCircuits(options, messages);
    ASSERT_TRUE(bool(pairs));
    Circuits circuits(8);
    for (auto [first, second, count] : *pairs)
      circuits.at(first, second) = circuits.at(second, first) = count;
    double least = getTime(demand, circuits, {6, 2, Routing::Split}) / 10;
    double time = runFabricExchange(options, messages, *pairs)->times.makespan;
    EXPECT_GE(time, least * (1 - 1e-9));
    // Fair packets may end later than the optimum.
    EXPECT_LE(time, least * 1.5);
  }
}

TEST(NetworkTest, DrawnCircuits) {
  FabricOptions options = makeOptions(FabricKind::MFabric, 8);
  options.serverRanks = 1;
  options.network.failed = {{3, 0}, {3, 1}};
  auto messages = makeAllToAll(8, 100);
  auto drawn = drawFabricCircuits(options, messages, 1);
  ASSERT_TRUE(bool(drawn)) << drawn.getError();
  std::vector<int64_t> ends(8);
  int64_t all = 0;
  for (auto [first, second, count] : *drawn) {
    EXPECT_LT(first, second);
    ends[size_t(first)] += count;
    ends[size_t(second)] += count;
    all += count;
  }
  for (size_t server = 0; server < 8; ++server)
    EXPECT_LE(ends[server], server == 3 ? 4 : 6);
  // At most the NICs of one server are left over.
  EXPECT_GE(all, 20);
  auto isEqual = [&](uint64_t seed) {
    auto again = drawFabricCircuits(options, messages, seed);
    return again->size() == drawn->size() &&
           std::equal(again->begin(), again->end(), drawn->begin(),
                      [](const CircuitPair &a, const CircuitPair &b) {
                        return a.first == b.first && a.second == b.second &&
                               a.count == b.count;
                      });
  };
  EXPECT_TRUE(isEqual(1));
  EXPECT_FALSE(isEqual(2));
}

TEST(NetworkTest, RegionsThatAreAlike) {
  // 512 servers in regions of 4; one region is simulated for all.
  FabricOptions options = makeOptions(FabricKind::MFabric, 512);
  std::vector<RankMessage> messages;
  for (int64_t region = 0; region < 128; ++region)
    for (const RankMessage &own : makeAllToAll(4, 100))
      messages.push_back(
          {(region * 4 + own.from) * 8, (region * 4 + own.to) * 8, own.bytes});
  FabricExchange exchange = run(options, messages);
  // Each pair has a circuit in each direction, and packets.
  EXPECT_EQ(exchange.times.parts, 128 * 13);
  EXPECT_LE(exchange.times.simulated, 2);
  EXPECT_NEAR(exchange.times.makespan, 300 / 80., 300 / 80. * .3);
}

TEST(NetworkTest, PanelsForward) {
  // A line of demand and one far pair: every pair is reached.
  FabricOptions options = makeOptions(FabricKind::TopoOpt, 6, 2);
  std::vector<RankMessage> messages{{0, 10, 100}, {2, 4, 10}, {4, 6, 10},
                                    {6, 8, 10},   {0, 2, 10}, {8, 10, 10}};
  FabricExchange exchange = run(options, messages);
  EXPECT_GT(exchange.times.makespan, 0);
  auto circuits = planFabricCircuits(options, messages);
  std::vector<int64_t> ends(6);
  for (auto [first, second, count] : *circuits) {
    ends[size_t(first)] += count;
    ends[size_t(second)] += count;
  }
  for (int64_t count : ends)
    EXPECT_LE(count, 2);
  // A failed NIC takes a circuit down; the remaining ones still join all
  // servers.
  options.network.failed = {{0, 1}};
  auto left = trimFabricCircuits(options, *circuits, messages);
  ASSERT_TRUE(bool(left));
  EXPECT_EQ(left->size(), circuits->size() - 1);
  auto after = runFabricExchange(options, messages, *left);
  ASSERT_TRUE(bool(after)) << after.getError();
  EXPECT_GE(after->times.makespan, exchange.times.makespan);
}

TEST(NetworkTest, CircuitsForwardWherePacketsAreCutOff) {
  // A ring of circuits without packets: half of the bytes take either
  // direction.
  FabricOptions options = makeOptions(FabricKind::MFabric, 4, 3);
  options.serverRanks = 1;
  options.network.opticalNics = 2;
  options.network.failed = {{0, 2}, {1, 2}, {2, 2}, {3, 2}};
  std::vector<CircuitPair> circle{{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  auto exchange = runFabricExchange(options, {{0, 2, 100}}, circle);
  ASSERT_TRUE(bool(exchange)) << exchange.getError();
  EXPECT_NEAR(exchange->times.makespan, 5, 1e-9);
  // A new plan lets all servers reach each other.
  auto all = makeAllToAll(4, 100);
  auto planned = planFabricCircuits(options, all);
  ASSERT_TRUE(bool(planned)) << planned.getError();
  exchange = runFabricExchange(options, all, *planned);
  ASSERT_TRUE(bool(exchange)) << exchange.getError();
  EXPECT_GE(exchange->times.makespan, 300 / 20.);
  auto lost = runFabricExchange(options, {{0, 2, 100}}, {{0, 1}, {2, 3}});
  EXPECT_EQ(lost.getError(),
            "expected a circuit or an EPS NIC that works for each two servers "
            "that send to each other: expected a way from server 0 to server "
            "2, circuits give none");
}

TEST(NetworkTest, BadFabrics) {
  auto check = [](auto change) {
    NetworkOptions options;
    options.servers = 4;
    change(options);
    return checkNetwork(options);
  };
  EXPECT_EQ(check([](auto &o) { o.servers = 1000000000; }),
            "servers: expected an integer in [1, 65536], got 1000000000");
  EXPECT_EQ(check([](auto &o) { o.nics = 0; }),
            "NICs of a server: expected an integer in [1, 64], got 0");
  EXPECT_EQ(check([](auto &o) { o.switchPorts = 0; }),
            "ports of a switch: expected an integer in [2, 65536], got 0");
  EXPECT_EQ(check([](auto &o) { o.oversubscription = 0; }),
            "oversubscription: expected a finite number above 0, got 0");
  EXPECT_EQ(check([](auto &o) { o.nicRate = -1; }),
            "rate of a NIC: expected a finite number above 0, got -1");
  EXPECT_EQ(check([](auto &o) { o.servers = 60000; }),
            "servers: expected at most 8192 with 8 NICs each on a tree of 3 "
            "tiers of switches with 64 ports, got 60000");
  EXPECT_EQ(check([](auto &o) {
              o.kind = FabricKind::MFabric;
              o.opticalNics = 8;
            }),
            "optical NICs: expected an integer in [0, 7], got 8");
  EXPECT_EQ(check([](auto &o) {
              o.failed = {{0, 8}};
            }),
            "failed NICs: expected servers in [0, 4) and NICs in [0, 8), got "
            "0:8");
  // The circuits join no two servers that exchange messages.
  FabricOptions options = makeOptions(FabricKind::TopoOpt, 4, 1);
  auto lost = runFabricExchange(options, {{0, 1, 5}}, {{2, 3, 1}});
  EXPECT_EQ(lost.getError(),
            "expected a way from server 0 to server 1, circuits give none");
  options = makeOptions(FabricKind::FatTree, 2, 1);
  options.network.failed = {{1, 0}};
  lost = runFabricExchange(options, {{0, 1, 5}});
  EXPECT_EQ(lost.getError(), "expected a way from server 0 to server 1, but "
                             "server 1 down carries nothing");
}

} // namespace
