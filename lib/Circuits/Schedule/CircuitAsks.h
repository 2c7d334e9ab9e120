// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions about circuits at run time.

#ifndef MOE_LIB_CIRCUITS_SCHEDULE_CIRCUITASKS_H
#define MOE_LIB_CIRCUITS_SCHEDULE_CIRCUITASKS_H

#include "moe/Circuits/CircuitChoice.h"

namespace moe::schedule {

/// Asks the run before the first exchange with new counts that permits a
/// change, if `decisions` have no change for these counts. Later exchanges use
/// the current circuits.
void addAsks(const CircuitStep &step, CircuitDecisions &decisions);

} // namespace moe::schedule

#endif // MOE_LIB_CIRCUITS_SCHEDULE_CIRCUITASKS_H
