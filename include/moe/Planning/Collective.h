// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of one collective.

#ifndef MOE_PLANNING_COLLECTIVE_H
#define MOE_PLANNING_COLLECTIVE_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

struct CollectiveInput : Input {
  MachineOptions platform{table};
  TextOption kind{table, "kind",
                  "all-to-all, all-gather, reduce-scatter or all-reduce "
                  "(required); dashes, "
                  "underscores and capitals do not matter",
                  "KIND"};
  IntegerOption bytes{table,
                      "bytes",
                      "Size as nccl-tests prints it (required)",
                      {1, int64_t(1) << 53, "bytes"}};
  IntegerOption ranks{
      table, "ranks", "Ranks of the group (required)", {.unit = "ranks"}};
  IntegerOption stride{
      table,
      "stride",
      "How far apart these ranks are; the ranks between are of other groups, "
      "which act at the same time (default: 1)",
      {.unit = "ranks"}};
};

struct CollectiveAnswer {
  static constexpr unsigned kJsonIndent = 2;

  /// Name of the platform, and of the collective: "all-to-all".
  std::string machine, kind;
  double timeUs = 0;
  /// The bandwidths as nccl-tests defines them.
  double algorithmGBps = 0, busGBps = 0;
  /// The level that takes most of the time; empty for one rank.
  std::string slowestLevel;
  /// The platform's data that gave the time, for example "measured line of
  /// level 'node'", and their source, which is empty if it is not stated.
  std::string rates, origin;
  /// The protocol of the platform that gave the time; empty if none did.
  std::string protocol;
  /// True if the size is outside of the measured sizes of the platform.
  bool isExtrapolated = false;
};

/// Predicts a collective. Fails if the group does not fit the platform.
Result<CollectiveAnswer> planCollective(CollectiveInput &in);

std::string getTitle(const CollectiveAnswer &answer);
void printJSON(llvm::json::OStream &out, const CollectiveAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_COLLECTIVE_H
