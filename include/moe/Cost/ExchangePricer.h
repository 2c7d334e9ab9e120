// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges that something else than the machine's levels prices.
//
// An optional component may have links of its own, such as optical circuits
// between servers, or a model of the whole network. Timers ask these interfaces
// for the price of an exchange, and know no more of them.

#ifndef MOE_COST_EXCHANGEPRICER_H
#define MOE_COST_EXCHANGEPRICER_H

#include "moe/Cost/Traffic.h"

#include <memory>
#include <vector>

namespace moe::cost {

/// The load of the links between two servers in one direction of an exchange.
struct PairLoad {
  int64_t from = 0, to = 0;
  int32_t links = 0;
  /// The part of the demand from `from` to `to` that these links carry, in
  /// units of the demand; the rest takes the network that all servers share.
  double carried = 0, demand = 0;

  friend bool operator==(const PairLoad &, const PairLoad &) = default;
};

/// Links that an exchange may use with the machine's levels.
class Links {
public:
  virtual ~Links() = default;

  /// The price of an exchange of all groups at once over these links.
  virtual Result<CostBreakdown> getCost(const Machine &machine,
                                        const RankGroups &groups,
                                        const Traffic &traffic) const = 0;
  /// The loads of all pairs of servers with such links, row by row.
  virtual Result<std::vector<PairLoad>>
  listLoads(const Machine &machine, const RankGroups &groups,
            const Traffic &traffic) const = 0;
};

/// A price, and details that the pricer knows of the exchange; null for none.
struct PricedExchange {
  CostBreakdown byLevels;
  std::shared_ptr<const void> details = nullptr;
};

/// Prices exchanges in place of the machine's levels.
class ExchangePricer {
public:
  virtual ~ExchangePricer() = default;

  /// The price of all groups at once. `links` are the exchange's own, null for
  /// none.
  virtual Result<PricedExchange> price(const Machine &machine,
                                       const RankGroups &groups,
                                       const Traffic &traffic,
                                       const Links *links) = 0;
};

} // namespace moe::cost

#endif // MOE_COST_EXCHANGEPRICER_H
