// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of circuits between exchanges.

#include "moe/Circuits/CircuitChoice.h"
#include "CircuitAsks.h"
#include "moe/Cost/TieTolerance.h"

#include <cmath>

using namespace moe;
using namespace moe::schedule;

using Way = CircuitDecision::Way;

static constexpr double kNoTimeUs = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Interpretation of decisions
//===----------------------------------------------------------------------===//

std::optional<std::vector<CircuitChange>>
moe::schedule::findChanges(const CircuitStep &step,
                           const CircuitDecisions &decisions) {
  std::vector<CircuitChange> changes;
  std::optional<ConfigId> up;
  std::vector<TaskId> lastUses;
  for (uint32_t e = 0; e < decisions.size(); ++e) {
    const CircuitExchange &exchange = step.exchanges[e];
    const CircuitDecision &decision = decisions[e];
    if (decision.way == Way::Packets)
      continue;
    if (decision.way == Way::Keep && !up)
      return std::nullopt;
    bool asks = decision.way == Way::Ask;
    if (asks || (decision.way == Way::Change && up != decision.config)) {
      CircuitChange change;
      change.exchange = e;
      change.config = decision.config;
      change.asks = asks;
      change.lastUses = lastUses;
      for (TaskId task : lastUses)
        change.synchroniseBefore = std::max(change.synchroniseBefore, task + 1);
      change.waitBefore = exchange.tasks.front();
      // The host reaches the change as late as possible, because it launches
      // nothing while it waits for quiet ports. However, the change must
      // precede other waits of the host.
      TaskId from = change.synchroniseBefore;
      for (TaskId task : exchange.known)
        from = std::max(from, task + 1);
      change.startBefore = change.waitBefore;
      for (TaskId task = from; task < change.waitBefore; ++task)
        if (step.waitsOnHost[task]) {
          change.startBefore = task;
          break;
        }
      changes.push_back(change);
      up = decision.config;
    }
    for (TaskId task : exchange.tasks) {
      StreamId stream = step.graph.getTask(task).stream;
      std::erase_if(lastUses, [&](TaskId other) {
        return step.graph.getTask(other).stream == stream;
      });
      lastUses.push_back(task);
    }
  }
  return changes;
}

std::vector<std::optional<ConfigId>>
moe::schedule::findConfigs(const CircuitStep &step,
                           const CircuitDecisions &decisions) {
  std::vector<std::optional<ConfigId>> configs(decisions.size());
  std::optional<ConfigId> up;
  for (uint32_t e = 0; e < decisions.size(); ++e) {
    if (decisions[e].way == Way::Change || decisions[e].way == Way::Ask)
      up = decisions[e].config;
    if (decisions[e].way != Way::Packets)
      configs[e] = up;
  }
  return configs;
}

//===----------------------------------------------------------------------===//
// CircuitEvaluator
//===----------------------------------------------------------------------===//

CircuitEvaluator::CircuitEvaluator(const CircuitStep &step)
    : step(step), before(step.graph.getNumTasks()) {
  for (TaskId id = 0; id < step.graph.getNumTasks(); ++id)
    step.graph.forEachDependent(
        id, [&](TaskId after) { before[after].push_back(id); });
}

namespace {

/// Builds the graph with the tasks that decisions add.
class GraphBuilder {
public:
  GraphBuilder(const CircuitStep &step,
               const std::vector<std::vector<TaskId>> &before,
               const std::vector<CircuitChange> &changes,
               const std::vector<double> &durations, TaskGraph &graph)
      : step(step), before(before), changes(changes), durations(durations),
        graph(graph), made(step.graph.getNumTasks()),
        synchronisations(changes.size()), starts(changes.size()),
        waits(changes.size()) {}

  void run() {
    graph.clear();
    uint32_t streams = step.graph.getNumStreams();
    for (uint32_t s = 0; s <= streams; ++s)
      graph.addStream();
    hostOf.assign(streams + 1, 0);
    StreamId own = streams;
    uint32_t nextSync = 0, nextStart = 0, nextWait = 0;
    TaskId numTasks = step.graph.getNumTasks();
    for (TaskId id = 0; id < numTasks; ++id) {
      for (; nextSync < changes.size() &&
             changes[nextSync].synchroniseBefore == id;
           ++nextSync)
        addSynchronisation(nextSync);
      while (true) {
        bool adds = false;
        if (nextStart < changes.size() &&
            changes[nextStart].startBefore == id) {
          addStart(nextStart++, own);
          adds = true;
        }
        if (nextWait < nextStart && changes[nextWait].waitBefore == id) {
          waits[nextWait] = add({0, own, kNoResource});
          host.push_back(waits[nextWait++]);
          adds = true;
        }
        if (!adds)
          break;
      }
      Task task = step.graph.getTask(id);
      task.durationUs = durations[id];
      made[id] = add(task);
      for (TaskId other : before[id])
        graph.addDependency(made[other], made[id]);
    }
  }

