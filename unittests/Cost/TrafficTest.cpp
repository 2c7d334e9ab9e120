// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes between ranks, computed by hand.

#include "moe/Cost/Traffic.h"
#include "Machines.h"
#include "gtest/gtest.h"

using namespace moe::cost;

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(TrafficTest, EqualPairsAreAnAllToAll) {
  for (int64_t ranksPerNic : {1, 2, 8}) {
    Machine machine = makeNodes(4, ranksPerNic);
    machine.levels[0].latency = Microseconds(2);
    machine.levels[1].latency = Microseconds(3);
    machine.levels[1].efficiency = EfficiencyCurve({{1e6, 0.3}, {1e8, 0.9}});
    // Small messages take the latency that the curve contains.
    for (auto &[shape, axes, buffer] : std::vector<
             std::tuple<std::vector<int64_t>, std::vector<unsigned>, int64_t>>{
             {{8, 4}, {0}, 30000000},
             {{8, 4}, {0}, 96},
             {{8, 4}, {1}, 30000000},
             {{32}, {0}, 30000000},
             {{32}, {0}, 96},
             {{3, 5}, {0}, 30000000}}) {
      RankGroups groups = makeGroups(shape, axes);
      int64_t size = groups.getGroupSize();
      MessageList pairs;
      for (int64_t from = 0; from < size; ++from)
        for (int64_t to = 0; to < size; ++to)
          pairs.messages.push_back({from, to, buffer / size});
      RingTraffic ring{std::vector<int64_t>(size_t(size), buffer / size)};
      BlockExchange blocks{CollectiveKind::AllToAll, buffer};
      auto time = getTrafficCost(machine, groups, blocks);
      ASSERT_TRUE(bool(time));
      EXPECT_EQ(time->time, CollectivePlan::create(machine, groups, blocks.kind)
                                ->getTime(Bytes(double(buffer))));
      for (const Traffic &same : {Traffic(pairs), Traffic(ring)}) {
        auto cost = getTrafficCost(machine, groups, same);
        ASSERT_TRUE(bool(cost));
        EXPECT_NEAR(cost->time.value(), time->time.value(), 1e-6);
        EXPECT_NEAR(cost->levels.back().efficiency,
                    time->levels.back().efficiency, 1e-6);
        EXPECT_EQ(cost->isExtrapolated, time->isExtrapolated);
      }
      EXPECT_EQ(*getSentBytes(blocks, size), buffer - buffer / size);
      EXPECT_EQ(*getSentBytes(pairs, size), buffer - buffer / size);
      EXPECT_EQ(*getSentBytes(ring, size), buffer - buffer / size);
    }
  }
}

TEST(TrafficTest, UnequalBlocks) {
  RankGroups groups = makeGroups({16}, {0});
  // Equal blocks take as long as an all-to-all, with and without a fit.
  Machine machine = makeNodes(2);
  Machine fitted = machine;
  CollectiveFit fit;
  fit.alpha = Microseconds(7);
  fit.beta = MicrosecondsPerByte(1e-3);
  fitted.levels[1].fits[unsigned(CollectiveKind::AllToAll)] = fit;
  MessageList equal{{}, true}, twice = equal, inside = equal;
  for (int64_t from = 0; from < 16; ++from)
    for (int64_t to = 0; to < 16; ++to) {
      equal.messages.push_back({from, to, 1000});
      // Rank 3 receives twice as much.
      twice.messages.push_back({from, to, to == 3 ? 2000 : 1000});
      inside.messages.push_back({from, to, from / 8 == to / 8 ? 1000 : 0});
    }
  BlockExchange blocks{CollectiveKind::AllToAll, 16000};
  for (const Machine &each : {machine, fitted})
    EXPECT_NEAR(getTrafficCost(each, groups, equal)->time.value(),
                getTrafficCost(each, groups, blocks)->time.value(), 1e-9);
  EXPECT_NEAR(getTrafficCost(fitted, groups, twice)->time.value(), 7 + 32,
              1e-9);
  EXPECT_TRUE(getTrafficCost(fitted, groups, twice)->isFit);
  EXPECT_NEAR(getTrafficCost(machine, groups, twice)->time.value(),
              2 * getTrafficCost(machine, groups, blocks)->time.value(), 1e-9);
  // Traffic inside nodes does not cross the level that has the fit.
  auto cost = getTrafficCost(fitted, groups, inside);
  EXPECT_FALSE(cost->isFit);
  EXPECT_NEAR(cost->time.value(), 7000 / 200e3, 1e-9);
  EXPECT_EQ(*getSentBytes(twice, 16), 16000);
}

