// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces for components that price exchanges in place of the levels.
//
// An optional component may add its own links, for example optical circuits
// between servers, or a model of the whole network. Timers know these
// components only by the interfaces below.

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
  /// units of the demand. The network that all servers share carries the rest.
  double carried = 0, demand = 0;

  friend bool operator==(const PairLoad &, const PairLoad &) = default;
};

/// Links that an exchange may use in addition to the machine's levels.
class Links {
public:
  virtual ~Links() = default;

  /// Returns the price of an exchange of all groups at once over these links.
  virtual Result<CostBreakdown> getCost(const Machine &machine,
                                        const RankGroups &groups,
                                        const Traffic &traffic) const = 0;
  /// Returns the loads of all server pairs that have such links, in row-major
  /// order.
  virtual Result<std::vector<PairLoad>>
  listLoads(const Machine &machine, const RankGroups &groups,
            const Traffic &traffic) const = 0;
};

/// A price, and the pricer's own details of the exchange, or null.
struct PricedExchange {
  CostBreakdown byLevels;
  std::shared_ptr<const void> details = nullptr;
};

/// Prices exchanges in place of the machine's levels.
class ExchangePricer {
public:
  virtual ~ExchangePricer() = default;

  /// Returns the price of all groups at once. `links` are the exchange's own
  /// links, or null.
  virtual Result<PricedExchange> price(const Machine &machine,
                                       const RankGroups &groups,
                                       const Traffic &traffic,
                                       const Links *links) = 0;
};

} // namespace moe::cost

#endif // MOE_COST_EXCHANGEPRICER_H
