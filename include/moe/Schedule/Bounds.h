// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds on schedules.

#ifndef MOE_SCHEDULE_BOUNDS_H
#define MOE_SCHEDULE_BOUNDS_H

#include "moe/Schedule/TaskGraph.h"

#include <algorithm>

namespace moe::schedule {

/// Lower bounds on the time of any task order, with or without contention. They
/// are exact up to the rounding of sums.
struct LowerBound {
  /// The longest chain of dependencies.
  double criticalPathUs = 0;
  /// The maximum over the streams of the time that a single stream needs. No
  /// task of it starts before its dependencies can have ended, and its
  /// dependents follow. Per stream, this is the best preemptive schedule of the
  /// stream alone (Jackson's), which equals the maximum over all sets of its
  /// tasks of the least head, plus all durations, plus the least tail.
  double busiestStreamUs = 0;
  /// The stream with this time; 0 without streams.
  StreamId busiestStream = 0;
  /// The same if no task starts before the streams can complete all of its
  /// predecessors, and its successors follow in the same way. If each layer
  /// waits for all of the previous one, this adds up the layers' bounds.
  double stagedUs = 0;

  double getUs() const {
    return std::max({criticalPathUs, busiestStreamUs, stagedUs});
  }
};

/// Computes the best preemptive schedule (Jackson's) of one stream's tasks,
/// where each task can start at its head and is followed by its tail, and
/// returns when the last tail ends. Keeps its work memory.
class StreamBound {
public:
  /// `tasks` must be sorted by their heads, in ascending order.
  double getUs(const TaskGraph &graph, std::span<const TaskId> tasks,
               std::span<const double> headUs, std::span<const double> tailUs);

private:
  struct Open {
    double tailUs, leftUs;
  };
  std::vector<Open> open;
};

/// A set of places in a topological order, of which the last is taken first.
/// One bit per place is faster than a heap.
class PlaceSet {
public:
  /// Empties the set, for places below `numPlaces`.
  void reset(size_t numPlaces);
  void add(uint32_t place);
  bool isEmpty() const { return size == 0; }
  /// Removes and returns the last place. The set must not be empty.
  uint32_t takeLast();

private:
  static constexpr unsigned kBits = 64;

  std::vector<uint64_t> words;
  /// Number of places in the set.
  size_t size = 0;
  /// No word after this one has a place.
  size_t last = 0;
};

/// The bounds to compute.
enum class BoundEffort {
  /// All bounds.
  Staged,
  /// All bounds except `stagedUs`, which stays 0; takes O(V log V).
  Unstaged
};

/// Finds lower bounds. For each task with several dependencies, the finder
/// considers the tasks before and after it, in large graphs only the nearest
/// ones, so that this takes O(V) in total. A further call on a graph that is
/// not larger allocates nothing. The order of tasks on streams is ignored.
class BoundFinder {
public:
  /// Returns false if the graph is malformed (see `checkTasks`) or the
  /// dependencies are cyclic.
  [[nodiscard]] bool run(const TaskGraph &graph, LowerBound &bound,
                         BoundEffort effort = BoundEffort::Staged);

  /// Returns the minimum time that follows the end of each task of the last
  /// graph, as counted in `stagedUs`.
  std::span<const double> getTailsUs() const { return tailUs; }
  /// Returns the minimum time before each task in the same way.
  std::span<const double> getHeadsUs() const { return headUs; }

  /// Given tighter heads and tails for some tasks of the last graph, raises the
  /// heads and tails of the other tasks accordingly.
  void raise(const TaskGraph &graph, std::vector<double> &headUs,
             std::vector<double> &tailUs);

  /// Returns why the last call failed.
  const std::string &getError() const { return error; }

private:
  /// The dependencies of each task or, in the other direction, its dependents.
  struct Neighbours {
    std::vector<uint32_t> begin;
    std::vector<TaskId> tasks;

    std::span<const TaskId> get(TaskId id) const {
      return std::span(tasks).subspan(begin[id], begin[id + 1] - begin[id]);
    }
  };

  void findNeighbours(const TaskGraph &graph);
  double getBusiestUs(const TaskGraph &graph, StreamId &busiest);
  /// Raises heads, given the tasks in topological order; or raises tails, given
  /// everything reversed.
  void stage(const TaskGraph &graph, const Neighbours &before,
             std::vector<double> &us);
  double getStageUs(const TaskGraph &graph, TaskId id, size_t most,
                    const Neighbours &before, std::span<const double> us);

  /// Per task, the number of dependencies not yet counted; the tasks in
  /// topological order and the index of each; and the minimum time before and
  /// after each task.
  std::vector<uint32_t> waitingFor, places;
  std::vector<TaskId> order;
  std::vector<double> headUs, tailUs;
  std::vector<TaskId> byStream;
  Neighbours makers, users;
  /// For the predecessors of a task: the length of the path to the task, by
  /// task id, and the predecessors considered.
  std::vector<double> wayUs;
  PlaceSet reached;
  std::vector<TaskId> near;
  /// The considered tasks by stream, with the minimum time before each.
  struct Near {
    double us;
    TaskId id;
  };
  std::vector<std::vector<Near>> nearByStream;
  std::vector<TaskId> sorted;
  StreamBound streamBound;
  std::string error;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_BOUNDS_H
