// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fitted values, printed for people.

#ifndef MOE_TOOLS_MOE_PROFILE_REPORT_H
#define MOE_TOOLS_MOE_PROFILE_REPORT_H

#include "moe/Platform/Fit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace moe::profile {

/// Prints alpha, beta and the quality of the fit, the measured and predicted
/// times, and predictions from 1 kB to 10 GB, marked outside the measured
/// range.
void printReport(const platform::FitReport &report, llvm::raw_ostream &os);

/// Prints a line per report: its collective, alpha, beta and the worst error.
void printSummary(llvm::ArrayRef<platform::FitReport> reports,
                  llvm::raw_ostream &os);

/// Prints lines with a name, padded to `width` including two leading blanks,
/// and its value.
void printFigures(
    llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> figures,
    size_t width, llvm::raw_ostream &os);

/// Prints how much longer work on one resource takes during work on another.
void printContention(llvm::ArrayRef<cost::ContentionFactor> factors,
                     llvm::raw_ostream &os);

/// Prints times by size in bytes, and the bytes per second.
void printSamples(llvm::StringRef what,
                  llvm::ArrayRef<platform::Sample> samples,
                  llvm::raw_ostream &os);

} // namespace moe::profile

#endif // MOE_TOOLS_MOE_PROFILE_REPORT_H
