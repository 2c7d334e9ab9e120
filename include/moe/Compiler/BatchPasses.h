//===- BatchPasses.h - Whether the batch is cut -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_BATCHPASSES_H
#define MOE_COMPILER_BATCHPASSES_H

#include "moe/Compiler/Passes.h"

namespace moe {

#define GEN_PASS_DECL
#include "moe/Compiler/BatchPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Compiler/BatchPasses.h.inc"

} // namespace moe

#endif // MOE_COMPILER_BATCHPASSES_H
