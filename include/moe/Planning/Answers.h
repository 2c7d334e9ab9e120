// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts that several answers share.

#ifndef MOE_PLANNING_ANSWERS_H
#define MOE_PLANNING_ANSWERS_H

#include "moe/Planning/PlatformParameters.h"
#include "moe/Support/Report.h"
#include "moe/Traffic/Trace.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

namespace moe::planning {

inline cost::Failure makeFailure(const llvm::Twine &message) {
  return {message.str()};
}

using support::formatFixed;
using support::Report;

/// The product of sizes of at least 1; the greatest number if it is greater.
int64_t multiplyCapped(llvm::ArrayRef<int64_t> sizes);

/// Prints parameters as the member `parameters` of an open object.
void printParameters(llvm::json::OStream &out,
                     const PlatformParameters &parameters);

/// Prints texts as an array, a member of an open object.
void printTexts(llvm::json::OStream &out, llvm::StringRef key,
                llvm::ArrayRef<std::string> texts);

/// Counts of a trace, by step and layer, for pages: the members `columns` and
/// `counts` of an open object, and `why_no_counts` if they are too many.
void printCounts(llvm::json::OStream &out, const traffic::Trace &trace);

/// How much longer another choice takes: "3.1 us longer". A shorter one lost
/// because the platform's uncertainty is greater than the gain.
std::string describeGap(double us);

/// A row's note, with "extrapolated" if its time depends on sizes outside the
/// range that the platform was measured at.
std::string markExtrapolated(const std::string &note, bool isExtrapolated);

} // namespace moe::planning

#endif // MOE_PLANNING_ANSWERS_H
