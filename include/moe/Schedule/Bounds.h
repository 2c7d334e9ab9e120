// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no schedule can beat.

#ifndef MOE_SCHEDULE_BOUNDS_H
#define MOE_SCHEDULE_BOUNDS_H

#include "moe/Schedule/TaskGraph.h"

#include <algorithm>

namespace moe::schedule {

/// Times that no order of the tasks on their streams can beat, with contention
/// or without. Exact up to the rounding of sums.
struct LowerBound {
  /// The longest chain of dependencies.
  double criticalPathUs = 0;
  /// The most a single stream needs: its tasks, none before what it depends
  /// on can have ended, and after each what depends on it. Per stream, this is
  /// the best schedule of the stream alone in which a task may be interrupted
  /// (Jackson's), which equals the maximum over all sets of its tasks of the
  /// least head, plus all durations, plus the least tail.
  double busiestStreamUs = 0;
  /// The stream that needs it; 0 without streams.
  StreamId busiestStream = 0;
  /// The same where none starts before the streams can be through with all that
  /// it depends on, and as much follows it: where all of a layer waits for all
  /// of the one before, the layers' bounds one behind the other.
  double stagedUs = 0;

  double getUs() const {
    return std::max({criticalPathUs, busiestStreamUs, stagedUs});
  }
};

/// The best schedule of one stream's tasks, each of which can start at its head
/// and is followed by its tail, in which they may be interrupted (Jackson's):
/// when the last tail ends. Holds its work memory.
class StreamBound {
public:
  /// The tasks by their heads, the least first.
  double getUs(const TaskGraph &graph, std::span<const TaskId> tasks,
               std::span<const double> headUs, std::span<const double> tailUs);

private:
  struct Open {
    double tailUs, leftUs;
  };
  std::vector<Open> open;
};

/// How much of a bound is found.
enum class BoundEffort {
  /// All of it.
  Staged,
  /// All but `stagedUs`, which stays 0, in O(V log V).
  Unstaged
};

/// Finds lower bounds. Of each task that waits for several it looks at what is
/// before it and behind it, the nearest ones of large graphs, in O(V) in all; a
/// further call on a graph that is not larger allocates nothing. The order of
/// tasks on streams plays no part.
class BoundFinder {
public:
  /// Returns false when the graph is malformed (see `checkTasks`) or the
  /// dependencies are cyclic.
  [[nodiscard]] bool run(const TaskGraph &graph, LowerBound &bound,
                         BoundEffort effort = BoundEffort::Staged);

  /// What follows each task at least, behind its end, as `stagedUs` counts it;
  /// of the last graph.
  std::span<const double> getTailsUs() const { return tailUs; }
  /// What is before each task at least, in the same way.
  std::span<const double> getHeadsUs() const { return headUs; }

  /// Raises what is before and behind each task of the last graph, where more
  /// is known of some, to what follows from that for the others.
  void raise(const TaskGraph &graph, std::vector<double> &headUs,
             std::vector<double> &tailUs);

  /// Why the last call failed.
  const std::string &getError() const { return error; }

private:
  /// What each task waits for, or, the other way round, what waits for it.
  struct Neighbours {
    std::vector<uint32_t> begin;
    std::vector<TaskId> tasks;

    std::span<const TaskId> get(TaskId id) const {
      return std::span(tasks).subspan(begin[id], begin[id + 1] - begin[id]);
    }
  };

  void findNeighbours(const TaskGraph &graph);
  double getBusiestUs(const TaskGraph &graph, StreamId &busiest);
  /// Raises heads, given that each task of `order` stands behind those before
  /// it; or tails, given all of it backwards.
  void stage(const TaskGraph &graph, const Neighbours &before,
             std::vector<double> &us);
  double getStageUs(const TaskGraph &graph, TaskId id, size_t most,
                    const Neighbours &before, std::span<const double> us);

  /// Dependencies of each task not yet counted, tasks in topological order and
  /// the place of each, and the least before and behind each task.
  std::vector<uint32_t> waitingFor, places;
  std::vector<TaskId> order;
  std::vector<double> headUs, tailUs;
  std::vector<TaskId> byStream;
  Neighbours makers, users;
  /// Of the tasks before one: its way to that, by task, and those looked at.
  std::vector<double> wayUs;
  std::vector<TaskId> heap, near;
  /// The tasks looked at by stream, with the least before each.
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
