// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for faster orders by moving tasks late and early.
//
// Tasks first move as late as possible, the last to end first, and then as
// early as possible, the first to start first. Each moves into the first
// sufficient gap of its stream (forward-backward improvement: Li and Willis,
// 1992). The order of moves follows the times of a whole schedule, so one pass
// fixes at once problems that swaps along the critical path fix one by one.
// Perturbed times give other orders, and the search continues from orders that
// are not much slower, with a limit that decreases (simulated annealing).

#include "moe/Cost/TieTolerance.h"
#include "moe/Schedule/TaskOrder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <random>
#include <tuple>

using namespace moe::schedule;
using moe::cost::kRounding;

namespace {

/// Dependencies and dependents of each task, or the reverse.
struct Links {
  std::vector<std::vector<TaskId>> before, after;
};

class Justifier {
public:
  Justifier(const TaskGraph &graph, std::span<const TaskId> order);

  void run(unsigned trials, double enoughUs, const TakeOrder &take);

private:
  /// A schedule: the start of each task, and the end of the last one.
  struct Placed {
    std::vector<double> startUs;
    double makespanUs = 0;
  };

  double getEndUs(const Placed &placed, TaskId id) const {
    return placed.startUs[id] + graph.getTask(id).durationUs;
  }
  /// Places tasks, taking among the available ones the task with the least key
  /// first.
  void place(const Links &links, Placed &placed);
  double insert(StreamId stream, double readyUs, double durationUs);
  /// Moves tasks as late and then as early as possible while that shortens the
  /// schedule.
  void justify(Placed &placed);
  /// Sets keys for another schedule near `placed`.
  void disturb(const Placed &placed);
  /// Draws 53 bits, so that all standard libraries give the same numbers.
  double draw() { return double(random() >> 11) * 0x1p-53; }
  /// Returns the tasks of the given graph by their starts.
  std::vector<TaskId> list(const Placed &placed) const;

  /// The graph in the known order: its i-th task is the given graph's
  /// `known[i]`.
  TaskGraph graph;
  std::vector<TaskId> known;
  size_t numTasks;
  Links links, backwards;
  /// The longest path from the start of each task to the end.
  std::vector<double> wayUs;
  Placed current, late;
  std::mt19937_64 random;
  /// Work memory.
  std::vector<double> keys;
  std::vector<size_t> missing;
  std::vector<std::vector<std::pair<double, double>>> busy;
};

} // namespace

Justifier::Justifier(const TaskGraph &given, std::span<const TaskId> order)
    : graph(permute(given, order)), known(order.begin(), order.end()),
      numTasks(graph.getNumTasks()), wayUs(numTasks), keys(numTasks),
      busy(graph.getNumStreams()) {
  links.before.resize(numTasks);
  links.after.resize(numTasks);
  for (TaskId id = 0; id < numTasks; ++id)
    graph.forEachDependent(id, [&](TaskId later) {
      links.before[later].push_back(id);
      links.after[id].push_back(later);
    });
  backwards = {links.after, links.before};
  for (size_t id = numTasks; id-- > 0;) {
    for (TaskId later : links.after[id])
      wayUs[id] = std::max(wayUs[id], wayUs[later]);
    wayUs[id] += graph.getTask(TaskId(id)).durationUs;
  }
  // The schedule in the known order.
  std::vector<double> freeUs(graph.getNumStreams());
  current.startUs.resize(numTasks);
  for (TaskId id = 0; id < numTasks; ++id) {
    double &startUs = current.startUs[id];
    startUs = freeUs[graph.getTask(id).stream];
    for (TaskId maker : links.before[id])
      startUs = std::max(startUs, getEndUs(current, maker));
    double endUs = freeUs[graph.getTask(id).stream] = getEndUs(current, id);
    current.makespanUs = std::max(current.makespanUs, endUs);
  }
}

double Justifier::insert(StreamId stream, double readyUs, double durationUs) {
  std::vector<std::pair<double, double>> &taken = busy[stream];
  auto next = std::partition_point(
      taken.begin(), taken.end(),
      [&](const auto &interval) { return interval.first <= readyUs; });
  double startUs = readyUs;
  if (next != taken.begin())
    startUs = std::max(startUs, std::prev(next)->second);
  for (; next != taken.end() &&
         next->first < (startUs + durationUs) * (1 - kRounding);
       ++next)
    startUs = std::max(startUs, next->second);
  taken.insert(next, {startUs, startUs + durationUs});
  return startUs;
}

