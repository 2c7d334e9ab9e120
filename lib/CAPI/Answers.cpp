// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans and predictions as JSON.

#include "Handles.h"
#include "moe/Compiler/ExportPlan.h"
#include "moe/Transforms/ModulePlatform.h"

using namespace mlir;
using namespace moe;

namespace {

/// Keeps the passes' remarks about layers, in the form that moe-sim reads from
/// a file.
class ChoiceCollector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit ChoiceCollector(std::vector<ReportedChoice> &choices)
      : choices(choices) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    ReportedChoice choice;
    choice.pass = remark.getCombinedCategoryName().str();
    for (const remark::detail::Remark::Arg &argument : remark.getArgs()) {
      auto failure = choice.addArgument(argument.key, argument.val, "remark");
      assert(!failure && "expected a decision as reportDecision writes it");
      (void)failure;
    }
    choices.push_back(std::move(choice));
  }

private:
  std::vector<ReportedChoice> &choices;
};

} // namespace

/// Returns the module after the choices, and the remarks about them.
static OwningOpRef<ModuleOp> choose(const MoeModule &module, StringRef platform,
                                    StringRef options,
                                    std::vector<ReportedChoice> &choices) {
  MoeModule copy = {module.context,
                    OwningOpRef(cast<ModuleOp>((*module.module)->clone()))};
  MLIRContext &context = module.context.context;
  // During the choice, this replaces the remarks for the handler.
  if (failed(remark::enableOptimizationRemarks(
          context, std::make_unique<ChoiceCollector>(choices),
          std::make_unique<remark::RemarkEmittingPolicyAll>(),
          moe::capi::makeCategories("moe-.*"))))
    return {};
  std::string pipeline =
      ("moe-compile{to=choose platform=" + platform + " " + options + "}")
          .str();
  MoeStatus status = moeModuleRunPipeline(&copy, pipeline.c_str());
  module.context.restoreRemarks();
  if (status != MOE_SUCCESS)
    return {};
  return std::move(copy.module);
}

char *moeModulePlan(const MoeModule *module, const char *platform,
                    const char *options) {
  if (!platform) {
    module->context.fail("expected a platform, the name of one that ships or a "
                         "file, got NULL");
    return nullptr;
  }
  std::vector<ReportedChoice> choices;
  FailureOr<platform::Platform> loaded =
      loadPlatform(UnknownLoc::get(&module->context.context), platform, "plan");
  if (failed(loaded))
    return nullptr;
  OwningOpRef<ModuleOp> chosen =
      choose(*module, platform, options ? options : "", choices);
  if (!chosen)
    return nullptr;
  FailureOr<std::string> plan = exportPlan(*chosen, *loaded, choices);
  return succeeded(plan) ? moe::capi::makeString(*plan) : nullptr;
}

char *moeModuleSimulate(const MoeModule *module, const char *platform) {
  // A prediction needs a schedule, so this schedules the rest.
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>((*module->module)->clone()));
  FailureOr<platform::Platform> loaded =
      loadPlatformOf(*copy, platform ? platform : "", "simulate");
  if (failed(loaded))
    return nullptr;
  FailureOr<Prediction> prediction =
      predict(*copy, /*file=*/"", /*entry=*/"", loaded->machine);
  if (failed(prediction))
    return nullptr;
  return moe::capi::makeString(
      formatJSON(makeReport(*prediction, {}, *loaded)));
}
