//===- Pipelines.cpp - The phases of a compilation --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Transforms/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Transforms/Passes.h"

using namespace mlir;
using namespace moe;

namespace {

/// Text form of `CompileOptions`.
struct CompilePipelineOptions
    : public PassPipelineOptions<CompilePipelineOptions> {
  static llvm::cl::ValuesClass phases() {
    return llvm::cl::values(
        clEnumValN(CompilePhase::Import, "import",
                   "the baseline, checked and canonical"),
        clEnumValN(CompilePhase::Decompose, "decompose",
                   "all-to-alls rewritten into drop / all-to-all / "
                   "all-gather"));
  }

  Option<CompilePhase> from{*this, "from", llvm::cl::desc("First phase to run"),
                            llvm::cl::init(CompilePhase::Import), phases()};
  Option<CompilePhase> to{*this, "to", llvm::cl::desc("Last phase to run"),
                          llvm::cl::init(CompilePhase::Decompose), phases()};
};

/// What every phase ends with.
void addVerification(OpPassManager &manager) {
  manager.addPass(createVerifyCollectives());
}

void addPhase(OpPassManager &manager, CompilePhase phase) {
  switch (phase) {
  case CompilePhase::Import:
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    break;
  case CompilePhase::Decompose:
    manager.addPass(createDecomposeAllToAll());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    break;
  }
  addVerification(manager);
}

} // namespace

void moe::buildCompilePipeline(OpPassManager &manager,
                               const CompileOptions &options) {
  assert(options.from <= options.to && "phases run in order");
  for (int phase = static_cast<int>(options.from);
       phase <= static_cast<int>(options.to); ++phase)
    addPhase(manager, static_cast<CompilePhase>(phase));
}

void moe::registerCompilePipeline() {
  registerPassPipeline(
      "moe-compile", "Compile a program of MoE layers, phase by phase",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        CompilePipelineOptions parsed;
        if (failed(parsed.parseFromString(text)))
          return failure();
        CompileOptions options;
        options.from = parsed.from;
        options.to = parsed.to;
        if (options.from > options.to)
          return error("moe-compile: expected 'from' not to come after 'to'");
        buildCompilePipeline(manager, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(CompilePipelineOptions());
      });
}
