// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of exchanges over circuits.
//
// The price of an all-to-all on a machine with servers that are connected by
// circuits and by EPS. Between servers, the time follows MF-4, where each NIC
// has the machine's `nicRate` times the fraction that the curve of the level
// outside of servers reaches; inside of servers, it is `cost::getTrafficCost`.
// Both run concurrently, after the latency of the outermost level that is
// crossed:
//
//   time = alpha + max(between servers, inside of servers)
//
// Any two servers reach each other over EPS, and all ranks of a server share
// its NICs (SPEC MF-9 spreads delegates over them). Fits of collectives were
// not measured over circuits and do not apply.

#ifndef MOE_FABRIC_CIRCUITEXCHANGE_H
#define MOE_FABRIC_CIRCUITEXCHANGE_H

#include "moe/Cost/ExchangePricer.h"
#include "moe/Fabric/Circuits.h"

namespace moe::fabric {

/// Returns the ports of each server of the machine.
Ports getPorts(const cost::Circuits &machine, Routing routing);

/// Servers with their own circuits: `circuits` at [i, j] are between
/// `servers[i]` and `servers[j]`, which are numbers of the whole machine.
struct Region {
  std::vector<int64_t> servers;
  Circuits circuits;
};

/// Combines the circuits of all regions into circuits between servers [0,
/// numServers). Fails if a region lists another number of servers than it has
/// circuits for, or if a server is out of range or in two regions.
cost::Result<Circuits> joinRegions(int64_t numServers,
                                   const std::vector<Region> &regions);

/// Returns the bytes that servers with `serverRanks` consecutive ranks each
/// send each other in an all-to-all of all groups at once, for as many servers
/// as the ranks of the groups need. Bounded runs count as even blocks of the
/// larger bound. Fails for a collective other than an all-to-all, and like
/// `cost::getSentBytes`.
cost::Result<Demand> getServerDemand(const cost::RankGroups &groups,
                                     const cost::Traffic &traffic,
                                     int64_t serverRanks);

/// The load of the circuits between two servers in one direction of an
/// exchange; the remaining bytes use EPS.
using CircuitLoad = cost::PairLoad;

/// Lists the loads of all pairs with circuits, row by row. With exclusive
/// routing, circuits carry all demand; with split routing, they carry as much
/// as they can until the exchange ends (SPEC MF-4).
std::vector<CircuitLoad> listCircuitLoads(const Demand &demand,
                                          const Circuits &circuits,
                                          const Ports &ports);

/// The price of an exchange with an explanation.
struct ExchangeCost {
  cost::Microseconds time;
  /// The part that does not depend on bytes.
  cost::Microseconds alpha;
  cost::Microseconds betweenServers, insideServers;
  /// Bytes per NIC of the slowest server in one direction.
  cost::Bytes nicBytes;
  /// The price by levels: the levels inside servers, and for all levels outside
  /// them the outermost one that is crossed, which has that NIC as its busiest
  /// endpoint.
  cost::CostBreakdown byLevels;
};

/// Returns the price of an all-to-all of all groups at once over `circuits`
/// between all servers of their ranks; without circuits, all traffic uses EPS.
/// Fails like `getServerDemand` and `cost::getTrafficCost`, and if the machine
/// has no circuits, if none of its levels spans exactly one server, if the
/// circuits do not fit, or if some demand has neither a circuit nor an EPS NIC.
cost::Result<ExchangeCost> getExchangeCost(const cost::Machine &machine,
                                           const cost::RankGroups &groups,
                                           const cost::Traffic &traffic,
                                           const Circuits &circuits,
                                           Routing routing);

/// Circuits between all servers of a program as the links of an exchange,
/// together with EPS. The machine must have circuits.
class CircuitLinks : public cost::Links {
public:
  CircuitLinks(Circuits circuits, Routing routing)
      : circuits(std::move(circuits)), routing(routing) {}

  const Circuits &getCircuits() const { return circuits; }
  Routing getRouting() const { return routing; }

  cost::Result<cost::CostBreakdown>
  getCost(const cost::Machine &machine, const cost::RankGroups &groups,
          const cost::Traffic &traffic) const override;
  /// Also fails if the circuits do not fit the demand.
  cost::Result<std::vector<CircuitLoad>>
  listLoads(const cost::Machine &machine, const cost::RankGroups &groups,
            const cost::Traffic &traffic) const override;

private:
  Circuits circuits;
  Routing routing;
};

/// The cost of a change of circuits (SPEC MF-8).
struct ChangeCost {
  /// Number of circuits that are added or removed, whichever is more.
  int64_t pairs = 0;
  /// Time of the switch, and subsequent time of links if circuits are added.
  cost::Microseconds change, linkUp;

  cost::Microseconds getTime() const { return change + linkUp; }
};

/// Returns the cost of changing the circuits of the same servers with one
/// command; zero if they are equal.
ChangeCost getChangeCost(const cost::Circuits &machine, const Circuits &before,
                         const Circuits &after);

} // namespace moe::fabric

#endif // MOE_FABRIC_CIRCUITEXCHANGE_H
