// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of exchanges over circuits.

#include "moe/Fabric/CircuitExchange.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace moe;
using namespace moe::fabric;

Ports moe::fabric::getPorts(const cost::Circuits &machine, Routing routing) {
  Ports ports;
  ports.opticalDegree = machine.opticalDegree;
  ports.epsNics = machine.epsNics;
  ports.routing = routing;
  return ports;
}

cost::Result<Circuits>
moe::fabric::joinRegions(int64_t numServers,
                         const std::vector<Region> &regions) {
  Circuits all(numServers);
  std::vector<bool> isTaken(static_cast<size_t>(numServers));
  for (const Region &region : regions) {
    auto size = static_cast<int64_t>(region.servers.size());
    if (region.circuits.getSize() != size)
      return cost::Failure{"expected circuits of the " + std::to_string(size) +
                           " servers of a region, got such of " +
                           std::to_string(region.circuits.getSize())};
    for (int64_t server : region.servers) {
      if (server < 0 || server >= numServers)
        return cost::Failure{"expected servers in [0, " +
                             std::to_string(numServers) + "), got " +
                             std::to_string(server)};
      if (isTaken[static_cast<size_t>(server)])
        return cost::Failure{"expected each server in one region, got server " +
                             std::to_string(server) + " a second time"};
      isTaken[static_cast<size_t>(server)] = true;
    }
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j)
        all.at(region.servers[static_cast<size_t>(i)],
               region.servers[static_cast<size_t>(j)]) =
            region.circuits.at(i, j);
  }
  return all;
}

namespace {

class DemandOf {
public:
  DemandOf(const cost::RankGroups &groups, int64_t serverRanks)
      : groups(groups), serverRanks(serverRanks),
        demand((groups.getRankLimit() + serverRanks - 1) / serverRanks) {}

  /// All-to-alls of equal blocks, by the number of members per server.
  Demand runBlocks(double buffer) {
    auto size = static_cast<double>(groups.getGroupSize());
    for (int64_t g = 0; g < groups.getNumGroups(); ++g) {
      std::vector<std::pair<int64_t, double>> members;
      std::vector<int64_t> servers;
      for (int64_t rank : groups.getGroup(g))
        servers.push_back(rank / serverRanks);
      std::sort(servers.begin(), servers.end());
      for (int64_t server : servers) {
        if (members.empty() || members.back().first != server)
          members.push_back({server, 0});
        members.back().second += 1;
      }
      for (auto [from, senders] : members)
        for (auto [to, receivers] : members)
          if (from != to)
            demand.at(from, to) += buffer / size * senders * receivers;
    }
    return std::move(demand);
  }

  /// Adds the bytes of a ring or a list.
  template <typename Traffic> Demand run(const Traffic &traffic) {
    cost::forEachMessage(groups, traffic,
                         [&](int64_t from, int64_t to, double bytes) {
                           int64_t sender = from / serverRanks;
                           int64_t receiver = to / serverRanks;
                           if (sender != receiver)
                             demand.at(sender, receiver) += bytes;
                         });
    return std::move(demand);
  }

private:
  const cost::RankGroups &groups;
  int64_t serverRanks;
  Demand demand;
};

} // namespace

cost::Result<Demand>
moe::fabric::getServerDemand(const cost::RankGroups &groups,
                             const cost::Traffic &traffic,
                             int64_t serverRanks) {
  // This call also checks places and bytes.
  auto sent = cost::getSentBytes(traffic, groups.getGroupSize());
  if (!sent)
    return sent.getFailure();
  DemandOf demand(groups, serverRanks);
  if (auto *blocks = std::get_if<cost::BlockExchange>(&traffic)) {
    if (blocks->kind != cost::CollectiveKind::AllToAll)
      return cost::Failure{"expected an all-to-all over circuits, got " +
                           std::string(cost::getName(blocks->kind))};
    return demand.runBlocks(static_cast<double>(blocks->buffer));
  }
  if (auto *ring = std::get_if<cost::RingTraffic>(&traffic))
    return demand.run(*ring);
  return demand.run(std::get<cost::MessageList>(traffic));
}

std::vector<CircuitLoad> moe::fabric::listCircuitLoads(const Demand &demand,
                                                       const Circuits &circuits,
                                                       const Ports &ports) {
  double time = getTime(demand, circuits, ports);
  std::vector<CircuitLoad> loads;
  for (int64_t i = 0; i < circuits.getSize(); ++i)
    for (int64_t j = 0; j < circuits.getSize(); ++j) {
      int32_t count = circuits.at(i, j);
      if (count == 0)
        continue;
      double all = demand.at(i, j);
      double most = ports.routing == Routing::Exclusive ? all : count * time;
      loads.push_back({i, j, count, std::min(all, most), all});
    }
  return loads;
}

