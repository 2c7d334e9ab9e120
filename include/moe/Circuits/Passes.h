// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of optical circuits.

#ifndef MOE_CIRCUITS_PASSES_H
#define MOE_CIRCUITS_PASSES_H

#include "moe/Circuits/CircuitPolicy.h"
#include "moe/Compiler/Passes.h"

namespace moe {

#define GEN_PASS_DECL
#include "moe/Circuits/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Circuits/Passes.h.inc"

} // namespace moe

#endif // MOE_CIRCUITS_PASSES_H
