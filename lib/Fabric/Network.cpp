// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fabrics as graphs of links.

#include "moe/Fabric/Network.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::fabric;

static constexpr int64_t kMostServers = 65536;
static constexpr int64_t kMostNics = 64;

static constexpr std::pair<FabricKind, std::string_view> kNames[] = {
    {FabricKind::FatTree, "fat-tree"}, {FabricKind::Rail, "rail"},
    {FabricKind::TopoOpt, "topoopt"},  {FabricKind::MFabric, "mfabric"},
    {FabricKind::Torus, "torus"},      {FabricKind::Ring, "ring"}};

std::string_view moe::fabric::getName(FabricKind kind) {
  for (auto [own, name] : kNames)
    if (own == kind)
      return name;
  return "";
}

std::optional<FabricKind> moe::fabric::parseFabricKind(std::string_view name) {
  for (auto [kind, own] : kNames)
    if (own == name)
      return kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static std::string checkInteger(const char *what, int64_t value, int64_t min,
                                int64_t max) {
  if (value >= min && value <= max)
    return "";
  return std::string(what) + ": expected an integer in [" +
         cost::toText(min) + ", " + cost::toText(max) + "], got " +
         cost::toText(value);
}

static bool isTree(FabricKind kind) {
  return kind == FabricKind::FatTree || kind == FabricKind::Rail ||
         kind == FabricKind::MFabric;
}

static std::string checkTree(const NetworkOptions &options) {
  if (!(options.oversubscription > 0) ||
      !std::isfinite(options.oversubscription))
    return "oversubscription: expected a finite number above 0, got " +
           cost::toText(options.oversubscription);
  if (auto wrong =
          checkInteger("ports of a switch", options.switchPorts, 2, 1 << 16);
      !wrong.empty())
    return wrong;
  if (options.switchPorts % 2)
    return "ports of a switch: expected an even number, half of which lead "
           "down, got " +
           cost::toText(options.switchPorts);
  if (options.tiers)
    if (auto wrong = checkInteger("tiers", *options.tiers, 1, 3);
        !wrong.empty())
      return wrong;
  int64_t nics =
      options.nics -
      (options.kind == FabricKind::MFabric ? options.opticalNics : 0);
  int64_t k = options.switchPorts, tiers = options.tiers.value_or(3);
  int64_t most = tiers == 1   ? k
                 : tiers == 2 ? k * (k / 2)
                              : k / 2 * (k / 2) * k;
  if (options.servers * nics > most)
    return "servers: expected at most " +
           cost::toText(most / std::max<int64_t>(nics, 1)) + " with " +
           cost::toText(nics) + " NICs each on a tree of " +
           cost::toText(tiers) + (tiers == 1 ? " tier" : " tiers") +
           " of switches with " + cost::toText(k) + " ports, got " +
           cost::toText(options.servers);
  return "";
}

static std::string checkTorus(const NetworkOptions &options) {
  if (options.torus.empty())
    return "";
  int64_t product = 1;
  for (int64_t side : options.torus) {
    if (auto wrong = checkInteger("torus", side, 1, kMostServers);
        !wrong.empty())
      return wrong;
    product *= side;
    if (product > kMostServers)
      break;
  }
  if (product == options.servers)
    return "";
  return "torus: expected sides whose product is the " +
         cost::toText(options.servers) + " servers, got " +
         cost::toText(product);
}

std::string moe::fabric::checkNetwork(const NetworkOptions &options) {
  if (auto wrong = checkInteger("servers", options.servers, 1, kMostServers);
      !wrong.empty())
    return wrong;
  if (auto wrong = checkInteger("NICs of a server", options.nics, 1, kMostNics);
      !wrong.empty())
    return wrong;
  if (!(options.nicRate > 0) || !std::isfinite(options.nicRate))
    return "rate of a NIC: expected a finite number above 0, got " +
           cost::toText(options.nicRate);
  for (double share : {options.headerShare, options.answerShare})
    if (!(share >= 0) || !std::isfinite(share))
      return "packets: expected finite shares of at least 0 for headers and "
             "answers, got " +
             cost::toText(share);
  if (!(options.latency >= 0) || !std::isfinite(options.latency))
    return "latency: expected a finite number of at least 0, got " +
           cost::toText(options.latency);
  if (options.kind == FabricKind::MFabric) {
    if (auto wrong = checkInteger("optical NICs", options.opticalNics, 0,
                                  options.nics - 1);
        !wrong.empty())
      return wrong;
    if (!(options.packetRate > 0) || !std::isfinite(options.packetRate))
      return "rate of NICs on packets over that of others: expected a finite "
             "number above 0, got " +
             cost::toText(options.packetRate);
    if (auto wrong = checkInteger(
            "ports of a circuit switch", options.opticalPorts,
            2 * std::max<int64_t>(options.opticalNics, 1), 1 << 20);
        !wrong.empty())
      return wrong;
  }
  if (!options.sharesNics &&
      (!isTree(options.kind) || options.kind == FabricKind::MFabric))
    return std::string("NICs: expected them to be shared by a server's ranks "
                       "on ") +
           std::string(getName(options.kind)) + ", got one for each rank";
  if (isTree(options.kind))
    if (auto wrong = checkTree(options); !wrong.empty())
      return wrong;
  if (options.kind == FabricKind::Torus)
    if (auto wrong = checkTorus(options); !wrong.empty())
      return wrong;
  for (Nic nic : options.failed)
    if (nic.server < 0 || nic.server >= options.servers || nic.nic < 0 ||
        nic.nic >= options.nics)
      return "failed NICs: expected servers in [0, " +
             cost::toText(options.servers) + ") and NICs in [0, " +
             cost::toText(options.nics) + "), got " +
             cost::toText(nic.server) + ":" + cost::toText(nic.nic);
  std::vector<Nic> sorted = options.failed;
  std::sort(sorted.begin(), sorted.end());
  if (auto twice = std::adjacent_find(sorted.begin(), sorted.end());
      twice != sorted.end())
    return "failed NICs: expected each once, got " +
           cost::toText(twice->server) + ":" +
           cost::toText(twice->nic) + " twice";
  return "";
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

int64_t Network::addClass(std::string name, int64_t count) {
  auto first = static_cast<int64_t>(links.size());
  if (count > 0)
    classes.push_back({std::move(name), first, count});
  links.resize(links.size() + static_cast<size_t>(count));
  return first;
}

cost::Result<Network>
Network::create(const NetworkOptions &options,
                const std::vector<CircuitPair> &circuits) {
  if (std::string wrong = checkNetwork(options); !wrong.empty())
    return cost::Failure{wrong};
  Network network(options);
  if (isTree(options.kind))
    network.addTree();
  if (options.kind == FabricKind::Torus || options.kind == FabricKind::Ring)
    network.addTorus();
  auto added = network.addCircuits(circuits);
  if (!added)
    return added.getFailure();
  return network;
}

cost::Result<bool>
Network::addCircuits(const std::vector<CircuitPair> &circuits) {
  circuitsOf.resize(static_cast<size_t>(options.servers));
  firstCircuit =
      addClass("circuits", 2 * static_cast<int64_t>(circuits.size()));
  int64_t link = firstCircuit;
  bool takesCircuits = options.kind == FabricKind::TopoOpt ||
                       options.kind == FabricKind::MFabric;
  for (auto [first, second, count] : circuits) {
    if (!takesCircuits || first == second || count < 1 ||
        std::min(first, second) < 0 ||
        std::max(first, second) >= options.servers)
      return cost::Failure{"expected circuits of different servers in [0, " +
                           cost::toText(options.servers) +
                           ") of a fabric with "
                           "circuits, got " +
                           cost::toText(count) + " from " +
                           cost::toText(first) + " to " +
                           cost::toText(second)};
    for (auto [from, to] :
         {std::pair(first, second), std::pair(second, first)}) {
      circuitsOf[static_cast<size_t>(from)].push_back({to, link, count});
      circuitEnds.push_back({from, to});
      links[static_cast<size_t>(link++)].capacity = options.nicRate * count;
    }
  }
  for (auto &own : circuitsOf)
    std::sort(own.begin(), own.end(),
              [](const Circuit &a, const Circuit &b) { return a.to < b.to; });
  return true;
}

const LinkClass &Network::getClass(int64_t link) const {
  auto after = std::upper_bound(
      classes.begin(), classes.end(), link,
      [](int64_t l, const LinkClass &own) { return l < own.first; });
  return *std::prev(after);
}

std::string Network::getName(int64_t link) const {
  const LinkClass &own = getClass(link);
  int64_t place = link - own.first;
  if (own.name == "circuits") {
    auto [from, to] = circuitEnds[static_cast<size_t>(place)];
    return "circuits " + cost::toText(from) + " to " +
           cost::toText(to);
  }
  // The first word of a class name is the owner of the link, the second its
  // direction.
  size_t blank = own.name.find(' ');
  std::string of = own.name.substr(0, blank), way = own.name.substr(blank);
  if (!sides.empty()) {
    auto ports = static_cast<int64_t>(2 * sides.size());
    return of + " " + cost::toText(place / ports) + way + " " +
           cost::toText(place % ports);
  }
  if (of == "server") {
    int64_t ends = options.sharesNics ? 1 : treeNics;
    return of + " " + cost::toText(place / ends) +
           (ends > 1 ? " NIC " + cost::toText(place % ends) : "") + way;
  }
  int64_t parallel = of == "leaf" ? uplinks : coreLinks;
  return of + " " + cost::toText(place / parallel) + way +
         (parallel > 1 ? " " + cost::toText(place % parallel) : "");
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

cost::Result<Way> Network::getWay(NetworkEnd from, NetworkEnd to,
                                  uint64_t flow) const {
  if (from.server == to.server)
    return Way();
  Way way;
  switch (options.kind) {
  case FabricKind::FatTree:
  case FabricKind::Rail:
  case FabricKind::MFabric:
    way = getTreeWay(from, to, flow);
    break;
  case FabricKind::Torus:
  case FabricKind::Ring:
    way = getTorusWay(from.server, to.server);
    break;
  case FabricKind::TopoOpt:
    return getForwardedWay(from.server, to.server);
  }
  for (const LinkUse &use : way.uses)
    if (!(links[static_cast<size_t>(use.link)].capacity > 0))
      return cost::Failure{"expected a way from server " +
                           cost::toText(from.server) + " to server " +
                           cost::toText(to.server) + ", but " +
                           getName(use.link) + " carries nothing"};
  return way;
}

Way Network::getCircuitWay(int64_t from, int64_t to) const {
  for (const Circuit &circuit : circuitsOf[static_cast<size_t>(from)])
    if (circuit.to == to)
      return {{{circuit.link, 1}}, 1};
  return {};
}

cost::Result<int64_t> Network::findRelay(int64_t server) const {
  std::vector<int64_t> queue{server};
  std::vector<bool> isReached(static_cast<size_t>(options.servers));
  isReached[static_cast<size_t>(server)] = true;
  for (size_t k = 0; k < queue.size(); ++k) {
    if (countWorking(queue[k]) > 0)
      return queue[k];
    for (const Circuit &circuit : circuitsOf[static_cast<size_t>(queue[k])])
      if (!isReached[static_cast<size_t>(circuit.to)]) {
        isReached[static_cast<size_t>(circuit.to)] = true;
        queue.push_back(circuit.to);
      }
  }
  return cost::Failure{"expected packets or circuits that lead from server " +
                       cost::toText(server) +
                       " to other regions, got neither"};
}

cost::Result<Way> Network::getRelayedWay(int64_t from, int64_t to,
                                         uint64_t flow) const {
  auto first = findRelay(from), last = findRelay(to);
  for (auto *relay : {&first, &last})
    if (!*relay)
      return relay->getFailure();
  Way all;
  auto add = [&](cost::Result<Way> way) -> std::optional<cost::Failure> {
    if (!way)
      return way.getFailure();
    all.uses.insert(all.uses.end(), way->uses.begin(), way->uses.end());
    all.hops += way->hops;
    return std::nullopt;
  };
  // Regions share no circuits, so no link is crossed twice.
  if (*first != from)
    if (auto failure = add(getForwardedWay(from, *first)))
      return *failure;
  if (auto failure = add(getWay({*first, 0}, {*last, 0}, flow)))
    return *failure;
  if (*last != to)
    if (auto failure = add(getForwardedWay(*last, to)))
      return *failure;
  return all;
}

/// Uses the fewest forwarding servers. All paths of this length are used, with
/// shares proportional to their circuits.
cost::Result<Way> Network::getForwardedWay(int64_t from, int64_t to) const {
  // Distances of servers from the end, up to the distance of the start.
  std::vector<std::pair<int64_t, int64_t>> queue{{to, 0}};
  std::vector<int32_t> distance(static_cast<size_t>(options.servers), -1);
  distance[static_cast<size_t>(to)] = 0;
  for (size_t k = 0; k < queue.size(); ++k) {
    auto [server, far] = queue[k];
    if (distance[static_cast<size_t>(from)] >= 0)
      break;
    for (const Circuit &circuit : circuitsOf[static_cast<size_t>(server)])
      if (int32_t &next = distance[static_cast<size_t>(circuit.to)]; next < 0) {
        next = static_cast<int32_t>(far + 1);
        queue.push_back({circuit.to, far + 1});
      }
  }
  int32_t far = distance[static_cast<size_t>(from)];
  if (far < 0)
    return cost::Failure{"expected a way from server " +
                         cost::toText(from) + " to server " +
                         cost::toText(to) + ", circuits give none"};
  Way way;
  way.hops = far;
  std::vector<std::pair<int64_t, double>> here{{from, 1.0}};
  for (; far > 0; --far) {
    std::vector<std::pair<int64_t, double>> next;
    for (auto [server, share] : here) {
      int64_t all = 0;
      auto isNext = [&](const Circuit &circuit) {
        return distance[static_cast<size_t>(circuit.to)] == far - 1;
      };
      for (const Circuit &circuit : circuitsOf[static_cast<size_t>(server)])
        all += isNext(circuit) ? circuit.count : 0;
      for (const Circuit &circuit : circuitsOf[static_cast<size_t>(server)]) {
        if (!isNext(circuit))
          continue;
        double part = share * circuit.count / static_cast<double>(all);
        way.uses.push_back({circuit.link, part});
        auto known = std::find_if(next.begin(), next.end(), [&](auto &own) {
          return own.first == circuit.to;
        });
        if (known == next.end())
          next.push_back({circuit.to, part});
        else
          known->second += part;
      }
    }
    here = std::move(next);
  }
  return way;
}
