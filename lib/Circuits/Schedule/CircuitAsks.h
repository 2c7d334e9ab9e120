// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where runs decide on circuits.

#ifndef MOE_LIB_CIRCUITS_SCHEDULE_CIRCUITASKS_H
#define MOE_LIB_CIRCUITS_SCHEDULE_CIRCUITASKS_H

#include "moe/Circuits/CircuitChoice.h"

namespace moe::schedule {

/// Asks the run in front of the first exchange of each counts that may have a
/// change, where these get none by `decisions`, and lets what comes behind use
/// what is up.
void addAsks(const CircuitStep &step, CircuitDecisions &decisions);

} // namespace moe::schedule

#endif // MOE_LIB_CIRCUITS_SCHEDULE_CIRCUITASKS_H
