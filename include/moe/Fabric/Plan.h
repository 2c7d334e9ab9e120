// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning of circuits between servers.

#ifndef MOE_FABRIC_PLAN_H
#define MOE_FABRIC_PLAN_H

#include "moe/Fabric/Circuits.h"

#include <optional>

namespace moe::fabric {

/// Plans with mFabric's Algorithm 1: circuits one after the other, each for the
/// slowest pair with a free port at both ends, where a pair without circuits is
/// slower than any pair with some. Unlike the printed algorithm, it continues
/// after pairs without ports (SPEC MF-2). With n - 1 <= opticalDegree and no
/// EPS, the result is optimal (SPEC MF-3).
Circuits planGreedily(const Demand &demand, const Ports &ports);

/// The same as printed: it ends at the first pair without ports, regardless of
/// other ports (SPEC MF-2).
Circuits planAsPrinted(const Demand &demand, const Ports &ports);

/// Plans circuits so that all servers end by `time`, or as many of these
/// circuits as a greedy cover finds: each circuit gives the most relief to
/// servers with more remaining demand than their EPS NICs could carry by then
/// (SPEC MF-5).
Circuits coverUntil(const Demand &demand, const Ports &ports, double time);

/// The effort of a search for a plan.
enum class Effort : uint8_t {
  /// No search: `planGreedily` for the sum of all demands.
  Greedy,
  /// Tens of microseconds for 8 servers, suitable between two layers.
  Fast,
  /// Milliseconds.
  Thorough
};

/// A demand and its frequency: times are summed with these weights.
struct WeightedDemand {
  Demand demand;
  double weight = 1;
};

struct PlanOptions {
  Effort effort = Effort::Thorough;
  /// Seed of the random moves in a thorough search.
  uint64_t seed = 0;
  /// The current circuits. Among plans with a time within `uncertainty`, a
  /// fraction of at least 0, of the best one found, the plan with the fewest
  /// changed ports is chosen.
  std::optional<Circuits> keep;
  double uncertainty = 0;
};

struct CircuitPlan {
  Circuits circuits;
  /// Sum over demands of weight times time, and of weight times port bound.
  double time = 0, bound = 0;
  /// The greedy plan's time, which is at least `time`.
  double greedyTime = 0;
  /// Number of ports, over all servers, with a circuit that ends at another
  /// server than in `keep`; without `keep`, the ports of all circuits.
  int64_t changedPorts = 0;
};

/// Plans circuits for one or more demands of the same servers: the best of
/// greedy, cover and random starts, each improved by moving circuits of the
/// slowest servers. The four exchanges of each MoE layer, which reverse each
/// other, have the same time and are therefore one demand (SPEC MF-1). Fails
/// with the expected values for no demand, demands of different sizes or out of
/// range, a weight below 0, or `keep` that does not fit.
cost::Result<CircuitPlan>
planCircuits(const std::vector<WeightedDemand> &demands, const Ports &ports,
             const PlanOptions &options = {});

/// Returns the number of ports with a circuit that ends at another server than
/// before, or nowhere, in the plan with more circuits at the server; summed
/// over servers.
int64_t countChangedPorts(const Circuits &before, const Circuits &after);

} // namespace moe::fabric

#endif // MOE_FABRIC_PLAN_H
