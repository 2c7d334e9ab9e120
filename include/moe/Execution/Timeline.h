// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the tasks of a program ran.

#ifndef MOE_EXECUTION_TIMELINE_H
#define MOE_EXECUTION_TIMELINE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace moe {

/// A task of a schedule, as `moe.task` names it.
struct TaskLabel {
  std::string name, layer, phase;
  int64_t chunk = 0, chunks = 1;
  /// Time that the task keeps its stream busy beside its work, microseconds.
  double emulatedUs = 0;
};

/// One task, or work outside of any, on a stream of a rank. Microseconds since
/// the ranks met before the first work.
struct TimelineEvent {
  /// Place among the labels; none for work of no task.
  std::optional<uint32_t> task;
  /// Place among the streams.
  uint32_t stream = 0;
  /// From when the stream came to it, all that it waits for having ended, to
  /// its end. A collective's part of it may be waiting for other ranks.
  double startUs = 0, endUs = 0;
};

/// One execution on one rank.
struct RankTimeline {
  std::vector<std::string> streams;
  std::vector<TimelineEvent> events;

  /// The end of the last event.
  double getMakespanUs() const;
  /// As bytes, for another rank of the same program and machine type.
  std::string serialize() const;
  static std::optional<RankTimeline> deserialize(const std::string &bytes);
};

/// What repeated executions took.
struct Measurement {
  /// Of each repetition the makespan of its slowest rank, microseconds.
  std::vector<double> makespansUs;
  /// The repetition with the median makespan, by rank: on rank 0 all, nothing
  /// elsewhere.
  std::vector<RankTimeline> ranks;

  /// The lower one of two in the middle, so that it is a repetition.
  static size_t findMedian(const std::vector<double> &makespansUs);
};

/// Timelines in the Chrome trace event format, as moe-sim writes predictions:
/// a process a rank, numbered from 1 (0 is moe-sim's), a thread a stream, an
/// event a task.
void printTrace(llvm::raw_ostream &os, const std::vector<RankTimeline> &ranks,
                const std::vector<TaskLabel> &tasks, const std::string &file,
                const std::string &backend);

} // namespace moe

#endif // MOE_EXECUTION_TIMELINE_H
