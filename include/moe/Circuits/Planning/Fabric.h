// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges on the network of a cluster (SPEC MF-12, MF-16, MF-22).

#ifndef MOE_CIRCUITS_PLANNING_FABRIC_H
#define MOE_CIRCUITS_PLANNING_FABRIC_H

#include "moe/Circuits/FabricOption.h"
#include "moe/Fabric/LinkLoads.h"
#include "moe/Planning/Planner.h"
#include "moe/Support/Report.h"

namespace moe::planning {

struct FabricInput : Input {
  FabricOption fabricOption{table};
  TextOption trafficFile{
      table, "traffic",
      "Routing trace; each layer's dispatch at each iteration is one "
      "exchange",
      "FILE"};
  NumberOption tokenBytes{table,
                          "bytes-per-token",
                          "Bytes per token (required with --traffic)",
                          {.unit = "bytes"}};
  TextOption demandFile{
      table, "demand",
      "Bytes between servers instead of --traffic, in the format of "
      "moe-fabric circuits",
      "FILE"};
  TextOption circuitUse{
      table, "circuits",
      "mfabric: plan circuits for 'each' exchange (default) or 'once' "
      "for all exchanges",
      "WHEN", "each"};
  IntegerOption links{table,
                      "links",
                      "Number of busiest links to list (default: 10)",
                      {.unit = "links"}};
};

/// One exchange of a trace or demand.
struct ExchangeRow {
  int64_t step = 0;
  std::string layer;
  double us = 0;
  fabric::FabricExchange exchange;
  int64_t circuits = 0;
};

/// Times with failed NICs: before the failures, immediately after them, and
/// after planning again; and the time of a fat tree with the same number of
/// failed NICs.
struct FailureTimes {
  double beforeUs = 0, atOnceUs = 0, replannedUs = 0;
  double treeBeforeUs = 0, treeUs = 0;
};

struct FabricAnswer {
  static constexpr unsigned kJsonIndent = 2;

  fabric::FabricOptions options;
  double rateGbps = 0;
  int64_t groups = 1;
  int64_t busiest = 10;
  std::vector<ExchangeRow> rows;
  /// Loads over all rows.
  fabric::LinkLoads loads;
  std::optional<FailureTimes> failures;

  double getTotalUs() const {
    double sum = 0;
    for (const ExchangeRow &row : rows)
      sum += row.us;
    return sum;
  }
  /// Sums `rows` into `loads`.
  void addLoads();
};

Result<FabricAnswer> planFabric(FabricInput &in);

support::Report makeExchangeReport(const FabricAnswer &answer);

std::string getTitle(const FabricAnswer &answer);
void printJSON(llvm::json::OStream &out, const FabricAnswer &answer);

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_FABRIC_H
