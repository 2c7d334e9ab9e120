//===- CircuitPasses.h - Passes for the way over circuits -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
