// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the tasks of a program.

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

/// A task of a schedule, labelled as in `moe.task`.
struct TaskLabel {
  std::string name, layer, phase;
  int64_t chunk = 0, chunks = 1;
  /// Additional time that the task keeps its stream busy, in microseconds.
  double emulatedUs = 0;
};

/// One task, or work outside of any task, on a stream of one rank. Times are in
/// microseconds since the ranks synchronized before the first work.
struct TimelineEvent {
  /// Index of the task's label; nullopt for work outside of tasks.
  std::optional<uint32_t> task;
  /// Index of the stream's name.
  uint32_t stream = 0;
  /// The start is the time when the stream begins the work, after everything
  /// that it waits for has ended. A part of the duration of a collective may be
  /// waiting for other ranks.
  double startUs = 0, endUs = 0;
};

struct RankTimeline {
  std::vector<std::string> streams;
  std::vector<TimelineEvent> events;

  /// Returns the end of the last event.
  double getMakespanUs() const;
  /// Converts the timeline to bytes, for another rank of the same program and
  /// machine type.
  std::string serialize() const;
  static std::optional<RankTimeline> deserialize(const std::string &bytes);
};

struct Measurement {
  /// Per repetition, the makespan of its slowest rank, in microseconds.
  std::vector<double> makespansUs;
  /// The timelines of the repetition with the median makespan: of all ranks on
  /// rank 0, empty on other ranks.
  std::vector<RankTimeline> ranks;

  /// Returns the lower of the two middle elements, so that the median is one of
  /// the repetitions.
  static size_t findMedian(const std::vector<double> &makespansUs);
};

/// Prints timelines in the Chrome trace event format, in the same form as the
/// predictions of moe-sim: one process per rank, numbered from 1 (0 is
/// moe-sim's), one thread per stream, and one event per task.
void printTrace(llvm::raw_ostream &os, const std::vector<RankTimeline> &ranks,
                const std::vector<TaskLabel> &tasks, const std::string &file,
                const std::string &backend);

} // namespace moe

#endif // MOE_EXECUTION_TIMELINE_H
