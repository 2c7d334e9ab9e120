// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faster orders by moving tasks late and early.
//
// Tasks move as late as they can, what ends last first, and then as early, what
// starts first first, each into the first gap of its stream that is long enough
// (forward-backward improvement: Li and Willis, 1992). Whole times of a
// schedule say which goes first, so that one pass mends at once what swaps
// along the critical path mend one by one. From disturbed times other orders
// come out, and the search goes on from those that are hardly slower, ever less
// so (simulated annealing).

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

/// What each task waits for and what waits for it; or the other way round.
struct Links {
  std::vector<std::vector<TaskId>> before, after;
};

class Justifier {
public:
  Justifier(const TaskGraph &graph, std::span<const TaskId> order);

  void run(unsigned trials, double enoughUs, const TakeOrder &take);

private:
  /// A schedule: when each task starts, and when the last one ends.
  struct Placed {
    std::vector<double> startUs;
    double makespanUs = 0;
  };

  double getEndUs(const Placed &placed, TaskId id) const {
    return placed.startUs[id] + graph.getTask(id).durationUs;
  }
  /// Starts tasks, of those that can the one of the least key first.
  void place(const Links &links, Placed &placed);
  double insert(StreamId stream, double readyUs, double durationUs);
  /// As late as it goes and as early, as long as that ends sooner.
  void justify(Placed &placed);
  /// Keys of another schedule, near that of `placed`.
  void disturb(const Placed &placed);
  /// Of 53 bits, so that all libraries draw the same.
  double draw() { return double(random() >> 11) * 0x1p-53; }
  /// The tasks of the given graph by when they start.
  std::vector<TaskId> list(const Placed &placed) const;

  /// Its tasks stand as they are known: the i-th is the given graph's
  /// `known[i]`.
  TaskGraph graph;
  std::vector<TaskId> known;
  size_t numTasks;
  Links links, backwards;
  /// The longest way from the start of each task to the end.
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
  // As they stand.
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
  // From a third of the makespan down to a three hundredth.
  double reachUs = spanUs * std::pow(10, -0.5 - 2 * draw());
  keys = placed.startUs;
  switch (random() % 4) {
  case 0: { // what starts in a window
    double firstUs = draw() * spanUs, lastUs = firstUs + 0.3 * draw() * spanUs;
    for (double &key : keys)
      if (key >= firstUs && key <= lastUs)
        key += 2 * reachUs * (draw() - 0.5);
    return;
  }
  case 1: // all
    for (double &key : keys)
      key += reachUs * (draw() - 0.5);
    return;
  case 2: // a few
    for (unsigned left = 1 + random() % 5; left > 0; --left)
      keys[random() % numTasks] += 4 * reachUs * (draw() - 0.5);
    return;
  case 3: { // what most depends on goes first
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
  // Of those that start at once, what has no length first; in turn, as known.
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
  // Behind so many trials, from the best on again.
  constexpr unsigned kPatience = 2000;
  for (unsigned trial = 0; trial <= trials && best.makespanUs > enoughUs;
       ++trial) {
    next = current;
    // The first is of the order as it is.
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
