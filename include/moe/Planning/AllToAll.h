// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fastest strategy for one all-to-all of a tensor-parallel MoE layer (SPEC
// MO-1 to MO-7).

#ifndef MOE_PLANNING_ALLTOALL_H
#define MOE_PLANNING_ALLTOALL_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/PlatformParameters.h"
#include "moe/Schedule/AllToAllStrategy.h"
#include "moe/Support/Report.h"
#include <array>

namespace moe::planning {

struct AllToAllInput : Input {
  /// Enough chunks for every message, but few enough to try them all.
  static constexpr int64_t kMostChunks = 65536;
  /// Byte counts up to this are exact in floating point.
  static constexpr int64_t kMostBytes = int64_t(1) << 53;

  MachineOptions platform{table};
  /// The buffer (SPEC MO-1): its bytes, or the shape of the exchanged tensor.
  IntegerOption bytes{table,
                      "bytes",
                      "Buffer per rank in bytes (required unless --config, or "
                      "--seq-len, --hidden-size and --top-k are given)",
                      {1, kMostBytes, "bytes"}};
  IntegerOption hidden{table,
                       "hidden-size",
                       "With --seq-len: hidden size",
                       {.unit = "elements"}};
  IntegerOption topK{
      table,
      "top-k",
      "With --seq-len: experts per token, each of which receives the token",
      {.unit = "experts"}};
  ConfigJob job{table};
  IntegerOption chunks{table,
                       "chunks",
                       "Try this number of chunks only (default: search)",
                       {1, kMostChunks, "chunks"}};
  IntegerOption maxChunks{table,
                          "max-chunks",
                          "Largest number of chunks to try (default: 64)",
                          {1, kMostChunks, "chunks"}};
};

/// The range of buffers with the same choice, on one side of the given buffer.
struct ChoiceBound {
  /// The last tried buffer with the same choice.
  int64_t bytes = 0;
  /// True if the choice changes beyond this buffer.
  bool changes = false;
};

/// The planner's choice, and which strategies have extrapolated times.
struct StrategyChoice {
  schedule::StrategyPlan plan;
  std::array<bool, schedule::kNumStrategies> extrapolated = {};
};

/// A row of a sweep: the number of chunks or bytes, and the resulting plan.
struct StrategySweepRow {
  int64_t size;
  schedule::StrategyPlan plan;
};

struct AllToAllAnswer {
  static constexpr unsigned kJsonIndent = 2;

  /// Buffer per rank in bytes, and the parallel degrees.
  int64_t bytes = 0, ep = 0, tp = 0;
  /// True if a job determines the buffer.
  bool isOfJob = false;
  schedule::ChunkLimits limits;
  StrategyChoice choice;
  ChoiceBound from, to;
  /// The choice without the parameters fitted to published results, and these
  /// parameters. Not set if there are none or they are ignored.
  std::optional<StrategyChoice> withoutFitted;
  std::vector<std::string> fitted;
  std::vector<StrategySweepRow> byChunks, byBytes;
  PlatformParameters parameters;
  /// Describes the time differences that count as equal.
  std::string uncertainty;

  /// Returns the reason if only the baseline is possible, else an empty string.
  const std::string &getReason() const {
    return choice.plan.get(schedule::Strategy::O1).whyNot;
  }
};

Result<AllToAllAnswer> planAllToAll(AllToAllInput &in);

/// Makes a table with one row per strategy.
support::Report makeStrategyReport(const StrategyChoice &choice);

std::string getTitle(const AllToAllAnswer &answer);
void printJSON(llvm::json::OStream &out, const AllToAllAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_ALLTOALL_H
