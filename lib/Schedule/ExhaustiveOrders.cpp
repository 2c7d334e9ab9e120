// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for the best of all orders.
//
// Partial orders hold the first tasks of all streams, like active schedules do
// (Giffler and Thompson): the stream of the task that could end first next runs
// a task that could start before that end. Among partial orders of the same
// tasks, the search discards an order that is nowhere earlier than another one,
// and any order that cannot beat the known one. The bounds are the longest
// chain of dependencies, and for each stream the best preemptive schedule of
// its remaining tasks (Jackson's), followed by the work of all streams after
// each task.
//
// In long schedules, only the next tasks in the known order are considered.
// Tasks beyond this horizon are not added yet; the bound counts them as the
// successors of other tasks.

#include "moe/Cost/TieTolerance.h"
#include "moe/Schedule/Bounds.h"
#include "moe/Schedule/TaskOrder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>
#include <unordered_map>

using namespace moe::schedule;
using moe::cost::kRounding;

namespace {

/// Partial orders of one length. All of them hold all tasks before `base`, a
/// multiple of 64, and none from `base + span` on. The i-th order has
/// `numStreams` times when streams become free, `span` times when the tasks in
/// between can start (0 for tasks that it holds), and a bit per task that is
/// set if the order holds it.
struct Layer {
  size_t base = 0, span = 0;
  std::vector<double> free, ready;
  std::vector<uint64_t> held;
  std::vector<double> bound, sum;
  /// The parent of each order, and the task that was added to it.
  std::vector<uint32_t> parent;
  std::vector<TaskId> added;

  size_t size() const { return bound.size(); }
  size_t getWords() const { return (span + 63) / 64; }
  const uint64_t *getHeld(size_t i) const { return &held[i * getWords()]; }
  bool holds(size_t i, TaskId id) const {
    size_t at = id - base;
    return id < base || getHeld(i)[at / 64] >> (at % 64) & 1;
  }
  /// Returns when a task at or after `base` can start.
  double getReadyUs(size_t i, TaskId id) const {
    return ready[i * span + id - base];
  }
  /// Returns the first task that the order does not hold.
  TaskId getFirstLeft(size_t i) const {
    size_t word = 0, words = getWords();
    while (word < words && getHeld(i)[word] == ~uint64_t(0))
      ++word;
    size_t at = word == words
                    ? span
                    : word * 64 + size_t(std::countr_one(getHeld(i)[word]));
    return TaskId(base + std::min(at, span));
  }
  void clear() {
    for (auto *list : {&free, &ready, &bound, &sum})
      list->clear();
    held.clear();
    parent.clear();
    added.clear();
  }
};

/// Searches the orders of a graph with its tasks in topological order.
class ExhaustiveOrders {
public:
  /// The search considers the next `horizon` tasks. `tailsUs` is computed if
  /// empty.
  ExhaustiveOrders(TaskGraph graph, double knownUs, size_t width,
                   size_t horizon, std::vector<double> tailsUs = {});
  /// Runs the search. The best order is empty if nothing beats the known time.
  OrderProof run();

private:
  /// Tasks beyond the span need no time, because they start when their stream
  /// is free: their dependencies were added a horizon earlier.
  void raise(size_t i, TaskId id, double us) {
    if (id >= to.base + to.span)
      return;
    double &readyUs = to.ready[i * to.span + id - to.base];
    readyUs = std::max(readyUs, us);
  }
  void expand(size_t i);
  void append(size_t i, TaskId id, double startUs);
  /// Returns the bound of the last order of the new layer.
  double getBoundUs();
  /// Returns the end of the horizon after the first remaining task.
  TaskId getEnd(TaskId first) const {
    return TaskId(std::min(numTasks, first + horizon));
  }
  /// Sets the range of the next layer.
  void place();
  bool isDominated(size_t a, size_t by) const;
  /// Sets `kept` to the surviving orders of the new layer.
  void prune();
  std::vector<TaskId> trace(size_t last) const;

  TaskGraph graph;
  size_t numTasks, numStreams, width, horizon;
  /// Dependencies and dependents of each task.
  std::vector<std::vector<TaskId>> makers, users;
  /// Minimum time after each task.
  std::vector<double> tailsUs;
  StreamBound streamBound;
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
  std::vector<TaskId> open;
  std::vector<std::vector<TaskId>> left;
};

} // namespace

