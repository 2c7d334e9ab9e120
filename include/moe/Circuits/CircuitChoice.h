// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When circuits change during a step.
//
// Decides for each exchange of a step whether it takes packets alone, the
// circuits that are up, or a change to others before it (SPEC MF-7). A change
// starts when the traffic over the circuits before it has ended on all ranks,
// for which a synchronisation is put behind its last exchange, and is waited
// for in front of the exchange that wants it; what lies between runs meanwhile.
// Candidates are compared by simulation.

#ifndef MOE_CIRCUITS_CIRCUITCHOICE_H
#define MOE_CIRCUITS_CIRCUITCHOICE_H

#include "moe/Schedule/Simulation.h"

#include <optional>

namespace moe::schedule {

/// Circuits that may be up, by their number in `CircuitStep::changeUs`.
using ConfigId = uint32_t;

/// Tasks that exchange one thing, in chunks perhaps.
struct CircuitExchange {
  /// In program order, at least one. Between its first and last task there is
  /// none of another exchange.
  std::vector<TaskId> tasks;
  /// What each takes over packets alone, and, by configuration, over these
  /// circuits.
  std::vector<double> packetsUs;
  std::vector<std::vector<double>> circuitsUs;
  /// Configurations that a change in front of it may bring; none if none may.
  std::vector<ConfigId> choices;
  /// Tasks that must have ended before a change for it starts, as the demand
  /// is not known earlier.
  std::vector<TaskId> known;
  /// Where a run counts its demand, and a change in front of it can be decided
  /// by that: the number of these counts.
  std::optional<uint32_t> counts;
};

/// A step of one rank. Tasks are numbered in program order.
struct CircuitStep {
  TaskGraph graph;
  Contention contention;
  /// In program order.
  std::vector<CircuitExchange> exchanges;
  /// By task: the host waits before it launches it, so that a change that is
  /// asked for behind it comes late.
  std::vector<bool> waitsOnHost;
  /// `changeUs[from][to]`: what a change takes; the last row is from dark
  /// ports.
  std::vector<std::vector<double>> changeUs;
  /// The configuration without circuits, if there is one.
  std::optional<ConfigId> dark;
  double synchronisationUs = 0;
  ResourceId synchronisationResource = kNoResource;
};

/// What becomes of an exchange.
struct CircuitDecision {
  /// `Ask`: the run decides in front of it, by its counts; what is up is
  /// expected to stay.
  enum class Way : uint8_t { Packets, Keep, Change, Ask };
  Way way = Way::Packets;
  /// The circuits after a change, or those that are expected to stay.
  ConfigId config = 0;

  friend bool operator==(const CircuitDecision &,
                         const CircuitDecision &) = default;
};
using CircuitDecisions = std::vector<CircuitDecision>;

/// A change, in front of an exchange, and what is added for it. "Before task n"
/// is in program order; n may be the number of tasks.
struct CircuitChange {
  uint32_t exchange = 0;
  ConfigId config = 0;
  /// Whether it is there for the run to decide.
  bool asks = false;
  /// The last tasks over the circuits before, of each stream one; empty where
  /// there was none.
  std::vector<TaskId> lastUses;
  /// Before which tasks the change and the wait for it stand. The
  /// synchronisation is right behind the last use, or in front of all tasks.
  TaskId synchroniseBefore = 0, startBefore = 0, waitBefore = 0;
};

/// The changes that decisions ask for, in program order: none where a change
/// leads to what is up, but one where the run is asked. Nothing where the first
/// exchange that is to keep what is up comes before any change.
std::optional<std::vector<CircuitChange>>
findChanges(const CircuitStep &step, const CircuitDecisions &decisions);

/// The circuits that each exchange goes over; none over packets alone.
std::vector<std::optional<ConfigId>>
findConfigs(const CircuitStep &step, const CircuitDecisions &decisions);

/// When the step runs with these decisions.
struct CircuitTimeline {
  double makespanUs = 0;
  /// By change: when it starts and ends, and when the exchange behind it could
  /// have started without it.
  struct Change {
    double startUs = 0, endUs = 0, readyUs = 0;
  };
  std::vector<Change> changes;
};

/// Simulates decisions; one evaluator is to be kept for many.
class CircuitEvaluator {
public:
  /// `step` must outlive the evaluator. See `getError` for one that cannot be
  /// simulated.
  explicit CircuitEvaluator(const CircuitStep &step);

  /// Nothing where decisions are none (`findChanges`) or cannot be simulated.
  std::optional<CircuitTimeline> run(const CircuitDecisions &decisions);
  const std::string &getError() const { return simulator.getError(); }

private:
  const CircuitStep &step;
  /// What each task of the step waits for by a dependency.
  std::vector<std::vector<TaskId>> before;
  Simulator simulator;
  TaskGraph graph;
  Timeline timeline;
};

/// When circuits change.
enum class CircuitRule : uint8_t {
  /// Where that pays: the best decisions found.
  Cost,
  /// Not, once, in front of each exchange that may have a change.
  Never,
  Once,
  Always,
  /// As by cost, and in front of the first exchange by other counts of the run
  /// that may have a change, the run is asked.
  Counts
};

struct CircuitChoice {
  CircuitDecisions decisions;
  double us = 0;
  /// What the step takes without circuits, with a change in front of the first
  /// exchange of all that stays (the best of these), and with one in front of
  /// each exchange that may have one; infinity where there is no such.
  double neverUs = 0, onceUs = 0, alwaysUs = 0;
  /// By exchange, the best other decision for it alone, and what the step takes
  /// with that.
  std::vector<CircuitDecision> runnersUp;
  std::vector<double> runnerUpUs;
};

/// The best decisions found: never slower than never, once and always by more
/// than the fraction `uncertainty`, and with the fewest changes of those that
/// are as good as the best; by another rule than cost, that rule's, or never
/// where it has none. By counts, what is up is used by all behind the first
/// exchange for which the run is asked: it may be more than is expected.
/// Nothing where the step cannot be simulated.
std::optional<CircuitChoice>
chooseCircuits(const CircuitStep &step, double uncertainty = 0,
               CircuitRule rule = CircuitRule::Cost);

} // namespace moe::schedule

#endif // MOE_CIRCUITS_CIRCUITCHOICE_H
