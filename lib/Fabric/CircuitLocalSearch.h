// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits moved for the better.

#ifndef MOE_LIB_FABRIC_CIRCUITLOCALSEARCH_H
#define MOE_LIB_FABRIC_CIRCUITLOCALSEARCH_H

#include "CircuitSearchState.h"

namespace moe::fabric {

/// Moves circuits of the slowest servers for as long as it helps; ends after at
/// most `mostMoves` tries, or once the time is `enough`. `demands` are those of
/// the state.
void improve(const std::vector<WeightedDemand> &demands, State &state,
             int64_t mostMoves, double enough = 0);

/// Takes back changes of the circuits `keep` for as long as the time is at most
/// `mostTime`.
void restore(State &state, const Circuits &keep, double mostTime);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_CIRCUITLOCALSEARCH_H
