//===- AllOrders.cpp - The best order of all ------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Partial orders hold the first tasks of all streams, as active schedules do
// (Giffler and Thompson): the stream of what could end first runs next what
// could start before that end. Of those that hold the same tasks, one that is
// nowhere earlier than another is dropped, and so is what cannot beat what is
// known: by the longest chain of dependencies, and on each stream by the best
// schedule of what is left in which tasks may be interrupted (Jackson's).
//
//===----------------------------------------------------------------------===//

#include "moe/Cost/Choice.h"
#include "moe/Schedule/TaskOrder.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <numeric>
#include <unordered_map>

using namespace moe::schedule;
using moe::cost::kRounding;

namespace {

/// Partial orders of one length. The i-th has `numStreams` times from which on
/// streams are free, `numTasks` times from which on tasks can start (0 for
/// those that it holds), and a bit for each task that it holds.
struct Layer {
  std::vector<double> free, ready;
  std::vector<uint64_t> held;
  std::vector<double> bound, sum;
  /// What it was made from, and by adding what.
  std::vector<uint32_t> parent;
  std::vector<TaskId> added;

  size_t size() const { return bound.size(); }
  void clear() {
    for (auto *list : {&free, &ready, &bound, &sum})
      list->clear();
    held.clear();
    parent.clear();
    added.clear();
  }
};

/// Of a graph whose tasks stand behind those that they depend on.
class AllOrders {
public:
  AllOrders(TaskGraph graph, double knownUs, size_t width);
  /// Its best order is empty where nothing beats what is known.
  OrderProof run();

private:
  bool holds(const Layer &layer, size_t i, TaskId id) const {
    return layer.held[i * words + id / 64] >> (id % 64) & 1;
  }
  /// All tasks before it are held.
  TaskId getFirstLeft(const uint64_t *held) const {
    size_t word = 0;
    while (word < words && held[word] == ~uint64_t(0))
      ++word;
    return word == words
               ? TaskId(numTasks)
               : TaskId(std::min(numTasks,
                                 word * 64 + std::countr_one(held[word])));
  }
  void expand(size_t i);
  void append(size_t i, TaskId id, double startUs);
  double getBoundUs(const double *free, double *ready, const uint64_t *held);
  double getStreamBoundUs(std::span<const TaskId> tasks, const double *heads);
  bool isDominated(size_t a, size_t by) const;
  /// Which of the new layer live on, in `kept`.
  void prune();
  std::vector<TaskId> trace(size_t last) const;

  TaskGraph graph;
  size_t numTasks, numStreams, words, width;
  /// Tasks that are before and behind each, and the longest chain behind it.
  std::vector<std::vector<TaskId>> makers, users;
  std::vector<double> tailUs;
  std::vector<std::vector<TaskId>> byStream;
  OrderProof proof;

  Layer from, to;
  std::vector<uint32_t> kept;
  struct Step {
    uint32_t parent;
    TaskId added;
  };
  std::vector<std::vector<Step>> history;
  /// Work memory.
  std::vector<double> heads;
  std::vector<TaskId> open, left;
  struct Open {
    double tailUs, leftUs;
  };
  std::vector<Open> heap;
};

} // namespace

AllOrders::AllOrders(TaskGraph given, double knownUs, size_t width)
    : graph(std::move(given)), numTasks(graph.getNumTasks()),
      numStreams(graph.getNumStreams()), words((numTasks + 63) / 64),
      width(width), makers(numTasks), users(numTasks), tailUs(numTasks),
      byStream(numStreams), heads(numTasks) {
  proof.best.timeUs = knownUs;
  for (TaskId id = 0; id < numTasks; ++id) {
    byStream[graph.getTask(id).stream].push_back(id);
    graph.forEachDependent(id, [&](TaskId later) {
      makers[later].push_back(id);
      users[id].push_back(later);
    });
  }
  for (TaskId id = TaskId(numTasks); id-- > 0;)
    for (TaskId later : users[id])
      tailUs[id] = std::max(tailUs[id],
                            tailUs[later] + graph.getTask(later).durationUs);
}

