// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that several answers share.

#ifndef MOE_PLANNING_ANSWERS_H
#define MOE_PLANNING_ANSWERS_H

#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/PlatformParameters.h"
#include "moe/Support/Report.h"
#include "moe/Traffic/Trace.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

namespace moe::planning {

inline cost::Failure makeFailure(const llvm::Twine &message) {
  return {message.str()};
}

using cost::formatFixed;
using support::Report;

/// Returns the product of sizes of at least 1, saturated at the largest
/// int64_t.
int64_t multiplyCapped(llvm::ArrayRef<int64_t> sizes);

/// Prints the member `parameters` of an open object.
void printParameters(llvm::json::OStream &out,
                     const PlatformParameters &parameters);

/// Prints an array of texts as a member of an open object.
void printTexts(llvm::json::OStream &out, llvm::StringRef key,
                llvm::ArrayRef<std::string> texts);

/// Prints the counts of a trace by step and layer for pages: the members
/// `columns` and `counts` of an open object, and `why_no_counts` if there are
/// too many.
void printCounts(llvm::json::OStream &out, const traffic::Trace &trace);

/// Returns how much longer another choice takes: "3.1 us longer". A shorter
/// time loses only if the gain is within the platform's uncertainty.
std::string describeGap(double us);

/// Adds "extrapolated" to a row's note if its time depends on sizes outside the
/// platform's measured range.
std::string markExtrapolated(const std::string &note, bool isExtrapolated);

} // namespace moe::planning

#endif // MOE_PLANNING_ANSWERS_H