  TaskId getMade(TaskId id) const { return made[id]; }
  TaskId getStart(size_t change) const { return starts[change]; }
  TaskId getWait(size_t change) const { return waits[change]; }

private:
  /// Appends a task. A task that is launched after a wait of the host depends
  /// on the tasks that the host waited for.
  TaskId add(const Task &task) {
    TaskId id = graph.addTask(task);
    for (size_t &seen = hostOf[task.stream]; seen < host.size(); ++seen)
      if (host[seen] != id)
        graph.addDependency(host[seen], id);
    return id;
  }

  void addSynchronisation(size_t number) {
    const CircuitChange &change = changes[number];
    const Task &user =
        step.graph.getTask(step.exchanges[change.exchange].tasks.front());
    TaskId id = add(
        {step.synchronisationUs, user.stream, step.synchronisationResource});
    synchronisations[number] = id;
    for (TaskId use : change.lastUses)
      graph.addDependency(made[use], id);
  }

  void addStart(size_t number, StreamId own) {
    const CircuitChange &change = changes[number];
    ConfigId from = number == 0 ? ConfigId(step.changeUs.size() - 1)
                                : changes[number - 1].config;
    TaskId id = add({step.changeUs[from][change.config], own, kNoResource});
    starts[number] = id;
    auto waitFor = [&](TaskId task) {
      graph.addDependency(task, id);
      host.push_back(task);
    };
    waitFor(synchronisations[number]);
    for (TaskId task : step.exchanges[change.exchange].known)
      waitFor(made[task]);
  }

  const CircuitStep &step;
  const std::vector<std::vector<TaskId>> &before;
  const std::vector<CircuitChange> &changes;
  const std::vector<double> &durations;
  TaskGraph &graph;
  std::vector<TaskId> made, synchronisations, starts, waits;
  /// The tasks that the host has waited for, and how many of them the last task
  /// of each stream already depends on.
  std::vector<TaskId> host;
  std::vector<size_t> hostOf;
};

} // namespace

