// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates models into modules.

#include "Emit.h"
#include "ImportHFConfig.h"
#include "Survey.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "moe/Options/FrameworkFlags.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  moe::handleWriteErrors("moe-translate", /*exitCode=*/2, argc, argv);
  // LLVM's libraries add hundreds of options that have no meaning here.
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (entry.second->ArgStr != "help" && entry.second->ArgStr != "version")
      entry.second->setHiddenFlag(llvm::cl::ReallyHidden);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-translate of moe-mlir " MOE_VERSION "\n";
  });
  // Translations and --emit have options with the same names, so only one of
  // them is registered.
  if (moe::asksToEmit(argc, argv))
    return moe::runEmit(argc, argv);
  if (moe::asksToSurvey(argc, argv))
    return moe::runSurvey(argc, argv);
  moe::registerImportHFConfig();
  // mlirTranslateMain registers the translation itself.
  if (std::string problem = moe::checkFrameworkFlags(
          argc, argv,
          [](llvm::StringRef name) {
            return name == "import-hf-config" ||
                   moe::hasOption(llvm::cl::SubCommand::getTopLevel(), name);
          });
      !problem.empty()) {
    llvm::errs() << "moe-translate: error: " << problem << "\n";
    return 2;
  }
  llvm::cl::extrahelp emit(
      "\nmoe-translate IN --emit=object|header|llvm|ptx -o OUT compiles a "
      "program to an object file\nwith a C interface instead; see "
      "moe-translate --emit=object --help\n"
      "\nmoe-translate --survey DIR prints which keys of the configs in a "
      "folder "
      "an import reads; see\nmoe-translate --survey=DIR --help\n");
  // A failed translation counts as wrong use.
  return failed(mlir::mlirTranslateMain(
             argc, argv, "moe-translate: import models as moe modules"))
             ? 2
             : 0;
}
