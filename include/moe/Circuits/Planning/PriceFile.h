// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of prices.

#ifndef MOE_CIRCUITS_PLANNING_PRICEFILE_H
#define MOE_CIRCUITS_PLANNING_PRICEFILE_H

#include "moe/Fabric/Prices.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

/// Prices of components for links of one rate.
struct RatePrices {
  double rateGbps = 0;
  fabric::Prices prices;
  /// What is said of single prices, beside the file's origin.
  std::vector<std::string> notes;
};

struct PriceTable {
  std::string file, origin;
  /// Ascending.
  std::vector<RatePrices> rates;

  /// The prices of a rate; the failure lists the rates there are.
  Result<RatePrices> find(double rateGbps) const;
};

/// Reads {"origin": TEXT, "rates": [{"rate_gbps": 100, "nic_usd": ...,
/// "transceiver_usd", "switch_port_usd", "ocs_port_usd", "patch_port_usd"}]},
/// with "fibre_usd" and "nic_origin" where there are such. An empty path is the
/// table that ships, mFabric's Table 4.
Result<PriceTable> readPriceFile(std::string path);

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_PRICEFILE_H
