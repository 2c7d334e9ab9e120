// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choice of circuit changes during a step.

#include "moe/Circuits/CircuitChoice.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace moe::schedule;
using Way = CircuitDecision::Way;

namespace {

/// Builds layers of dispatch, experts and combine with dense work between them.
/// Each layer has circuits of its own; the last configuration serves all
/// layers.
class StepBuilder {
public:
  StepBuilder(uint32_t numConfigs, double changeUs) {
    inter = step.graph.addStream();
    compute = step.graph.addStream();
    step.synchronisationUs = 1;
    for (uint32_t from = 0; from <= numConfigs; ++from) {
      auto &row = step.changeUs.emplace_back();
      for (uint32_t to = 0; to < numConfigs; ++to)
        row.push_back(from == to ? 0 : changeUs);
    }
  }

  TaskId addCompute(double us) {
    last = addTask(us, compute);
    return last;
  }

  /// Adds an exchange that takes `packetsUs` over packets and `circuitsUs[c]`
  /// over configuration c.
  CircuitExchange &addExchange(double packetsUs, std::vector<double> circuitsUs,
                               std::vector<ConfigId> choices) {
    last = addTask(packetsUs, inter);
    CircuitExchange &exchange = step.exchanges.emplace_back();
    exchange.tasks = {last};
    exchange.packetsUs = {packetsUs};
    for (double us : circuitsUs)
      exchange.circuitsUs.push_back({us});
    exchange.choices = std::move(choices);
    return exchange;
  }

  CircuitStep step;

private:
  TaskId addTask(double us, StreamId stream) {
    TaskId id = step.graph.addTask({us, stream, kNoResource});
    if (last != kNoTask)
      step.graph.addDependency(last, id);
    step.waitsOnHost.push_back(false);
    return id;
  }

  StreamId inter, compute;
  TaskId last = kNoTask;
};

/// Returns one layer with mFabric's matrix at 400 Gb/s, over packets and over
/// circuits.
CircuitStep makeLayer(double changeUs, double expertsUs) {
  StepBuilder builder(1, changeUs);
  builder.addExchange(8340, {2190}, {0});
  builder.addCompute(expertsUs);
  builder.addExchange(8340, {2190}, {0});
  return builder.step;
}

/// Returns a random step of up to four layers.
CircuitStep makeRandom(std::mt19937_64 &random) {
  std::uniform_real_distribution<double> unit(0, 1);
  auto numLayers = static_cast<uint32_t>(1 + random() % 4);
  StepBuilder builder(numLayers + 1, 20 + 60 * unit(random));
  bool keepsFirst = random() % 2;
  for (uint32_t layer = 0; layer < numLayers; ++layer) {
    builder.addCompute(60 * unit(random));
    double packets = 100 * unit(random);
    std::vector<double> circuits;
    for (uint32_t config = 0; config <= numLayers; ++config)
      circuits.push_back(packets * (config == layer       ? 0.25
                                    : config == numLayers ? 0.5
                                                          : unit(random)));
    std::vector<ConfigId> choices{layer, numLayers};
    builder.addExchange(packets, circuits,
                        keepsFirst ? std::vector<ConfigId>() : choices);
    builder.addCompute(100 * unit(random));
    builder.addExchange(packets, circuits, choices);
  }
  return builder.step;
}

/// Returns the best makespan of all decisions.
double findBest(const CircuitStep &step) {
  CircuitEvaluator evaluator(step);
  CircuitDecisions decisions(step.exchanges.size());
  double best = HUGE_VAL;
  auto visit = [&](auto &&self, size_t e) -> void {
    if (e == decisions.size()) {
      if (auto timeline = evaluator.run(decisions))
        best = std::min(best, timeline->makespanUs);
      return;
    }
    decisions[e] = {Way::Packets, 0};
    self(self, e + 1);
    decisions[e] = {Way::Keep, 0};
    self(self, e + 1);
    for (ConfigId config : step.exchanges[e].choices) {
      decisions[e] = {Way::Change, config};
      self(self, e + 1);
    }
  };
  visit(visit, 0);
  return best;
}

TEST(CircuitChoice, DoesNotBlockForLessThanItGains) {
  CircuitStep step = makeLayer(25000, 1000);
  auto choice = chooseCircuits(step);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->decisions, CircuitDecisions(2));
  EXPECT_EQ(choice->us, 8340 + 1000 + 8340);
  EXPECT_EQ(choice->us, choice->neverUs);
  EXPECT_EQ(choice->onceUs, 1 + 25000 + 2190 + 1000 + 2190);
}

