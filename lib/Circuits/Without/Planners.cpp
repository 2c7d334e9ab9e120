// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits registers no planners of them.

#include "moe/Circuits/Register.h"

void moe::registerCircuitPlanners() {}
