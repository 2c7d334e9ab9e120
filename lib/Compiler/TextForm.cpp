//===- TextForm.cpp - moe-compile, the driver in words ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextForm.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "moe/Compiler/Compile.h"
#include "moe/Support/PassOptions.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

namespace {

StringRef nameOf(ScheduleChoice choice) { return getName(choice); }

/// Text form of `CompileOptions`.
struct CompilePipelineOptions
    : public PassPipelineOptions<CompilePipelineOptions> {
  static llvm::cl::ValuesClass phases() {
    return llvm::cl::values(
        clEnumValN(CompilePhase::Import, "import",
                   "the baseline, checked and canonical"),
        clEnumValN(CompilePhase::Choose, "choose",
                   "what layers shall become on the platform, written on "
                   "them"),
        clEnumValN(CompilePhase::Decompose, "decompose",
                   "all-to-alls rewritten into drop / all-to-all / "
                   "all-gather"),
        clEnumValN(CompilePhase::Pipeline, "pipeline",
                   "layers and gradients in pieces"),
        clEnumValN(CompilePhase::Schedule, "schedule", "tasks on streams"),
        clEnumValN(CompilePhase::Runtime, "runtime",
                   "what a rank's host tells the runtime, on buffers"),
        clEnumValN(CompilePhase::LLVM, "llvm",
                   "calls of the runtime's C interface"));
  }

  Option<CompilePhase> from{*this, "from", llvm::cl::desc("First phase to run"),
                            llvm::cl::init(CompilePhase::Import), phases()};
  Option<CompilePhase> to{*this, "to", llvm::cl::desc("Last phase to run"),
                          llvm::cl::init(CompilePhase::Decompose), phases()};
  Option<std::string> platform{
      *this, "platform",
      llvm::cl::desc("Description of the machine to compile for, a file or the "
                     "name of one that ships; the module's own when not "
                     "given")};
  Option<StrategyChoice> strategy{
      *this, "strategy",
      llvm::cl::desc("Forms of layers to choose from (phase choose)"),
      llvm::cl::init(StrategyChoice::Auto),
      llvm::cl::values(
          clEnumValN(StrategyChoice::Auto, "auto", "all forms"),
          clEnumValN(StrategyChoice::Baseline, "baseline", "as it is"),
          clEnumValN(StrategyChoice::O1, "o1", "drop"),
          clEnumValN(StrategyChoice::O2, "o2",
                     "drop, chunks, copies in turn with collectives"),
          clEnumValN(StrategyChoice::O3, "o3",
                     "drop, chunks, copies on their own"),
          clEnumValN(StrategyChoice::Hierarchical, "hierarchical",
                     "inside nodes and between them"))};
  Option<std::string> degree{
      *this, "degree",
      llvm::cl::desc("Number of chunks, or auto (phase choose)"),
      llvm::cl::init("auto")};
  Option<bool> ignoreFitted{
      *this, "ignore-fitted",
      llvm::cl::desc("Leave out parameters fitted to published results (phase "
                     "choose)"),
      llvm::cl::init(false)};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("Schedule of a training step: deepspeed, tutel, "
                     "tutel-improved, lina, fsmoe-no-iio, fsmoe, orders, "
                     "sizes or best; or layers, each layer as it is fastest "
                     "alone (phase choose)"),
      llvm::cl::init("layers")};

  /// The options that the texts stand for; what is wrong with them in
  /// `problem`.
  CompileOptions read(std::string &problem) const {
    CompileOptions options;
    options.from = from;
    options.platform = platform;
    options.strategy = strategy;
    options.ignoreFitted = ignoreFitted;
    int64_t number = 0;
    if (degree != "auto") {
      if (StringRef(degree).getAsInteger(10, number) || number < 1)
        problem =
            "expected degree to be auto or a number of at least 1; got '" +
            degree + "'";
      options.degree = number;
    }
    if (std::optional<ScheduleChoice> choice = parseScheduleChoice(schedule))
      options.schedule = *choice;
    else
      problem =
          "expected schedule to be one of " +
          llvm::join(llvm::map_range(getScheduleChoices(), nameOf), ", ") +
          "; got '" + schedule + "'";
    if (problem.empty())
      problem = checkOptions(to, options);
    return options;
  }
};

} // namespace

void moe::registerTextForm() {
  registerPassPipeline(
      "moe-compile", "Compile a program of MoE layers, phase by phase",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        if (std::string problem = checkGivenOnce("moe-compile", text);
            !problem.empty())
          return error(problem);
        CompilePipelineOptions parsed;
        if (failed(parsed.parseFromString(text)))
          return failure();
        std::string problem;
        CompileOptions options = parsed.read(problem);
        if (!problem.empty())
          return error("moe-compile: " + problem);
        addPhases(manager, parsed.to, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(CompilePipelineOptions());
      });
}
