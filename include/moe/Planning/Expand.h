// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of context-parallel ranks relative to expert-parallel ranks (SPEC
// MO-13).

#ifndef MOE_PLANNING_EXPAND_H
#define MOE_PLANNING_EXPAND_H

#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

struct ExpandInput : Input {
  /// Without --config, only degrees are accepted.
  ConfigJob job{table,
                {JobOptions::Missing::Command, JobOptions::Missing::One}};
  IntegerOption ports{table,
                      "switch-ports",
                      "Ports of the switch that connects equal positions of "
                      "the tensor-parallel groups (default: as many as needed)",
                      {.unit = "ports"}};
};

/// Ranks of one group: every `stride`-th, `size` of them.
struct RankStride {
  const char *axis;
  int64_t size, stride;
};

struct ExpandAnswer {
  static constexpr unsigned kJsonIndent = 2;

  bool isHorizontal = false;
  std::string why;
  /// Ports of a switch, and ranks of the job.
  int64_t ports = 0, ranks = 0;
  std::vector<RankStride> groups;

  llvm::StringRef getExpansion() const {
    return isHorizontal ? "horizontal" : "vertical";
  }
};

Result<ExpandAnswer> planExpand(ExpandInput &in);

std::string getTitle(const ExpandAnswer &answer);
void printJSON(llvm::json::OStream &out, const ExpandAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_EXPAND_H
