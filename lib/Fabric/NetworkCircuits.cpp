// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits of fabrics.

#include "ServerBytes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace moe;
using namespace moe::fabric;

int64_t moe::fabric::countFailedOptical(const NetworkOptions &options,
                                        int64_t server) {
  int64_t optical =
      options.kind == FabricKind::MFabric ? options.opticalNics : options.nics;
  return std::count_if(
      options.failed.begin(), options.failed.end(),
      [&](Nic nic) { return nic.server == server && nic.nic < optical; });
}

namespace {

/// Sets of servers that are connected by demand.
class ServerSets {
public:
  explicit ServerSets(int64_t n) : parents(static_cast<size_t>(n)) {
    std::iota(parents.begin(), parents.end(), int64_t(0));
  }
  int64_t find(int64_t server) {
    while (parents[size_t(server)] != server)
      server = parents[size_t(server)] =
          parents[size_t(parents[size_t(server)])];
    return server;
  }
  void join(int64_t a, int64_t b) { parents[size_t(find(a))] = find(b); }

private:
  std::vector<int64_t> parents;
};

} // namespace

/// Returns the sets of at least two servers, sorted by their first server.
static std::vector<std::vector<int64_t>>
findSets(int64_t numServers, const std::vector<ServerBytes> &bytes,
         int64_t ofSwitch) {
  ServerSets sets(numServers);
  std::set<int64_t> senders;
  for (const ServerBytes &own : bytes) {
    int64_t from = own.from.server, to = own.to.server;
    if (from / ofSwitch != to / ofSwitch)
      continue;
    sets.join(from, to);
    senders.insert(from);
    senders.insert(to);
  }
  std::map<int64_t, std::vector<int64_t>> members;
  for (int64_t server : senders)
    members[sets.find(server)].push_back(server);
  std::vector<std::vector<int64_t>> all;
  for (auto &[root, own] : members)
    all.push_back(std::move(own));
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<FabricRegion>
moe::fabric::findRegions(const FabricOptions &options,
                         const std::vector<ServerBytes> &bytes) {
  const NetworkOptions &network = options.network;
  int64_t ofSwitch = options.network.getRegionServers();
  std::vector<FabricRegion> regions;
  std::map<int64_t, std::pair<size_t, int64_t>> placeOf;
  for (std::vector<int64_t> &servers :
       findSets(network.servers, bytes, ofSwitch)) {
    FabricRegion region;
    region.demand = Demand(int64_t(servers.size()));
    region.ports = {network.opticalNics, network.nics - network.opticalNics,
                    options.routing};
    region.ports.epsRate = network.packetRate;
    if (!network.failed.empty())
      for (int64_t server : servers) {
        int64_t optical = countFailedOptical(network, server);
        auto all = std::count_if(network.failed.begin(), network.failed.end(),
                                 [&](Nic nic) { return nic.server == server; });
        region.ports.failedOptical.push_back(optical);
        region.ports.failedEps.push_back(all - optical);
      }
    for (size_t k = 0; k < servers.size(); ++k)
      placeOf[servers[k]] = {regions.size(), int64_t(k)};
    region.servers = std::move(servers);
    regions.push_back(std::move(region));
  }
  for (const ServerBytes &own : bytes) {
    auto from = placeOf.find(own.from.server), to = placeOf.find(own.to.server);
    if (from != placeOf.end() && to != placeOf.end() &&
        from->second.first == to->second.first)
      regions[from->second.first].demand.at(from->second.second,
                                            to->second.second) += own.bytes;
  }
  return regions;
}

std::vector<int64_t>
moe::fabric::listCutOffRegions(const FabricOptions &options) {
  const NetworkOptions &network = options.network;
  if (network.kind != FabricKind::MFabric)
    return {};
  std::vector<int64_t> working(static_cast<size_t>(network.servers),
                               network.nics - network.opticalNics);
  for (Nic nic : network.failed)
    working[static_cast<size_t>(nic.server)] -= nic.nic >= network.opticalNics;
  // Ranks of failed servers have moved.
  for (auto [failed, spare] : options.moved)
    working[static_cast<size_t>(failed)] = 1;
  std::set<int64_t> regions;
  for (int64_t server = 0; server < network.servers; ++server)
    if (working[static_cast<size_t>(server)] < 1)
      regions.insert(server / options.network.getRegionServers());
  return {regions.begin(), regions.end()};
}

/// Adds the circuits of a region, with the numbers of the cluster's servers.
static void addPairs(const FabricRegion &region, const Circuits &circuits,
                     std::vector<CircuitPair> &pairs) {
  for (int64_t i = 0; i < circuits.getSize(); ++i)
    for (int64_t j = i + 1; j < circuits.getSize(); ++j)
      if (int32_t count = circuits.at(i, j))
        pairs.push_back(
            {region.servers[size_t(i)], region.servers[size_t(j)], count});
}

/// Plans a patch panel: first a circle through all servers that send to each
/// other, so that all are connected, then circuits like in SPEC MF-2, one after
/// the other for the slowest pair.
static std::vector<CircuitPair>
planPanel(std::vector<int64_t> ports, const std::vector<ServerBytes> &bytes) {
  auto numServers = static_cast<int64_t>(ports.size());
  std::map<std::pair<int64_t, int64_t>, double> demand;
  for (const ServerBytes &own : bytes) {
    double &most = demand[std::minmax(own.from.server, own.to.server)];
    most = std::max(most, own.bytes);
  }
  std::map<std::pair<int64_t, int64_t>, int32_t> counts;
  auto join = [&](int64_t a, int64_t b) {
    if (a == b || ports[size_t(a)] == 0 || ports[size_t(b)] == 0)
      return false;
    --ports[size_t(a)];
    --ports[size_t(b)];
    ++counts[std::minmax(a, b)];
    return true;
  };
  for (const std::vector<int64_t> &own :
       findSets(numServers, bytes, numServers))
    for (size_t k = 0; k + (own.size() == 2) < own.size(); ++k)
      join(own[k], own[(k + 1) % own.size()]);
  // The slowest pair first; ties are broken by number.
  using Slow = std::tuple<double, double, int64_t, int64_t>;
  std::set<Slow, std::greater<>> queue;
  auto push = [&](std::pair<int64_t, int64_t> pair, double most) {
    auto found = counts.find(pair);
    double time = found == counts.end()
                      ? std::numeric_limits<double>::infinity()
                      : most / found->second;
    queue.insert({time, most, -pair.first, -pair.second});
  };
  for (auto [pair, most] : demand)
    push(pair, most);
  while (!queue.empty()) {
    auto [time, most, a, b] = *queue.begin();
    queue.erase(queue.begin());
    if (join(-a, -b))
      push({-a, -b}, most);
  }
  std::vector<CircuitPair> pairs;
  for (auto [pair, count] : counts)
    pairs.push_back({pair.first, pair.second, count});
  return pairs;
}

/// Plans a region where some server has no working packet NIC and too few
/// optical NICs for circuits to all others, so that other servers forward (SPEC
/// MF-22). The result is the plan for working packet NICs if it connects all
/// servers, and otherwise the plan of a panel.
static cost::Result<Circuits> joinAll(const FabricRegion &region,
                                      const PlanOptions &how) {
  int64_t n = region.demand.getSize();
  Ports whole = region.ports;
  whole.failedEps.clear();
  auto plan = planCircuits({{region.demand, 1}}, whole, how);
  if (!plan)
    return plan.getFailure();
  ServerSets sets(n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (plan->circuits.at(i, j) > 0)
        sets.join(i, j);
  bool joins = true;
  for (int64_t i = 1; i < n; ++i)
    joins &= sets.find(i) == sets.find(0);
  if (joins)
    return std::move(plan->circuits);
  std::vector<int64_t> ports;
  std::vector<ServerBytes> bytes;
  for (int64_t i = 0; i < n; ++i) {
    ports.push_back(region.ports.getOptical(i));
    for (int64_t j = 0; j < n; ++j)
      if (i != j && region.demand.at(i, j) > 0)
        bytes.push_back({{i, 0}, {j, 0}, region.demand.at(i, j)});
  }
  Circuits circuits(n);
  for (auto [first, second, count] : planPanel(std::move(ports), bytes))
    circuits.at(first, second) = circuits.at(second, first) = count;
  return circuits;
}

cost::Result<std::vector<CircuitPair>>
moe::fabric::planFabricCircuits(const FabricOptions &options,
                                const std::vector<RankMessage> &messages) {
  if (std::string wrong = checkNetwork(options.network); !wrong.empty())
    return cost::Failure{wrong};
  double kept = 0;
  auto bytes = addUpServers(options, messages, kept);
  if (!bytes)
    return bytes.getFailure();
  if (options.network.kind == FabricKind::TopoOpt) {
    std::vector<int64_t> ports(size_t(options.network.servers),
                               options.network.nics);
    for (Nic nic : options.network.failed)
      --ports[size_t(nic.server)];
    return planPanel(std::move(ports), *bytes);
  }
  std::vector<CircuitPair> pairs;
  if (options.network.kind != FabricKind::MFabric)
    return pairs;
  std::map<std::vector<double>, Circuits> known;
  for (const FabricRegion &region : findRegions(options, *bytes)) {
    std::vector<double> key;
    int64_t n = region.demand.getSize();
    for (int64_t i = 0; i < n; ++i) {
      key.push_back(static_cast<double>(region.ports.getOptical(i)));
      key.push_back(region.ports.getEpsRate(i));
      for (int64_t j = 0; j < n; ++j)
        key.push_back(region.demand.at(i, j));
    }
    auto found = known.find(key);
    if (found == known.end()) {
      PlanOptions how;
      how.effort = options.effort;
      auto plan = planCircuits({{region.demand, 1}}, region.ports, how);
      if (!plan)
        return plan.getFailure();
      if (!std::isfinite(plan->time)) {
        auto joined = joinAll(region, how);
        if (!joined)
          return joined.getFailure();
        plan->circuits = std::move(*joined);
      }
      found = known.emplace(std::move(key), std::move(plan->circuits)).first;
    }
    addPairs(region, found->second, pairs);
  }
  return pairs;
}

cost::Result<std::vector<CircuitPair>>
moe::fabric::drawFabricCircuits(const FabricOptions &options,
                                const std::vector<RankMessage> &messages,
                                uint64_t seed) {
  double kept = 0;
  auto bytes = addUpServers(options, messages, kept);
  if (!bytes)
    return bytes.getFailure();
  std::vector<CircuitPair> pairs;
  if (options.network.kind != FabricKind::MFabric)
    return pairs;
  for (const FabricRegion &region : findRegions(options, *bytes)) {
    std::mt19937_64 random(seed);
    int64_t n = region.demand.getSize();
    std::vector<int64_t> ends;
    for (int64_t i = 0; i < n; ++i)
      ends.insert(ends.end(), size_t(region.ports.getOptical(i)), i);
    // A Fisher-Yates shuffle, because standard libraries shuffle differently.
    for (size_t k = ends.size(); k > 1; --k)
      std::swap(ends[k - 1], ends[random() % k]);
    Circuits circuits(n);
    while (!ends.empty()) {
      int64_t first = ends.back();
      ends.pop_back();
      auto second =
          std::find_if(ends.rbegin(), ends.rend(),
                       [&](int64_t server) { return server != first; });
      // If no other server remains, the NICs stay unused.
      if (second == ends.rend())
        break;
      ++circuits.at(first, *second);
      ++circuits.at(*second, first);
      ends.erase(std::next(second).base());
    }
    addPairs(region, circuits, pairs);
  }
  return pairs;
}

cost::Result<std::vector<CircuitPair>>
moe::fabric::trimFabricCircuits(const FabricOptions &options,
                                const std::vector<CircuitPair> &circuits,
                                const std::vector<RankMessage> &messages) {
  double kept = 0;
  auto bytes = addUpServers(options, messages, kept);
  if (!bytes)
    return bytes.getFailure();
  std::map<std::pair<int64_t, int64_t>, double> demand;
  for (const ServerBytes &own : *bytes) {
    double &most = demand[std::minmax(own.from.server, own.to.server)];
    most = std::max(most, own.bytes);
  }
  const NetworkOptions &network = options.network;
  int64_t optical =
      network.kind == FabricKind::MFabric ? network.opticalNics : network.nics;
  std::map<int64_t, int64_t> ends;
  for (auto [first, second, count] : circuits) {
    ends[first] += count;
    ends[second] += count;
  }
  // Circuits with the least demand per circuit are removed first.
  std::vector<CircuitPair> left = circuits;
  for (auto &[server, count] : ends)
    while (count > optical - countFailedOptical(network, server)) {
      CircuitPair *least = nullptr;
      double lowest = 0;
      for (CircuitPair &own : left) {
        if (own.count == 0 || (own.first != server && own.second != server))
          continue;
        double each = demand[std::minmax(own.first, own.second)] / own.count;
        if (!least || each < lowest) {
          least = &own;
          lowest = each;
        }
      }
      --least->count;
      --ends[least->first];
      --ends[least->second];
    }
  std::erase_if(left, [](const CircuitPair &own) { return own.count == 0; });
  return left;
}
