// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignment of circuits to separate switches.

#ifndef MOE_LIB_FABRIC_SWITCHPLANES_H
#define MOE_LIB_FABRIC_SWITCHPLANES_H

#include "moe/Fabric/NicAssignment.h"

namespace moe::fabric {

/// A circuit between two servers, and its plane.
struct PlanedCircuit {
  int64_t i, j;
  int64_t plane = -1;
};

/// Assigns each circuit a plane that is open at both servers and not used by
/// their other circuits; circuits of a pair are on different NUMA nodes if
/// possible. `open` has a bit for each plane, by server. Fails if no such
/// assignment exists, or if none was found.
cost::Result<std::vector<PlanedCircuit>>
colourPlanes(const Circuits &circuits, const NicLayout &layout,
             const std::vector<uint64_t> &open);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_SWITCHPLANES_H
