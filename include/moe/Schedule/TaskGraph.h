// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks on streams.
//
// What a rank has to do, as the planners see it: tasks that take time, streams
// that run their tasks in a fixed order, and dependencies between tasks
// (SPEC MO-9, FS-3). Standard C++ only.

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

/// Stands for "no task".
constexpr TaskId kNoTask = ~TaskId(0);

/// What a task uses while it runs, a number below `kMaxResources`; see
/// `Contention`. Resource 0 is shared with nobody.
using ResourceId = uint32_t;
constexpr ResourceId kNoResource = 0;
constexpr ResourceId kMaxResources = 8;

/// The longest duration of a task; sums of such stay finite.
constexpr double kMaxDurationUs = 1e15;

/// One task of one rank.
struct Task {
  /// Time the task takes when nothing slows it down, 0 to `kMaxDurationUs`.
  double durationUs = 0;
  /// The stream it runs on.
  StreamId stream = 0;
  ResourceId resource = kNoResource;
  /// Memory that comes into use when the task starts; >= 0.
  int64_t allocatedBytes = 0;
  /// Memory that is given back when the task ends; >= 0.
  int64_t freedBytes = 0;
};

/// Tasks, the order in which each stream runs them (the order in which they
/// were added), and dependencies. Plain data: nothing is checked before a
/// `Simulator` or a `BoundFinder` reads it, except that ids exist.
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

  /// Lets `after` start only when `before` has ended. Both must exist; either
  /// may have been added first, and the same dependency may be added twice.
  void addDependency(TaskId before, TaskId after) {
    assert(before < tasks.size() && after < tasks.size() &&
           "expected tasks added");
    edges.push_back({after, firstEdge[before]});
    firstEdge[before] = uint32_t(edges.size() - 1);
  }

  /// Forgets everything but keeps the memory, to build the next graph in.
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
  /// Changes what a task takes; dependencies stay.
  void setDuration(TaskId id, double us) { tasks[id].durationUs = us; }

  /// The task right before or after `id` on its stream, or kNoTask.
  TaskId getPreviousOnStream(TaskId id) const { return previous[id]; }
  TaskId getNextOnStream(TaskId id) const { return next[id]; }

  /// Calls `visit` with every task that depends on `id`, once a dependency.
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
  /// Dependencies as one list a task, threaded through `edges`.
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

  /// A task of resource `slowed` takes `factor` times as long while another
  /// task of resource `by` runs; the factors of several such resources
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
  /// False when no task slows down another.
  bool hasAny() const { return any; }

private:
  std::array<std::array<double, kMaxResources>, kMaxResources> factors;
  bool any = false;
};

/// What is wrong with the tasks of a graph by themselves, empty when nothing
/// is: "task 3: expected a duration >= 0 us, got -1".
std::string checkTasks(const TaskGraph &graph);

/// Finds tasks that wait for each other, each for the one after it and the
/// last for the first. `waitingFor` counts, for each task, the tasks of those
/// it waits for that can never end; at least one count is not 0, and those not
/// 0 are the tasks that never end. A task waits for its dependencies and, if
/// `alongStreams`, for the task before it on its stream.
std::vector<TaskId> findCycle(const TaskGraph &graph,
                              std::span<const uint32_t> waitingFor,
                              bool alongStreams);

/// Tells why the tasks of a cycle wait for each other: each waits for the one
/// after it in `cycle`, the last for the first. `name` gives the words for a
/// task; "task 3" and the like when it is empty.
std::string describeCycle(const TaskGraph &graph, std::span<const TaskId> cycle,
                          const std::function<std::string(TaskId)> &name = {});

} // namespace moe::schedule

#endif // MOE_SCHEDULE_TASKGRAPH_H
