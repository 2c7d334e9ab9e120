// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Editor support for moe modules.
//
// Implements the language server protocol on stdin and stdout, so that editors
// show errors, definitions and types of modules with our dialects.

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "moe/Tools/Register.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  // Hides the options of LLVM's libraries from --help; the server adds its own
  // later.
  llvm::cl::OptionCategory none("Options of moe-lsp-server");
  llvm::cl::HideUnrelatedOptions(none);
  mlir::DialectRegistry registry;
  moe::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
