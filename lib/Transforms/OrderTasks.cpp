// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks of a schedule in their best order.
//
// A part's tasks stand one behind the other, and behind those of the part
// before. Streams run tasks in this order, so that a part's experts would wait
// for all of the one before. The orders of the parts are merged instead as a
// list scheduler does it: each stream takes what can start first. Which of what
// can start at once is best no rule says, so several are tried; then all orders
// are looked through, as many of each length as there is time for; and the best
// is improved by moving all tasks late and early, and by swaps along its
// critical path, of one part's tasks, too. What ends at a bound is not
// improved.
//
// The order of a batch in one piece is its schedule's own, chain by chain. It
// is where the search through all orders begins.

#include "moe/Transforms/OrderTasks.h"
#include "mlir/IR/Diagnostics.h"
#include "moe/Analysis/ArgumentBytes.h"
#include "moe/Analysis/Timing.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Schedule/CumulativeBound.h"
#include "moe/Schedule/TaskOrder.h"
#include <map>
#include <random>

using namespace mlir;
using namespace moe;
using schedule::TaskId;

bool moe::hasParts(ScheduleOp op) {
  return llvm::any_of(op.getBody().front().getOps<TaskOp>(),
                      [](TaskOp task) { return getPart(task) > 0; });
}

namespace {

/// What goes first of tasks that could start at about the same time.
enum class First {
  /// What most depends on: the part that is behind catches up.
  LongestTail,
  /// The part that is ahead keeps its distance.
  ShortestTail,
  /// Always the same part.
  LowestPart,
  /// What keeps the others waiting least.
  Shortest
};

/// Merges the orders of the parts.
class Merger {
public:
  Merger(schedule::TaskGraph graph, ArrayRef<int64_t> parts);

  std::vector<double> getPriorities(First first) const;
  /// An order in which a task of a higher priority may be waited for, for up
  /// to this share of what the other one takes.
  SmallVector<TaskId> merge(ArrayRef<double> priorities, double patience) const;

private:
  schedule::TaskGraph graph;
  SmallVector<int64_t> parts;
  /// By task, the longest way from its start to the end.
  std::vector<double> tails;
  std::vector<SmallVector<TaskId, 4>> dependents;
  std::vector<unsigned> numMakers;
  /// What is left to do, by part and stream, in order.
  std::map<std::pair<int64_t, schedule::StreamId>, SmallVector<TaskId>> queues;
};

} // namespace

Merger::Merger(schedule::TaskGraph given, ArrayRef<int64_t> parts)
    : graph(std::move(given)), parts(parts), tails(graph.getNumTasks()),
      dependents(graph.getNumTasks()), numMakers(graph.getNumTasks()) {
  for (TaskId id = graph.getNumTasks(); id-- > 0;) {
    graph.forEachDependent(id, [&](TaskId other) {
      dependents[id].push_back(other);
      ++numMakers[other];
      tails[id] = std::max(tails[id], tails[other]);
    });
    tails[id] += graph.getTask(id).durationUs;
  }
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    queues[{parts[id], graph.getTask(id).stream}].push_back(id);
}

std::vector<double> Merger::getPriorities(First first) const {
  std::vector<double> priorities(graph.getNumTasks());
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    switch (first) {
    case First::LongestTail:
      priorities[id] = tails[id];
      break;
    case First::ShortestTail:
      priorities[id] = -tails[id];
      break;
    case First::LowestPart:
      // What is of no part waits for all of them.
      priorities[id] = parts[id] < 0 ? -1e9 : -double(parts[id]);
      break;
    case First::Shortest:
      priorities[id] = -graph.getTask(id).durationUs;
      break;
    }
  return priorities;
}

SmallVector<TaskId> Merger::merge(ArrayRef<double> priorities,
                                  double patience) const {
  SmallVector<TaskId> order;
  std::vector<double> ready(graph.getNumTasks()), free(graph.getNumStreams());
  std::vector<unsigned> missing(numMakers);
  SmallVector<std::pair<ArrayRef<TaskId>, size_t>> heads;
  for (const auto &[key, queue] : queues)
    heads.push_back({queue, 0});
  while (order.size() < graph.getNumTasks()) {
    auto getHead = [&](const auto &head) {
      return head.second < head.first.size() ? head.first[head.second]
                                             : schedule::kNoTask;
    };
    auto getStart = [&](TaskId id) {
      return std::max(ready[id], free[graph.getTask(id).stream]);
    };
    std::pair<ArrayRef<TaskId>, size_t> *best = nullptr;
    for (auto &head : heads) {
      TaskId id = getHead(head);
      if (id == schedule::kNoTask || missing[id] != 0)
        continue;
      if (!best) {
        best = &head;
        continue;
      }
      TaskId other = getHead(*best);
      double start = getStart(id), first = getStart(other);
      bool sameStream = graph.getTask(id).stream == graph.getTask(other).stream;
      // Across streams the order is that of time alone.
      double slack = 0;
      if (sameStream)
        slack = patience * (priorities[id] > priorities[other]
                                ? graph.getTask(other).durationUs
                                : graph.getTask(id).durationUs);
      if (std::abs(start - first) <= slack ? priorities[id] > priorities[other]
                                           : start < first)
        best = &head;
    }
    if (!best)
      return {}; // tasks that wait for each other: for the simulator to say
    TaskId id = getHead(*best);
    ++best->second;
    double end = getStart(id) + graph.getTask(id).durationUs;
    free[graph.getTask(id).stream] = end;
    for (TaskId other : dependents[id]) {
      ready[other] = std::max(ready[other], end);
      --missing[other];
    }
    order.push_back(id);
  }
  return order;
}