double AllOrders::getStreamBoundUs(std::span<const TaskId> tasks,
                                   const double *headsUs) {
  auto shorterTail = [](const Open &a, const Open &b) {
    return a.tailUs < b.tailUs;
  };
  double nowUs = 0, boundUs = 0;
  heap.clear();
  for (size_t next = 0; next < tasks.size() || !heap.empty();) {
    if (heap.empty())
      nowUs = std::max(nowUs, headsUs[tasks[next]]);
    for (; next < tasks.size() && headsUs[tasks[next]] <= nowUs; ++next) {
      heap.push_back(
          {tailUs[tasks[next]], graph.getTask(tasks[next]).durationUs});
      std::push_heap(heap.begin(), heap.end(), shorterTail);
    }
    Open &top = heap.front();
    double endUs = nowUs + top.leftUs;
    if (next < tasks.size() && headsUs[tasks[next]] < endUs) {
      top.leftUs -= headsUs[tasks[next]] - nowUs;
      nowUs = headsUs[tasks[next]];
      continue;
    }
    nowUs = endUs;
    boundUs = std::max(boundUs, endUs + top.tailUs);
    std::pop_heap(heap.begin(), heap.end(), shorterTail);
    heap.pop_back();
  }
  return boundUs;
}

/// What no completion beats. Tightens `ready` to what streams allow, so that
/// partial orders that differ only in the past become equal.
double AllOrders::getBoundUs(const double *free, double *ready,
                             const uint64_t *held) {
  auto isHeld = [&](TaskId id) { return held[id / 64] >> (id % 64) & 1; };
  double boundUs = *std::max_element(free, free + numStreams);
  TaskId begin = getFirstLeft(held);
  for (TaskId id = begin; id < numTasks; ++id) {
    if (isHeld(id))
      continue;
    const Task &task = graph.getTask(id);
    // What has ended before the stream is free might as well end then.
    double headUs = ready[id] = std::max(ready[id], free[task.stream]);
    for (TaskId maker : makers[id])
      if (!isHeld(maker))
        headUs =
            std::max(headUs, heads[maker] + graph.getTask(maker).durationUs);
    heads[id] = headUs;
    boundUs = std::max(boundUs, headUs + task.durationUs + tailUs[id]);
  }
  for (const std::vector<TaskId> &tasks : byStream) {
    left.clear();
    std::copy_if(std::lower_bound(tasks.begin(), tasks.end(), begin),
                 tasks.end(), std::back_inserter(left),
                 [&](TaskId id) { return !isHeld(id); });
    std::sort(left.begin(), left.end(), [&](TaskId a, TaskId b) {
      return heads[a] != heads[b] ? heads[a] < heads[b] : a < b;
    });
    boundUs = std::max(boundUs, getStreamBoundUs(left, heads.data()));
  }
  return boundUs;
}

void AllOrders::append(size_t i, TaskId id, double startUs) {
  ++proof.numPartial;
  const Task &task = graph.getTask(id);
  double endUs = startUs + task.durationUs;
  size_t at = to.size();
  auto copy = [&](auto &target, const auto &source, size_t count) {
    target.insert(target.end(), source.begin() + i * count,
                  source.begin() + (i + 1) * count);
  };
  copy(to.free, from.free, numStreams);
  copy(to.ready, from.ready, numTasks);
  copy(to.held, from.held, words);
  double *free = &to.free[at * numStreams], *ready = &to.ready[at * numTasks];
  uint64_t *held = &to.held[at * words];
  free[task.stream] = endUs;
  ready[id] = 0;
  held[id / 64] |= uint64_t(1) << (id % 64);
  for (TaskId later : users[id])
    ready[later] = std::max(ready[later], endUs);
  double boundUs = getBoundUs(free, ready, held);
  if (boundUs >= proof.best.timeUs * (1 - kRounding)) {
    to.free.resize(at * numStreams);
    to.ready.resize(at * numTasks);
    to.held.resize(at * words);
    return;
  }
  to.bound.push_back(boundUs);
  to.sum.push_back(std::accumulate(free, free + numStreams, 0.0));
  to.parent.push_back(uint32_t(i));
  to.added.push_back(id);
}

void AllOrders::expand(size_t i) {
  open.clear();
  double firstEndUs = std::numeric_limits<double>::infinity();
  TaskId first = kNoTask;
  auto getStartUs = [&](TaskId id) {
    return std::max(from.ready[i * numTasks + id],
                    from.free[i * numStreams + graph.getTask(id).stream]);
  };
  for (TaskId id = getFirstLeft(&from.held[i * words]); id < numTasks; ++id) {
    if (holds(from, i, id) ||
        !std::all_of(makers[id].begin(), makers[id].end(),
                     [&](TaskId maker) { return holds(from, i, maker); }))
      continue;
    open.push_back(id);
    double endUs = getStartUs(id) + graph.getTask(id).durationUs;
    if (endUs < firstEndUs) {
      firstEndUs = endUs;
      first = id;
    }
  }
  StreamId stream = graph.getTask(first).stream;
  for (TaskId id : std::vector<TaskId>(open)) {
    double startUs = getStartUs(id);
    if (id == first ||
        (graph.getTask(id).stream == stream && startUs < firstEndUs))
      append(i, id, startUs);
  }
}

