// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees of switches, and grids of servers.

#include "moe/Fabric/Network.h"

#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::fabric;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

double Network::countWorking(int64_t server) const {
  int64_t first = options.kind == FabricKind::MFabric ? options.opticalNics : 0;
  int64_t working = options.nics - first;
  for (Nic nic : options.failed)
    working -= nic.server == server && nic.nic >= first;
  return static_cast<double>(working);
}

/// A leaf is one switch; for rails with shared NICs, the switches of a group of
/// servers; and if a server has more NICs than a switch has downward ports, the
/// switches of that server. Trunks carry the rate of the NICs below, divided by
/// the oversubscription, and pods as much as their leaves.
void Network::addTree() {
  treeNics = options.nics -
             (options.kind == FabricKind::MFabric ? options.opticalNics : 0);
  int64_t n = options.servers, ports = options.switchPorts, down = ports / 2;
  int64_t all = n * treeNics;
  tiers = options.tiers.value_or(all <= ports          ? 1
                                 : all <= ports * down ? 2
                                                       : 3);
  bool isRail = options.kind == FabricKind::Rail;
  leafServers = isRail ? down : std::max<int64_t>(1, down / treeNics);
  if (tiers == 1)
    leafServers = n;
  bool hasRails = isRail && !options.sharesNics;
  int64_t groups = (n + leafServers - 1) / leafServers;
  leaves = hasRails ? groups * treeNics : groups;
  // The number of switches at the bottom of a pod is the number of downward
  // ports of one switch.
  int64_t switchesOfLeaf =
      hasRails ? 1 : std::max<int64_t>(1, leafServers * treeNics / down);
  podLeaves = tiers < 3 ? leaves : std::max<int64_t>(1, down / switchesOfLeaf);
  pods = (leaves + podLeaves - 1) / podLeaves;
  auto nicsOfLeaf =
      static_cast<double>(leafServers * (hasRails ? 1 : treeNics));
  int64_t allSpines =
      std::max<int64_t>(1, std::llround(nicsOfLeaf / options.oversubscription));
  spines = tiers < 2 ? 0 : allSpines;
  int64_t left = std::max<int64_t>(1, allSpines - options.failedSpines);
  if (!options.isMultiPath) {
    uplinks = left;
    coreLinks = uplinks * podLeaves;
  }

  int64_t ends = options.sharesNics ? 1 : treeNics;
  hostUp = addClass("server up", n * ends);
  hostDown = addClass("server down", n * ends);
  std::vector<double> below(static_cast<size_t>(leaves));
  double nicRate = options.nicRate;
  if (options.kind == FabricKind::MFabric)
    nicRate *= options.packetRate;
  for (int64_t s = 0; s < n; ++s)
    for (int64_t k = 0; k < ends; ++k) {
      int64_t end = s * ends + k;
      double rate = nicRate;
      if (options.sharesNics)
        rate *= countWorking(s);
      for (Nic nic : options.failed)
        if (!options.sharesNics && nic == Nic{s, k})
          rate = 0;
      links[static_cast<size_t>(hostUp + end)].capacity = rate;
      links[static_cast<size_t>(hostDown + end)].capacity = rate;
      below[static_cast<size_t>(getLeaf({s, k}))] +=
          nicRate * static_cast<double>(options.sharesNics ? treeNics : 1);
    }
  if (tiers < 2)
    return;
  leafUp = addClass("leaf up", leaves * uplinks);
  leafDown = addClass("leaf down", leaves * uplinks);
  std::vector<double> ofPod(static_cast<size_t>(pods));
  for (int64_t leaf = 0; leaf < leaves; ++leaf) {
    double trunk = below[static_cast<size_t>(leaf)] / options.oversubscription *
                   static_cast<double>(left) / static_cast<double>(allSpines);
    ofPod[static_cast<size_t>(leaf / podLeaves)] += trunk;
    for (int64_t k = 0; k < uplinks; ++k)
      for (int64_t first : {leafUp, leafDown})
        links[static_cast<size_t>(first + leaf * uplinks + k)].capacity =
            trunk / static_cast<double>(uplinks);
  }
  if (tiers < 3)
    return;
  podUp = addClass("pod up", pods * coreLinks);
  podDown = addClass("pod down", pods * coreLinks);
  for (int64_t pod = 0; pod < pods; ++pod)
    for (int64_t k = 0; k < coreLinks; ++k)
      for (int64_t first : {podUp, podDown})
        links[static_cast<size_t>(first + pod * coreLinks + k)].capacity =
            ofPod[static_cast<size_t>(pod)] / static_cast<double>(coreLinks);
}

int64_t Network::getNumLeafSwitches() const {
  // In rails, a leaf is the switch for one NIC of a group.
  bool joins = options.kind == FabricKind::Rail && options.sharesNics;
  return joins ? leaves * treeNics : leaves;
}

std::vector<Nic> Network::listLeafNics(int64_t leaf) const {
  std::vector<Nic> nics;
  bool isRail = options.kind == FabricKind::Rail;
  for (int64_t s = 0; s < options.servers; ++s)
    for (int64_t k = 0; k < treeNics; ++k)
      if ((isRail ? s / leafServers * treeNics + k : getLeaf({s, k})) == leaf)
        nics.push_back({s, options.nics - treeNics + k});
  return nics;
}