/// The schedule with its times, or with all tasks as long where there is none.
static std::optional<TimedSchedule> getTimes(ScheduleOp op,
                                             const cost::Machine *machine) {
  ScopedDiagnosticHandler ignore(op.getContext(),
                                 [](Diagnostic &) { return success(); });
  if (machine) {
    OpTimer timer(*machine);
    FailureOr<TimedSchedule> timed = timeSchedule(op, timer);
    if (succeeded(timed))
      return std::move(*timed);
  }
  TimedSchedule timed;
  llvm::DenseMap<Attribute, schedule::StreamId> streams;
  llvm::DenseMap<Operation *, TaskId> ids;
  for (TaskOp task : op.getBody().front().getOps<TaskOp>()) {
    auto [it, isNew] = streams.try_emplace(task.getStreamAttr(), 0);
    if (isNew)
      it->second = timed.graph.addStream();
    schedule::Task entry;
    entry.durationUs = 1;
    entry.stream = it->second;
    TaskId id = ids[task] = timed.graph.addTask(entry);
    timed.tasks.push_back(task);
    task->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto maker = ids.find(operand.getDefiningOp()); maker != ids.end())
          timed.graph.addDependency(maker->second, id);
    });
  }
  return timed;
}

namespace {
/// The best of many orders.
class Choice {
public:
  /// What fits `mostBytes` is better than all that does not.
  Choice(const TimedSchedule &timed, std::optional<int64_t> mostBytes)
      : timed(timed), mostBytes(mostBytes),
        joined(schedule::joinStreams(timed.graph, timed.contention)) {}

  /// Lets searches end at an order that no other beats.
  void findBound();

  /// Takes an order where it ends before all others. Whether it does.
  bool offer(SmallVector<TaskId> order);
  /// What the best order becomes as a graph of its own is `found`.
  void offerFound(ArrayRef<TaskId> found) {
    offer(llvm::map_to_vector(found, [&](TaskId at) { return best[at]; }));
  }
  void offerMerged(const Merger &merger);
  void searchWide(size_t mostWidth, size_t mostSteps);
  void justify(unsigned mostTrials);
  void swap(unsigned mostSwaps);
  /// No order is better.
  bool isDone() const {
    return bestFits && bestUs <= boundUs * (1 + cost::kRounding);
  }

  ArrayRef<TaskId> getBest() const { return best; }

private:
  /// What values take up in the last simulation, of an order.
  int64_t getPeakBytes(ArrayRef<TaskId> order) const;

  const TimedSchedule &timed;
  std::optional<int64_t> mostBytes;
  /// With the streams as one that cannot run at once, if any.
  std::optional<schedule::TaskGraph> joined;
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  SmallVector<TaskId> best;
  double bestUs = std::numeric_limits<double>::infinity(), boundUs = 0;
  /// What follows each task at least, once the bound is found.
  schedule::Tails tails;
  bool bestFits = false;
};
} // namespace

int64_t Choice::getPeakBytes(ArrayRef<TaskId> order) const {
  schedule::Timeline own;
  own.makespanUs = timeline.makespanUs;
  own.startUs.resize(order.size());
  own.endUs.resize(order.size());
  for (auto [place, id] : llvm::enumerate(order)) {
    own.startUs[id] = timeline.startUs[place];
    own.endUs[id] = timeline.endUs[place];
  }
  return moe::getPeakBytes(timed, own);
}

bool Choice::offer(SmallVector<TaskId> order) {
  if (order.size() != timed.tasks.size() ||
      !simulator.run(schedule::permute(timed.graph, order), timed.contention,
                     timeline))
    return false;
  double us = timeline.makespanUs;
  // Where the best fits, what ends no sooner need not be asked.
  if (bestFits && us >= bestUs)
    return false;
  bool fits = !mostBytes || getPeakBytes(order) <= *mostBytes;
  if (fits == bestFits ? us >= bestUs : bestFits)
    return false;
  bestFits = fits;
  bestUs = us;
  best = std::move(order);
  return true;
}

