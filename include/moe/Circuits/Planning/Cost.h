// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a cluster's network (SPEC MF-13, MF-16).

#ifndef MOE_CIRCUITS_PLANNING_COST_H
#define MOE_CIRCUITS_PLANNING_COST_H

#include "moe/Circuits/Planning/PriceFile.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

struct CostInput : Input {
  TextOption fabricName{
      table, "fabric",
      "Network fabric: fat-tree, rail, topoopt or mfabric (default: all)",
      "KIND"};
  NumberOption rate{table,
                    "rate-gbps",
                    "Rate per NIC in Gb/s (default: every rate with a price)",
                    {.unit = "Gb/s"}};
  IntegerOption servers{table,
                        "servers",
                        "Servers in the cluster (default: 1)",
                        {.unit = "servers"}};
  IntegerOption nics{
      table, "nics", "NICs per server (default: 8)", {.unit = "NICs"}};
  IntegerOption opticalNics{
      table,
      "optical-nics",
      "mfabric: NICs per server on the optical circuit switch (default: 6)",
      {/*min=*/0, IntegerRange::kMaxSize, "NICs"}};
  IntegerOption tiers{
      table, "tiers", "Switch tiers (default: 3)", {.unit = "tiers"}};
  NumberOption oversubscription{
      table, "oversubscription",
      "NIC bandwidth over uplink bandwidth per leaf switch (default: 1)"};
  NumberOption hostLink{table,
                        "host-link-usd",
                        "Price in USD per cable (DAC, AOC) from a NIC to a "
                        "leaf switch, instead of two transceivers and a fibre",
                        {/*mayBeZero=*/true, "USD"}};
  NumberOption fibre{table,
                     "fibre-usd",
                     "Price in USD per fibre between two transceivers "
                     "(default: the price file's, or 0)",
                     {/*mayBeZero=*/true, "USD"}};
  NumberOption speed{table, "speed",
                     "Speed of a job on --fabric relative to a fat tree, for "
                     "performance per dollar"};
  TextOption pricesFile{table, "prices",
                        "Price file (default: mFabric's Table 4)", "FILE"};
};

struct PricedFabric {
  fabric::FabricKind kind;
  double rateGbps;
  /// Price in USD.
  fabric::FabricPrice price;
  /// The fat tree's price relative to this one's.
  double ratio;
};

struct CostAnswer {
  static constexpr unsigned kJsonIndent = 2;

  int64_t servers = 1;
  std::vector<PricedFabric> fabrics;
  /// Speed of a job relative to a fat tree; nullopt if not given.
  std::optional<double> speed;
  /// The price file, its origin, and the rates that were used.
  PriceTable prices;
};

Result<CostAnswer> planCost(CostInput &in);

std::string getTitle(const CostAnswer &answer);
void printJSON(llvm::json::OStream &out, const CostAnswer &answer);

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_COST_H