void Justifier::place(const Links &links, Placed &placed) {
  placed.startUs.assign(numTasks, 0);
  placed.makespanUs = 0;
  for (auto &taken : busy)
    taken.clear();
  missing.resize(numTasks);
  using Entry = std::pair<double, TaskId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (TaskId id = 0; id < numTasks; ++id)
    if ((missing[id] = links.before[id].size()) == 0)
      open.push({keys[id], id});
  while (!open.empty()) {
    TaskId id = open.top().second;
    open.pop();
    double readyUs = 0;
    for (TaskId maker : links.before[id])
      readyUs = std::max(readyUs, getEndUs(placed, maker));
    const Task &task = graph.getTask(id);
    placed.startUs[id] = insert(task.stream, readyUs, task.durationUs);
    placed.makespanUs = std::max(placed.makespanUs, getEndUs(placed, id));
    for (TaskId later : links.after[id])
      if (--missing[later] == 0)
        open.push({keys[later], later});
  }
}

void Justifier::justify(Placed &placed) {
  Placed early;
  for (;;) {
    for (TaskId id = 0; id < numTasks; ++id)
      keys[id] = -getEndUs(placed, id);
    place(backwards, late);
    for (TaskId id = 0; id < numTasks; ++id)
      keys[id] = -getEndUs(late, id);
    place(links, early);
    if (early.makespanUs >= placed.makespanUs * (1 - kRounding))
      return;
    std::swap(placed, early);
  }
}

void Justifier::disturb(const Placed &placed) {
  double spanUs = placed.makespanUs;
  // From a third of the makespan down to 1/300 of it.
  double reachUs = spanUs * std::pow(10, -0.5 - 2 * draw());
  keys = placed.startUs;
  switch (random() % 4) {
  case 0: { // tasks that start in a window
    double firstUs = draw() * spanUs, lastUs = firstUs + 0.3 * draw() * spanUs;
    for (double &key : keys)
      if (key >= firstUs && key <= lastUs)
        key += 2 * reachUs * (draw() - 0.5);
    return;
  }
  case 1: // all tasks
    for (double &key : keys)
      key += reachUs * (draw() - 0.5);
    return;
  case 2: // a few tasks
    for (unsigned left = 1 + random() % 5; left > 0; --left)
      keys[random() % numTasks] += 4 * reachUs * (draw() - 0.5);
    return;
  case 3: { // tasks with long paths to the end first
    double share = 0.3 * draw();
    for (TaskId id = 0; id < numTasks; ++id)
      keys[id] = (1 - share) * keys[id] - share * wayUs[id];
    return;
  }
  }
}

std::vector<TaskId> Justifier::list(const Placed &placed) const {
  std::vector<TaskId> order(numTasks);
  std::iota(order.begin(), order.end(), 0);
  // Among tasks that start at once, those without duration come first; ties
  // follow the known order.
  auto getKey = [&](TaskId id) {
    return std::tuple(placed.startUs[id], getEndUs(placed, id), id);
  };
  std::sort(order.begin(), order.end(),
            [&](TaskId a, TaskId b) { return getKey(a) < getKey(b); });
  for (TaskId &id : order)
    id = known[id];
  return order;
}

void Justifier::run(unsigned trials, double enoughUs, const TakeOrder &take) {
  Placed best = current, next;
  // After every this many trials, the search continues from the best order.
  constexpr unsigned kPatience = 2000;
  for (unsigned trial = 0; trial <= trials && best.makespanUs > enoughUs;
       ++trial) {
    next = current;
    // The first trial uses the unchanged order.
    if (trial > 0) {
      disturb(current);
      place(links, next);
    }
    justify(next);
    if (next.makespanUs < best.makespanUs * (1 - kRounding) && take(list(next)))
      best = next;
    double slackUs = 0.0015 * current.makespanUs *
                     (1 - double(trial) / (double(trials) + 1)) *
                     -std::log(draw() + 1e-9);
    if (next.makespanUs < current.makespanUs + slackUs)
      std::swap(current, next);
    if (trial % kPatience == kPatience - 1)
      current = best;
  }
}

void moe::schedule::justifyOrders(const TaskGraph &graph,
                                  std::span<const TaskId> order,
                                  unsigned trials, double enoughUs,
                                  const TakeOrder &take) {
  if (!order.empty())
    Justifier(graph, order).run(trials, enoughUs, take);
}