std::optional<CircuitTimeline>
CircuitEvaluator::run(const CircuitDecisions &decisions) {
  auto changes = findChanges(step, decisions);
  if (!changes)
    return std::nullopt;
  std::vector<double> durations;
  for (TaskId id = 0; id < step.graph.getNumTasks(); ++id)
    durations.push_back(step.graph.getTask(id).durationUs);
  auto configs = findConfigs(step, decisions);
  for (size_t e = 0; e < decisions.size(); ++e) {
    const CircuitExchange &exchange = step.exchanges[e];
    for (size_t i = 0; i < exchange.tasks.size(); ++i)
      durations[exchange.tasks[i]] = configs[e]
                                         ? exchange.circuitsUs[*configs[e]][i]
                                         : exchange.packetsUs[i];
  }
  GraphBuilder builder(step, before, *changes, durations, graph);
  builder.run();
  if (!simulator.run(graph, step.contention, timeline))
    return std::nullopt;
  CircuitTimeline result;
  result.makespanUs = timeline.makespanUs;
  for (size_t i = 0; i < changes->size(); ++i) {
    TaskId user = step.exchanges[(*changes)[i].exchange].tasks.front();
    CircuitTimeline::Change change{timeline.startUs[builder.getStart(i)],
                                   timeline.endUs[builder.getWait(i)], 0};
    TaskId previous = graph.getPreviousOnStream(builder.getMade(user));
    if (previous != kNoTask)
      change.readyUs = timeline.endUs[previous];
    for (TaskId other : before[user])
      change.readyUs =
          std::max(change.readyUs, timeline.endUs[builder.getMade(other)]);
    result.changes.push_back(change);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

namespace {

class CircuitSearch {
public:
  CircuitSearch(const CircuitStep &step) : step(step), evaluator(step) {}

  double getUs(const CircuitDecisions &decisions) {
    auto timeline = evaluator.run(decisions);
    return timeline ? timeline->makespanUs : kNoTimeUs;
  }

  std::vector<CircuitDecision> getOptions(size_t exchange) const {
    std::vector<CircuitDecision> options{{Way::Packets, 0}, {Way::Keep, 0}};
    for (ConfigId config : step.exchanges[exchange].choices)
      options.push_back({Way::Change, config});
    return options;
  }

  /// Returns a single change before the first exchange that permits one, to the
  /// circuits that are best overall.
  std::pair<CircuitDecisions, double> getOnce() {
    std::pair<CircuitDecisions, double> best{{}, kNoTimeUs};
    size_t first = 0;
    while (first < step.exchanges.size() &&
           step.exchanges[first].choices.empty())
      ++first;
    if (first == step.exchanges.size())
      return best;
    for (ConfigId config : step.exchanges[first].choices) {
      CircuitDecisions decisions(step.exchanges.size(), {Way::Keep, 0});
      std::fill_n(decisions.begin(), first, CircuitDecision());
      decisions[first] = {Way::Change, config};
      consider(std::move(decisions), best);
    }
    return best;
  }

  /// Returns a change before each exchange that permits one, to its own
  /// circuits, which are its first choice; other exchanges keep the current
  /// circuits.
  std::pair<CircuitDecisions, double> getAlways() {
    std::pair<CircuitDecisions, double> always{{}, kNoTimeUs};
    CircuitDecisions decisions;
    bool isUp = false;
    for (const CircuitExchange &exchange : step.exchanges) {
      bool changes = !exchange.choices.empty();
      isUp |= changes;
      decisions.push_back(
          changes ? CircuitDecision{Way::Change, exchange.choices.front()}
          : isUp  ? CircuitDecision{Way::Keep, 0}
                  : CircuitDecision{});
    }
    if (isUp)
      consider(std::move(decisions), always);
    return always;
  }

  /// Improves one exchange, or two neighbors, at a time until no improvement is
  /// found.
  void improve(std::pair<CircuitDecisions, double> &best) {
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      double before = best.second;
      for (size_t e = 0; e < best.first.size(); ++e) {
        for (const CircuitDecision &option : getOptions(e)) {
          tryWith(best, {{e, option}});
          if (e + 1 < best.first.size())
            for (const CircuitDecision &next : getOptions(e + 1))
              tryWith(best, {{e, option}, {e + 1, next}});
        }
      }
      if (!cost::isFaster(best.second, before))
        break;
    }
  }

  void findRunnersUp(CircuitChoice &choice) {
    choice.runnersUp = choice.decisions;
    choice.runnerUpUs.assign(choice.decisions.size(), kNoTimeUs);
    for (size_t e = 0; e < choice.decisions.size(); ++e)
      for (const CircuitDecision &option : getOptions(e)) {
        if (option == choice.decisions[e])
          continue;
        CircuitDecisions other = choice.decisions;
        other[e] = option;
        if (double us = getUs(other); us < choice.runnerUpUs[e]) {
          choice.runnersUp[e] = option;
          choice.runnerUpUs[e] = us;
        }
      }
  }

private:
  static constexpr int kMaxSweeps = 4;

  void consider(CircuitDecisions decisions,
                std::pair<CircuitDecisions, double> &best) {
    double us = getUs(decisions);
    if (us < best.second)
      best = {std::move(decisions), us};
  }

  void tryWith(std::pair<CircuitDecisions, double> &best,
               std::initializer_list<std::pair<size_t, CircuitDecision>> news) {
    CircuitDecisions decisions = best.first;
    for (const auto &[e, option] : news)
      decisions[e] = option;
    if (decisions == best.first)
      return;
    double us = getUs(decisions);
    if (cost::isFaster(us, best.second))
      best = {std::move(decisions), us};
  }

  const CircuitStep &step;
  CircuitEvaluator evaluator;
};

} // namespace

std::optional<CircuitChoice>
moe::schedule::chooseCircuits(const CircuitStep &step, double uncertainty,
                              CircuitRule rule) {
  if (rule == CircuitRule::Counts) {
    auto choice = chooseCircuits(step, uncertainty);
    if (!choice)
      return std::nullopt;
    addAsks(step, choice->decisions);
    CircuitSearch search(step);
    choice->us = search.getUs(choice->decisions);
    search.findRunnersUp(*choice);
    return choice;
  }
  CircuitSearch search(step);
  std::pair<CircuitDecisions, double> never{
      CircuitDecisions(step.exchanges.size()), 0};
  never.second = search.getUs(never.first);
  if (never.second == kNoTimeUs)
    return std::nullopt;
  CircuitChoice choice;
  choice.neverUs = never.second;
  auto once = search.getOnce();
  auto always = search.getAlways();
  choice.onceUs = once.second;
  choice.alwaysUs = always.second;
  std::vector<std::pair<CircuitDecisions, double>> all{never, once, always};
  if (rule != CircuitRule::Cost) {
    all = {rule == CircuitRule::Once     ? once
           : rule == CircuitRule::Always ? always
                                         : never};
    if (all.front().second == kNoTimeUs)
      all = {never};
  }
  for (size_t i = 0; rule == CircuitRule::Cost && i < 3; ++i)
    if (all[i].second != kNoTimeUs) {
      std::pair<CircuitDecisions, double> improved = all[i];
      search.improve(improved);
      all.push_back(std::move(improved));
    }
  auto countChanges = [&](const CircuitDecisions &decisions) {
    auto changes = findChanges(step, decisions);
    return changes ? changes->size() : SIZE_MAX;
  };
  auto best = cost::pickWithinTolerance(
      all, uncertainty, [](const auto &one) { return one.second; },
      [&](const auto &a, const auto &b) {
        return countChanges(a.first) < countChanges(b.first);
      });
  choice.decisions = best->first;
  choice.us = best->second;
  search.findRunnersUp(choice);
  return choice;
}
