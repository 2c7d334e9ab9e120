// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/FlowSimulation.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::fabric;

namespace {

FlowTimes simulate(const std::vector<FairLink> &links,
                   const std::vector<Flow> &flows,
                   const std::vector<FlowEvent> &events = {}) {
  auto times = simulateFlows(links, flows, events);
  EXPECT_TRUE(bool(times)) << (times ? "" : times.getError());
  return times ? *times : FlowTimes();
}

TEST(FlowSimulationTest, ByHand) {
  // Each flow has half the link until the short one ends.
  FlowTimes times = simulate({{10}}, {{100, {{0, 1}}}, {20, {{0, 1}}}});
  EXPECT_EQ(times.ends, (std::vector<double>{12, 4}));
  EXPECT_EQ(times.makespan, 12);
  EXPECT_EQ(times.linkBytes, std::vector<double>{120});
  // One flow begins later, and one uses no link.
  times =
      simulate({{10}}, {{100, {{0, 1}}}, {20, {{0, 1}}, 1, 5}, {9, {}, 1, 3}});
  EXPECT_EQ(times.ends, (std::vector<double>{12, 9, 3}));
}

TEST(FlowSimulationTest, Events) {
  using enum FlowEvent::Kind;
  EXPECT_EQ(simulate({{10}}, {{100, {{0, 1}}}}, {{4, SetCapacity, 0, 30}}).ends,
            std::vector<double>{6});
  // A link fails for a while.
  EXPECT_EQ(simulate({{10}}, {{100, {{0, 1}}}},
                     {{4, SetCapacity, 0, 0}, {9, SetCapacity, 0, 10}})
                .ends,
            std::vector<double>{15});
  // A pause gives the other flow all; a flow paused before its start waits.
  EXPECT_EQ(simulate({{10}}, {{100, {{0, 1}}}, {100, {{0, 1}}}},
                     {{2, Pause, 0, 0}, {11, Resume, 0, 0}})
                .ends,
            (std::vector<double>{20, 11}));
  EXPECT_EQ(simulate({{10}}, {{100, {{0, 1}}, 1, 5}},
                     {{1, Pause, 0, 0}, {8, Resume, 0, 0}})
                .ends,
            std::vector<double>{18});
  auto stuck = simulateFlows({{10}}, {{100, {{0, 1}}}}, {{1, Pause, 0, 0}});
  EXPECT_EQ(stuck.getError(), "flow 0: expected an event that lets it go on, "
                              "got a pause for good");
  stuck = simulateFlows({{0}}, {{100, {{0, 1}}}});
  EXPECT_EQ(stuck.getError(), "flow 0: expected capacity on all of its links, "
                              "got none on one");
}

/// Simulates without parts, thresholds or a shortcut for links that are never
/// full: recomputes all rates after each end.
std::vector<double> simulateSlowly(const std::vector<FairLink> &links,
                                   const std::vector<Flow> &flows) {
  std::vector<double> left, ends(flows.size());
  for (const Flow &flow : flows)
    left.push_back(flow.bytes);
  double now = 0;
  while (true) {
    double next = INFINITY;
    std::vector<FairFlow> fair;
    for (size_t f = 0; f < flows.size(); ++f) {
      bool isActive = left[f] > 0 && flows[f].start <= now;
      fair.push_back({flows[f].uses, isActive ? flows[f].penalty : 0});
      if (flows[f].start > now)
        next = std::min(next, flows[f].start);
    }
    std::vector<double> rates = *getFairRates(links, fair);
    for (size_t f = 0; f < flows.size(); ++f)
      if (rates[f] > 0)
        next = std::min(next, now + left[f] / rates[f]);
    if (next == INFINITY)
      return ends;
    for (size_t f = 0; f < flows.size(); ++f) {
      if (!(rates[f] > 0))
        continue;
      left[f] -= rates[f] * (next - now);
      if (left[f] < 1e-9 * flows[f].bytes) {
        left[f] = 0;
        ends[f] = next;
      }
    }
    now = next;
  }
}

TEST(FlowSimulationTest, AgainstSlow) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    size_t numLinks = 2 + random() % 8, numFlows = 1 + random() % 15;
    std::vector<FairLink> links;
    for (size_t l = 0; l < numLinks; ++l)
      links.push_back({double(1 + random() % 20), random() % 4 || trial % 2 == 0
                                                      ? Sharing::Shared
                                                      : Sharing::FatPipe});
    std::vector<Flow> flows(numFlows);
    for (Flow &flow : flows) {
      flow.bytes = double(1 + random() % 1000);
      // On a fat pipe, unlike flows have levels that ties decide.
      bool isPlain = trial % 2;
      flow.penalty = isPlain ? 1 : double(1 + random() % 2);
      flow.start = random() % 3 ? 0 : double(random() % 50);
      for (size_t l = 0; l < numLinks; ++l)
        if (random() % 3 == 0)
          flow.uses.push_back({int64_t(l), isPlain || random() % 4 ? 1 : .5});
      if (flow.uses.empty())
        flow.uses.push_back({int64_t(random() % numLinks), 1});
      std::shuffle(flow.uses.begin(), flow.uses.end(), random);
    }
    FlowTimes times = simulate(links, flows);
    std::vector<double> slow = simulateSlowly(links, flows);
    for (size_t f = 0; f < numFlows; ++f)
      ASSERT_NEAR(times.ends[f], slow[f], 1e-6 * slow[f]) << trial;
    // No link carries more than its capacity.
    for (size_t l = 0; l < numLinks; ++l)
      if (links[l].sharing == Sharing::Shared) {
        ASSERT_LE(times.linkBytes[l],
                  links[l].capacity * times.makespan * (1 + 1e-9));
      }
  }
}

