// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures of fabrics.

#include "moe/Fabric/Failures.h"

#include <algorithm>
#include <set>

using namespace moe;
using namespace moe::fabric;

static cost::Failure failOf(const char *what, int64_t number, int64_t count,
                            FabricKind kind) {
  std::string of = std::string(getName(kind));
  if (count == 0)
    return cost::Failure{std::string("expected no ") + what + " of " + of +
                         " to fail, which has none, got " +
                         std::to_string(number)};
  return cost::Failure{std::string("expected a ") + what + " of " + of +
                       " in [0, " + std::to_string(count) + "), got " +
                       std::to_string(number)};
}

/// A number that is given twice is most likely a mistake.
static std::optional<cost::Failure>
failTwice(const char *what, std::vector<int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice == numbers.end())
    return std::nullopt;
  return cost::Failure{std::string("expected each ") + what + " once, got " +
                       std::to_string(*twice) + " twice"};
}

/// Adds the NICs at failed circuit switches.
static std::optional<cost::Failure> failCircuits(const NetworkOptions &network,
                                                 const Failures &failures,
                                                 std::set<Nic> &failed) {
  bool hasCircuits = network.kind == FabricKind::MFabric;
  int64_t ofSwitch = std::max<int64_t>(1, network.getRegionServers());
  int64_t switches =
      hasCircuits ? (network.servers + ofSwitch - 1) / ofSwitch : 0;
  if (failures.allCircuits && !hasCircuits)
    return failOf("circuit switch", 0, 0, network.kind);
  if (auto failure = failTwice("circuit switch", failures.circuitSwitches))
    return failure;
  for (int64_t number : failures.circuitSwitches)
    if (number < 0 || number >= switches)
      return failOf("circuit switch", number, switches, network.kind);
  for (int64_t number = 0; number < switches; ++number)
    if (failures.allCircuits ||
        std::count(failures.circuitSwitches.begin(),
                   failures.circuitSwitches.end(), number))
      for (int64_t s = number * ofSwitch;
           s < std::min(network.servers, (number + 1) * ofSwitch); ++s)
        for (int64_t k = 0; k < network.opticalNics; ++k)
          failed.insert({s, k});
  return std::nullopt;
}

/// Adds the NICs at failed leaves of a tree, and reduces the capacity above
/// leaves.
static std::optional<cost::Failure> failSwitches(const Network &made,
                                                 NetworkOptions &network,
                                                 const Failures &failures,
                                                 std::set<Nic> &failed) {
  if (auto failure = failTwice("leaf switch", failures.leaves))
    return failure;
  for (int64_t leaf : failures.leaves) {
    if (leaf < 0 || leaf >= made.getNumLeafSwitches())
      return failOf("leaf switch", leaf, made.getNumLeafSwitches(),
                    network.kind);
    for (Nic nic : made.listLeafNics(leaf))
      failed.insert(nic);
  }
  if (failures.spines > 0) {
    if (failures.spines >= made.getNumSpines())
      return failOf(made.getNumSpines() ? "number of spines" : "spine",
                    failures.spines, made.getNumSpines(), network.kind);
    network.failedSpines = failures.spines;
  }
  return std::nullopt;
}

cost::Result<FabricOptions>
moe::fabric::applyFailures(const FabricOptions &whole,
                           const Failures &failures) {
  FabricOptions left = whole;
  NetworkOptions &network = left.network;
  std::set<Nic> failed(network.failed.begin(), network.failed.end());
  for (int64_t server : failures.servers) {
    if (server < 0 || server >= whole.network.servers)
      return failOf("server", server, whole.network.servers, network.kind);
    if (left.getPlace(server) != server)
      return cost::Failure{"expected each server once, got " +
                           std::to_string(server) + " twice"};
    left.moved.push_back({server, network.servers++});
    for (int64_t k = 0; k < network.nics; ++k)
      failed.insert({server, k});
  }
  auto made = Network::create(network);
  if (!made)
    return made.getFailure();
  for (size_t k = 0; k < failures.nics.size(); ++k) {
    const Nic &nic = failures.nics[k];
    if (std::count(failures.nics.begin(), failures.nics.end(), nic) > 1)
      return cost::Failure{"expected each NIC once, got " +
                           std::to_string(nic.server) + ":" +
                           std::to_string(nic.nic) + " twice"};
    failed.insert(nic);
  }
  if (auto failure = failSwitches(*made, network, failures, failed))
    return *failure;
  if (auto failure = failCircuits(network, failures, failed))
    return *failure;
  network.failed.assign(failed.begin(), failed.end());
  if (std::string wrong = checkNetwork(network); !wrong.empty())
    return cost::Failure{wrong};
  return left;
}
