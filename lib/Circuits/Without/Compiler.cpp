// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits compiles without their passes.

#include "moe/Circuits/Register.h"

void moe::registerCircuitPhase() {}

void moe::registerCircuitPasses() {}