TEST(FlowSimulationTest, PartsAndWhatIsAlike) {
  // Four regions of two links below a trunk that they cannot fill.
  std::vector<FairLink> links(8, FairLink{10});
  links.push_back({80});
  std::vector<Flow> flows;
  for (int64_t r = 0; r < 4; ++r)
    for (double bytes : {40., 60.})
      flows.push_back({bytes, {{2 * r, 1}, {2 * r + 1, 1}, {8, 1}}});
  FlowTimes times = simulate(links, flows);
  EXPECT_EQ(times.parts, 4);
  EXPECT_EQ(times.simulated, 1);
  EXPECT_EQ(times.linkBytes[8], 400);
  EXPECT_EQ(times.ends[0], 8);
  EXPECT_EQ(times.ends[7], 10);
  // A trunk that they can fill joins them.
  links[8].capacity = 30;
  times = simulate(links, flows);
  EXPECT_EQ(times.parts, 1);
  EXPECT_NEAR(times.makespan, 400 / 30., 1e-9);
}

TEST(FlowSimulationTest, Errors) {
  auto getError = [](std::vector<Flow> flows, std::vector<FlowEvent> events) {
    auto times = simulateFlows({{1}}, flows, events);
    return times ? "" : times.getError();
  };
  EXPECT_EQ(getError({{-1, {{0, 1}}}}, {}),
            "flow 0: expected a finite number of bytes of at least 0, got -1");
  EXPECT_EQ(getError({{1, {{0, 1}}, 0}}, {}),
            "flow 0: expected a finite penalty above 0, got 0");
  EXPECT_EQ(getError({{1, {{0, 1}}, 1, NAN}}, {}),
            "flow 0: expected a finite start of at least 0, got nan");
  EXPECT_EQ(getError({}, {{1, FlowEvent::Kind::Pause, 0, 0}}),
            "event 0: expected a flow in [0, 0), got 0");
  EXPECT_EQ(getError({}, {{1, FlowEvent::Kind::SetCapacity, 0, -1}}),
            "event 0: expected a finite capacity of at least 0, got -1");
}

} // namespace
