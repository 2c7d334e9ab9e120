// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of passes for all tools.

#include "mlir/InitAllPasses.h"
#include "moe/Circuits/Register.h"
#include "moe/Compiler/Register.h"
#include "moe/Conversion/Shard/Passes.h"
#include "moe/Conversion/StableHLO/Passes.h"
#include "moe/Conversion/Torch/Passes.h"
#include "moe/Tools/Register.h"

void moe::registerAllPasses() {
  mlir::registerAllPasses();
  registerCompilerPasses();
  registerCircuitPasses();
  registerMoEShardPasses();
  registerMoEStableHLOPasses();
  registerMoETorchPasses();
}
