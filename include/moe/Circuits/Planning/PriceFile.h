// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Price files.

#ifndef MOE_CIRCUITS_PLANNING_PRICEFILE_H
#define MOE_CIRCUITS_PLANNING_PRICEFILE_H

#include "moe/Fabric/Prices.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

/// Prices of components for links of one rate.
struct RatePrices {
  double rateGbps = 0;
  fabric::Prices prices;
  /// Notes about individual prices, in addition to the file's origin.
  std::vector<std::string> notes;
};

struct PriceTable {
  std::string file, origin;
  /// Rates in ascending order.
  std::vector<RatePrices> rates;

  /// Returns the prices of a rate; a failure lists the available rates.
  Result<RatePrices> find(double rateGbps) const;
};

/// Reads {"origin": TEXT, "rates": [{"rate_gbps": 100, "nic_usd": ...,
/// "transceiver_usd", "switch_port_usd", "ocs_port_usd", "patch_port_usd"}]},
/// with optional "fibre_usd" and "nic_origin". For an empty path, returns the
/// built-in table, mFabric's Table 4.
Result<PriceTable> readPriceFile(std::string path);

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_PRICEFILE_H
