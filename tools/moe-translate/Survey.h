// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-translate --survey.

#ifndef MOE_TOOLS_MOETRANSLATE_SURVEY_H
#define MOE_TOOLS_MOETRANSLATE_SURVEY_H

namespace moe {

/// Returns true if the command line has --survey, which reports the keys of
/// configs instead of translating.
bool asksToSurvey(int argc, const char *const *argv);

/// Surveys the configs of a folder. Returns the exit code: 0 if all can be
/// imported, 1 if one cannot, 2 on wrong use.
int runSurvey(int argc, const char *const *argv);

} // namespace moe

#endif // MOE_TOOLS_MOETRANSLATE_SURVEY_H
