// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of flows.
//
// Bytes flow at fair rates over a network of links until all have arrived.
// Rates change only if a flow begins, ends, stops or continues, or if a link
// changes its capacity, and then only for flows that the change reaches.

#ifndef MOE_FABRIC_FLOWSIMULATION_H
#define MOE_FABRIC_FLOWSIMULATION_H

#include "moe/Fabric/FairRates.h"

namespace moe::fabric {

/// Bytes with the same path.
struct Flow {
  /// At least 0; each link carries this number times its weight.
  double bytes = 0;
  /// The links of the path, each at most once; empty for bytes that arrive
  /// immediately.
  std::vector<LinkUse> uses;
  double penalty = 1;
  /// Start in the time unit of capacities: microseconds for bytes per
  /// microsecond.
  double start = 0;
};

/// A change of a link or a flow at some time.
struct FlowEvent {
  enum class Kind : uint8_t { SetCapacity, Pause, Resume };

  double time = 0;
  Kind kind = Kind::SetCapacity;
  /// The number of the link or flow.
  int64_t target = 0;
  /// The capacity of the link from then on.
  double capacity = 0;
};

struct FlowTimes {
  /// End of each flow.
  std::vector<double> ends;
  /// End of the last flow; 0 without flows.
  double makespan = 0;
  /// Bytes that crossed each link.
  std::vector<double> linkBytes;
  /// Number of parts of the network that share no links, and number of
  /// simulated parts; equal parts are simulated once.
  int64_t parts = 0, simulated = 0;
  /// For the simulated parts: number of times when something began, ended or
  /// changed, and number of rates that were computed.
  int64_t events = 0, ratesFound = 0;
};

/// Called repeatedly with the number of flows that have ended.
using FlowProgress = std::function<void(int64_t done, int64_t all)>;

/// Simulates flows and events, given in any order. Fails if a number is out of
/// range, or if a stopped flow remains after the last event. The failure names
/// the flow, link or event.
cost::Result<FlowTimes> simulateFlows(const std::vector<FairLink> &links,
                                      const std::vector<Flow> &flows,
                                      const std::vector<FlowEvent> &events = {},
                                      const FlowProgress &progress = {});

} // namespace moe::fabric

#endif // MOE_FABRIC_FLOWSIMULATION_H
