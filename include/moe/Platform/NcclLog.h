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
  std::string file;
  /// None if the log does not name its test, as old ones do not.
  std::optional<cost::CollectiveKind> kind;
  int64_t numRanks = 0;
  /// Hosts with equally many ranks each.
  int64_t numHosts = 1;
  std::vector<Sample> samples;
};

/// Reads what nccl-tests prints, in any of three layouts:
///  - text with the columns size, count, type, redop (blank where there is
///    none), time, algbw, busbw, error, the last four twice;
///  - text with a column root and "#wrong" (N/A where nothing was checked);
///  - the JSON that -J writes.
/// Rows of size 0 are left out; lines of NCCL's own (NCCL INFO) are skipped, and
/// labels of tasks ("0: ", as srun --label has them) left away.
/// Fails at logs that end early, hold more than one run, type or operator,
/// report wrong results, have sizes that fall, a row twice or columns that
/// contradict each other, or are no such log; the failure names file and line.
/// What a text without a name is `said` to measure is checked like a name.
cost::Result<NcclLog>
readNcclLog(const std::string &path,
            std::optional<cost::CollectiveKind> said = std::nullopt);

/// The same for a text; `name` stands for the file.
cost::Result<NcclLog>
parseNcclLog(std::string_view text, const std::string &name,
             std::optional<cost::CollectiveKind> said = std::nullopt);

} // namespace moe::platform

#endif // MOE_PLATFORM_NCCLLOG_H