TEST(TrafficTest, PortsAloneAreFaster) {
  // Four nodes of one rank: 8 GB/s if all send at once, 10 GB/s alone.
  Machine machine = makeNodes(1);
  machine.levels.resize(1);
  machine.levels[0].ranks = 4;
  machine.levels[0].bandwidth = GBps(8);
  machine.levels[0].latency = Microseconds(5);
  machine.levels[0].efficiency = EfficiencyCurve({{1e3, 1}, {1e9, 1}});
  Machine withPort = machine;
  withPort.levels[0].portRate = GBps(10);
  Machine withFit = withPort;
  CollectiveFit fit;
  fit.alpha = Microseconds(5);
  // A quarter of the buffer stays on the rank.
  fit.beta = MicrosecondsPerByte(0.75 / 8e3);
  withFit.levels[0].fits[unsigned(CollectiveKind::AllToAll)] = fit;
  RankGroups groups = makeGroups({4}, {0});
  // All ranks send 1 MB to each other, and `more` bytes in addition to rank 2.
  auto getUs = [&](const Machine &of, int64_t more) {
    MessageList traffic{{}, true};
    for (int64_t from = 0; from < 4; ++from)
      for (int64_t to = 0; to < 4; ++to)
        traffic.messages.push_back({from, to, 1000000 + (to == 2 ? more : 0)});
    auto cost = getTrafficCost(of, groups, traffic);
    EXPECT_TRUE(bool(cost));
    return cost ? cost->time.value() : 0;
  };
  // Equal blocks keep all ports busy.
  for (const Machine &each : {machine, withPort})
    EXPECT_NEAR(getUs(each, 0), 3e6 / 8e3, 1e-6);
  EXPECT_NEAR(getUs(withFit, 0), 5 + 3e6 / 8e3, 1e-6);
  // The mean bounds the time: 3.15 MB at 8 GB/s take longer than the 3.6 MB of
  // rank 2 at 10 GB/s.
  EXPECT_NEAR(getUs(machine, 200000), 3.6e6 / 8e3, 1e-6);
  EXPECT_NEAR(getUs(withPort, 200000), 3.15e6 / 8e3, 1e-6);
  EXPECT_NEAR(getUs(withFit, 200000), 5 + 3.15e6 / 8e3, 1e-6);
  // The busiest port bounds the time: 6 MB at 10 GB/s, after the latency.
  EXPECT_NEAR(getUs(machine, 1000000), 6e6 / 8e3, 1e-6);
  EXPECT_NEAR(getUs(withPort, 1000000), 5 + 6e6 / 10e3, 1e-6);
  EXPECT_NEAR(getUs(withFit, 1000000), 5 + 6e6 / 10e3, 1e-6);
  // A port slower than the rate of all ports at once uses that rate.
  withPort.levels[0].portRate = GBps(4);
  EXPECT_NEAR(getUs(withPort, 1000000), 6e6 / 8e3, 1e-6);
}

TEST(TrafficTest, IngressCounts) {
  // All ranks on node 0 send to rank 8.
  MessageList traffic;
  for (int64_t from = 0; from < 8; ++from)
    traffic.messages.push_back({from, 8, 1000000});
  traffic.messages.push_back({3, 3, 1000000000}); // To oneself is free.
  auto cost = getTrafficCost(makeNodes(2), makeGroups({16}, {0}), traffic);
  ASSERT_TRUE(bool(cost));
  EXPECT_DOUBLE_EQ(cost->time.value(), 8e6 / 25e3);
  EXPECT_EQ(cost->levels[0].level, 1u);
  EXPECT_EQ(cost->levels[0].endpoint, 8);
  EXPECT_EQ(*getSentBytes(traffic, 16), 1000000);
}

