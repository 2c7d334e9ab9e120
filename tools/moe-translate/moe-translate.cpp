//===- moe-translate.cpp - Translates models into modules -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "moe/Frontend/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  moe::handleWriteErrors("moe-translate", /*exitCode=*/2, argc, argv);
  moe::registerImportHFConfig();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-translate of moe-mlir " MOE_VERSION "\n";
  });
  if (moe::asksToEmit(argc, argv))
    return moe::runEmit(argc, argv);
  // What cannot be translated is wrong use, not an answer.
  return failed(mlir::mlirTranslateMain(argc, argv,
                                        "moe-translate: models as moe modules"))
             ? 2
             : 0;
}
