// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of flows that share links.

#ifndef MOE_LIB_FABRIC_NETWORKPART_H
#define MOE_LIB_FABRIC_NETWORKPART_H

#include "MaxMinFairness.h"
#include "moe/Fabric/FlowSimulation.h"

namespace moe::fabric {

/// Flows that are connected through shared links, and these links, numbered
/// from 0. Nothing outside the part affects them.
struct NetworkPart {
  std::vector<FairLink> links;
  std::vector<Flow> flows;
  std::vector<FlowEvent> events;
};

struct PartTimes {
  std::vector<double> ends;
  int64_t events = 0, ratesFound = 0;
};

/// Simulates one part. A failure names a link, and sets `stuck` to a flow of
/// the part.
cost::Result<PartTimes> simulatePart(const NetworkPart &part, int64_t &stuck);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_NETWORKPART_H
