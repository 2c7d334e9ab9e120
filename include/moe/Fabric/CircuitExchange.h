// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exchanges over circuits take.
//
// The one price of an all-to-all on a machine whose servers are joined by
// circuits and by EPS. Between servers it takes what MF-4 says, each NIC at the
// machine's `nicRate` times the part of it that the curve of the level outside
// of servers reaches; inside of servers what `cost::getTrafficCost` says. Both
// go on at once, after the latency of the outermost level that is crossed:
//
//   time = alpha + max(between servers, inside of servers)
//
// Any two servers reach each other over EPS, and NICs of a server are shared by
// all of its ranks (SPEC MF-9 spreads delegates over them). Fits of collectives
// were not measured over circuits and do not apply.

#ifndef MOE_FABRIC_CIRCUITEXCHANGE_H
#define MOE_FABRIC_CIRCUITEXCHANGE_H

#include "moe/Cost/ExchangePricer.h"
#include "moe/Fabric/Circuits.h"

namespace moe::fabric {

/// What a server of the machine has.
Ports getPorts(const cost::Circuits &machine, Routing routing);

/// Servers that have circuits of their own: `circuits` at [i, j] are between
/// `servers[i]` and `servers[j]`, numbers of the whole machine.
struct Region {
  std::vector<int64_t> servers;
  Circuits circuits;
};

/// The circuits of all regions as those of servers [0, numServers). Fails when
/// a region's circuits are not of as many servers as it lists, or a server is
/// in none of that range or in two regions.
cost::Result<Circuits> joinRegions(int64_t numServers,
                                   const std::vector<Region> &regions);

/// The bytes that servers, of `serverRanks` consecutive ranks each, send each
/// other in an all-to-all of all groups at once: as many servers as the ranks
/// of the groups need. Bounded runs count as even blocks of the larger bound.
/// Fails for another collective than an all-to-all, and as
/// `cost::getSentBytes` does.
cost::Result<Demand> getServerDemand(const cost::RankGroups &groups,
                                     const cost::Traffic &traffic,
                                     int64_t serverRanks);

/// What the circuits between two servers carry in one direction of an exchange;
/// the rest goes over EPS.
using CircuitLoad = cost::PairLoad;

/// The loads of all pairs with circuits, row by row. With exclusive routing
/// circuits carry all demand, with split routing as much as they can until the
/// exchange ends (SPEC MF-4).
std::vector<CircuitLoad> listCircuitLoads(const Demand &demand,
                                          const Circuits &circuits,
                                          const Ports &ports);

/// The price of an exchange with its reasons.
struct ExchangeCost {
  cost::Microseconds time;
  /// The part that does not depend on bytes.
  cost::Microseconds alpha;
  cost::Microseconds betweenServers, insideServers;
  /// What a NIC of the slowest server carries in one direction.
  cost::Bytes nicBytes;
  /// The same by levels: those inside of servers, and for all outside of them
  /// the outermost that is crossed, whose busiest endpoint is that NIC.
  cost::CostBreakdown byLevels;
};

/// The price of an all-to-all of all groups at once over `circuits` between all
/// servers that their ranks need, none of them where everything goes over EPS.
/// Fails as `getServerDemand` and `cost::getTrafficCost` do, and when the
/// machine has no circuits, none of its levels spans just a server, the
/// circuits do not fit, or demand has no way: no circuit and no EPS NIC.
cost::Result<ExchangeCost> getExchangeCost(const cost::Machine &machine,
                                           const cost::RankGroups &groups,
                                           const cost::Traffic &traffic,
                                           const Circuits &circuits,
                                           Routing routing);

/// Circuits between all servers of a program as the links of an exchange,
/// with EPS. The machine must have circuits.
class CircuitLinks : public cost::Links {
public:
  CircuitLinks(Circuits circuits, Routing routing)
      : circuits(std::move(circuits)), routing(routing) {}

  const Circuits &getCircuits() const { return circuits; }
  Routing getRouting() const { return routing; }

  cost::Result<cost::CostBreakdown>
  getCost(const cost::Machine &machine, const cost::RankGroups &groups,
          const cost::Traffic &traffic) const override;
  /// Fails also if the circuits do not fit the demand.
  cost::Result<std::vector<CircuitLoad>>
  listLoads(const cost::Machine &machine, const cost::RankGroups &groups,
            const cost::Traffic &traffic) const override;

private:
  Circuits circuits;
  Routing routing;
};

/// What a change of circuits takes (SPEC MF-8).
struct ChangeCost {
  /// Circuits that come, or go where more of these.
  int64_t pairs = 0;
  /// Of the switch, and then of links, where circuits come.
  cost::Microseconds change, linkUp;

  cost::Microseconds getTime() const { return change + linkUp; }
};

/// The cost of leading from circuits to others of the same servers with one
/// command; nothing where they are the same.
ChangeCost getChangeCost(const cost::Circuits &machine, const Circuits &before,
                         const Circuits &after);

} // namespace moe::fabric

#endif // MOE_FABRIC_CIRCUITEXCHANGE_H
