// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits links no library for switches.

#include "moe/Circuits/Register.h"

void moe::registerCircuitRuntime() {}
