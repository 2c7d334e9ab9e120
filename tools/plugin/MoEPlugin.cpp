//===- MoEPlugin.cpp - The dialect and passes as a plugin -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two entry points by which mlir-opt takes dialects and passes from a
// shared library:
//
//   mlir-opt --load-dialect-plugin=libMoEPlugin.so
//            --load-pass-plugin=libMoEPlugin.so
//            --pass-pipeline='builtin.module(...)' input.mlir
//
// Options that name a pass of the plugin come after --load-pass-plugin:
// mlir-opt learns of them only when it meets that option.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "moe/IR/MoEDialect.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MoE", MOE_VERSION,
          [](mlir::DialectRegistry *registry) {
            registry->insert<moe::MoEDialect>();
          }};
}
