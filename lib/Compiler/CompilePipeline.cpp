// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline moe-compile: options as text.

#include "CompilePipeline.h"
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
  Option<CompilePhase> from{
      *this, "from", llvm::cl::desc("First compile phase to run"),
      llvm::cl::init(CompilePhase::Import), EnumValues<CompilePhase>()};
  Option<CompilePhase> to{
      *this, "to", llvm::cl::desc("Last compile phase to run"),
      llvm::cl::init(CompilePhase::Decompose), EnumValues<CompilePhase>()};
  Option<std::string> platform{
      *this, "platform",
      llvm::cl::desc("Platform file or name of a shipped platform (default: "
                     "the module's platform)")};
  Option<std::string> traffic{
      *this, "traffic",
      llvm::cl::desc("Routing trace or file of tokens per expert (default: the "
                     "module's routing trace)")};
  Option<bool> robust{
      *this, "robust",
      llvm::cl::desc("Minimize the 95th percentile of the step time over the "
                     "trace's iterations, not the mean (phase choose)"),
      llvm::cl::init(false)};
  Option<StrategyChoice> strategy{
      *this, "strategy",
      llvm::cl::desc("Layer variants to choose from (phase choose)"),
      llvm::cl::init(StrategyChoice::Auto), EnumValues<StrategyChoice>()};
  Option<Degree> degree{
      *this, "degree",
      llvm::cl::desc("Number of chunks per layer, or auto (phase choose)"),
      llvm::cl::init(Degree())};
  Option<bool> ignoreFitted{
      *this, "ignore-fitted",
      llvm::cl::desc("Ignore platform parameters fitted to published results "
                     "(phase choose)"),
      llvm::cl::init(false)};
  Option<std::string> parts{
      *this, "sub-batches",
      llvm::cl::desc("Number of concurrent sub-batches, or auto (default: auto "
                     "with schedule=best, else 1; phase choose)")};
  Option<std::string> padding{
      *this, "padding",
      llvm::cl::desc("Exchange of layers with a capacity: rows, keep or auto "
                     "(default: auto with a routing trace or schedule=best, "
                     "else keep; phase choose)")};
  Option<WireDtype> dispatchType{
      *this, "dispatch-type",
      llvm::cl::desc("Element type of tokens sent to experts; auto and e4m3 "
                     "may change results (phase choose)"),
      llvm::cl::init(WireDtype::Keep), EnumValues<WireDtype>()};
  Option<ProductsChoice> expertProducts{
      *this, "expert-products",
      llvm::cl::desc("Inner products of experts, for the backward pass (phase "
                     "choose)"),
      llvm::cl::init(ProductsChoice::Auto), EnumValues<ProductsChoice>()};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc(
          "Schedule of a training step: megatron, deepspeed (FSMoE's model of "
          "it, without overlap), tutel, tutel-improved, lina, fsmoe-no-iio, "
          "fsmoe, orders, sizes, best, or layers, the fastest variant of each "
          "layer on its own (phase choose)"),
      llvm::cl::init("layers")};
  Option<CircuitUse> circuits{
      *this, "circuits",
      llvm::cl::desc("When optical circuits are reconfigured (phase schedule)"),
      llvm::cl::init(CircuitUse::Auto), EnumValues<CircuitUse>()};
  ListOption<std::string> priorities{
      *this, "priorities",
      llvm::cl::desc(
          "Mesh axes that share links, highest priority first (default: those "
          "of the plan, else ep,pp,cp,dp; phase schedule)")};
  Option<CompileTarget> target{
      *this, "target",
      llvm::cl::desc("Target that task bodies are compiled for (phase llvm)"),
      llvm::cl::init(CompileTarget::Host), EnumValues<CompileTarget>()};
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("target=nccl: oldest GPU architecture to support "
                     "(default: sm_75; phase llvm)")};
  Option<std::string> cubinChips{
      *this, "cubin-chips",
      llvm::cl::desc(
          "target=nccl: architectures to embed machine code for: auto, none, "
          "or a list such as sm_80,sm_90 (default: auto; phase llvm)")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("CUDA directory whose bin/ptxas assembles machine code "
                     "(default: search for one; phase llvm)")};

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
    options.expertProducts = expertProducts;
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
    if (auto choice = parseEnumName<PaddingChoice>(padding);
        choice && choice != PaddingChoice::Default)
      options.padding = *choice;
    else if (!padding.empty() && problem.empty())
      problem =
          "expected padding to be auto, keep or rows, got '" + padding + "'";
    // Read here: the parser of an enumeration's words does not say which there
    // are.
    if (auto choice = parseEnumName<ScheduleChoice>(schedule))
      options.schedule = *choice;
    else if (problem.empty())
      problem = "expected schedule to be one of " +
                listEnumNames<ScheduleChoice>() + "; got '" + schedule + "'";
    if (problem.empty())
      problem = checkOptions(to, options);
    return options;
  }
};

} // namespace

void moe::registerCompilePipeline() {
  registerPassPipeline(
      "moe-compile",
      "Compile a program with MoE layers, one compile phase at a time",
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
