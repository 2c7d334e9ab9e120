//===- moe-sim.cpp - Predicts when tasks run --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "moe/Compiler/Prediction.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/PlatformOption.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "moe/Transforms/ModulePlatform.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace moe;

namespace cl = llvm::cl;

/// Wrong use: nothing was predicted.
constexpr int kWrongUse = 2;

static cl::OptionCategory category("moe-sim options");
static cl::opt<std::string> input(cl::Positional, cl::desc("IN"), cl::Required,
                                  cl::cat(category));
static MachineOptions
    platformOption("a platform's file, or the name of one that ships (default: "
                   "the platform IN is compiled for)",
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

/// What is wrong with the options together; empty when nothing is.
static std::string checkOptions() {
  if (std::string problem = checkGivenOnce(); !problem.empty())
    return problem;
  if (input == "-" && baselineFile == "-")
    return "--baseline: expected a file beside IN from standard input, which "
           "can be read once, got '-' for both";
  if (traceFile == "-")
    return "--trace: expected a file, got '-': the report goes to standard "
           "output";
  return "";
}

/// Parses and predicts one file, on the platform it is compiled for when none
/// is known yet; errors have been printed.
static FailureOr<Prediction> load(MLIRContext &context, StringRef file,
                                  std::optional<platform::Platform> &platform,
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
  if (!platform) {
    FailureOr<platform::Platform> loaded =
        loadPlatformOf(*module, /*given=*/"", "moe-sim", "--platform=FILE",
                       platformOption.getLoadOptions());
    if (failed(loaded))
      return failure();
    platform = std::move(*loaded);
  }
  return predict(*module, file.str(), entry, platform->machine);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  moe::handleWriteErrors("moe-sim", kWrongUse, argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "moe-sim: predicts when the tasks of a program run\n",
          &llvm::errs()))
    return kWrongUse;
  if (std::string problem = checkOptions(); !problem.empty()) {
    llvm::errs() << "moe-sim: " << problem << "\n";
    return kWrongUse;
  }
  std::optional<platform::Platform> platform;
  if (platformOption.isSet()) {
    cost::Result<platform::Platform> loaded = platformOption.load();
    if (!loaded) {
      llvm::errs() << "moe-sim: " << loaded.getError() << "\n";
      return kWrongUse;
    }
    platform = std::move(*loaded);
  }

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Ops nobody registered take what they state.
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module, baselineModule;
  FailureOr<Prediction> prediction = load(context, input, platform, module);
  if (failed(prediction))
    return kWrongUse;
  const cost::Machine &machine = platform->machine;
  FailureOr<Prediction> baseline = failure();
  if (!baselineFile.empty()) {
    baseline = load(context, baselineFile, platform, baselineModule);
    if (failed(baseline))
      return kWrongUse;
    if (baseline->ranks != prediction->ranks) {
      llvm::errs() << "moe-sim: --baseline: expected a program of "
                   << prediction->ranks << " ranks, as " << input << ", got "
                   << baseline->ranks << "\n";
      return kWrongUse;
    }
  }
  const Prediction *against = succeeded(baseline) ? &*baseline : nullptr;

  if (!traceFile.empty()) {
    std::string error;
    auto file = openOutputFile(traceFile, &error);
    if (!file) {
      llvm::errs() << "moe-sim: " << error << "\n";
      return kWrongUse;
    }
    printPredictionTrace(file->os(), *prediction, machine);
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
    printPredictionJSON(llvm::outs(), *prediction, machine, against);
  else
    printPredictionTable(llvm::outs(), *prediction, machine, against);
  return 0;
}
