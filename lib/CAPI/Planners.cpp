// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners from C.

#include "Handles.h"
#include "moe/Planning/Planner.h"

using namespace mlir;
using namespace moe;

char *moePlannerAsk(MoeContext *context, const char *planner,
                    const MoeOption *options, size_t count) {
  if (!planner || (count && !options)) {
    context->fail(llvm::Twine("expected ") +
                  (planner ? "options" : "the name of a planner") +
                  ", got NULL");
    return nullptr;
  }
  std::vector<planning::GivenOption> given;
  for (size_t i = 0; i < count; ++i) {
    if (!options[i].name || !options[i].value) {
      context->fail("option " + llvm::Twine(i) +
                    ": expected a name and a value, got NULL");
      return nullptr;
    }
    given.emplace_back(options[i].name, options[i].value);
  }
  moe::capi::registerOnce();
  std::vector<InputWarning> warnings;
  planning::Result<std::string> answer =
      planning::plan(planner, given, warnings);
  for (const InputWarning &warning : warnings)
    context->tell(MOE_WARNING, warning.message,
                  FileLineColLoc::get(&context->context, warning.file,
                                      unsigned(warning.line),
                                      unsigned(warning.column)));
  if (answer)
    return moe::capi::makeString(*answer);
  context->fail(answer.getError());
  return nullptr;
}

char *moePlannersList(void) {
  moe::capi::registerOnce();
  return moe::capi::makeString(planning::formatPlanners());
}
