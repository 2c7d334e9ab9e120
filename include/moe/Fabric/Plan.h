// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which servers circuits should join.

#ifndef MOE_FABRIC_PLAN_H
#define MOE_FABRIC_PLAN_H

#include "moe/Fabric/Circuits.h"

#include <optional>

namespace moe::fabric {

/// mFabric's Algorithm 1: circuits one after the other, each to the slowest
/// pair that has a port left at both ends, a pair without circuits being slower
/// than any with some. Goes on past pairs without ports, where the printed one
/// stops (SPEC MF-2). With n - 1 <= opticalDegree and no EPS nothing is faster
/// (SPEC MF-3).
Circuits planGreedily(const Demand &demand, const Ports &ports);

/// The same as printed: it ends at the first pair without ports, whatever others
/// have left (SPEC MF-2).
Circuits planAsPrinted(const Demand &demand, const Ports &ports);

/// Circuits with which all servers end by `time`, or as many of them as a
/// greedy cover finds: each circuit goes where it takes most off servers whose
/// EPS NICs would not carry the rest by then (SPEC MF-5).
Circuits coverUntil(const Demand &demand, const Ports &ports, double time);

/// How long a plan is looked for.
enum class Effort : uint8_t {
  /// Not at all: `planGreedily` of all demands together.
  Greedy,
  /// Tens of microseconds for 8 servers: for use between two layers of a step.
  Fast,
  /// Milliseconds.
  Thorough
};

/// A demand and how often it is met: times add up weighted.
struct WeightedDemand {
  Demand demand;
  double weight = 1;
};

struct PlanOptions {
  Effort effort = Effort::Thorough;
  /// What random moves of a thorough search are drawn from.
  uint64_t seed = 0;
  /// Circuits that are up. Of plans whose time is within `uncertainty`, a
  /// fraction of at least 0, of the best that was found, that with the fewest
  /// changed ports is taken.
  std::optional<Circuits> keep;
  double uncertainty = 0;
};

struct CircuitPlan {
  Circuits circuits;
  /// Sum over demands of weight times time, and of weight times port bound.
  double time = 0, bound = 0;
  /// The greedy plan's time; `time` is never more.
  double greedyTime = 0;
  /// Ports whose circuit ends elsewhere than in `keep`, of all servers; those
  /// of all circuits if there is no `keep`.
  int64_t changedPorts = 0;
};

/// One plan for one or more demands of the same servers: the best of greedy,
/// cover and random starts, each improved by moving circuits of the slowest
/// servers. A layer's four exchanges, of which each is the one before turned
/// round, have one time and so one demand (SPEC MF-1). Fails, naming what was
/// expected, for no demand, demands of different sizes or out of range, a
/// weight below 0, or `keep` that does not fit.
cost::Result<CircuitPlan>
planCircuits(const std::vector<WeightedDemand> &demands, const Ports &ports,
             const PlanOptions &options = {});

/// Ports whose circuit ends at another server than before, or nowhere, in
/// whichever of the two plans has more circuits there: sum over servers.
int64_t countChangedPorts(const Circuits &before, const Circuits &after);

} // namespace moe::fabric

#endif // MOE_FABRIC_PLAN_H
