//===- moe-opt.cpp - Runs passes on a module --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

/// Our pipeline and passes, in the order in which a user meets them; a test
/// compares the list with what is registered.
static constexpr llvm::StringLiteral kOwn[] = {
    "moe-compile", "moe-load-platform", "moe-load-traffic",
    // What programs are.
    "moe-print-volumes", "moe-print-replication", "moe-verify-collectives",
    "moe-verify-contiguous-collectives", "moe-verify-schedule",
    "moe-verify-plan",
    // Choices.
    "moe-select-strategy", "moe-choose-degree", "moe-choose-schedule",
    "moe-choose-parts", "moe-choose-plan", "moe-partition-gradients",
    "moe-fill-weight-gradients", "moe-plan-dispatch",
    // Rewrites.
    "moe-decompose-all-to-all", "moe-hierarchical-all-reduce",
    "moe-rewrite-collectives", "moe-split-mesh-axis", "moe-unpad-exchanges",
    "moe-quantize-dispatch",
    "moe-make-collectives-contiguous", "moe-pipeline", "moe-split-batch",
    "moe-schedule", "moe-insert-circuits", "moe-route-circuits",
    "moe-strip-hooks", "moe-decompose-plan", "moe-pipeline-plan",
    "moe-schedule-plan",
    // Other languages.
    "convert-moe-to-moert", "moert-verify-streams", "moert-check-orders",
    "convert-moert-to-llvm", "convert-stablehlo-to-moe",
    "convert-moe-to-stablehlo"};

/// The head of --help: how the tool is used, and ours of the hundreds of
/// passes that follow.
static std::string describe() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "moe-opt: compiles the communication of MoE layers\n\n"
        "  moe-opt IN --moe-compile=\"to=PHASE platform=F ...\" [-o OUT]\n"
        "  moe-opt IN --remarks-filter='.*' ...   why a pass chose what it "
        "chose\n\nOURS (docs/Passes.md; all other passes are MLIR's):\n";
  for (llvm::StringRef name : kOwn) {
    const mlir::PassRegistryEntry *entry = mlir::PassPipelineInfo::lookup(name);
    if (!entry)
      entry = mlir::PassInfo::lookup(name);
    if (entry)
      os << "  --" << llvm::left_justify(name, 36)
         << entry->getPassDescription() << "\n";
  }
  return text;
}

int main(int argc, char **argv) {
  moe::handleWriteErrors("moe-opt", /*exitCode=*/1, argc, argv);
  mlir::DialectRegistry registry;
  moe::registerAllDialects(registry);
  moe::registerAllPasses();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-opt of moe-mlir " MOE_VERSION "\n";
  });
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, describe(), registry));
}
