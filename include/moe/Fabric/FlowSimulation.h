// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When flows end.

//
// Bytes flow at fair rates over a network of links until they are all there.
// Rates change only when a flow begins, ends, stops or goes on, or a link
// changes its capacity, and then only those of flows that the change reaches.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_FABRIC_FLOWSIMULATION_H
#define MOE_FABRIC_FLOWSIMULATION_H

#include "moe/Fabric/FairRates.h"

namespace moe::fabric {

/// Bytes that go one way.
struct Flow {
  /// At least 0; links are crossed by weight times as many.
  double bytes = 0;
  /// Each link once; none for bytes that are there at once.
  std::vector<LinkUse> uses;
  double penalty = 1;
  /// In the unit of time that capacities have: microseconds for bytes a
  /// microsecond.
  double start = 0;
};

/// What happens to a link or a flow at a time.
struct FlowEvent {
  enum class Kind : uint8_t { SetCapacity, Pause, Resume };

  double time = 0;
  Kind kind = Kind::SetCapacity;
  /// The link, or the flow.
  int64_t target = 0;
  /// The link's from then on.
  double capacity = 0;
};

/// What came of flows.
struct FlowTimes {
  /// By flow.
  std::vector<double> ends;
  /// The last of them, 0 without flows.
  double makespan = 0;
  /// By link, what crossed it.
  std::vector<double> linkBytes;
  /// Parts of the network that share no link; those that were simulated, as
  /// parts that are alike take the same times.
  int64_t parts = 0, simulated = 0;
  /// Times at which something began, ended or changed, and rates that were
  /// found then, of the simulated parts.
  int64_t events = 0, ratesFound = 0;
};

/// Told from time to time how many flows of all have ended.
using FlowProgress = std::function<void(int64_t done, int64_t all)>;

/// Simulates flows and what happens to them, in any order. Fails, naming the
/// flow, link or event, for numbers out of range, and for a flow that stands
/// still with nothing left to happen.
cost::Result<FlowTimes> simulateFlows(const std::vector<FairLink> &links,
                                      const std::vector<Flow> &flows,
                                      const std::vector<FlowEvent> &events = {},
                                      const FlowProgress &progress = {});

} // namespace moe::fabric

#endif // MOE_FABRIC_FLOWSIMULATION_H
