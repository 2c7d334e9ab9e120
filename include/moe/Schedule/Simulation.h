// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of task graphs.

#ifndef MOE_SCHEDULE_SIMULATION_H
#define MOE_SCHEDULE_SIMULATION_H

#include "moe/Schedule/TaskGraph.h"

namespace moe::schedule {

/// The result of a simulation. Its vectors keep their memory from run to run.
struct Timeline {
  std::vector<double> startUs, endUs;
  /// Time during which each stream runs a task, slowed down or not.
  std::vector<double> busyUs;
  /// End of the last task; 0 without tasks.
  double makespanUs = 0;
  /// Most memory in use at any time, relative to the start. Memory that is
  /// freed at an instant is available to tasks that start at it.
  int64_t peakBytes = 0;
  /// Consecutive tasks from the start to the makespan, where each task starts
  /// at the instant the previous one ends. One of them must be shortened or
  /// moved to reduce the makespan.
  std::vector<TaskId> criticalPath;
};

/// Simulates task graphs. A task starts as soon as its dependencies and the
/// previous task on its stream have ended. The result is exact up to rounding,
/// because time advances from event to event and the speeds of running tasks
/// change only at events. Without contention, every end is its start plus its
/// duration, with no other rounding.
///
/// A run takes O(V log S + E) for V tasks on S streams and E dependencies,
/// times the number of resources if there is contention. The simulator keeps
/// its work memory: a further run on a graph that is not larger allocates
/// nothing.
class Simulator {
public:
  /// Returns false, with an unusable `timeline`, if the graph is malformed (see
  /// `checkTasks`) or tasks wait for each other forever.
  [[nodiscard]] bool run(const TaskGraph &graph, const Contention &contention,
                         Timeline &timeline);
  [[nodiscard]] bool run(const TaskGraph &graph, Timeline &timeline) {
    return run(graph, Contention(), timeline);
  }

  /// Returns why the last run failed: the expected and actual values, or the
  /// tasks that wait for each other.
  const std::string &getError() const { return error; }
  /// Returns the tasks that wait for each other, each for the next one and the
  /// last for the first; empty unless the last run failed for this reason.
  std::span<const TaskId> getCycle() const { return cycle; }

private:
  /// A running task, which ends when the clock of its resource reaches
  /// `endWork`.
  struct Running {
    double endWork;
    TaskId task;
  };
  /// The clock of one resource. All running tasks of a resource are equally
  /// slowed down at any time, so one clock counts the work that a task would
  /// have completed if it had run from the start.
  struct Clock {
    double slowdown = 1.0;
    /// The time of the last change of slowdown, and the clock at that time.
    double sinceUs = 0, sinceWork = 0;
    /// A heap with the first task to end on top; at most one task per stream.
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
  /// One more than the largest resource id of the graph.
  ResourceId numResources = 1;
  /// Number of unfinished dependencies and stream predecessors per task.
  std::vector<uint32_t> waitingFor;
  /// The task that delayed the start of each task until its own end.
  std::vector<TaskId> cause;
  std::vector<TaskId> ended, ready;
  int64_t bytes = 0;
  std::string error;
  std::vector<TaskId> cycle;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_SIMULATION_H
