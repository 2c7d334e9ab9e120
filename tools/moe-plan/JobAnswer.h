// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan job says.

#ifndef MOE_TOOLS_MOEPLAN_JOBANSWER_H
#define MOE_TOOLS_MOEPLAN_JOBANSWER_H

#include "ClusterJob.h"

namespace moe::plan {

/// One point of the product of all lists.
struct JobRow {
  ClusterJobOptions options;
  double rateGbps = 0;
  JobTime time;
  /// Before anything failed, and by how much longer a fat tree's step is that
  /// loses as many NICs.
  std::optional<double> wholeUs, treeSlowdown;
  /// Why what failed leaves no step; then no times but `wholeUs`.
  std::string noWay;
  /// The fat tree's step over this one's, at the same NICs.
  double speed = 1;
  std::optional<double> perDollar;
};

/// A row each.
Report makeJobReport(const std::vector<JobRow> &rows);

} // namespace moe::plan

#endif // MOE_TOOLS_MOEPLAN_JOBANSWER_H
