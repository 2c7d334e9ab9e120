// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of a log of nccl-tests.

#ifndef MOE_LIB_PLATFORM_NCCLROW_H
#define MOE_LIB_PLATFORM_NCCLROW_H

#include "moe/Platform/NcclLog.h"

#include <map>

namespace moe::platform {

/// What a test program measures, by its name or path; others have no cost of ours.
cost::Result<cost::CollectiveKind> parseTestName(std::string_view name);

/// A number as a log prints it, known to half of its last digit.
struct PrintedNumber {
  double value = 0, error = 0;

  /// Nothing where the text is no number.
  static std::optional<PrintedNumber> parse(std::string_view text);
};

/// A row's columns that depend on each other. What a log does not have is not
/// set.
struct NcclRow {
  double size = 0, count = 0;
  /// "float", "bfloat16" and so on.
  std::string_view type;
  PrintedNumber time;
  std::optional<PrintedNumber> algbw, busbw;
  /// "sum" and so on; empty where none is printed.
  std::string_view op;
  std::optional<cost::CollectiveKind> kind;
  /// Whether a user says the kind, and not the log.
  bool isKindSaid = false;
  int64_t numRanks = 0;
};

/// Whether a line is one that NCCL itself or a job launcher prints between those of
/// a test.
bool isOfOtherProgram(std::string_view line);

/// Which of a row's columns contradicts the others, in words that say what was
/// expected: the count by size and type, an operator where something is summed,
/// algbw = size / time in GB/s, and busbw = algbw (n - 1) / n, twice that of an
/// all-reduce. Empty where none does beyond
/// what their digits leave open.
std::string checkRow(const NcclRow &row);

/// Sets ranks and hosts from the number of ranks of each host, or says why
/// that cannot be.
std::optional<std::string>
setRanks(NcclLog &log, const std::map<std::string, int64_t> &ranksOfHost);

/// A test goes from its smallest size to its largest; says so where a row does
/// not.
std::optional<std::string> checkOrder(const NcclLog &log, double size);

/// The log that -J writes; `name` stands for the file.
cost::Result<NcclLog> parseJsonLog(std::string_view text,
                                   const std::string &name);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_NCCLROW_H
