//===- moe-sim.cpp - Predicts when tasks run --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prediction.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "moe/Platform/Load.h"
#include "moe/Platform/Lookup.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace moe;
using namespace moe::sim;

namespace cl = llvm::cl;

/// Wrong use: nothing was predicted.
constexpr int kWrongUse = 2;

static cl::OptionCategory category("moe-sim options");
static cl::opt<std::string> input(cl::Positional, cl::desc("IN"), cl::Required,
                                  cl::cat(category));
static cl::opt<std::string>
    platformFile("platform",
                 cl::desc("Description of the machine: a file (JSON) or "
                          "the name of one that ships"),
                 cl::value_desc("file or name"), cl::Required,
                 cl::cat(category));
static cl::opt<bool>
    ignoreFitted("ignore-fitted",
                 cl::desc("Leave out parameters fitted to published results"),
                 cl::cat(category));
static cl::opt<std::string> baselineFile("baseline",
                                         cl::desc("A program to compare with"),
                                         cl::value_desc("file"),
                                         cl::cat(category));
static cl::opt<std::string> entry("entry",
                                  cl::desc("Function to simulate (default: "
                                           "@main or the only one)"),
                                  cl::cat(category));
static cl::opt<bool> asJSON("json", cl::desc("Print JSON"), cl::cat(category));
static cl::opt<std::string>
    traceFile("trace", cl::desc("Write the timeline as a Chrome trace"),
              cl::value_desc("file"), cl::cat(category));

/// Parses and predicts one file; errors have been printed.
static FailureOr<Prediction> load(MLIRContext &context, StringRef file,
                                  const cost::Machine &machine,
                                  OwningOpRef<ModuleOp> &module) {
  std::string error;
  auto buffer = openInputFile(file, &error);
  if (!buffer) {
    llvm::errs() << "moe-sim: " << error << "\n";
    return failure();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  return predict(*module, file.str(), entry, machine);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  moe::handleWriteErrors("moe-sim", kWrongUse, argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "moe-sim: predicts when the tasks of a program run\n");
  platform::LoadOptions options;
  options.ignoreFitted = ignoreFitted;
  auto file = platform::findPlatform(platformFile);
  if (!file) {
    llvm::errs() << "moe-sim: --platform: " << file.getError() << "\n";
    return kWrongUse;
  }
  auto platform = platform::loadPlatform(*file, options);
  if (!platform) {
    llvm::errs() << "moe-sim: " << platform.getError() << "\n";
    return kWrongUse;
  }
  const cost::Machine &machine = platform->machine;

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module, baselineModule;
  FailureOr<Prediction> prediction = load(context, input, machine, module);
  if (failed(prediction))
    return kWrongUse;
  FailureOr<Prediction> baseline = failure();
  if (!baselineFile.empty()) {
    baseline = load(context, baselineFile, machine, baselineModule);
    if (failed(baseline))
      return kWrongUse;
  }
  const Prediction *against = succeeded(baseline) ? &*baseline : nullptr;

  if (!traceFile.empty()) {
    std::string error;
    auto file = openOutputFile(traceFile, &error);
    if (!file) {
      llvm::errs() << "moe-sim: " << error << "\n";
      return kWrongUse;
    }
    printTrace(file->os(), *prediction, machine);
    file->os().flush();
    if (std::error_code code = file->os().error()) {
      llvm::errs() << "moe-sim: cannot write " << traceFile << ": "
                   << code.message() << "\n";
      file->os().clear_error();
      return kWrongUse;
    }
    file->keep();
  }
  if (asJSON)
    printJSON(llvm::outs(), *prediction, machine, against);
  else
    printTable(llvm::outs(), *prediction, machine, against);
  return 0;
}