void Choice::findBound() {
  schedule::BoundFinder finder;
  schedule::LowerBound bound;
  if (schedule::findBound(finder, timed.graph, joined, bound, tails))
    boundUs = bound.getUs();
}

void Choice::offerMerged(const Merger &merger) {
  for (First first : {First::LongestTail, First::ShortestTail,
                      First::LowestPart, First::Shortest}) {
    std::vector<double> priorities = merger.getPriorities(first);
    for (double patience : {0.0, 0.25, 0.5, 1.0})
      offer(merger.merge(priorities, patience));
  }
  // And tails in disorder, as often as is quick.
  std::mt19937_64 random;
  std::vector<double> tails = merger.getPriorities(First::LongestTail);
  unsigned numTrials = std::min<size_t>(64, 100000 / (tails.size() + 1));
  for (unsigned trial = 0; trial < numTrials; ++trial) {
    // Of 53 bits, so that all libraries draw the same.
    auto draw = [&] { return double(random() >> 11) * 0x1p-53; };
    double disorder = 0.5 * draw(), patience = draw();
    std::vector<double> priorities(tails);
    for (double &priority : priorities)
      priority *= 1 + disorder * (draw() - 0.5);
    offer(merger.merge(priorities, patience));
  }
}

/// Looks through orders, not of parts alone, as far as some of each length go:
/// with all in sight, where that is not too much, and with less, in which more
/// of each length can be kept; and from what is found on again. A million steps
/// take a twentieth of a second or so.
void Choice::searchWide(size_t mostWidth, size_t mostSteps) {
  size_t numTasks = best.size();
  auto search = [&](size_t horizon) {
    size_t steps = numTasks * std::min(numTasks, horizon) + 1;
    if (steps > mostSteps)
      return false;
    size_t width = std::clamp<size_t>(mostSteps / steps, 1, mostWidth);
    auto searchIn = [&](const schedule::TaskGraph &graph,
                        ArrayRef<double> tailsUs) {
      return offer(llvm::to_vector(
          schedule::searchOrdersAhead(graph, best, width, horizon, tailsUs)
              .order));
    };
    bool isFaster = searchIn(timed.graph, tails.ownUs);
    if (joined)
      isFaster |= searchIn(*joined, tails.joinedUs);
    return isFaster;
  };
  for (bool isFaster = mostWidth != 0, again = true; isFaster && !isDone();
       again = false) {
    isFaster = false;
    for (size_t horizon : {4096, 256, 64})
      isFaster |= search(horizon);
    isFaster &= again;
  }
}

/// Moves tasks late and early, for a second or so at most.
void Choice::justify(unsigned mostTrials) {
  if (isDone())
    return;
  unsigned numTrials = std::min<size_t>(mostTrials, 2000000 / best.size());
  schedule::justifyOrders(joined ? *joined : timed.graph, best, numTrials,
                          boundUs, [&](std::span<const TaskId> order) {
                            return offer(llvm::to_vector(order));
                          });
}

/// Swaps tasks, for a tenth of a second or so at most.
void Choice::swap(unsigned mostSwaps) {
  if (isDone())
    return;
  unsigned numSwaps = std::min<size_t>(mostSwaps, 3000000 / best.size());
  offerFound(schedule::improveOrder(schedule::permute(timed.graph, best),
                                    timed.contention, numSwaps)
                 .order);
}

void moe::orderTasks(ScheduleOp op, const cost::Machine *machine,
                     size_t width) {
  std::optional<TimedSchedule> timed = getTimes(op, machine);
  SmallVector<int64_t> parts;
  for (TaskOp task : timed->tasks)
    parts.push_back(getPart(task).value_or(-1));
  // What arguments leave of the memory.
  std::optional<int64_t> mostBytes;
  if (machine && machine->memoryPerRank)
    mostBytes = int64_t(machine->memoryPerRank->value.value()) -
                getArgumentBytes(op->getParentOfType<FunctionOpInterface>());
  Choice choice(*timed, mostBytes);
  bool inParts = hasParts(op);
  if (inParts)
    choice.offerMerged(Merger(timed->graph, parts));
  // As they stand.
  choice.offer(llvm::to_vector(llvm::seq<TaskId>(0, timed->tasks.size())));
  if (choice.getBest().empty())
    return; // tasks that wait for each other: for the simulator to say
  if (width != 0) {
    choice.findBound();
    choice.searchWide(width, inParts ? 5000000 : 1000000);
    if (inParts)
      choice.justify(2000);
  }
  // Of a trial of many, a few.
  if (inParts)
    choice.swap(width == 0 ? 200 : 500);
  Operation *end = op.getBody().front().getTerminator();
  for (TaskId id : choice.getBest())
    timed->tasks[id]->moveBefore(end);
}
