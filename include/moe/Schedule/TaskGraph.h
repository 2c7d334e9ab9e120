// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks on streams.
//
// The planners' view of one rank's work: tasks that take time, streams that run
// their tasks in a fixed order, and dependencies between tasks (SPEC MO-9,
// FS-3). Uses standard C++ only.

#ifndef MOE_SCHEDULE_TASKGRAPH_H
#define MOE_SCHEDULE_TASKGRAPH_H

#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace moe::schedule {

/// A task, numbered from 0 in the order of `TaskGraph::addTask`.
using TaskId = uint32_t;
/// A stream, numbered from 0 in the order of `TaskGraph::addStream`.
using StreamId = uint32_t;

/// Denotes "no task".
constexpr TaskId kNoTask = ~TaskId(0);

/// The resource that a task uses while it runs, a number below `kMaxResources`;
/// see `Contention`. Resource 0 is not shared.
using ResourceId = uint32_t;
constexpr ResourceId kNoResource = 0;
constexpr ResourceId kMaxResources = 8;

/// The maximum duration of a task, which keeps sums of durations finite.
constexpr double kMaxDurationUs = 1e15;

struct Task {
  /// Duration without contention, from 0 to `kMaxDurationUs`.
  double durationUs = 0;
  StreamId stream = 0;
  ResourceId resource = kNoResource;
  /// Memory that is allocated when the task starts; >= 0.
  int64_t allocatedBytes = 0;
  /// Memory that is freed when the task ends; >= 0.
  int64_t freedBytes = 0;
};

/// Tasks, their order on each stream (the order of their addition), and
/// dependencies. This is plain data: ids must exist, but nothing else is
/// checked before a `Simulator` or a `BoundFinder` reads it.
class TaskGraph {
public:
  StreamId addStream() {
    lastOnStream.push_back(kNoTask);
    return StreamId(lastOnStream.size() - 1);
  }

  /// Appends a task to its stream, which must exist.
  TaskId addTask(const Task &task) {
    assert(task.stream < lastOnStream.size() && "expected a stream added");
    TaskId id = TaskId(tasks.size());
    tasks.push_back(task);
    TaskId &last = lastOnStream[task.stream];
    previous.push_back(last);
    next.push_back(kNoTask);
    if (last != kNoTask)
      next[last] = id;
    last = id;
    firstEdge.push_back(kNoEdge);
    return id;
  }

  /// Lets `after` start only after `before` has ended. Both must exist, but
  /// they may have been added in any order. The same dependency may be added
  /// twice.
  void addDependency(TaskId before, TaskId after) {
    assert(before < tasks.size() && after < tasks.size() &&
           "expected tasks added");
    edges.push_back({after, firstEdge[before]});
    firstEdge[before] = uint32_t(edges.size() - 1);
  }

  /// Removes all contents but keeps the memory, for building the next graph.
  void clear() {
    tasks.clear();
    previous.clear();
    next.clear();
    lastOnStream.clear();
    firstEdge.clear();
    edges.clear();
  }

  uint32_t getNumTasks() const { return uint32_t(tasks.size()); }
  uint32_t getNumStreams() const { return uint32_t(lastOnStream.size()); }
  uint32_t getNumDependencies() const { return uint32_t(edges.size()); }
  const Task &getTask(TaskId id) const { return tasks[id]; }
  /// Changes the duration of a task without changing dependencies.
  void setDuration(TaskId id, double us) { tasks[id].durationUs = us; }

  /// Returns the previous or next task of `id` on its stream, or kNoTask.
  TaskId getPreviousOnStream(TaskId id) const { return previous[id]; }
  TaskId getNextOnStream(TaskId id) const { return next[id]; }

  /// Calls `visit` with every task that depends on `id`, once per dependency.
  template <typename Visitor>
  void forEachDependent(TaskId id, Visitor &&visit) const {
    for (uint32_t e = firstEdge[id]; e != kNoEdge; e = edges[e].next)
      visit(edges[e].to);
  }

private:
  static constexpr uint32_t kNoEdge = ~uint32_t(0);
  struct Edge {
    TaskId to;
    uint32_t next;
  };

  std::vector<Task> tasks;
  std::vector<TaskId> previous, next;
  std::vector<TaskId> lastOnStream;
  /// Dependencies as one linked list per task, threaded through `edges`.
  std::vector<uint32_t> firstEdge;
  std::vector<Edge> edges;
};

/// How tasks on different streams slow each other down (MoNTA: AllGather and
/// device-to-device copies compete for memory).
class Contention {
public:
  Contention() {
    for (auto &row : factors)
      row.fill(1.0);
  }

  /// Makes a task of resource `slowed` take `factor` times as long while
  /// another task of resource `by` runs; the factors of several resources
  /// multiply. `slowed` may equal `by`. Both are at least 1 and below
  /// `kMaxResources`; `factor` is at least 1 and at most 1e6.
  void set(ResourceId slowed, ResourceId by, double factor) {
    assert(slowed != kNoResource && by != kNoResource &&
           slowed < kMaxResources && by < kMaxResources &&
           "expected resources that can be shared");
    assert(factor >= 1.0 && factor <= 1e6 &&
           "expected no speedup by contention");
    factors[slowed][by] = factor;
    any |= factor > 1.0;
  }

  double get(ResourceId slowed, ResourceId by) const {
    return factors[slowed][by];
  }
  /// Returns false if no task slows down another.
  bool hasAny() const { return any; }

private:
  std::array<std::array<double, kMaxResources>, kMaxResources> factors;
  bool any = false;
};

/// Returns why the tasks of a graph, each considered alone, are invalid; empty
/// if valid. For example: "task 3: expected a duration >= 0 us, got -1".
std::string checkTasks(const TaskGraph &graph);

/// Finds tasks that wait for each other, each for the next one and the last for
/// the first. `waitingFor` has, for each task, the number of its dependencies
/// that can never end; at least one count must not be 0, and the tasks with
/// nonzero counts never end. A task waits for its dependencies and, if
/// `alongStreams`, for the previous task on its stream.
std::vector<TaskId> findCycle(const TaskGraph &graph,
                              std::span<const uint32_t> waitingFor,
                              bool alongStreams);

/// Explains why the tasks of a cycle wait for each other: each task waits for
/// the next one in `cycle`, the last for the first. `name` returns the name of
/// a task; if empty, tasks have names like "task 3".
std::string describeCycle(const TaskGraph &graph, std::span<const TaskId> cycle,
                          const std::function<std::string(TaskId)> &name = {});

} // namespace moe::schedule

#endif // MOE_SCHEDULE_TASKGRAPH_H