ExhaustiveOrders::ExhaustiveOrders(TaskGraph given, double knownUs,
                                   size_t width, size_t horizon,
                                   std::vector<double> givenTailsUs)
    : graph(std::move(given)), numTasks(graph.getNumTasks()),
      numStreams(graph.getNumStreams()), width(width), horizon(horizon),
      makers(numTasks), users(numTasks), tailsUs(std::move(givenTailsUs)),
      heads(numTasks), left(numStreams) {
  proof.best.timeUs = knownUs;
  for (TaskId id = 0; id < numTasks; ++id)
    graph.forEachDependent(id, [&](TaskId later) {
      makers[later].push_back(id);
      users[id].push_back(later);
    });
  if (!tailsUs.empty())
    return;
  BoundFinder bounds;
  LowerBound bound;
  [[maybe_unused]] bool ran = bounds.run(graph, bound);
  assert(ran && "expected a graph that can run");
  tailsUs.assign(bounds.getTailsUs().begin(), bounds.getTailsUs().end());
}

/// Returns a bound that no completion within the horizon beats. Raises `ready`
/// to the times when streams are free, so that partial orders that differ only
/// in the past become equal.
double ExhaustiveOrders::getBoundUs() {
  size_t i = to.size();
  const double *free = &to.free[i * numStreams];
  double *ready = &to.ready[i * to.span];
  double boundUs = *std::max_element(free, free + numStreams);
  for (std::vector<TaskId> &tasks : left)
    tasks.clear();
  TaskId first = to.getFirstLeft(i);
  for (TaskId id = first, end = getEnd(first); id < end; ++id) {
    if (to.holds(i, id))
      continue;
    const Task &task = graph.getTask(id);
    // A task that is ready before its stream is free counts as ready at that
    // time.
    double &readyUs = ready[id - to.base];
    double headUs = readyUs = std::max(readyUs, free[task.stream]);
    for (TaskId maker : makers[id])
      if (!to.holds(i, maker))
        headUs =
            std::max(headUs, heads[maker] + graph.getTask(maker).durationUs);
    heads[id] = headUs;
    boundUs = std::max(boundUs, headUs + task.durationUs + tailsUs[id]);
    left[task.stream].push_back(id);
  }
  for (std::vector<TaskId> &tasks : left) {
    std::sort(tasks.begin(), tasks.end(), [&](TaskId a, TaskId b) {
      return heads[a] != heads[b] ? heads[a] < heads[b] : a < b;
    });
    boundUs =
        std::max(boundUs, streamBound.getUs(graph, tasks, heads, tailsUs));
  }
  return boundUs;
}

void ExhaustiveOrders::place() {
  TaskId first = TaskId(numTasks);
  for (uint32_t index : kept)
    first = std::min(first, from.getFirstLeft(index));
  to.clear();
  to.base = first / 64 * 64;
  // The first remaining task of an order may advance to any task that the order
  // could have added.
  TaskId last = first;
  for (uint32_t index : kept)
    last = std::max(last, from.getFirstLeft(index));
  size_t end = std::min(numTasks, last + 2 * horizon);
  to.span = end - to.base;
}

void ExhaustiveOrders::append(size_t i, TaskId id, double startUs) {
  ++proof.numPartial;
  const Task &task = graph.getTask(id);
  double endUs = startUs + task.durationUs;
  size_t at = to.size(), shift = to.base - from.base;
  to.free.insert(to.free.end(), from.free.begin() + i * numStreams,
                 from.free.begin() + (i + 1) * numStreams);
  // Copies the range common to both layers. Tasks that enter the range also
  // wait for tasks already held.
  size_t common = std::min(from.span - shift, to.span);
  auto ready = from.ready.begin() + i * from.span + shift;
  to.ready.insert(to.ready.end(), ready, ready + common);
  to.ready.resize((at + 1) * to.span);
  auto held = from.held.begin() + i * from.getWords() + shift / 64;
  size_t words = std::min(from.getWords() - shift / 64, to.getWords());
  to.held.insert(to.held.end(), held, held + words);
  to.held.resize((at + 1) * to.getWords());
  double *free = &to.free[at * numStreams];
  free[task.stream] = endUs;
  to.ready[at * to.span + id - to.base] = 0;
  size_t bit = id - to.base;
  to.held[at * to.getWords() + bit / 64] |= uint64_t(1) << (bit % 64);
  for (TaskId later : users[id])
    raise(at, later, endUs);
  double boundUs = getBoundUs();
  if (boundUs >= proof.best.timeUs * (1 - kRounding)) {
    to.free.resize(at * numStreams);
    to.ready.resize(at * to.span);
    to.held.resize(at * to.getWords());
    return;
  }
  to.bound.push_back(boundUs);
  to.sum.push_back(std::accumulate(free, free + numStreams, 0.0));
  to.parent.push_back(uint32_t(i));
  to.added.push_back(id);
}

