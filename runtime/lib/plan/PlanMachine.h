// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines from plain numbers.

#ifndef MOERT_PLAN_PLANMACHINE_H
#define MOERT_PLAN_PLANMACHINE_H

#include "core/AbiStructs.h"
#include "moe/Cost/Machine.h"
#include "moert_plan.h"

namespace moert {

template <> inline constexpr size_t kFirstSize<moert_plan_machine_config> = 120;
static_assert(sizeof(moert_plan_machine_config) >= 120);

/// Checks a caller's description of a machine and converts it for the planners.
Status readMachine(const moert_plan_machine_config &config,
                   moe::cost::Machine &machine);

} // namespace moert

#endif // MOERT_PLAN_PLANMACHINE_H
