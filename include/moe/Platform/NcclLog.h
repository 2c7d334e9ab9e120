// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements from logs of nccl-tests.

#ifndef MOE_PLATFORM_NCCLLOG_H
#define MOE_PLATFORM_NCCLLOG_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

/// What was measured at one size.
struct Sample {
  /// The size that nccl-tests prints: the buffer of `cost::CollectiveKind`.
  cost::Bytes size;
  /// Time of an out-of-place operation.
  cost::Microseconds time;

  friend bool operator==(const Sample &, const Sample &) = default;
};

/// One run of one test.
struct NcclLog {
  /// The file, with the line of the run's beginning if it holds several.
  std::string file;
  /// None if the log does not name its test, as old ones do not.
  std::optional<cost::CollectiveKind> kind;
  int64_t numRanks = 0;
  /// Hosts with equally many ranks each.
  int64_t numHosts = 1;
  std::vector<Sample> samples;
  /// Lines of the log that contradict each other but not what is read of it.
  std::vector<std::string> warnings;
  /// How many lines are not of nccl-tests and which is the first; empty if
  /// none.
  std::string remark;
};

/// Reads what nccl-tests and rccl-tests print:
///  - text, of any version since 2019-03: columns are found by their names in
///  the
///    table's header, and a blank redop is one that has no operator. algbw of
///    all_gather and reduce_scatter has the factor (n - 1) / n before 2020-06;
///  - the JSON that -J writes.
///
/// A launcher or a log collector may prefix each line with a text and a time of
/// day
/// (`mpirun --tag-output`, `srun --label`, `pdsh`, `kubectl logs`). Lines of
/// NCCL, the launcher or the shell are passed over, and the log has a remark
/// with their number. One file may hold several runs.
///
/// Fails if a log ends early, holds several types or operators, reports wrong
/// results, has a row twice or out of order, lacks a row that its options
/// request, or if columns or the listed ranks contradict each other. The
/// failure names file and line. `said` is the collective of a text that does
/// not name its own, and is checked like a name.
cost::Result<std::vector<NcclLog>>
readNcclLogs(const std::string &path,
             std::optional<cost::CollectiveKind> said = std::nullopt);

/// The same for a text; `name` stands for the file.
cost::Result<std::vector<NcclLog>>
parseNcclLogs(std::string_view text, const std::string &name,
              std::optional<cost::CollectiveKind> said = std::nullopt);

} // namespace moe::platform

#endif // MOE_PLATFORM_NCCLLOG_H