/// Replaces each level's cost with packets alone by the cost with circuits.
static void explainByLevels(const cost::Machine &machine, ExchangeCost &cost) {
  cost::CostBreakdown &all = cost.byLevels;
  cost::LevelCost outside = all.levels.back();
  outside.endpointBytes = cost.nicBytes;
  outside.time = cost.betweenServers;
  std::erase_if(all.levels, [&](const cost::LevelCost &level) {
    return machine.levels[level.level].ranks > machine.circuits->serverRanks;
  });
  if (cost.nicBytes.value() > 0)
    all.levels.push_back(outside);
  all.time = cost.time;
  all.alpha = cost.alpha;
  all.isFit = false;
  all.bottleneck.reset();
  for (size_t i = 0; i < all.levels.size(); ++i)
    if (!all.bottleneck ||
        all.levels[i].time > all.levels[*all.bottleneck].time)
      all.bottleneck = i;
}

cost::Result<ExchangeCost> moe::fabric::getExchangeCost(
    const cost::Machine &machine, const cost::RankGroups &groups,
    const cost::Traffic &traffic, const Circuits &circuits, Routing routing) {
  if (!machine.circuits)
    return cost::Failure{"expected a machine with circuits, " + machine.name +
                         " has none"};
  const cost::Circuits &fabric = *machine.circuits;
  bool spansServer = fabric.serverRanks == 1;
  for (const cost::Level &level : machine.levels)
    spansServer |= level.ranks == fabric.serverRanks;
  if (!spansServer)
    return cost::Failure{
        "expected a level of machine " + machine.name + " that spans the " +
        std::to_string(fabric.serverRanks) + " ranks of a server, found none"};
  auto demand = getServerDemand(groups, traffic, fabric.serverRanks);
  if (!demand)
    return demand.getFailure();
  Ports ports = getPorts(fabric, routing);
  if (std::string wrong = checkCircuits(circuits, *demand, ports);
      !wrong.empty())
    return cost::Failure{wrong};
  auto byLevels = cost::getTrafficCost(machine, groups, traffic);
  if (!byLevels)
    return byLevels.getFailure();

  ExchangeCost cost;
  if (byLevels->levels.empty())
    return cost;
  const cost::LevelCost &outermost = byLevels->levels.back();
  for (const cost::LevelCost &level : byLevels->levels)
    if (machine.levels[level.level].ranks <= fabric.serverRanks)
      cost.insideServers = std::max(cost.insideServers, level.time);
  cost.nicBytes = cost::Bytes(getTime(*demand, circuits, ports));
  if (!std::isfinite(cost.nicBytes.value()))
    return cost::Failure{"expected a circuit or an EPS NIC for each pair of "
                         "servers with demand, some have neither"};
  cost.betweenServers = cost::Microseconds(
      (cost.nicBytes / fabric.nicRate).value() / outermost.efficiency);
  cost.alpha = machine.levels[outermost.level].getCountedLatency();
  cost.time = cost.alpha + std::max(cost.betweenServers, cost.insideServers);
  cost.byLevels = std::move(*byLevels);
  explainByLevels(machine, cost);
  return cost;
}

ChangeCost moe::fabric::getChangeCost(const cost::Circuits &machine,
                                      const Circuits &before,
                                      const Circuits &after) {
  int64_t added = 0, removed = 0;
  for (int64_t i = 0; i < after.getSize(); ++i)
    for (int64_t j = i + 1; j < after.getSize(); ++j) {
      int32_t more = after.at(i, j) - before.at(i, j);
      (more > 0 ? added : removed) += std::abs(more);
    }
  ChangeCost cost;
  cost.pairs = std::max(added, removed);
  if (cost.pairs == 0)
    return cost;
  cost.change =
      machine.reconfigurationBase +
      machine.reconfigurationPerPair * static_cast<double>(cost.pairs);
  if (added > 0)
    cost.linkUp = machine.linkUp;
  return cost;
}

cost::Result<cost::CostBreakdown>
CircuitLinks::getCost(const cost::Machine &machine,
                      const cost::RankGroups &groups,
                      const cost::Traffic &traffic) const {
  auto cost = getExchangeCost(machine, groups, traffic, circuits, routing);
  if (!cost)
    return cost.getFailure();
  return cost->byLevels;
}

cost::Result<std::vector<CircuitLoad>>
CircuitLinks::listLoads(const cost::Machine &machine,
                        const cost::RankGroups &groups,
                        const cost::Traffic &traffic) const {
  auto demand = getServerDemand(groups, traffic, machine.circuits->serverRanks);
  if (!demand)
    return demand.getFailure();
  Ports ports = getPorts(*machine.circuits, routing);
  if (std::string wrong = checkCircuits(circuits, *demand, ports);
      !wrong.empty())
    return cost::Failure{wrong};
  return listCircuitLoads(*demand, circuits, ports);
}
