// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes for the way over circuits.

#ifndef MOE_COMPILER_CIRCUITPASSES_H
#define MOE_COMPILER_CIRCUITPASSES_H

#include "moe/Compiler/Passes.h"

namespace moe {

#define GEN_PASS_DECL
#include "moe/Compiler/CircuitPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Compiler/CircuitPasses.h.inc"

} // namespace moe

#endif // MOE_COMPILER_CIRCUITPASSES_H
