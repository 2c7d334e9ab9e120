// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of circuits between exchanges.
//
// Decides for each exchange whether it uses only packets, the current circuits,
// or other circuits after a change (SPEC MF-7). A change may start after the
// traffic over the previous circuits has ended on all ranks, so a
// synchronization is added after its last exchange. The host waits for the
// change just before the exchange that needs it, and tasks in between run
// concurrently. Candidates are compared by simulation.

#ifndef MOE_CIRCUITS_CIRCUITCHOICE_H
#define MOE_CIRCUITS_CIRCUITCHOICE_H

#include "moe/Schedule/Simulation.h"

#include <optional>

namespace moe::schedule {

/// A configuration of circuits, numbered as in `CircuitStep::changeUs`.
using ConfigId = uint32_t;

/// The tasks of one exchange, possibly in chunks.
struct CircuitExchange {
  /// At least one task, in program order. No task of another exchange is
  /// between the first and the last one.
  std::vector<TaskId> tasks;
  /// Time of each task with only packets, and, by configuration, with these
  /// circuits.
  std::vector<double> packetsUs;
  std::vector<std::vector<double>> circuitsUs;
  /// Configurations that may be set up by a change before the exchange; empty
  /// if no change is permitted.
  std::vector<ConfigId> choices;
  /// Tasks that must end before a change for the exchange starts, because the
  /// demand is unknown earlier.
  std::vector<TaskId> known;
  /// If a run counts the demand, and a change before the exchange can depend on
  /// that, the number of these counts.
  std::optional<uint32_t> counts;
};

/// The tasks of one rank, numbered in program order.
struct CircuitStep {
  TaskGraph graph;
  Contention contention;
  /// Exchanges in program order.
  std::vector<CircuitExchange> exchanges;
  /// By task, whether the host waits before it launches the task, which delays
  /// later changes.
  std::vector<bool> waitsOnHost;
  /// `changeUs[from][to]` is the time of a change; the last row is for dark
  /// ports.
  std::vector<std::vector<double>> changeUs;
  /// The configuration without circuits, if any.
  std::optional<ConfigId> dark;
  double synchronisationUs = 0;
  ResourceId synchronisationResource = kNoResource;
};

struct CircuitDecision {
  /// `Ask` lets the run decide before the exchange from its counts; the current
  /// circuits are expected to remain.
  enum class Way : uint8_t { Packets, Keep, Change, Ask };
  Way way = Way::Packets;
  /// The circuits after a change, or the circuits that are expected to remain.
  ConfigId config = 0;

  friend bool operator==(const CircuitDecision &,
                         const CircuitDecision &) = default;
};
using CircuitDecisions = std::vector<CircuitDecision>;

/// A change before an exchange, and the tasks that are added for it. "Before
/// task n" refers to program order; n may be the number of tasks.
struct CircuitChange {
  uint32_t exchange = 0;
  ConfigId config = 0;
  /// True if the run decides about the change.
  bool asks = false;
  /// The last tasks over the previous circuits, one per stream; empty if none.
  std::vector<TaskId> lastUses;
  /// Positions of the synchronization, of the change and of the wait for it, as
  /// the tasks that they precede. The synchronization is directly after the
  /// last use, or before all tasks.
  TaskId synchroniseBefore = 0, startBefore = 0, waitBefore = 0;
};

/// Returns the changes of decisions in program order. A change to the current
/// circuits is left out unless it asks the run. Returns nullopt if an exchange
/// is to keep the current circuits before any change.
std::optional<std::vector<CircuitChange>>
findChanges(const CircuitStep &step, const CircuitDecisions &decisions);

/// Returns the circuits of each exchange; nullopt for exchanges with only
/// packets.
std::vector<std::optional<ConfigId>>
findConfigs(const CircuitStep &step, const CircuitDecisions &decisions);

/// The simulated times of decisions.
struct CircuitTimeline {
  double makespanUs = 0;
  /// By change: its start and end, and when the following exchange could have
  /// started without it.
  struct Change {
    double startUs = 0, endUs = 0, readyUs = 0;
  };
  std::vector<Change> changes;
};

/// Simulates decisions. One evaluator should be reused for many, because it
/// keeps its work memory.
class CircuitEvaluator {
public:
  /// `step` must outlive the evaluator. `getError` returns why it cannot be
  /// simulated.
  explicit CircuitEvaluator(const CircuitStep &step);

  /// Returns nullopt if decisions are invalid (`findChanges`) or cannot be
  /// simulated.
  std::optional<CircuitTimeline> run(const CircuitDecisions &decisions);
  const std::string &getError() const { return simulator.getError(); }

private:
  const CircuitStep &step;
  /// The dependencies of each task of the step.
  std::vector<std::vector<TaskId>> before;
  Simulator simulator;
  TaskGraph graph;
  Timeline timeline;
};

/// Rules for changes of circuits.
enum class CircuitRule : uint8_t {
  /// Changes that save time: the best decisions found.
  Cost,
  /// No change, one change, or a change before each exchange that permits one.
  Never,
  Once,
  Always,
  /// Like `Cost`, but additionally asks the run before the first exchange with
  /// new counts that permits a change.
  Counts
};

struct CircuitChoice {
  CircuitDecisions decisions;
  double us = 0;
  /// Time of the step without circuits, with a single change before the first
  /// permitted exchange (the best of these), and with a change before each
  /// permitted exchange; infinity if there is none.
  double neverUs = 0, onceUs = 0, alwaysUs = 0;
  /// By exchange, the best other decision for it alone, and the time of the
  /// step with that decision.
  std::vector<CircuitDecision> runnersUp;
  std::vector<double> runnerUpUs;
};

/// Returns the best decisions found. They are never slower than never, once and
/// always by more than the fraction `uncertainty`, and have the fewest changes
/// among equally good ones. With a rule other than `Cost`, returns the rule's
/// decisions, or no changes if it has none. With `Counts`, all exchanges after
/// the first question use the current circuits, which may be more than
/// expected. Returns nullopt if the step cannot be simulated.
std::optional<CircuitChoice>
chooseCircuits(const CircuitStep &step, double uncertainty = 0,
               CircuitRule rule = CircuitRule::Cost);

} // namespace moe::schedule

#endif // MOE_CIRCUITS_CIRCUITCHOICE_H
