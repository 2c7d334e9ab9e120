// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline moe-compile: options as text.

#include "CompilePipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "moe/Compiler/Compile.h"
#include "moe/Support/PassOptions.h"
#include "llvm/ADT/StringExtras.h"
#include <list>
#include <set>

using namespace mlir;
using namespace moe;

namespace moe {
#define GEN_PASS_DECL_COMPILEPIPELINE
#define GEN_PASS_DEF_COMPILEPIPELINE
#include "moe/Compiler/CompilePipeline.h.inc"
} // namespace moe

namespace {

/// Parses the options. It is a pass because TableGen generates options only for
/// passes; it never runs.
struct CompilePipelineParser
    : public moe::impl::CompilePipelineBase<CompilePipelineParser> {
  using CompilePipelineBase::CompilePipelineBase;
  using CompilePipelineBase::to;

  void runOnOperation() override {
    llvm_unreachable("expected to parse options only");
  }

  /// Calls `visit` with each option except `to`, and with its field.
  template <typename VisitT>
  void forEachOption(CompileOptions &options, VisitT visit) {
    visit(from, options.from);
    visit(platform, options.platform);
    visit(traffic, options.traffic);
    visit(robust, options.robust);
    visit(padding, options.padding);
    visit(subBatches, options.subBatches);
    visit(strategy, options.strategy);
    visit(degree, options.degree);
    visit(ignoreFitted, options.ignoreFitted);
    visit(schedule, options.schedule);
    visit(dispatchType, options.dispatchType);
    visit(expertProducts, options.expertProducts);
    visit(circuits, options.circuits);
    visit(priorities, options.priorities);
    visit(searchWidth, options.searchWidth);
    visit(target, options.target);
    visit(chip, options.chip);
    visit(cubinChips, options.cubinChips);
    visit(toolkit, options.toolkit);
  }

  /// MLIR's error about an unknown option does not list options with empty
  /// lists, so this adds them.
  LogicalResult initializeOptions(
      StringRef given,
      function_ref<LogicalResult(const Twine &)> report) override {
    return CompilePipelineBase::initializeOptions(
        given, [&](const Twine &message) {
          std::string text = message.str();
          auto [problem, names] = StringRef(text).split("; moe-compile has ");
          if (names.empty())
            return report(message);
          std::set<StringRef> all{"to"};
          CompileOptions fields;
          forEachOption(fields, [&](const llvm::cl::Option &option, auto &) {
            all.insert(option.ArgStr);
          });
          return report(describeOptions(
              problem.str(), "moe-compile{" + llvm::join(all, " ") + "}"));
        });
  }

  CompileOptions getOptions() {
    CompileOptions options;
    forEachOption(options, [](auto &option, auto &field) {
      if constexpr (
          requires { field.assign(option.begin(), option.end()); } &&
          !requires { option.getValue(); })
        field.assign(option.begin(), option.end());
      else
        field = option.getValue();
    });
    return options;
  }
};

/// The options and values that --help lists.
struct CompilePipelineHelp : public PassPipelineOptions<CompilePipelineHelp> {
  CompilePipelineHelp() {
    CompileOptions fields;
    CompilePipelineParser parser;
    parser.forEachOption(fields, [&](auto &option, auto &field) {
      add<std::decay_t<decltype(field)>>(option);
    });
    add<CompilePhase>(parser.to);
  }

private:
  template <typename FieldT> void add(llvm::cl::Option &option) {
    std::string text = option.HelpStr.str();
    if constexpr (requires { EnumNames<FieldT>::all; })
      text += ": " + listEnumNames<FieldT>();
    texts.push_back(std::move(text));
    options.push_back(std::make_unique<Option<std::string>>(
        *this, option.ArgStr, llvm::cl::desc(texts.back())));
  }

  /// Options refer to their text without copying it.
  std::list<std::string> texts;
  std::vector<std::unique_ptr<Option<std::string>>> options;
};

} // namespace

void moe::registerCompilePipeline() {
  registerPassPipeline(
      "moe-compile",
      "Compile a program with MoE layers, one compile phase at a time",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        // MLIR aborts the process if a module pass is nested in another op.
        if (auto anchor = manager.getOpName();
            anchor && *anchor != ModuleOp::getOperationName())
          return error("moe-compile: expected to be in builtin.module, whose "
                       "passes it runs; got it in " +
                       *anchor);
        CompilePipelineParser parser;
        if (failed(parser.initializeOptions(text, error)))
          return failure();
        CompileOptions options = parser.getOptions();
        if (std::string problem = checkOptions(parser.to, options);
            !problem.empty())
          return error("moe-compile: " + problem);
        addPhases(manager, parser.to, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(CompilePipelineHelp());
      });
}
