//===- TextForm.cpp - moe-compile, the driver in words ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextForm.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Degree.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Support/PassOptions.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;
using namespace moe;

namespace {

/// Text form of `CompileOptions`.
struct CompilePipelineOptions
    : public PassPipelineOptions<CompilePipelineOptions> {
  Option<CompilePhase> from{*this, "from", llvm::cl::desc("First phase to run"),
                            llvm::cl::init(CompilePhase::Import),
                            ChoiceValues<CompilePhase>()};
  Option<CompilePhase> to{*this, "to", llvm::cl::desc("Last phase to run"),
                          llvm::cl::init(CompilePhase::Decompose),
                          ChoiceValues<CompilePhase>()};
  Option<std::string> platform{
      *this, "platform",
      llvm::cl::desc("Description of the machine to compile for, a file or the "
                     "name of one that ships; the module's own when not "
                     "given")};
  Option<std::string> traffic{
      *this, "traffic",
      llvm::cl::desc("Traffic to compile for, a file of counts or a trace; the "
                     "module's own when not given")};
  Option<bool> robust{
      *this, "robust",
      llvm::cl::desc(
          "Choose the least 95th percentile over the traffic's steps "
          "instead of the least mean (phase choose)"),
      llvm::cl::init(false)};
  Option<StrategyChoice> strategy{
      *this, "strategy",
      llvm::cl::desc("Forms of layers to choose from (phase choose)"),
      llvm::cl::init(StrategyChoice::Auto), ChoiceValues<StrategyChoice>()};
  Option<Degree> degree{
      *this, "degree",
      llvm::cl::desc("Number of chunks, or auto (phase choose)"),
      llvm::cl::init(Degree())};
  Option<bool> ignoreFitted{
      *this, "ignore-fitted",
      llvm::cl::desc("Leave out parameters fitted to published results (phase "
                     "choose)"),
      llvm::cl::init(false)};
  Option<std::string> parts{
      *this, "sub-batches",
      llvm::cl::desc(
          "Sub-batches that the batch is split into, which run "
          "concurrently: auto or a number; auto with schedule=best, else 1 "
          "when not given (phase choose)")};
  Option<std::string> padding{
      *this, "padding",
      llvm::cl::desc("What layers with a capacity exchange: rows, keep, or "
                     "auto, which it is with traffic or schedule=best (phase "
                     "choose)")};
  Option<DispatchType> dispatchType{
      *this, "dispatch-type",
      llvm::cl::desc(
          "As what tokens go to experts: all but keep change results "
          "(phase choose)"),
      llvm::cl::init(DispatchType::Keep), ChoiceValues<DispatchType>()};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("Schedule of a training step: deepspeed (FSMoE's model of "
                     "DeepSpeed, without overlap), megatron, tutel, "
                     "tutel-improved, lina, fsmoe-no-iio, fsmoe, orders, "
                     "sizes or best; or layers, each layer as it is fastest "
                     "alone (phase choose)"),
      llvm::cl::init("layers")};
  Option<CircuitUse> circuits{
      *this, "circuits",
      llvm::cl::desc("Changes of optical circuits (phase schedule)"),
      llvm::cl::init(CircuitUse::Auto), ChoiceValues<CircuitUse>()};
  ListOption<std::string> priorities{
      *this, "priorities",
      llvm::cl::desc("Axes of traffic that meets on links, what goes first in "
                     "front; those of the plan, else ep,pp,cp,dp, when not "
                     "given (phase schedule)")};
  Option<CompileTarget> target{
      *this, "target",
      llvm::cl::desc("What bodies of tasks are compiled for (phase llvm)"),
      llvm::cl::init(CompileTarget::Host), ChoiceValues<CompileTarget>()};
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Earliest architecture of a GPU that runs the program, of "
                     "target nccl (phase llvm; sm_75 when not given)")};
  Option<std::string> cubinChips{
      *this, "cubin-chips",
      llvm::cl::desc("Architectures that kernels of target nccl are also "
                     "machine code for: auto, none, or some such as "
                     "sm_80,sm_90 (phase llvm; auto when not given)")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("Folder of CUDA whose bin/ptxas makes machine code "
                     "(phase llvm; looked for when not given)")};

  /// Their names, with blanks between.
  std::string list() const {
    std::set<StringRef> names;
    for (const auto &entry : OptionsMap)
      names.insert(entry.second->ArgStr);
    return llvm::join(names, " ");
  }

  /// The options that the texts stand for; what is wrong with them in
  /// `problem`.
  CompileOptions read(std::string &problem) const {
    CompileOptions options;
    options.from = from;
    options.platform = platform;
    options.traffic = traffic;
    options.robust = robust;
    options.strategy = strategy;
    options.ignoreFitted = ignoreFitted;
    options.degree = degree.chunks;
    options.dispatchType = dispatchType;
    options.circuits = circuits;
    options.priorities.assign(priorities.begin(), priorities.end());
    options.target = target;
    options.images = {chip, cubinChips, toolkit};
    if (!parts.empty()) {
      int64_t count = 0;
      if (parts == "auto")
        options.parts.emplace();
      else if (!StringRef(parts).getAsInteger(10, count) && count >= 1 &&
               count <= PipelineOp::kMaxDegree)
        options.parts = Degree{count};
      else
        problem = "expected sub-batches to be auto or a number in [1, " +
                  std::to_string(PipelineOp::kMaxDegree) + "], got '" + parts +
                  "'";
    }
    if (auto choice = parseWord<PaddingChoice>(padding);
        choice && choice != PaddingChoice::Default)
      options.padding = *choice;
    else if (!padding.empty() && problem.empty())
      problem =
          "expected padding to be auto, keep or rows, got '" + padding + "'";
    // Read here: the parser of an enumeration's words does not say which there
    // are.
    if (auto choice = parseWord<ScheduleChoice>(schedule))
      options.schedule = *choice;
    else if (problem.empty())
      problem = "expected schedule to be one of " +
                listWords<ScheduleChoice>() + "; got '" + schedule + "'";
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
        // MLIR ends the process at a pass of modules that is nested elsewhere.
        if (auto anchor = manager.getOpName();
            anchor && *anchor != ModuleOp::getOperationName())
          return error("moe-compile: expected to be in builtin.module, whose "
                       "passes it runs; got it in " +
                       *anchor);
        std::string options = renameOptions(text);
        if (std::string problem = checkGivenOnce("moe-compile", options);
            !problem.empty())
          return error(problem);
        CompilePipelineOptions parsed;
        std::string problem;
        llvm::raw_string_ostream problemOs(problem);
        CollectedProblems values;
        if (failed(parsed.parseFromString(options, problemOs))) {
          // Of a wrong value MLIR says nothing.
          if (!values.getText().empty())
            return error("moe-compile: " + values.getText());
          return error(
              describeOptions(problem, "moe-compile{" + parsed.list() + "}"));
        }
        CompileOptions compile = parsed.read(problem);
        if (!problem.empty())
          return error("moe-compile: " + problem);
        addPhases(manager, parsed.to, compile);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(CompilePipelineOptions());
      });
}