bool AllOrders::isDominated(size_t a, size_t by) const {
  for (size_t s = 0; s < numStreams; ++s)
    if (to.free[by * numStreams + s] > to.free[a * numStreams + s])
      return false;
  for (size_t t = 0; t < numTasks; ++t)
    if (to.ready[by * numTasks + t] > to.ready[a * numTasks + t])
      return false;
  return true;
}

void AllOrders::prune() {
  kept.resize(to.size());
  std::iota(kept.begin(), kept.end(), 0);
  std::sort(kept.begin(), kept.end(), [&](uint32_t a, uint32_t b) {
    return to.sum[a] != to.sum[b] ? to.sum[a] < to.sum[b] : a < b;
  });
  // By the tasks they hold: those that live on.
  std::unordered_map<uint64_t, std::vector<uint32_t>> groups;
  size_t alive = 0;
  for (uint32_t index : kept) {
    const uint64_t *held = &to.held[index * words];
    uint64_t hash = 0;
    for (size_t w = 0; w < words; ++w)
      hash = (hash ^ held[w]) * 0x9e3779b97f4a7c15u + (hash >> 29);
    std::vector<uint32_t> &group = groups[hash];
    bool dominated = false;
    for (uint32_t other : group)
      if (std::equal(held, held + words, &to.held[other * words]) &&
          isDominated(index, other)) {
        dominated = true;
        break;
      }
    if (dominated)
      continue;
    group.push_back(index);
    kept[alive++] = index;
  }
  kept.resize(alive);
  if (alive <= width)
    return;
  auto isBetter = [&](uint32_t a, uint32_t b) {
    return std::tuple(to.bound[a], to.sum[a], a) <
           std::tuple(to.bound[b], to.sum[b], b);
  };
  std::nth_element(kept.begin(), kept.begin() + width, kept.end(), isBetter);
  for (size_t i = width; i < alive; ++i)
    proof.lowerBoundUs = std::min(proof.lowerBoundUs, to.bound[kept[i]]);
  kept.resize(width);
}

std::vector<TaskId> AllOrders::trace(size_t last) const {
  std::vector<TaskId> order;
  for (size_t length = numTasks, i = last; length-- > 0;) {
    order.push_back(history[length][i].added);
    i = history[length][i].parent;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

OrderProof AllOrders::run() {
  // What is left out lowers it.
  proof.lowerBoundUs = std::numeric_limits<double>::infinity();
  from.free.assign(numStreams, 0);
  from.ready.assign(numTasks, 0);
  from.held.assign(words, 0);
  from.bound.assign(1, 0);
  kept.assign(1, 0);
  for (size_t length = 0; length < numTasks; ++length) {
    to.clear();
    for (uint32_t index : kept)
      expand(index);
    if (to.size() == 0)
      break;
    std::vector<Step> &steps = history.emplace_back();
    for (size_t i = 0; i < to.size(); ++i)
      steps.push_back({to.parent[i], to.added[i]});
    if (length + 1 == numTasks) {
      // The bound of a whole order is when it ends.
      size_t winner =
          size_t(std::min_element(to.bound.begin(), to.bound.end()) -
                 to.bound.begin());
      proof.best.timeUs = to.bound[winner];
      proof.best.order = trace(winner);
      break;
    }
    prune();
    std::swap(from, to);
  }
  proof.lowerBoundUs = std::min(proof.lowerBoundUs, proof.best.timeUs);
  proof.isExact = proof.lowerBoundUs >= proof.best.timeUs * (1 - kRounding);
  return std::move(proof);
}

OrderProof moe::schedule::searchAllOrders(const TaskGraph &graph,
                                          const TaskOrder &known,
                                          size_t width) {
  if (graph.getNumTasks() == 0)
    return {known, 0, true, 0};
  OrderProof proof =
      AllOrders(permute(graph, known.order), known.timeUs, width).run();
  for (TaskId &id : proof.best.order)
    id = known.order[id];
  if (proof.best.order.empty())
    proof.best = known;
  return proof;
}
