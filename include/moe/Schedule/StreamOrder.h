// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ordering of work by streams and events.

#ifndef MOE_SCHEDULE_STREAMORDER_H
#define MOE_SCHEDULE_STREAMORDER_H

#include <cstddef>
#include <span>
#include <vector>

namespace moe::schedule {

/// One command of a rank's host to its streams, in program order.
struct StreamStep {
  enum class Kind {
    /// A work item, which runs after the previous work on its stream.
    Work,
    /// Records the event at the stream's current position.
    Record,
    /// The stream waits until the event's last record before this step has been
    /// reached; it continues at once if there is none.
    Wait,
    /// The host waits until all work on the stream so far has ended.
    Synchronize,
    /// The host waits until the event's last record before this step has been
    /// reached; it continues at once if there is none. No stream is involved.
    Await
  };
  Kind kind;
  unsigned stream;
  /// The event of Record, Wait and Await.
  unsigned event = 0;

  bool operator==(const StreamStep &) const = default;
};

/// Per stream, the number of work items that are certain to have ended at
/// several places of a program, while the host issues its steps in order.
class StreamClocks {
public:
  /// Counts per stream; streams beyond the end have a count of 0.
  using Clock = std::vector<unsigned>;

  void add(const StreamStep &step);

  /// Returns the clock at the start of the stream's next step.
  const Clock &getStream(unsigned stream);
  /// Returns the clock at the event's last record.
  const Clock &getEvent(unsigned event);
  /// Returns the clock of the host after the last step.
  const Clock &getHost() const { return host; }
  /// Returns the number of work items put on the stream so far.
  unsigned getNumWorks(unsigned stream) const {
    return stream < numWorks.size() ? numWorks[stream] : 0;
  }

  /// Returns true if the stream's first `count` work items have ended by a
  /// clock.
  static bool hasEnded(const Clock &clock, unsigned stream, unsigned count) {
    return count == 0 || (stream < clock.size() && clock[stream] >= count);
  }

private:
  Clock host, numWorks;
  std::vector<Clock> streams, events;
};

/// Determines which work items are certain to have ended before others start,
/// regardless of the streams' speeds. Work is numbered in launch order.
class HappensBefore {
public:
  explicit HappensBefore(std::span<const StreamStep> steps);

  size_t getNumWorks() const { return streams.size(); }
  unsigned getNumStreams() const { return numStreams; }
  unsigned getStream(unsigned work) const { return streams[work]; }
  /// Returns the position of the work on its stream.
  unsigned getPosition(unsigned work) const { return positions[work]; }
  /// Returns how many of a stream's work items have ended when `work` starts.
  unsigned getEnded(unsigned work, unsigned stream) const {
    return ended[size_t(work) * numStreams + stream];
  }
  /// Returns true if `a` ends before `b` starts.
  bool isBefore(unsigned a, unsigned b) const {
    return getEnded(b, streams[a]) > positions[a];
  }

private:
  unsigned numStreams = 0;
  std::vector<unsigned> streams, positions;
  /// One row of `numStreams` counts per work item.
  std::vector<unsigned> ended;
};

/// A task on a stream and the earlier tasks that must have ended before it
/// starts.
struct StreamTask {
  unsigned stream;
  std::vector<unsigned> after;
};

/// Returns, for each task in launch order, the tasks on other streams that it
/// must await with an event, in ascending order: the tasks in `after` that
/// neither the order of its stream nor another of its waits implies. The waits
/// are minimal: without any one of them, some task of `after` could still be
/// running (the transitive reduction over streams).
std::vector<std::vector<unsigned>>
findNecessaryWaits(std::span<const StreamTask> tasks);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_STREAMORDER_H
