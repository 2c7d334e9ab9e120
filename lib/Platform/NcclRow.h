// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of an nccl-tests table.

#ifndef MOE_LIB_PLATFORM_NCCLROW_H
#define MOE_LIB_PLATFORM_NCCLROW_H

#include "moe/Platform/NcclLog.h"

#include <map>

namespace moe::platform {

/// Returns the collective that a test program measures, by its name or path.
/// The name may have a prefix or suffix, as in "all_gather_perf_mpi". Fails if
/// the collective has no cost model.
cost::Result<cost::CollectiveKind> parseTestName(std::string_view name);

/// A number from a log, accurate to half of its last printed digit.
struct PrintedNumber {
  double value = 0, error = 0;

  /// Returns nothing if the text is not a number.
  static std::optional<PrintedNumber> parse(std::string_view text);
};

/// The columns of one operation of a row: time in us, bandwidths in GB/s.
struct NcclTimes {
  PrintedNumber time;
  std::optional<PrintedNumber> algbw, busbw;
};

/// The related columns of a row. Columns that the log lacks are not set.
struct NcclRow {
  double size = 0, count = 0;
  /// "float", "bfloat16" and so on.
  std::string_view type;
  /// "sum" and so on; empty if none is printed.
  std::string_view op;
  /// One measured operation, or two: out of place and in place.
  std::vector<NcclTimes> places;
};

/// Checks that the columns of a run's rows are consistent.
class RowChecker {
public:
  std::optional<cost::CollectiveKind> kind;
  /// True if the user, and not the log, specifies the collective.
  bool isKindSaid = false;
  int64_t numRanks = 0;

  /// Returns a message with the expected value if a column contradicts the
  /// others within the printed digits, else an empty string. Checks the count
  /// by size and type, an operator for reductions, algbw = size / time in GB/s,
  /// and busbw = algbw (n - 1) / n, or twice that for an all-reduce.
  ///
  /// Before nccl-tests ec1b5e2 (2020-06-19), algbw of all_gather_perf and
  /// reduce_scatter_perf was busbw. All rows of a run must use the same
  /// definition.
  std::string check(const NcclRow &row);

private:
  std::string checkCount(const NcclRow &row) const;
  std::string checkOperator(const NcclRow &row) const;
  std::string checkTimes(const NcclTimes &times, double size,
                         const std::string &place);
  /// Returns a suffix for messages if the user specifies the collective.
  std::string getSaidKind() const;

  /// True if algbw has the factor (n - 1) / n; set by the first row that shows
  /// it.
  std::optional<bool> isOldAlgbw;
};

/// The sizes requested by the options -b, -e, -f and -i, in bytes.
struct RequestedSizes {
  uint64_t min = 0, max = 0, step = 0;
  /// True if `step` is a factor.
  bool isFactor = false;

  /// Returns the size after `size`, or nothing if `size` is the last.
  std::optional<uint64_t> getNext(uint64_t size) const;
};

/// The first row with a size that was not requested, or the first requested
/// size without a row.
struct SizeProblem {
  /// Index of the row; the number of rows if rows are missing at the end.
  size_t row;
  std::string reason;
};

/// Compares the sizes of all rows, including size 0, with the requested ones.
/// Tests that divide their buffer by the ranks round sizes down.
std::optional<SizeProblem> checkSizes(const RequestedSizes &requested,
                                      const std::vector<double> &sizes,
                                      int64_t numRanks);

/// Warns if the log's mean busbw differs from the mean of its rows.
void checkMeanBusbw(NcclLog &log, const PrintedNumber &stated,
                    const std::vector<NcclTimes> &rows);

/// Sets ranks and hosts from the number of ranks per host. Returns a message if
/// the numbers are invalid.
std::optional<std::string>
setRanks(NcclLog &log, const std::map<std::string, int64_t> &ranksOfHost);

/// Returns a message if `size` is less than the last size of the log, because a
/// test increases its sizes.
std::optional<std::string> checkOrder(const NcclLog &log, double size);

/// Parses the log that -J writes; messages use `name` as the file.
cost::Result<NcclLog> parseJsonLog(std::string_view text,
                                   const std::string &name);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_NCCLROW_H