TEST(CircuitChoice, AsksTheRunWhereTheMeanSaysNo) {
  CircuitStep step = makeLayer(25000, 1000);
  step.exchanges[0].counts = step.exchanges[1].counts = 7;
  // By cost nothing changes, so the run is not asked.
  EXPECT_EQ(chooseCircuits(step)->decisions, CircuitDecisions(2));
  // Nor is it asked if there is no configuration to keep.
  auto choice = chooseCircuits(step, 0, CircuitRule::Counts);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->decisions, CircuitDecisions(2));
  // It is asked once for both exchanges; the second keeps the decision.
  step.dark = 1;
  for (auto &row : step.changeUs)
    row.push_back(25000);
  step.changeUs.push_back({25000, 0});
  step.changeUs[1][1] = 0;
  for (CircuitExchange &exchange : step.exchanges)
    exchange.circuitsUs.push_back(exchange.packetsUs);
  choice = chooseCircuits(step, 0, CircuitRule::Counts);
  ASSERT_TRUE(choice);
  CircuitDecisions expected{{Way::Ask, 1}, {Way::Keep, 0}};
  EXPECT_EQ(choice->decisions, expected);
  auto changes = findChanges(step, choice->decisions);
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_TRUE(changes->front().asks);
  // The time includes 1 us for the meeting of all ranks, but no change.
  EXPECT_EQ(choice->us, 1 + 8340 + 1000 + 8340);
  // A change that pays on average is simply made, without asking the run.
  step = makeLayer(5000, 1000);
  step.exchanges[0].counts = step.exchanges[1].counts = 7;
  choice = chooseCircuits(step, 0, CircuitRule::Counts);
  EXPECT_EQ(choice->decisions, chooseCircuits(step)->decisions);
}

TEST(CircuitChoice, HidesAChangeUnderExperts) {
  CircuitStep step = makeLayer(47000, 100000);
  auto choice = chooseCircuits(step);
  ASSERT_TRUE(choice);
  CircuitDecisions expected{{Way::Packets, 0}, {Way::Change, 0}};
  EXPECT_EQ(choice->decisions, expected);
  EXPECT_EQ(choice->us, 8340 + 100000 + 2190 + 1);
  auto timeline = CircuitEvaluator(step).run(choice->decisions);
  ASSERT_TRUE(timeline);
  ASSERT_EQ(timeline->changes.size(), 1u);
  // The ports are dark, so the change starts before there is any traffic.
  EXPECT_EQ(timeline->changes[0].startUs, 1);
  EXPECT_EQ(timeline->changes[0].endUs, 47001);
  EXPECT_EQ(timeline->changes[0].readyUs, 108341);
}

TEST(CircuitChoice, WaitsForTrafficAndForTheDemand) {
  StepBuilder builder(2, 10);
  builder.addExchange(20, {5, 5}, {0, 1});
  TaskId gate = builder.addCompute(7);
  builder.addExchange(20, {20, 5}, {0, 1}).known = {gate};
  CircuitEvaluator evaluator(builder.step);
  auto timeline = evaluator.run({{Way::Change, 0}, {Way::Change, 1}});
  ASSERT_TRUE(timeline);
  ASSERT_EQ(timeline->changes.size(), 2u);
  EXPECT_EQ(timeline->changes[0].startUs, 1);
  // After the exchange (11 to 16), the synchronization and the gate.
  EXPECT_EQ(timeline->changes[1].startUs, 23);
  EXPECT_EQ(timeline->changes[1].endUs, 33);
  EXPECT_EQ(timeline->makespanUs, 38);
}

TEST(CircuitChoice, WhatTheHostWaitsForIsBehindTheChange) {
  CircuitStep step = makeLayer(47000, 100000);
  auto changes = findChanges(step, {{Way::Packets, 0}, {Way::Change, 0}});
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ(changes->front().startBefore, 2u);
  step.waitsOnHost[1] = true;
  changes = findChanges(step, {{Way::Packets, 0}, {Way::Change, 0}});
  EXPECT_EQ(changes->front().startBefore, 1u);
  EXPECT_EQ(changes->front().waitBefore, 2u);
}

TEST(CircuitChoice, NothingIsKeptBeforeThereIsSomething) {
  CircuitStep step = makeLayer(10, 10);
  EXPECT_FALSE(findChanges(step, {{Way::Keep, 0}, {Way::Change, 0}}));
  EXPECT_FALSE(CircuitEvaluator(step).run({{Way::Keep, 0}, {Way::Keep, 0}}));
}

TEST(CircuitChoice, RandomSteps) {
  std::mt19937_64 random(7);
  double worst = 1;
  for (int i = 0; i < 1000; ++i) {
    CircuitStep step = makeRandom(random);
    auto choice = chooseCircuits(step);
    ASSERT_TRUE(choice);
    EXPECT_LE(choice->us, choice->neverUs);
    EXPECT_LE(choice->us, choice->onceUs);
    EXPECT_LE(choice->us, choice->alwaysUs);
    auto timeline = CircuitEvaluator(step).run(choice->decisions);
    ASSERT_TRUE(timeline);
    EXPECT_EQ(timeline->makespanUs, choice->us);
    for (double us : choice->runnerUpUs)
      EXPECT_GE(us, choice->us * (1 - 1e-9));
    if (i % 10 == 0 || step.exchanges.size() <= 4)
      worst = std::max(worst, choice->us / findBest(step));
  }
  EXPECT_LE(worst, 1.05);
  RecordProperty("worst_of_exhaustive", std::to_string(worst));
}

TEST(CircuitChoice, UncertaintySavesChanges) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 100; ++i) {
    CircuitStep step = makeRandom(random);
    auto exact = chooseCircuits(step), near = chooseCircuits(step, 0.1);
    ASSERT_TRUE(exact && near);
    EXPECT_LE(near->us, exact->us * 1.1 * (1 + 1e-9));
    EXPECT_LE(findChanges(step, near->decisions)->size(),
              findChanges(step, exact->decisions)->size());
  }
}

} // namespace
