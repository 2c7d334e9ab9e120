// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each task runs.

#ifndef MOE_SCHEDULE_SIMULATION_H
#define MOE_SCHEDULE_SIMULATION_H

#include "moe/Schedule/TaskGraph.h"

namespace moe::schedule {

/// What a simulation found. Its vectors keep their memory from run to run.
struct Timeline {
  /// When each task starts and ends.
  std::vector<double> startUs, endUs;
  /// Time each stream runs a task, slowed down or not.
  std::vector<double> busyUs;
  /// When the last task ends; 0 without tasks.
  double makespanUs = 0;
  /// Most memory in use at any time, counted from what was in use at the
  /// start. Memory given back at an instant is free for what starts at it.
  int64_t peakBytes = 0;
  /// Tasks of which each starts at the instant the one before it ends, from
  /// the start to the makespan: to be faster, one of them must be shortened
  /// or moved.
  std::vector<TaskId> criticalPath;
};

/// Runs task graphs: a task starts as soon as the one before it on its stream
/// and all it depends on have ended. Exact up to rounding: time advances from
/// event to event, and the speed of what runs changes only at events. Without
/// contention every end is its start plus its duration, with no other
/// rounding.
///
/// Takes O(V log S + E) for V tasks on S streams and E dependencies, times the
/// number of resources when there is contention. Holds its work memory: a
/// further run on a graph that is not larger allocates nothing.
class Simulator {
public:
  /// Returns false, with nothing of use in `timeline`, when the graph is
  /// malformed (see `checkTasks`) or tasks wait for each other forever.
  [[nodiscard]] bool run(const TaskGraph &graph, const Contention &contention,
                         Timeline &timeline);
  [[nodiscard]] bool run(const TaskGraph &graph, Timeline &timeline) {
    return run(graph, Contention(), timeline);
  }

  /// Why the last run failed: what was expected, what was found, or the tasks
  /// that wait for each other.
  const std::string &getError() const { return error; }
  /// The tasks that wait for each other, each for the one after it, the last
  /// for the first; empty unless that is why the last run failed.
  std::span<const TaskId> getCycle() const { return cycle; }

private:
  /// A running task. `endWork` is what the clock of its resource shows when
  /// it ends.
  struct Running {
    double endWork;
    TaskId task;
  };
  /// The tasks of one resource run equally slowed down at any time. Its clock
  /// shows the work a task would have done that ran all the time.
  struct Clock {
    double slowdown = 1.0;
    /// The instant of the last change of slowdown, and the clock then.
    double sinceUs = 0, sinceWork = 0;
    /// A heap, the first to end on top. At most one task a stream.
    std::vector<Running> running;

    double workAt(double us) const {
      return sinceWork + (us - sinceUs) / slowdown;
    }
    double nextEndUs() const {
      return sinceUs + (running.front().endWork - sinceWork) * slowdown;
    }
  };

  void start(const TaskGraph &graph, TaskId id, double nowUs,
             Timeline &timeline);
  void setSlowdowns(const Contention &contention, double nowUs);

  std::array<Clock, kMaxResources> clocks;
  /// One more than the largest resource of the graph.
  ResourceId numResources = 1;
  /// Dependencies and stream predecessors that have not ended.
  std::vector<uint32_t> waitingFor;
  /// The task at whose end a task could start.
  std::vector<TaskId> cause;
  std::vector<TaskId> ended, ready;
  int64_t bytes = 0;
  std::string error;
  std::vector<TaskId> cycle;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_SIMULATION_H
