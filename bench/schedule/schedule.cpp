// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the time of planning.
//
// Prints a table in Markdown: microseconds per call, next to a peer that runs
// in turn with it. Exit code 1 if a choice of strategy takes longer than the
// bound, or if the peers disagree on an answer.

#include "Timing.h"
#include "moe/Schedule/Bounds.h"
#include "moe/Schedule/FlowShop.h"
#include "moe/Schedule/MachineExchange.h"
#include "moe/Schedule/Simulation.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace moe;
using namespace moe::schedule;
using moe::bench::measure;

static constexpr double kMostUsPerChoice = 100;

/// Keeps the result of a call alive, so that the call is not optimized away.
static volatile double sink;

static void printRow(const char *what, std::pair<double, double> us,
                     const char *peer) {
  std::printf("| %s | %.2f us | %.2f us | %.2f | %s |\n", what, us.first,
              us.second, us.first / us.second, peer);
}

static void fail(const char *what) {
  std::fprintf(stderr, "schedule: error: %s\n", what);
  std::exit(1);
}

/// Returns a pipeline of three stages, each on its own stream.
static TaskGraph makePipeline(std::span<const double> stageUs,
                              int64_t numChunks) {
  TaskGraph graph;
  for (size_t i = 0; i < stageUs.size(); ++i)
    graph.addStream();
  for (int64_t chunk = 0; chunk < numChunks; ++chunk)
    for (size_t i = 0; i < stageUs.size(); ++i) {
      TaskId id = graph.addTask({stageUs[i], StreamId(i), ResourceId(i + 1)});
      if (i != 0)
        graph.addDependency(id - 1, id);
    }
  return graph;
}

/// Returns layers in sequence, each scheduled by SPEC FS-3.
static TaskGraph makeLayers(int64_t numLayers, int64_t degree) {
  TaskGraph graph;
  StreamId inter = graph.addStream(), intra = graph.addStream(),
           compute = graph.addStream();
  std::vector<TaskId> before;
  for (int64_t layer = 0; layer < numLayers; ++layer) {
    std::vector<TaskId> done;
    for (int64_t i = 0; i < degree; ++i) {
      TaskId dispatch = graph.addTask({10, inter});
      TaskId gather = graph.addTask({3, intra});
      TaskId expert = graph.addTask({7, compute});
      graph.addDependency(dispatch, gather);
      graph.addDependency(gather, expert);
      for (TaskId id : before)
        graph.addDependency(id, dispatch);
      done.push_back(expert);
    }
    before.clear();
    for (TaskId id : done) {
      TaskId scatter = graph.addTask({3, intra});
      TaskId combine = graph.addTask({10, inter});
      graph.addDependency(id, scatter);
      graph.addDependency(scatter, combine);
      before.push_back(combine);
    }
  }
  return graph;
}

/// Returns MoNTA's testbed with the efficiencies of its Table 8 (SPEC MO-8).
static cost::Machine makeMachine() {
  cost::Machine machine;
  machine.name = "table 8";
  machine.levels.resize(2);
  machine.levels[0].name = "node";
  machine.levels[0].ranks = 8;
  machine.levels[0].bandwidth = cost::GBps(200);
  machine.levels[0].efficiency =
      cost::EfficiencyCurve({{64e6, 0.726}, {256e6, 0.776}});
  machine.levels[1].name = "cluster";
  machine.levels[1].ranks = 16;
  machine.levels[1].bandwidth = cost::GBps(25);
  machine.levels[1].efficiency =
      cost::EfficiencyCurve({{8e6, 0.427}, {32e6, 0.632}, {256e6, 0.741}});
  machine.copy.emplace();
  machine.copy->bandwidth = cost::GBps(1600);
  machine.copy->efficiency = cost::EfficiencyCurve({{64e6, 0.8}});
  return machine;
}

int main() {
  std::printf("| what | ours | peer | ratio | peer |\n"
              "|---|---|---|---|---|\n");

  Simulator simulator;
  Timeline timeline;
  const double stageUs[] = {375, 386, 50};
  TaskGraph pipeline = makePipeline(stageUs, 64);
  std::vector<double> timesUs, doneUs(3);
  for (int chunk = 0; chunk < 64; ++chunk)
    timesUs.insert(timesUs.end(), std::begin(stageUs), std::end(stageUs));
  auto run = [&](const TaskGraph &graph, const Contention &contention) {
    if (!simulator.run(graph, contention, timeline))
      fail(simulator.getError().c_str());
    sink = timeline.makespanUs;
  };
  Contention none, some;
  some.set(2, 3, 1.5);
  some.set(3, 2, 2);
  run(pipeline, none);
  if (timeline.makespanUs != getFlowShopMakespanUs(timesUs, doneUs, 3))
    fail("expected the simulation to agree with the flow-shop recurrence");
  auto recurrence = [&] { sink = getFlowShopMakespanUs(timesUs, doneUs, 3); };
  printRow("simulate 3 stages x 64 chunks",
           measure([&] { run(pipeline, none); }, recurrence),
           "flow-shop recurrence");
  printRow("the same with contention",
           measure([&] { run(pipeline, some); }, recurrence),
           "flow-shop recurrence");

  TaskGraph layers = makeLayers(32, 8);
  BoundFinder finder;
  LowerBound bound;
  printRow("simulate 32 layers of degree 8",
           measure([&] { run(layers, none); },
                   [&] {
                     if (!finder.run(layers, bound))
                       fail(finder.getError().c_str());
                     sink = bound.getUs();
                   }),
           "lower bound of the same");

  StrategyPlanner planner;
  double worstUs = 0;
  auto choose = [&](const cost::Machine &machine, const char *what) {
    auto exchange = MachineExchange::create(machine, cost::Bytes(256e6), 2, 8);
    if (!exchange)
      fail(exchange.getError().c_str());
    auto us = measure(
        [&] {
          // The whole choice: construction of groups, all times, the search.
          auto anew =
              MachineExchange::create(machine, cost::Bytes(256e6), 2, 8);
          sink = planner.plan(*anew, {64, {}, 0}).gapUs;
        },
        [&] {
          // Only the stage times of all chunk counts.
          double sum = 0;
          for (int64_t chunks = 1; chunks <= 64; ++chunks)
            sum += exchange->getStageTimes(chunks, Strategy::O3).allToAllUs;
          sink = sum;
        });
    worstUs = std::max(worstUs, us.first);
    printRow(what, us, "stage times of 64 chunk counts");
  };
  cost::Machine machine = makeMachine();
  choose(machine, "choose a strategy, up to 64 chunks");
  machine.contention = {
      {cost::Resource::Intra, cost::Resource::Copy, 1.5, "bench"},
      {cost::Resource::Copy, cost::Resource::Intra, 2, "bench"}};
  choose(machine, "all-gathers and copies slow each other down");
  for (cost::Resource other : {cost::Resource::Intra, cost::Resource::Copy}) {
    machine.contention.push_back({cost::Resource::Inter, other, 1.2, "bench"});
    machine.contention.push_back({other, cost::Resource::Inter, 1.1, "bench"});
  }
  choose(machine, "all three stages do");

  if (worstUs > kMostUsPerChoice) {
    std::fprintf(stderr,
                 "schedule: error: expected a choice in at most %.0f us, got "
                 "%.1f us\n",
                 kMostUsPerChoice, worstUs);
    return 1;
  }
}
