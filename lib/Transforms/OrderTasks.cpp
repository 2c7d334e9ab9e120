// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimizes the order of a schedule's tasks.
//
// The tasks of a sub-batch are consecutive, after the tasks of the previous
// sub-batch. Because streams run tasks in this order, the experts of a
// sub-batch would wait for the whole previous one. Therefore a list scheduler
// merges the orders of the sub-batches: each stream takes the task that can
// start first. No rule gives the best choice among tasks that can start at the
// same time, so several rules are tried. A search then considers orders in
// general and keeps as many partial orders of each length as time permits. The
// best order is improved by moving all tasks late and early, and by swaps along
// its critical path, including tasks of the same sub-batch. An order that
// reaches a lower bound is not improved.
//
// An undivided batch keeps the order of its schedule, chain by chain, and the
// search starts from this order.

#include "moe/Transforms/OrderTasks.h"
#include "MergedOrder.h"
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

/// Priority among tasks that could start at about the same time.
enum class First {
  /// The longest remaining path is first, so that the sub-batch that is late
  /// catches up.
  LongestTail,
  /// The shortest remaining path is first, so that the leading sub-batch keeps
  /// its distance.
  ShortestTail,
  /// The lowest sub-batch is always first.
  LowestPart,
  /// The shortest task is first, because it delays the others least.
  Shortest
};

class Merger {
public:
  Merger(schedule::TaskGraph graph, ArrayRef<int64_t> parts);

  std::vector<double> getPriorities(First first) const;
  /// Returns an order where tasks may wait for a task of higher priority, up to
  /// this fraction of the duration of the other task.
  SmallVector<TaskId> merge(ArrayRef<double> priorities, double patience) const;

private:
  schedule::TaskGraph graph;
  SmallVector<int64_t> parts;
  /// Per task, the longest path from its start to the end.
  std::vector<double> tails;
  std::vector<SmallVector<TaskId, 4>> dependents;
  std::vector<unsigned> numMakers;
  /// The tasks of each sub-batch and stream, in order.
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
      // A task of no sub-batch waits for all of them.
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
      // Across streams, only the start times determine the order.
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
      return {}; // The tasks wait for each other; the simulator reports that.
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

/// Returns the schedule with its times; if they are unknown, all tasks have the
/// same duration.
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
  /// An order that fits in `mostBytes` is better than every order that does
  /// not.
  Choice(const TimedSchedule &timed, std::optional<int64_t> mostBytes)
      : timed(timed), mostBytes(mostBytes),
        joined(schedule::joinStreams(timed.graph, timed.contention)) {}

  /// Computes a lower bound, so that searches end at an order that is optimal.
  void findBound();

  /// Keeps an order if it is better than the best one; returns true in this
  /// case.
  bool offer(SmallVector<TaskId> order);
  /// Offers an order that was found for the best order as a graph of its own.
  void offerFound(ArrayRef<TaskId> found) {
    offer(llvm::map_to_vector(found, [&](TaskId at) { return best[at]; }));
  }
  void offerMerged(const Merger &merger);
  void searchWide(size_t mostWidth, size_t mostSteps);
  void justify(unsigned mostTrials);
  void swap(unsigned mostSwaps);
  /// Returns true if no order is better than the best one found.
  bool isDone() const {
    return bestFits && bestUs <= boundUs * (1 + cost::kRounding);
  }

  ArrayRef<TaskId> getBest() const { return best; }

private:
  /// Returns the peak memory of an order in the last simulation.
  int64_t getPeakBytes(ArrayRef<TaskId> order) const;

  const TimedSchedule &timed;
  std::optional<int64_t> mostBytes;
  /// The graph with streams merged that cannot run concurrently, if there are
  /// any.
  std::optional<schedule::TaskGraph> joined;
  schedule::Simulator simulator;
  schedule::Timeline timeline;
  SmallVector<TaskId> best;
  double bestUs = std::numeric_limits<double>::infinity(), boundUs = 0;
  /// Lower bounds on the time after each task, after findBound.
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
  // If the best order fits, an order that ends no sooner cannot be better.
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
  // Also tries random perturbations of the tails, as many as take little time.
  std::mt19937_64 random;
  std::vector<double> tails = merger.getPriorities(First::LongestTail);
  unsigned numTrials = std::min<size_t>(64, 100000 / (tails.size() + 1));
  for (unsigned trial = 0; trial < numTrials; ++trial) {
    // Draws 53 bits directly, so that all standard libraries give the same
    // numbers.
    auto draw = [&] { return double(random() >> 11) * 0x1p-53; };
    double disorder = 0.5 * draw(), patience = draw();
    std::vector<double> priorities(tails);
    for (double &priority : priorities)
      priority *= 1 + disorder * (draw() - 0.5);
    offer(merger.merge(priorities, patience));
  }
}

/// Searches all orders, not only merged ones, and keeps a number of partial
/// orders of each length. Runs with the whole schedule as horizon, if that is
/// not too expensive, and with shorter horizons, which allow more partial
/// orders per length. Repeats this once from a better order. A million steps
/// take about 50 ms.
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

/// Moves tasks late and early, for about one second at most.
void Choice::justify(unsigned mostTrials) {
  if (isDone())
    return;
  unsigned numTrials = std::min<size_t>(mostTrials, 2000000 / best.size());
  schedule::justifyOrders(joined ? *joined : timed.graph, best, numTrials,
                          boundUs, [&](std::span<const TaskId> order) {
                            return offer(llvm::to_vector(order));
                          });
}

/// Swaps tasks, for about 0.1 s at most.
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
  // The memory that the arguments leave.
  std::optional<int64_t> mostBytes;
  if (machine && machine->memoryPerRank)
    mostBytes = int64_t(machine->memoryPerRank->value.value()) -
                getArgumentBytes(op->getParentOfType<FunctionOpInterface>());
  Choice choice(*timed, mostBytes);
  bool inParts = hasParts(op);
  if (inParts)
    choice.offerMerged(Merger(timed->graph, parts));
  // The current order.
  choice.offer(llvm::to_vector(llvm::seq<TaskId>(0, timed->tasks.size())));
  if (choice.getBest().empty())
    return; // The tasks wait for each other; the simulator reports that.
  if (width != 0) {
    choice.findBound();
    choice.searchWide(width, inParts ? 5000000 : 1000000);
    if (inParts)
      choice.justify(2000);
  }
  // With width 0, this is one of many trials, so only a few swaps are tried.
  if (inParts)
    choice.swap(width == 0 ? 200 : 500);
  Operation *end = op.getBody().front().getTerminator();
  for (TaskId id : choice.getBest())
    timed->tasks[id]->moveBefore(end);
}

std::string moe::mergePasses(ScheduleOp op, const cost::Machine *machine) {
  std::optional<TimedSchedule> timed = getTimes(op, machine);
  MergedOrder merged;
  if (std::string reason = findMergedOrder(*timed, merged); !reason.empty())
    return reason;
  SmallVector<int64_t> queues;
  std::vector<double> priorities;
  for (auto [place, id] : llvm::enumerate(merged.order)) {
    queues.push_back(merged.queues[id]);
    priorities.push_back(-double(place));
  }
  Merger merger(schedule::permute(timed->graph, merged.order), queues);
  Operation *end = op.getBody().front().getTerminator();
  SmallVector<TaskId> merge = merger.merge(priorities, /*patience=*/0);
  assert(merge.size() == merged.order.size() && "an order of all tasks");
  for (TaskId at : merge)
    timed->tasks[merged.order[at]]->moveBefore(end);
  return "";
}
