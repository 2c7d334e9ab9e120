// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect and passes as a plugin.
//
// The two entry points through which mlir-opt loads dialects and passes from a
// shared library:
//
//   mlir-opt --load-dialect-plugin=libMoEPlugin.so
//            --load-pass-plugin=libMoEPlugin.so
//            --pass-pipeline='builtin.module(...)' input.mlir
//
// mlir-opt creates its `--<pass>` options before it reads any option, so the
// passes of a plugin can only be named in --pass-pipeline.

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "moe/Circuits/Register.h"
#include "moe/Compiler/Register.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Dialect/MoERT/MoERTDialect.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MoE", MOE_VERSION,
          [](mlir::DialectRegistry *registry) {
            registry->insert<moe::MoEDialect, moe::rt::MoERTDialect>();
            moe::registerCircuitDialect(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  // Only our own passes, because mlir-opt has already registered the upstream
  // ones.
  return {MLIR_PLUGIN_API_VERSION, "MoE", MOE_VERSION, [] {
            moe::registerCompilerPasses();
            moe::registerCircuitPasses();
          }};
}
