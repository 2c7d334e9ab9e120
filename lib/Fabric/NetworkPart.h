// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flows that share links.

#ifndef MOE_LIB_FABRIC_NETWORKPART_H
#define MOE_LIB_FABRIC_NETWORKPART_H

#include "MaxMinFairness.h"
#include "moe/Fabric/FlowSimulation.h"

namespace moe::fabric {

/// Flows of which any two share links, or others of them do, and these links,
/// each numbered from 0 on. What goes on elsewhere does not reach them.
struct NetworkPart {
  std::vector<FairLink> links;
  std::vector<Flow> flows;
  std::vector<FlowEvent> events;
};

struct PartTimes {
  std::vector<double> ends;
  int64_t events = 0, ratesFound = 0;
};

/// Simulates one part. The failure names a flow of the part, which `stuck` is
/// set to, and a link of it.
cost::Result<PartTimes> simulatePart(const NetworkPart &part, int64_t &stuck);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_NETWORKPART_H
