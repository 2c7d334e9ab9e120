// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that choose by compiling.

#ifndef MOE_COMPILER_PASSES_H
#define MOE_COMPILER_PASSES_H

#include "moe/Compiler/CircuitPolicy.h"
#include "moe/Compiler/Degree.h"
#include "moe/Compiler/PaddingChoice.h"
#include "moe/Compiler/ProductsChoice.h"
#include "moe/Compiler/ScheduleChoice.h"
#include "moe/Compiler/StrategyChoice.h"
#include "moe/Compiler/WireDtype.h"
#include "moe/Transforms/Passes.h"

namespace moe {

#define GEN_PASS_DECL
#include "moe/Compiler/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Compiler/Passes.h.inc"

} // namespace moe

#endif // MOE_COMPILER_PASSES_H
