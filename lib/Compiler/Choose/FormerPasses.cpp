// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pass names that moe-choose-plan replaced.
//
// For one release, pipelines may still name the passes that chose along one
// axis each.

#include "FormerPasses.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "moe/Support/OldNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

namespace {

struct FormerPass {
  StringLiteral name;
  /// Options of moe-choose-plan, which the options of the pass override.
  StringLiteral defaults;
};

constexpr FormerPass kFormerPasses[] = {
    {"moe-choose-padding", "padding=default sub-batches=1"},
    {"moe-choose-parts", "sub-batches=auto padding=keep"},
    {"moe-choose-schedule", "schedule=best sub-batches=1 padding=keep"},
    {"moe-choose-dispatch-type", "keep-plan=true dispatch-type=auto"}};

} // namespace

/// Returns the pipeline that replaces a former pass.
static std::string translate(const FormerPass &pass, StringRef options) {
  std::string platform, given, defaults;
  SmallVector<StringRef> words;
  options.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word.consume_front("platform="))
      platform = "moe-load-platform{file=" + word.str() + "},";
    else if (word.consume_front("type="))
      given += " dispatch-type=" + word.str();
    else
      given += " " + word.str();
  }
  words.clear();
  StringRef(pass.defaults).split(words, ' ');
  for (StringRef word : words)
    if (!StringRef(given).contains((" " + word.split('=').first + "=").str()))
      defaults += word.str() + " ";
  std::string pipeline =
      platform + "moe-choose-plan{" + StringRef(defaults + StringRef(given).ltrim().str()).rtrim().str() +
      "}";
  if (pass.name == "moe-choose-schedule")
    pipeline += ",moe-compile{from=decompose to=schedule}";
  return pipeline;
}

void moe::registerFormerPasses() {
  for (const FormerPass &pass : kFormerPasses)
    registerPassPipeline(
        pass.name, "Former name of moe-choose-plan with other defaults",
        [&pass](OpPassManager &manager, StringRef options,
                function_ref<LogicalResult(const Twine &)> error)
            -> LogicalResult {
          std::string pipeline = translate(pass, renameOptions(options));
          warnRenamed("pass '" + pass.name.str() + "'", pipeline);
          std::string problem;
          llvm::raw_string_ostream os(problem);
          if (failed(parsePassPipeline(pipeline, manager, os)))
            return error(problem);
          return success();
        },
        [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}