int64_t Network::getEnd(NetworkEnd end) const {
  return options.sharesNics ? end.server : end.server * treeNics + end.nic;
}

int64_t Network::getLeaf(NetworkEnd end) const {
  int64_t group = end.server / leafServers;
  bool hasRails = options.kind == FabricKind::Rail && !options.sharesNics;
  return hasRails ? group * treeNics + end.nic : group;
}

/// Hashes a number (the finalizer of SplitMix64).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

Way Network::getTreeWay(NetworkEnd from, NetworkEnd to, uint64_t flow) const {
  // In rails, data is first forwarded inside the server to the rank with a NIC
  // on the receiver's rail. If either NIC has failed, the next rail with both
  // NICs is used.
  if (options.kind == FabricKind::Rail) {
    for (int64_t k = 0; k < treeNics && !options.sharesNics; ++k) {
      NetworkEnd next{to.server, (to.nic + k) % treeNics};
      if (links[static_cast<size_t>(hostDown + getEnd(next))].capacity > 0 &&
          links[static_cast<size_t>(hostUp + getEnd({from.server, next.nic}))]
                  .capacity > 0) {
        to = next;
        break;
      }
    }
    from.nic = to.nic;
  }
  int64_t leafFrom = getLeaf(from), leafTo = getLeaf(to);
  Way way{{{hostUp + getEnd(from), 1}, {hostDown + getEnd(to), 1}}, 2};
  if (leafFrom == leafTo)
    return way;
  auto spine = static_cast<int64_t>(mix(flow) % static_cast<uint64_t>(uplinks));
  way.uses.push_back({leafUp + leafFrom * uplinks + spine, 1});
  way.uses.push_back({leafDown + leafTo * uplinks + spine, 1});
  way.hops = 4;
  int64_t podFrom = leafFrom / podLeaves, podTo = leafTo / podLeaves;
  if (podFrom == podTo)
    return way;
  // Spines with the same number share their own cores.
  int64_t core = 0;
  if (coreLinks > 1)
    core = spine * podLeaves +
           static_cast<int64_t>(mix(flow ^ 0x5bf0'3635) %
                                static_cast<uint64_t>(podLeaves));
  way.uses.push_back({podUp + podFrom * coreLinks + core, 1});
  way.uses.push_back({podDown + podTo * coreLinks + core, 1});
  way.hops = 6;
  return way;
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Returns three sides with product n, as equal as possible; sides of 1 are
/// left out.
static std::vector<int64_t> findSides(int64_t n) {
  std::vector<int64_t> best{n};
  int64_t least = n;
  for (int64_t a = 1; a * a * a <= n; ++a)
    if (n % a == 0)
      for (int64_t b = a; a * b * b <= n; ++b)
        if (n / a % b == 0 && n / a / b < least) {
          least = n / a / b;
          best = {a, b, n / a / b};
        }
  std::erase(best, 1);
  return best;
}

/// Each of d sides has links in both directions, with 1 / (2 d) of the server's
/// NICs each.
void Network::addTorus() {
  if (options.kind == FabricKind::Ring)
    sides = {options.servers};
  else
    sides = options.torus.empty() ? findSides(options.servers) : options.torus;
  std::erase(sides, 1);
  if (sides.empty())
    return;
  auto d = static_cast<int64_t>(sides.size());
  gridLinks = addClass("server out", options.servers * 2 * d);
  for (int64_t s = 0; s < options.servers; ++s)
    for (int64_t k = 0; k < 2 * d; ++k)
      links[static_cast<size_t>(gridLinks + s * 2 * d + k)].capacity =
          options.nicRate * countWorking(s) / static_cast<double>(2 * d);
}

/// Traverses one direction after the other, each the shorter way, or half of
/// the data each way if both are equally long.
Way Network::getTorusWay(int64_t from, int64_t to) const {
  auto d = static_cast<int64_t>(sides.size());
  Way way;
  int64_t here = from, stride = options.servers;
  for (int64_t k = 0; k < d; ++k) {
    int64_t side = sides[static_cast<size_t>(k)];
    stride /= side;
    int64_t at = here / stride % side, goal = to / stride % side;
    int64_t forward = (goal - at + side) % side, back = side - forward;
    if (forward == 0)
      continue;
    auto go = [&](int64_t steps, int64_t step, int64_t port, double share) {
      for (int64_t k2 = 0, place = at; k2 < steps; ++k2) {
        int64_t server = here + (place - at) * stride;
        way.uses.push_back({gridLinks + server * 2 * d + port, share});
        place = (place + step + side) % side;
      }
    };
    if (forward <= back)
      go(forward, 1, 2 * k, forward == back ? 0.5 : 1);
    if (back <= forward)
      go(back, -1, 2 * k + 1, forward == back ? 0.5 : 1);
    way.hops += std::min(forward, back);
    here += (goal - at) * stride;
  }
  return way;
}
