// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads measurements from nccl-tests logs.

#ifndef MOE_PLATFORM_NCCLLOG_H
#define MOE_PLATFORM_NCCLLOG_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

/// A measurement at one size.
struct Sample {
  /// The size that nccl-tests prints: the buffer of `cost::CollectiveKind`.
  cost::Bytes size;
  /// Time of an out-of-place operation.
  cost::Microseconds time;

  friend bool operator==(const Sample &, const Sample &) = default;
};

/// One run of one test.
struct NcclLog {
  /// The file, with the first line of the run if the file has several runs.
  std::string file;
  /// Not set if the log does not name its test; old logs do not.
  std::optional<cost::CollectiveKind> kind;
  int64_t numRanks = 0;
  /// All hosts have equally many ranks.
  int64_t numHosts = 1;
  std::vector<Sample> samples;
  /// Contradictions in the log that do not affect the values read.
  std::vector<std::string> warnings;
  /// The number of lines that are not from nccl-tests, and the first of them;
  /// empty if there are none.
  std::string remark;
};

/// Reads the output of nccl-tests and rccl-tests in two formats:
///
/// - Text of any version since 2019-03. Columns are found by name in the
///   table's header, and a blank redop means no operator. Before 2020-06, algbw
///   of all_gather and reduce_scatter has the factor (n - 1) / n.
/// - JSON from -J.
///
/// A launcher or a log collector may prefix each line with a text and a time of
/// day (`mpirun --tag-output`, `srun --label`, `pdsh`, `kubectl logs`). Lines
/// of NCCL, the launcher or the shell are skipped and counted in the log's
/// remark. One file may contain several runs.
///
/// Fails if a log ends early, contains several types or operators, reports
/// wrong results, has a row twice or out of order, lacks a requested row, or if
/// columns or the listed ranks contradict each other. The failure names file
/// and line. `said` is the collective of a text that does not name its own; it
/// is checked like a name.
cost::Result<std::vector<NcclLog>>
readNcclLogs(const std::string &path,
             std::optional<cost::CollectiveKind> said = std::nullopt);

/// Reads logs from a text; messages use `name` as the file.
cost::Result<std::vector<NcclLog>>
parseNcclLogs(std::string_view text, const std::string &name,
              std::optional<cost::CollectiveKind> said = std::nullopt);

} // namespace moe::platform

#endif // MOE_PLATFORM_NCCLLOG_H
