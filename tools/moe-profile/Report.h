// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was fitted, for people.

#ifndef MOE_TOOLS_MOE_PROFILE_REPORT_H
#define MOE_TOOLS_MOE_PROFILE_REPORT_H

#include "moe/Platform/Fit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace moe::profile {

/// Prints alpha, beta and how well they fit, what was measured beside what the
/// line says, and what the line says of sizes from 1 kB to 10 GB, marked where
/// that is outside of what was measured.
void printReport(const platform::FitReport &report, llvm::raw_ostream &os);

/// Prints a line for each: what it is of, alpha, beta and the worst error.
void printSummary(llvm::ArrayRef<platform::FitReport> reports,
                  llvm::raw_ostream &os);

/// Prints lines of a name, padded to `width` with the two blanks before it, and
/// its value.
void printFigures(
    llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> figures,
    size_t width, llvm::raw_ostream &os);

/// A number with six digits.
std::string formatShort(double value);

/// Prints how much longer what uses one resource takes beside another.
void printContention(llvm::ArrayRef<cost::ContentionFactor> factors,
                     llvm::raw_ostream &os);

/// Prints times by bytes and the bytes a second.
void printSamples(llvm::StringRef what,
                  llvm::ArrayRef<platform::Sample> samples,
                  llvm::raw_ostream &os);

} // namespace moe::profile

#endif // MOE_TOOLS_MOE_PROFILE_REPORT_H
