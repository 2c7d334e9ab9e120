// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs that no order meets a deadline.
//
// Given a deadline for all tasks, each task has a time window. Other tasks of
// its stream, predecessors and successors narrow the windows until nothing
// changes or one window is too small, which proves that no order meets the
// deadline (destructive bounds: Martin and Shmoys, IPCO 1996; edges: Carlier
// and Pinson, Management Science 35, 1989).

#ifndef MOE_SCHEDULE_EDGEFINDING_H
#define MOE_SCHEDULE_EDGEFINDING_H

#include "moe/Schedule/Bounds.h"

namespace moe::schedule {

/// Time windows of the tasks of one graph. A result without contention also
/// holds with contention, because contention shortens no task.
class EdgeFinding {
public:
  /// The graph must outlive this object and be valid for `BoundFinder`.
  explicit EdgeFinding(const TaskGraph &graph);

  /// Returns true if no order of the tasks on their streams ends by `us`; false
  /// means that the answer is unknown. For up to `rounds` rounds, the search
  /// cuts windows at each end: a part is cut off if the task cannot be in it.
  bool isImpossible(double us, unsigned rounds);

private:
  struct Windows {
    /// Earliest starts, and the minimum time after each task's end.
    std::vector<double> headUs, tailUs;
  };

  /// Narrows windows; returns false if one is too small. If `staged`, it also
  /// counts the work of all streams before and after each task.
  bool narrow(Windows &windows, bool staged);
  bool narrowByEdges(Windows &windows, bool &changed);
  /// Raises `headUs` of a stream's tasks that must run after others. Called
  /// with tails and heads exchanged, it raises tails.
  bool raiseByEdges(std::span<const TaskId> tasks, std::vector<double> &headUs,
                    const std::vector<double> &tailUs, bool &changed);
  bool follow(Windows &windows, bool &changed);
  /// Cuts off one end of a task's window; returns false if nothing is left.
  bool cut(Windows &windows, TaskId id, bool front, bool &changed);

  const TaskGraph &graph;
  BoundFinder bounds;
  Windows least;
  /// The tasks in topological order.
  std::vector<TaskId> order;
  std::vector<std::vector<TaskId>> byStream, users;
  double us = 0, slackUs = 0;
  /// Work memory.
  std::vector<TaskId> sorted;
  std::vector<double> endUs, raisedUs, completedUs;
};

/// Returns the longest time known to be impossible, between the lower bound
/// `boundUs` and `bestUs`, the time of a known order. Found by bisection to a
/// thousandth.
double raiseBound(const TaskGraph &graph, double boundUs, double bestUs,
                  unsigned rounds);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_EDGEFINDING_H
