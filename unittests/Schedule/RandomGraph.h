// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Task graphs for property tests.

#ifndef MOE_UNITTESTS_SCHEDULE_RANDOMGRAPH_H
#define MOE_UNITTESTS_SCHEDULE_RANDOMGRAPH_H

#include "moe/Schedule/TaskGraph.h"
#include <random>
#include <utility>

namespace moe::schedule::test {

/// Returns a uniform integer in [low, high] that is the same on every platform.
inline int64_t pick(std::mt19937_64 &random, int64_t low, int64_t high) {
  return low + int64_t(random() % uint64_t(high - low + 1));
}

/// A graph and the lists it was built from, so that an oracle need not trust
/// the graph's own storage.
struct RandomGraph {
  TaskGraph graph;
  std::vector<Task> tasks;
  std::vector<std::pair<TaskId, TaskId>> dependencies;
};

/// Builds a graph from the given tasks, added in the given order.
inline RandomGraph build(unsigned numStreams, std::vector<Task> tasks,
                         std::vector<std::pair<TaskId, TaskId>> dependencies) {
  RandomGraph result;
  for (unsigned i = 0; i < numStreams; ++i)
    result.graph.addStream();
  for (const Task &task : tasks)
    result.graph.addTask(task);
  for (auto [before, after] : dependencies)
    result.graph.addDependency(before, after);
  result.tasks = std::move(tasks);
  result.dependencies = std::move(dependencies);
  return result;
}

/// Returns up to `maxTasks` tasks of small integer durations, some of them 0,
/// so that sums are exact and events coincide often. Dependencies lead from
/// lower to higher ids unless `anyDirection` is set.
inline RandomGraph makeRandomGraph(std::mt19937_64 &random, int64_t maxTasks,
                                   bool anyDirection = false) {
  unsigned numStreams = unsigned(pick(random, 1, 5));
  int64_t numTasks = pick(random, 0, maxTasks);
  std::vector<Task> tasks(static_cast<size_t>(numTasks));
  for (Task &task : tasks)
    task = {
        double(pick(random, 0, 9)), StreamId(pick(random, 0, numStreams - 1)),
        ResourceId(pick(random, 0, 3)), pick(random, 0, 5), pick(random, 0, 5)};
  std::vector<std::pair<TaskId, TaskId>> dependencies;
  int64_t numDependencies = numTasks < 2 ? 0 : pick(random, 0, 2 * numTasks);
  for (int64_t i = 0; i < numDependencies; ++i) {
    TaskId a = TaskId(pick(random, 0, numTasks - 1));
    TaskId b = TaskId(pick(random, 0, numTasks - 1));
    if (!anyDirection) {
      if (a == b)
        continue;
      if (a > b)
        std::swap(a, b);
    }
    dependencies.push_back({a, b});
  }
  return build(numStreams, std::move(tasks), std::move(dependencies));
}

} // namespace moe::schedule::test

#endif // MOE_UNITTESTS_SCHEDULE_RANDOMGRAPH_H
