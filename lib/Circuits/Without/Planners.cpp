// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits does not register their planners.

#include "moe/Circuits/Register.h"

void moe::registerCircuitPlanners() {}
