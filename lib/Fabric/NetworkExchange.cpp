// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges on a fabric.

#include "moe/Fabric/NetworkExchange.h"
#include "ServerBytes.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace moe;
using namespace moe::fabric;

/// Returns the rank's NIC: the one at its place, or the next one that works.
static int64_t findNic(const FabricOptions &options, int64_t rank) {
  const NetworkOptions &network = options.network;
  int64_t server = options.getPlace(rank / options.serverRanks);
  int64_t first =
      rank % options.serverRanks * network.nics / options.serverRanks;
  for (int64_t k = 0; k < network.nics; ++k) {
    Nic nic{server, (first + k) % network.nics};
    if (std::find(network.failed.begin(), network.failed.end(), nic) ==
        network.failed.end())
      return nic.nic;
  }
  return first;
}

cost::Result<std::vector<ServerBytes>>
moe::fabric::addUpServers(const FabricOptions &options,
                          const std::vector<RankMessage> &messages,
                          double &kept) {
  if (options.serverRanks < 1)
    return cost::Failure{"expected servers of at least 1 rank, got " +
                         cost::toText(options.serverRanks)};
  int64_t numRanks = options.network.servers * options.serverRanks;
  std::vector<ServerBytes> all;
  for (auto [from, to, bytes] : messages) {
    if (std::min(from, to) < 0 || std::max(from, to) >= numRanks)
      return cost::Failure{"expected ranks of the " +
                           cost::toText(options.network.servers) +
                           " servers, [0, " + cost::toText(numRanks) +
                           "), got a message from " + cost::toText(from) +
                           " to " + cost::toText(to)};
    if (!(bytes >= 0) || !std::isfinite(bytes))
      return cost::Failure{"expected a finite number of bytes of at least 0, "
                           "got " +
                           cost::toText(bytes) + " from " +
                           cost::toText(from) + " to " +
                           cost::toText(to)};
    NetworkEnd ends[2] = {{options.getPlace(from / options.serverRanks), 0},
                          {options.getPlace(to / options.serverRanks), 0}};
    if (ends[0].server == ends[1].server) {
      kept += bytes;
      continue;
    }
    if (!options.network.sharesNics) {
      ends[0].nic = findNic(options, from);
      ends[1].nic = findNic(options, to);
    }
    if (bytes > 0)
      all.push_back({ends[0], ends[1], bytes});
  }
  auto key = [](const ServerBytes &own) {
    return std::tuple(own.from.server, own.to.server, own.from.nic, own.to.nic);
  };
  // Also sorted by bytes, so that sums do not depend on the order of messages.
  std::sort(all.begin(), all.end(), [&](const auto &a, const auto &b) {
    return std::pair(key(a), a.bytes) < std::pair(key(b), b.bytes);
  });
  std::vector<ServerBytes> sums;
  for (const ServerBytes &own : all)
    if (!sums.empty() && key(sums.back()) == key(own))
      sums.back().bytes += own.bytes;
    else
      sums.push_back(own);
  return sums;
}

namespace {

/// The flows of one exchange.
class FlowsOf {
public:
  FlowsOf(const FabricOptions &options, const Network &network)
      : options(options), network(network) {}

  /// Adds a flow over the network without the circuits of the two servers. If
  /// `areFar`, they are in different regions of an mFabric.
  std::optional<cost::Failure> add(const ServerBytes &own,
                                   bool areFar = false) {
    bool splits = !options.network.isMultiPath && options.network.sharesNics;
    // Each NIC's part has a separate path.
    int64_t parts = splits ? options.network.nics : 1;
    for (int64_t k = 0; k < parts; ++k) {
      uint64_t hash = (uint64_t(own.from.server) << 40) ^
                      (uint64_t(own.to.server) << 16) ^
                      uint64_t(own.from.nic << 8 ^ own.to.nic ^ k);
      auto getWay = [&](NetworkEnd from, NetworkEnd to) {
        return areFar ? network.getRelayedWay(from.server, to.server, hash)
                      : network.getWay(from, to, hash);
      };
      auto failure =
          addFlow(getWay(own.from, own.to),
                  [&] { return getWay(own.to, own.from); },
                  own.bytes / static_cast<double>(parts), own.from.server,
                  own.to.server);
      if (failure)
        return failure;
    }
    return std::nullopt;
  }
  std::optional<cost::Failure> addCircuits(double bytes, int64_t from,
                                           int64_t to) {
    return addFlow(
        network.getCircuitWay(from, to),
        [&] { return network.getCircuitWay(to, from); }, bytes, from, to);
  }
  std::optional<cost::Failure> addForwarded(double bytes, int64_t from,
                                            int64_t to) {
    return addFlow(
        network.getForwardedWay(from, to),
        [&] { return network.getForwardedWay(to, from); }, bytes, from, to);
  }

  std::vector<Flow> flows;
  /// The sending and the receiving server of each flow.
  std::vector<std::pair<int64_t, int64_t>> servers;

private:
  /// `getBack` returns the path of answers.
  template <typename GetBack>
  std::optional<cost::Failure> addFlow(cost::Result<Way> found,
                                       GetBack getBack, double bytes,
                                       int64_t from, int64_t to) {
    if (!found)
      return found.getFailure();
    Way way = std::move(*found);
    if (double share = options.network.headerShare)
      for (LinkUse &use : way.uses)
        use.weight *= 1 + share;
    if (double share = options.network.answerShare) {
      cost::Result<Way> back = getBack();
      if (!back)
        return back.getFailure();
      for (LinkUse use : back->uses)
        way.uses.push_back({use.link, use.weight * share});
    }
    if (bytes > 0) {
      servers.push_back({from, to});
      flows.push_back(
          {bytes, std::move(way.uses), 1,
           static_cast<double>(way.hops) * options.network.latency});
    }
    return std::nullopt;
  }

