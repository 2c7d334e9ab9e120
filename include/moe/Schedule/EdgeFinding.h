// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times that no order can keep.
//
// Given a time in which all tasks are to end, each has a window. What others of
// its stream leave of it, and what is before and behind, narrows the windows
// until nothing changes or one is too small: then no order takes that time
// (destructive bounds: Martin and Shmoys, IPCO 1996; edges: Carlier and Pinson,
// Management Science 35, 1989).

#ifndef MOE_SCHEDULE_EDGEFINDING_H
#define MOE_SCHEDULE_EDGEFINDING_H

#include "moe/Schedule/Bounds.h"

namespace moe::schedule {

/// Windows of the tasks of one graph. What holds without contention holds with
/// it, as that makes no task shorter.
class EdgeFinding {
public:
  /// The graph outlives it, and is one that `BoundFinder` takes.
  explicit EdgeFinding(const TaskGraph &graph);

  /// Whether no order of the tasks on their streams ends by `us`. Where it says
  /// false one may or may not. Windows are cut at each end for up to `rounds`
  /// rounds: what cannot be in the part cut off is looked for in the rest.
  bool isImpossible(double us, unsigned rounds);

private:
  struct Windows {
    /// Earliest starts, and what is behind each end at least.
    std::vector<double> headUs, tailUs;
  };

  /// Narrows windows; false where one is too small. `staged` counts what all
  /// streams need before and behind each task, too.
  bool narrow(Windows &windows, bool staged);
  bool narrowByEdges(Windows &windows, bool &changed);
  /// Raises `headUs` of a stream's tasks that must be behind others; given
  /// tails for heads, tails.
  bool raiseByEdges(std::span<const TaskId> tasks, std::vector<double> &headUs,
                    const std::vector<double> &tailUs, bool &changed);
  bool follow(Windows &windows, bool &changed);
  /// Cuts off an end of a task's window; false where nothing is left.
  bool cut(Windows &windows, TaskId id, bool front, bool &changed);

  const TaskGraph &graph;
  BoundFinder bounds;
  Windows least;
  /// Behind all that they depend on.
  std::vector<TaskId> order;
  std::vector<std::vector<TaskId>> byStream, users;
  double us = 0, slackUs = 0;
  /// Work memory.
  std::vector<TaskId> sorted;
  std::vector<double> endUs, raisedUs, completedUs;
};

/// The longest time known to be impossible, between `bound`, which none beats,
/// and `bestUs`, which an order takes: found by bisection to a thousandth.
double raiseBound(const TaskGraph &graph, double boundUs, double bestUs,
                  unsigned rounds);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_EDGEFINDING_H
