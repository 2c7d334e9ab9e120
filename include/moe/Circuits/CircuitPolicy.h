// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies for circuits with late demand.

#ifndef MOE_CIRCUITS_CIRCUITPOLICY_H
#define MOE_CIRCUITS_CIRCUITPOLICY_H

#include "moe/Circuits/CircuitChoice.h"
#include "moe/Support/EnumNames.h"

namespace moe {

/// The circuits of the first forward exchange per layer. Its demand is known
/// only from the gate directly before it (SPEC MF-7, MF-21).
enum class CircuitPolicy {
  /// Other circuits, if waiting for the change saves time.
  Block,
  /// The current circuits.
  Keep,
  /// Other circuits, changed before the gate has run. If the layer counts its
  /// demand, they are for the demand of its last run; otherwise, and in the
  /// first run, they are for the traffic that the module is compiled for.
  Predict,
  /// The policy with the fastest step in simulation. Among policies within the
  /// machine's uncertainty, `Keep` has priority, then `Block`.
  Auto
};

template <> struct EnumNames<CircuitPolicy> {
  static constexpr EnumName<CircuitPolicy> all[] = {
      {CircuitPolicy::Block, "block", "reconfigure after the gate"},
      {CircuitPolicy::Keep, "keep", "keep the current circuits"},
      {CircuitPolicy::Predict, "predict", "reconfigure at any time"},
      {CircuitPolicy::Auto, "auto", "the fastest policy in simulation"}};
};

using CircuitRule = schedule::CircuitRule;

template <> struct EnumNames<CircuitRule> {
  static constexpr EnumName<CircuitRule> all[] = {
      {CircuitRule::Cost, "cost", "if that saves time"},
      {CircuitRule::Never, "never", "never"},
      {CircuitRule::Once, "once", "before the first eligible exchange"},
      {CircuitRule::Always, "always", "before each eligible exchange"},
      {CircuitRule::Counts, "counts",
       "if that saves time, decided by the tokens per expert of each run"}};
};

/// Planning algorithms for circuits.
enum class CircuitPlanner {
  /// The best plan found (SPEC MF-5).
  Best,
  /// Algorithm 1, continued after pairs without ports.
  Greedy,
  /// Algorithm 1 as printed, which stops at the first pair without ports (SPEC
  /// MF-2).
  Printed
};

template <> struct EnumNames<CircuitPlanner> {
  static constexpr EnumName<CircuitPlanner> all[] = {
      {CircuitPlanner::Best, "best", "the best plan found"},
      {CircuitPlanner::Greedy, "greedy", "slowest pairs first"},
      {CircuitPlanner::Printed, "printed",
       "slowest pairs first, until one has no free ports"}};
};

struct CircuitSearch {
  /// Must not be `Auto`.
  CircuitPolicy policy = CircuitPolicy::Keep;
  CircuitPlanner planner = CircuitPlanner::Best;
  /// Number of consecutive layers that share one plan.
  int64_t layersAPlan = 1;
  /// If set, runs may decide about changes from their counts.
  bool asksRuns = false;
};

} // namespace moe

#endif // MOE_CIRCUITS_CIRCUITPOLICY_H
