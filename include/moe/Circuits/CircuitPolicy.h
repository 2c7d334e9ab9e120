// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When demand for circuits is known.

#ifndef MOE_CIRCUITS_CIRCUITPOLICY_H
#define MOE_CIRCUITS_CIRCUITPOLICY_H

#include "moe/Circuits/CircuitChoice.h"
#include "moe/Support/EnumNames.h"

namespace moe {

/// What the first exchange of a layer's forward pass goes over, whose demand
/// only the gate right before it tells (SPEC MF-7, MF-21).
enum class CircuitPolicy {
  /// Others than those that are up, if waiting for the change pays.
  Block,
  /// What is up.
  Keep,
  /// Others, changed before the gate has run: for what the layer sent when it
  /// ran last, where it counts that; else, and in the first run, for the
  /// traffic that the module is compiled for.
  Predict,
  /// The one of these with which the step is fastest as simulated; of those
  /// that the machine's uncertainty cannot tell apart `Keep`, then `Block`.
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

/// How circuits are planned.
enum class CircuitPlanner {
  /// The best plan found (SPEC MF-5).
  Best,
  /// Algorithm 1, on past pairs without ports.
  Greedy,
  /// Algorithm 1 as printed, which stops at the first of these (SPEC MF-2).
  Printed
};

template <> struct EnumNames<CircuitPlanner> {
  static constexpr EnumName<CircuitPlanner> all[] = {
      {CircuitPlanner::Best, "best", "the best plan found"},
      {CircuitPlanner::Greedy, "greedy", "slowest pairs first"},
      {CircuitPlanner::Printed, "printed",
       "slowest pairs first, until one has no free ports"}};
};

/// Which circuits of a step are considered.
struct CircuitSearch {
  /// Not `Auto`.
  CircuitPolicy policy = CircuitPolicy::Keep;
  CircuitPlanner planner = CircuitPlanner::Best;
  /// Layers, one after the other, that one plan is for.
  int64_t layersAPlan = 1;
  /// Whether runs may be asked, by what they have counted.
  bool asksRuns = false;
};

} // namespace moe

#endif // MOE_CIRCUITS_CIRCUITPOLICY_H
