// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local search over circuits.

#ifndef MOE_LIB_FABRIC_CIRCUITLOCALSEARCH_H
#define MOE_LIB_FABRIC_CIRCUITLOCALSEARCH_H

#include "CircuitSearchState.h"

namespace moe::fabric {

/// Moves circuits of the slowest servers as long as that helps. The search ends
/// after at most `mostMoves` attempts, or if the time is at most `enough`.
/// `demands` must be the demands of `state`.
void improve(const std::vector<WeightedDemand> &demands, State &state,
             int64_t mostMoves, double enough = 0);

/// Reverts changes from the circuits `keep` as long as the time is at most
/// `mostTime`.
void restore(State &state, const Circuits &keep, double mostTime);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_CIRCUITLOCALSEARCH_H
