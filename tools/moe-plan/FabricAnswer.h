// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan fabric says.

#ifndef MOE_TOOLS_MOEPLAN_FABRICANSWER_H
#define MOE_TOOLS_MOEPLAN_FABRICANSWER_H

#include "Command.h"
#include "moe/Fabric/LinkLoads.h"

namespace moe::plan {

/// One exchange of a trace or demand.
struct ExchangeRow {
  int64_t step = 0;
  std::string layer;
  double us = 0;
  fabric::FabricExchange exchange;
  int64_t circuits = 0;
};

/// NICs that fail: the time with none failed, at once, and planned anew; and
/// that of a fat tree which loses as many.
struct FailureTimes {
  double beforeUs = 0, atOnceUs = 0, replannedUs = 0;
  double treeBeforeUs = 0, treeUs = 0;
};

struct FabricAnswer {
  fabric::FabricOptions options;
  double rateGbps = 0;
  int64_t groups = 1;
  std::vector<ExchangeRow> rows;
  /// Of all rows.
  fabric::LinkLoads loads;
  std::optional<FailureTimes> failures;

  double getTotalUs() const {
    double sum = 0;
    for (const ExchangeRow &row : rows)
      sum += row.us;
    return sum;
  }
  /// Adds up `rows` in `loads`.
  void addLoads();
};

void printFabricJSON(llvm::json::OStream &out, const FabricAnswer &answer,
                     int64_t links);
void printFabricText(llvm::raw_ostream &os, const FabricAnswer &answer,
                     int64_t links);
/// A line for each exchange.
void printFabricCSV(llvm::raw_ostream &os, const FabricAnswer &answer);
/// The utilisation of links as a picture, a row for each sort.
void printFabricPicture(llvm::raw_ostream &os, const FabricAnswer &answer);

} // namespace moe::plan

#endif // MOE_TOOLS_MOEPLAN_FABRICANSWER_H
