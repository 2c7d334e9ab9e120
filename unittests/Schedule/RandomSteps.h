// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small training steps.
//
// These steps have the shape of compiled ones. The least time over all orders
// in which their streams can run them is found by exhaustive search.

#ifndef MOE_UNITTESTS_SCHEDULE_RANDOMSTEPS_H
#define MOE_UNITTESTS_SCHEDULE_RANDOMSTEPS_H

#include "RandomGraph.h"
#include <algorithm>
#include <cmath>

namespace moe::schedule::test {

enum : StreamId { Compute, Inter, Intra, numStreams };

/// A step of one or two layers, or of one layer forward and backward. It has a
/// gate, a chunked exchange around the experts of each layer, optional gathers
/// and reductions inside a node and, in a backward layer, the gradient of
/// weights and buckets of its all-reduce. Tasks are added in a feasible order.
class RandomStep {
public:
  explicit RandomStep(std::mt19937_64 &random) : random(random) {
    int64_t layers = pick(random, 1, 2);
    std::vector<TaskId> before;
    for (int64_t layer = 0; layer < layers; ++layer) {
      bool isBackward = layer + 1 == layers && pick(random, 0, 1);
      before = addLayer(before, layers == 1 ? 3 : 2, isBackward);
      if (layer + 1 < layers && pick(random, 0, 1))
        before = {add(Compute, before)};
    }
  }

  RandomGraph get() const { return build(numStreams, tasks, dependencies); }

private:
  TaskId add(StreamId stream, const std::vector<TaskId> &after) {
    // Small integers make sums exact and many events coincide.
    tasks.push_back({double(pick(random, 0, 9)), stream, ResourceId(0), 0, 0});
    TaskId id = TaskId(tasks.size() - 1);
    for (TaskId task : after)
      dependencies.push_back({task, id});
    return id;
  }

  std::vector<TaskId> addLayer(const std::vector<TaskId> &before,
                               int64_t mostChunks, bool isBackward) {
    bool hasGate = pick(random, 0, 1), hasIntra = pick(random, 0, 1);
    std::vector<TaskId> from = before, combined;
    if (hasGate)
      from = {add(Compute, before)};
    for (int64_t chunks = pick(random, 1, mostChunks); chunks > 0; --chunks) {
      TaskId last = add(Inter, from);
      if (hasIntra)
        last = add(Intra, {last});
      last = add(Compute, {last});
      combined.push_back(add(Inter, {last}));
    }
    if (!isBackward)
      return combined;
    // Only its all-reduce waits for the gradient of weights.
    TaskId weights = add(Compute, before);
    for (int64_t pieces = pick(random, 0, 2); pieces > 0; --pieces)
      add(Inter, {weights});
    return combined;
  }

  std::mt19937_64 &random;
  std::vector<Task> tasks;
  std::vector<std::pair<TaskId, TaskId>> dependencies;
};

/// The least makespan over all orders of tasks on streams. Each ready task in
/// turn becomes the next of its stream and starts as early as possible. Orders
/// that cannot beat the best so far are pruned.
class Exhaustive {
public:
  explicit Exhaustive(const RandomGraph &input)
      : input(input), endUs(input.tasks.size(), -1) {
    search(input.tasks.size(), 0);
  }
  double getBestUs() const { return bestUs; }

private:
  void search(size_t left, double makespanUs) {
    if (makespanUs >= bestUs)
      return;
    if (left == 0) {
      bestUs = makespanUs;
      return;
    }
    for (TaskId id = 0; id < input.tasks.size(); ++id) {
      if (endUs[id] >= 0)
        continue;
      const Task &task = input.tasks[id];
      double startUs = freeUs[task.stream];
      bool isReady = true;
      for (auto [before, after] : input.dependencies)
        if (after == id) {
          isReady &= endUs[before] >= 0;
          startUs = std::max(startUs, endUs[before]);
        }
      if (!isReady)
        continue;
      double wasFreeUs = freeUs[task.stream];
      endUs[id] = freeUs[task.stream] = startUs + task.durationUs;
      search(left - 1, std::max(makespanUs, endUs[id]));
      endUs[id] = -1;
      freeUs[task.stream] = wasFreeUs;
    }
  }

  const RandomGraph &input;
  std::vector<double> endUs;
  double freeUs[numStreams] = {};
  double bestUs = HUGE_VAL;
};

} // namespace moe::schedule::test

#endif // MOE_UNITTESTS_SCHEDULE_RANDOMSTEPS_H
