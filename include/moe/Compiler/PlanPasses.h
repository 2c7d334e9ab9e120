// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for others to read.

#ifndef MOE_COMPILER_PLANPASSES_H
#define MOE_COMPILER_PLANPASSES_H

#include "moe/Compiler/Passes.h"

namespace moe {

#define GEN_PASS_DECL
#include "moe/Compiler/PlanPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Compiler/PlanPasses.h.inc"

} // namespace moe

#endif // MOE_COMPILER_PLANPASSES_H