TEST(TrafficTest, ARingLoadsTheLinksItCrosses) {
  // Each rank sends to the next, inside the node except for its last rank.
  RingTraffic ring{{0, 1000000}};
  auto cost = getTrafficCost(makeNodes(2), makeGroups({16}, {0}), ring);
  ASSERT_TRUE(bool(cost));
  ASSERT_EQ(cost->levels.size(), 2u);
  EXPECT_DOUBLE_EQ(cost->levels[0].time.value(), 1e6 / 200e3);
  EXPECT_DOUBLE_EQ(cost->time.value(), 1e6 / 25e3);
  EXPECT_EQ(*getSentBytes(ring, 16), 1000000);
  // Groups inside a node do not use the network.
  cost = getTrafficCost(makeNodes(2), makeGroups({2, 8}, {1}), ring);
  EXPECT_DOUBLE_EQ(cost->time.value(), 1e6 / 200e3);
}

TEST(TrafficTest, ARingOfManyRanksIsAFewNumbers) {
  // One number per pair of a million ranks would take terabytes.
  Machine machine = makeNodes(int64_t(1) << 17);
  RankGroups groups = makeGroups({int64_t(1) << 20}, {0});
  auto cost = getTrafficCost(machine, groups, RingTraffic{{0, 8, 0, 0, 8}});
  ASSERT_TRUE(bool(cost));
  EXPECT_DOUBLE_EQ(cost->levels[1].rankBytes.value(), 16);
}

TEST(TrafficTest, SentBytes) {
  EXPECT_EQ(*getSentBytes(BlockExchange{CollectiveKind::AllReduce, 10}, 4), 15);
  EXPECT_EQ(*getSentBytes(BlockExchange{CollectiveKind::AllGather, 16}, 4), 12);
  EXPECT_EQ(*getSentBytes(MessageList(), 4), 0);
  EXPECT_EQ(*getSentBytes(RingTraffic{{5, 1, 2}}, 4), 3);
  EXPECT_EQ(
      *getSentBytes(BlockExchange{CollectiveKind::AllGather, kMost / 4 * 4}, 4),
      kMost / 4 * 3);
}

TEST(TrafficTest, Errors) {
  RankGroups groups = makeGroups({16}, {0});
  EXPECT_EQ(getTrafficCost(makeNodes(2), groups, MessageList{{{2, 9, -1}}})
                .getError(),
            "traffic: expected bytes >= 0 from place 2 to place 9, got -1");
  EXPECT_EQ(getTrafficCost(makeNodes(2), groups, MessageList{{{2, 16, 1}}})
                .getError(),
            "traffic: expected places in groups of 16 ranks, got place 16");
  EXPECT_EQ(
      getTrafficCost(makeNodes(2), groups, RingTraffic{{0, -3}}).getError(),
      "traffic: expected bytes >= 0 over distance 1, got -3");
  EXPECT_EQ(getSentBytes(RingTraffic{{0, 1, 2}}, 2).getError(),
            "traffic: expected distances below 2, the ranks of a group, got 3 "
            "of them");
  std::string tooMuch = "traffic: expected a rank to send at most "
                        "9223372036854775807 bytes, got more";
  EXPECT_EQ(getSentBytes(BlockExchange{CollectiveKind::AllReduce, kMost}, 2)
                .getError(),
            tooMuch);
  EXPECT_EQ(getSentBytes(RingTraffic{{0, kMost, 1}}, 4).getError(), tooMuch);
  EXPECT_EQ(getSentBytes(MessageList{{{0, 1, kMost}, {0, 2, 1}}}, 4).getError(),
            tooMuch);
  EXPECT_EQ(getTrafficCost(makeNodes(1), groups, MessageList()).getError(),
            "platform 'nodes': levels[1].ranks: expected levels from the "
            "innermost outward, each of a multiple of the ranks before it "
            "(8), got 8");
  EXPECT_EQ(getTrafficCost(makeNodes(2), makeGroups({17}, {0}), MessageList())
                .getError(),
            "platform 'nodes': expected at most 16 ranks, which the outermost "
            "level spans, got 17");
  EXPECT_EQ(getTrafficCost(makeNodes(2), groups, MessageList())->time,
            Microseconds(0));
}

} // namespace
