//===- RegisterPasses.cpp - Passes every tool registers ---------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/InitAllPasses.h"
#include "moe/Compiler/Register.h"
#include "moe/Conversion/Shard/Passes.h"
#include "moe/Conversion/StableHLO/Passes.h"
#include "moe/Conversion/Torch/Passes.h"
#include "moe/Tools/Register.h"

void moe::registerAllPasses() {
  mlir::registerAllPasses();
  registerCompilerPasses();
  registerMoEShardPasses();
  registerMoEStableHLOPasses();
  registerMoETorchPasses();
}
