// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What streams and events order.

#ifndef MOE_SCHEDULE_STREAMORDER_H
#define MOE_SCHEDULE_STREAMORDER_H

#include <cstddef>
#include <span>
#include <vector>

namespace moe::schedule {

/// One thing a host tells the streams of a rank, in the order it tells them.
struct StreamStep {
  enum class Kind {
    /// A piece of work; runs when the work before it on its stream has ended.
    Work,
    /// Marks the stream's place as the event's.
    Record,
    /// The stream goes on when the event's last record before this step has
    /// been reached; at once when there is none.
    Wait,
    /// The host goes on when all work put on the stream so far has ended.
    Synchronize,
    /// The host goes on when the event's last record before this step has been
    /// reached; at once when there is none. It is of no stream.
    Await
  };
  Kind kind;
  unsigned stream;
  /// Of Record, Wait and Await.
  unsigned event = 0;

  bool operator==(const StreamStep &) const = default;
};

/// How many pieces of work of each stream are certain to have ended, at several
/// places of a program, while the host tells its streams one step after the
/// other.
class StreamClocks {
public:
  /// Of each stream; those behind its end have none.
  using Clock = std::vector<unsigned>;

  void add(const StreamStep &step);

  /// When the stream's next step starts.
  const Clock &getStream(unsigned stream);
  /// When the event's last record is reached.
  const Clock &getEvent(unsigned event);
  /// When the host goes on behind the last step.
  const Clock &getHost() const { return host; }
  /// How many pieces of work the stream has been given.
  unsigned getNumWorks(unsigned stream) const {
    return stream < numWorks.size() ? numWorks[stream] : 0;
  }

  /// Whether the stream's first `count` pieces of work have ended by a clock.
  static bool hasEnded(const Clock &clock, unsigned stream, unsigned count) {
    return count == 0 || (stream < clock.size() && clock[stream] >= count);
  }

private:
  Clock host, numWorks;
  std::vector<Clock> streams, events;
};

/// Which pieces of work are certain to have ended before which others start,
/// whatever the streams' speeds. Work is numbered in launch order.
class HappensBefore {
public:
  explicit HappensBefore(std::span<const StreamStep> steps);

  size_t getNumWorks() const { return streams.size(); }
  unsigned getNumStreams() const { return numStreams; }
  unsigned getStream(unsigned work) const { return streams[work]; }
  /// Position of the work among those of its stream.
  unsigned getPosition(unsigned work) const { return positions[work]; }
  /// How many of a stream's pieces of work have ended when `work` starts.
  unsigned getEnded(unsigned work, unsigned stream) const {
    return ended[size_t(work) * numStreams + stream];
  }
  /// Whether `a` ends before `b` starts.
  bool isBefore(unsigned a, unsigned b) const {
    return getEnded(b, streams[a]) > positions[a];
  }

private:
  unsigned numStreams = 0;
  std::vector<unsigned> streams, positions;
  /// One row of `numStreams` counts a piece of work.
  std::vector<unsigned> ended;
};

/// A task on a stream and the tasks that must have ended before it starts,
/// which stand before it.
struct StreamTask {
  unsigned stream;
  std::vector<unsigned> after;
};

/// For each task, in launch order, the tasks on other streams whose ends it
/// has to wait for by an event, in ascending order: those of `after` that
/// neither the order of its stream nor another of its waits implies. Without
/// any one of them, some task of `after` could still run (the transitive
/// reduction over streams).
std::vector<std::vector<unsigned>>
findNecessaryWaits(std::span<const StreamTask> tasks);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_STREAMORDER_H