void ExhaustiveOrders::expand(size_t i) {
  open.clear();
  double firstEndUs = std::numeric_limits<double>::infinity();
  TaskId first = kNoTask;
  auto getStartUs = [&](TaskId id) {
    return std::max(from.getReadyUs(i, id),
                    from.free[i * numStreams + graph.getTask(id).stream]);
  };
  TaskId begin = from.getFirstLeft(i);
  for (TaskId id = begin, end = getEnd(begin); id < end; ++id) {
    if (from.holds(i, id) ||
        !std::all_of(makers[id].begin(), makers[id].end(),
                     [&](TaskId maker) { return from.holds(i, maker); }))
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

bool ExhaustiveOrders::isDominated(size_t a, size_t by) const {
  for (size_t s = 0; s < numStreams; ++s)
    if (to.free[by * numStreams + s] > to.free[a * numStreams + s])
      return false;
  for (size_t t = 0; t < to.span; ++t)
    if (to.ready[by * to.span + t] > to.ready[a * to.span + t])
      return false;
  return true;
}

void ExhaustiveOrders::prune() {
  kept.resize(to.size());
  std::iota(kept.begin(), kept.end(), 0);
  std::sort(kept.begin(), kept.end(), [&](uint32_t a, uint32_t b) {
    return to.sum[a] != to.sum[b] ? to.sum[a] < to.sum[b] : a < b;
  });
  // Survivors, grouped by the tasks they hold.
  std::unordered_map<uint64_t, std::vector<uint32_t>> groups;
  size_t alive = 0, words = to.getWords();
  for (uint32_t index : kept) {
    const uint64_t *held = to.getHeld(index);
    uint64_t hash = 0;
    for (size_t w = 0; w < words; ++w)
      hash = (hash ^ held[w]) * 0x9e3779b97f4a7c15u + (hash >> 29);
    std::vector<uint32_t> &group = groups[hash];
    bool dominated = false;
    for (uint32_t other : group)
      if (std::equal(held, held + words, to.getHeld(other)) &&
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

std::vector<TaskId> ExhaustiveOrders::trace(size_t last) const {
  std::vector<TaskId> order;
  for (size_t length = numTasks, i = last; length-- > 0;) {
    order.push_back(history[length][i].added);
    i = history[length][i].parent;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

OrderProof ExhaustiveOrders::run() {
  // Discarded orders lower the bound.
  proof.lowerBoundUs = std::numeric_limits<double>::infinity();
  from.free.assign(numStreams, 0);
  from.span = std::min(numTasks, 2 * horizon);
  from.ready.assign(from.span, 0);
  from.held.assign(from.getWords(), 0);
  from.bound.assign(1, 0);
  kept.assign(1, 0);
  for (size_t length = 0; length < numTasks; ++length) {
    place();
    for (uint32_t index : kept)
      expand(index);
    if (to.size() == 0)
      break;
    std::vector<Step> &steps = history.emplace_back();
    for (size_t i = 0; i < to.size(); ++i)
      steps.push_back({to.parent[i], to.added[i]});
    if (length + 1 == numTasks) {
      // The bound of a complete order is its end.
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

/// Translates an order of a permuted graph to the original graph; returns the
/// known order if `found` is empty.
static TaskOrder translate(TaskOrder found, const TaskOrder &known) {
  if (found.order.empty())
    return known;
  for (TaskId &id : found.order)
    id = known.order[id];
  return found;
}

OrderProof moe::schedule::searchAllOrders(const TaskGraph &graph,
                                          const TaskOrder &known,
                                          size_t width) {
  if (graph.getNumTasks() == 0)
    return {known, 0, true, 0};
  OrderProof proof =
      ExhaustiveOrders(permute(graph, known.order), known.timeUs, width,
                       /*horizon=*/graph.getNumTasks())
          .run();
  proof.best = translate(std::move(proof.best), known);
  return proof;
}

TaskOrder moe::schedule::searchOrdersAhead(const TaskGraph &graph,
                                           std::span<const TaskId> order,
                                           size_t width, size_t horizon,
                                           std::span<const double> tailsUs) {
  TaskOrder known{{order.begin(), order.end()},
                  std::numeric_limits<double>::infinity()};
  if (order.empty() || width == 0)
    return known;
  std::vector<double> permuted;
  for (TaskId id : tailsUs.empty() ? std::span<const TaskId>() : order)
    permuted.push_back(tailsUs[id]);
  return translate(ExhaustiveOrders(permute(graph, order), known.timeUs, width,
                                    std::max<size_t>(horizon, 1),
                                    std::move(permuted))
                       .run()
                       .best,
                   known);
}
