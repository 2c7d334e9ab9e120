//===- moe-opt.cpp - Runs passes on a module --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  moe::handleWriteErrors("moe-opt", /*exitCode=*/1, argc, argv);
  mlir::DialectRegistry registry;
  moe::registerAllDialects(registry);
  moe::registerAllPasses();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-opt of moe-mlir " MOE_VERSION "\n";
  });
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "moe-opt: compiles the communication of MoE layers\n",
      registry));
}
