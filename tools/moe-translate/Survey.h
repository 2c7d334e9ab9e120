// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-translate --survey.

#ifndef MOE_TOOLS_MOETRANSLATE_SURVEY_H
#define MOE_TOOLS_MOETRANSLATE_SURVEY_H

namespace moe {

/// Whether the command line has --survey: which keys of configs are read, in
/// the place of a translation.
bool asksToSurvey(int argc, const char *const *argv);

/// Surveys the configs of a folder; returns the exit code: 0 when all can be
/// imported, 1 when one cannot, 2 on wrong use.
int runSurvey(int argc, const char *const *argv);

} // namespace moe

#endif // MOE_TOOLS_MOETRANSLATE_SURVEY_H