  const FabricOptions &options;
  const Network &network;
};

} // namespace

/// Adds the flows of a region's pairs over their circuits and over EPS. A pair
/// with circuits uses EPS only for the bytes that its circuits cannot carry in
/// the exchange's time (SPEC MF-4). A pair with neither uses circuits through
/// other servers (SPEC MF-22).
static std::optional<cost::Failure> addRegion(const FabricRegion &region,
                                              const Network &network,
                                              const Circuits &circuits,
                                              FlowsOf &flows) {
  int64_t n = region.demand.getSize();
  Demand demand = region.demand;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      bool isCutOff =
          region.ports.getEpsRate(i) <= 0 || region.ports.getEpsRate(j) <= 0;
      if (i == j || !isCutOff || circuits.at(i, j) > 0 || demand.at(i, j) == 0)
        continue;
      int64_t from = region.servers[size_t(i)], to = region.servers[size_t(j)];
      if (auto failure = flows.addForwarded(demand.at(i, j), from, to))
        return cost::Failure{"expected a circuit or an EPS NIC that works for "
                             "each two servers that send to each other: " +
                             failure->message};
      demand.at(i, j) = 0;
    }
  double time = getTime(demand, circuits, region.ports);
  if (!std::isfinite(time))
    return cost::Failure{"expected a circuit or an EPS NIC that works for each "
                         "two servers that send to each other, servers " +
                         cost::toText(region.servers.front()) + " to " +
                         cost::toText(region.servers.back()) +
                         " lack some"};
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double bytes = demand.at(i, j), on = 0;
      if (i == j || bytes == 0)
        continue;
      int64_t from = region.servers[size_t(i)], to = region.servers[size_t(j)];
      if (int32_t count = circuits.at(i, j)) {
        on = region.ports.routing == Routing::Exclusive
                 ? bytes
                 : std::min(bytes, count * time);
        if (auto failure = flows.addCircuits(on, from, to))
          return failure;
      }
      // A remainder from rounding is not a flow.
      if (bytes - on > bytes * 1e-12)
        if (auto failure = flows.add({{from, 0}, {to, 0}, bytes - on}))
          return failure;
    }
  return std::nullopt;
}

cost::Result<FabricExchange> moe::fabric::runFabricExchange(
    const FabricOptions &options, const std::vector<RankMessage> &messages,
    const std::vector<CircuitPair> &circuits, const FlowProgress &progress) {
  auto network = Network::create(options.network, circuits);
  if (!network)
    return network.getFailure();
  FabricExchange exchange;
  auto bytes = addUpServers(options, messages, exchange.keptBytes);
  if (!bytes)
    return bytes.getFailure();
  for (const ServerBytes &own : *bytes)
    exchange.sentBytes += own.bytes;
  FlowsOf flows(options, *network);
  if (options.network.kind != FabricKind::MFabric) {
    for (const ServerBytes &own : *bytes)
      if (auto failure = flows.add(own))
        return *failure;
  } else {
    std::map<std::pair<int64_t, int64_t>, int32_t> counts;
    for (auto [first, second, count] : circuits)
      counts[std::minmax(first, second)] += count;
    size_t next = 0;
    std::vector<FabricRegion> regions = findRegions(options, *bytes);
    // The index in `ofRegion` and the number in the region of each server.
    std::map<int64_t, std::pair<size_t, int64_t>> placeOf;
    std::vector<Circuits> ofRegion;
    for (size_t r = 0; r < regions.size(); ++r) {
      ofRegion.emplace_back(regions[r].demand.getSize());
      for (size_t k = 0; k < regions[r].servers.size(); ++k)
        placeOf[regions[r].servers[k]] = {r, int64_t(k)};
    }
    for (auto [pair, count] : counts) {
      auto first = placeOf.find(pair.first), second = placeOf.find(pair.second);
      if (first == placeOf.end() || second == placeOf.end() ||
          first->second.first != second->second.first)
        continue;
      Circuits &own = ofRegion[first->second.first];
      int64_t i = first->second.second, j = second->second.second;
      own.at(i, j) = own.at(j, i) = count;
    }
    for (; next < regions.size(); ++next)
      if (auto failure =
              addRegion(regions[next], *network, ofRegion[next], flows))
        return *failure;
    // Between regions, there are only packets.
    int64_t servers = options.network.getRegionServers();
    for (const ServerBytes &own : *bytes)
      if (own.from.server / servers != own.to.server / servers)
        if (auto failure = flows.add(own, /*areFar=*/true))
          return *failure;
  }
  exchange.numFlows = static_cast<int64_t>(flows.flows.size());
  auto times = simulateFlows(network->getLinks(), flows.flows, {}, progress);
  if (!times)
    return times.getFailure();
  exchange.times = std::move(*times);
  exchange.serverEnds.resize(static_cast<size_t>(options.network.servers));
  for (size_t f = 0; f < flows.servers.size(); ++f)
    for (int64_t server : {flows.servers[f].first, flows.servers[f].second}) {
      double &end = exchange.serverEnds[static_cast<size_t>(server)];
      end = std::max(end, exchange.times.ends[f]);
    }
  exchange.network = std::make_shared<const Network>(std::move(*network));
  return exchange;
}
