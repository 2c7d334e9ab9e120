// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits on switches of their own.

#ifndef MOE_LIB_FABRIC_SWITCHPLANES_H
#define MOE_LIB_FABRIC_SWITCHPLANES_H

#include "moe/Fabric/NicAssignment.h"

namespace moe::fabric {

/// A circuit of two servers, and the plane it is on.
struct PlanedCircuit {
  int64_t i, j;
  int64_t plane = -1;
};

/// The circuits, each on a plane that is open at both servers and that no other
/// circuit of them is on; those of a pair on NUMA nodes of their own where a
/// choice is. `open` has a bit for each plane, by server. Fails when there is
/// no such choice of planes, or none was found.
cost::Result<std::vector<PlanedCircuit>>
colourPlanes(const Circuits &circuits, const NicLayout &layout,
             const std::vector<uint64_t> &open);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_SWITCHPLANES_H
