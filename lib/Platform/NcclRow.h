//===- NcclRow.h - A row of a log of nccl-tests -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_PLATFORM_NCCLROW_H
#define MOE_LIB_PLATFORM_NCCLROW_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"

#include <optional>
#include <string>
#include <string_view>

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
  std::optional<cost::CollectiveKind> kind;
  int64_t numRanks = 0;
};

/// Whether a line is one that NCCL itself or a job launcher prints between those of
/// a test.
bool isOfOtherProgram(std::string_view line);

/// Which of a row's columns contradicts the others, in words that say what was
/// expected: the count by size and type, algbw = size / time in GB/s, and busbw =
/// algbw (n - 1) / n, twice that of an all-reduce. Empty where none does beyond
/// what their digits leave open.
std::string checkRow(const NcclRow &row);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_NCCLROW_H
