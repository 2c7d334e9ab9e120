// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of a log of nccl-tests.

#ifndef MOE_LIB_PLATFORM_NCCLROW_H
#define MOE_LIB_PLATFORM_NCCLROW_H

#include "moe/Platform/NcclLog.h"

#include <map>

namespace moe::platform {

/// The collective that a test program measures, by its name or path. A build
/// may put its own words around the name, as in "all_gather_perf_mpi". Fails
/// for tests whose collective has no cost model.
cost::Result<cost::CollectiveKind> parseTestName(std::string_view name);

/// A number as a log prints it, known to half of its last digit.
struct PrintedNumber {
  double value = 0, error = 0;

  /// Nothing where the text is no number.
  static std::optional<PrintedNumber> parse(std::string_view text);
};

/// The columns of one operation of a row: time in us, bandwidths in GB/s.
struct NcclTimes {
  PrintedNumber time;
  std::optional<PrintedNumber> algbw, busbw;
};

/// A row's columns that depend on each other. What a log does not have is not
/// set.
struct NcclRow {
  double size = 0, count = 0;
  /// "float", "bfloat16" and so on.
  std::string_view type;
  /// "sum" and so on; empty where none is printed.
  std::string_view op;
  /// One operation is measured, or two: out of place and in place.
  std::vector<NcclTimes> places;
};

/// Holds the columns of a run's rows against each other.
class RowChecker {
public:
  std::optional<cost::CollectiveKind> kind;
  /// Whether a user says the kind, and not the log.
  bool isKindSaid = false;
  int64_t numRanks = 0;

  /// Which of a row's columns contradicts the others, as a message that names
  /// the expected value: the count by size and type, an operator where
  /// something is summed, algbw = size / time in GB/s, and busbw = algbw (n -
  /// 1) / n, twice that for an all-reduce. Empty if none does within the
  /// printed digits.
  ///
  /// Before nccl-tests ec1b5e2 (2020-06-19), algbw of all_gather_perf and
  /// reduce_scatter_perf was busbw; all rows of a run have the same algbw.
  std::string check(const NcclRow &row);

private:
  std::string checkCount(const NcclRow &row) const;
  std::string checkOperator(const NcclRow &row) const;
  std::string checkTimes(const NcclTimes &times, double size,
                         const std::string &place);
  /// Suffix of messages about the kind where the user says it.
  std::string getSaidKind() const;

  /// Whether algbw has the factor (n - 1) / n, known from the first row that
  /// shows it.
  std::optional<bool> isOldAlgbw;
};

/// The sizes that options -b, -e, -f and -i request, in bytes.
struct RequestedSizes {
  uint64_t min = 0, max = 0, step = 0;
  /// Whether `step` multiplies.
  bool isFactor = false;

  /// The size after `size`, none if that is the last.
  std::optional<uint64_t> getNext(uint64_t size) const;
};

/// The size that stands for the first of these rows that was not requested, or
/// for the first requested size that has no row.
struct SizeProblem {
  /// Index of the row; the number of rows if rows are missing at the end.
  size_t row;
  std::string reason;
};

/// Holds the sizes of all rows, those of size 0 among them, against the
/// requested ones. Tests that divide their buffer by ranks round it down.
std::optional<SizeProblem> checkSizes(const RequestedSizes &requested,
                                      const std::vector<double> &sizes,
                                      int64_t numRanks);

/// Adds the warning that the log's mean of all busbw is not the mean of its
/// rows.
void checkMeanBusbw(NcclLog &log, const PrintedNumber &stated,
                    const std::vector<NcclTimes> &rows);

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
