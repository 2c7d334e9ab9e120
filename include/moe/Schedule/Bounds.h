//===- Bounds.h - What no schedule can beat ---------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_SCHEDULE_BOUNDS_H
#define MOE_SCHEDULE_BOUNDS_H

#include "moe/Schedule/TaskGraph.h"

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

  double getUs() const {
    return criticalPathUs > busiestStreamUs ? criticalPathUs : busiestStreamUs;
  }
};

/// Finds lower bounds in O(V log V + E); a further call on a graph that is not
/// larger allocates nothing. The order of tasks on streams plays no part.
class BoundFinder {
public:
  /// Returns false when the graph is malformed (see `checkTasks`) or the
  /// dependencies are cyclic.
  [[nodiscard]] bool run(const TaskGraph &graph, LowerBound &bound);

  /// Why the last call failed.
  const std::string &getError() const { return error; }

private:
  double boundStream(const TaskGraph &graph, std::span<const TaskId> tasks);

  /// Dependencies of each task not yet counted, tasks in topological order,
  /// and the longest chains that end before and start after each task.
  std::vector<uint32_t> waitingFor;
  std::vector<TaskId> order;
  std::vector<double> headUs, tailUs;
  std::vector<TaskId> byStream;
  struct Open {
    double tailUs, leftUs;
  };
  std::vector<Open> open;
  std::string error;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_BOUNDS_H
