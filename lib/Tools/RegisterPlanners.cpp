// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners of optional components.

#include "moe/Circuits/Register.h"
#include "moe/Tools/Register.h"

void moe::registerAllPlanners() { registerCircuitPlanners(); }
