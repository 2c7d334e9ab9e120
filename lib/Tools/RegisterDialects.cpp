// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of dialects for all tools.

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "moe/Circuits/Register.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Dialect/MoERT/MoERTDialect.h"
#include "moe/Dialect/Text/StableHLO/Dialects.h"
#include "moe/Dialect/Text/Torch/Dialect.h"
#include "moe/Tools/Register.h"

void moe::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::func::registerInlinerExtension(registry);
  registry.insert<MoEDialect, rt::MoERTDialect>();
  registerCircuitDialect(registry);
  registerStableHLODialects(registry);
  registerTorchDialect(registry);
}
