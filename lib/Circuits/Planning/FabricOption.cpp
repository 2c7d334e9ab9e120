// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that describe a fabric.

#include "moe/Circuits/FabricOption.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace moe;
using namespace moe::fabric;

std::string FabricOption::findLonely() const {
  for (const IntegerOption *option :
       {&servers, &nics, &serverRanks, &switchPorts, &tiers, &opticalNics,
        &opticalPorts})
    if (option->isSet())
      return option->getName().str();
  for (const NumberOption *option : {&rate, &oversubscription, &latency})
    if (option->isSet())
      return option->getName().str();
  for (const TextOption *option : {&path, &nicUse, &packet, &torus, &failed})
    if (option->isSet())
      return option->getName().str();
  return "";
}

/// Parses "4x4x2" as sides.
static bool parseSides(llvm::StringRef text, std::vector<int64_t> &sides) {
  llvm::SmallVector<llvm::StringRef> items;
  text.split(items, 'x');
  for (llvm::StringRef item : items) {
    sides.emplace_back();
    if (item.getAsInteger(10, sides.back()) || sides.back() < 1)
      return false;
  }
  return true;
}

/// Maximum bytes of data, header or answer per packet.
static constexpr int64_t kMostPacketBytes = 1 << 20;

/// Parses "4000:64:80" as fractions of the first number.
static bool parsePacket(llvm::StringRef text, NetworkOptions &network) {
  llvm::SmallVector<llvm::StringRef> items;
  text.split(items, ':');
  int64_t bytes[3];
  if (items.size() != 3)
    return false;
  for (size_t k = 0; k < 3; ++k)
    if (items[k].getAsInteger(10, bytes[k]) || bytes[k] < (k == 0) ||
        bytes[k] > kMostPacketBytes)
      return false;
  network.headerShare = double(bytes[1]) / double(bytes[0]);
  network.answerShare = double(bytes[2]) / double(bytes[0]);
  return true;
}

cost::Result<FabricOptions> FabricOption::read(int64_t ranks,
                                               int64_t ranksDefault) const {
  FabricOptions options;
  options.serverRanks = ranksDefault;
  NetworkOptions &network = options.network;
  if (!isSet())
    return failMissing("fabric");
  std::optional<FabricKind> named = parseFabricKind(kind.get());
  if (!named)
    return cost::Failure{"--fabric: expected fat-tree, rail, topoopt, mfabric, "
                         "torus or ring, got '" +
                         kind.get() + "'"};
  network.kind = *named;
  auto isFor = [&](llvm::StringRef option, bool isSet,
                   std::initializer_list<FabricKind> kinds)
      -> std::optional<cost::Failure> {
    if (!isSet || llvm::is_contained(kinds, *named))
      return std::nullopt;
    return cost::Failure{"--" + option.str() +
                         " is not supported with --fabric=" + kind.get()};
  };
  using enum FabricKind;
  for (auto failure :
       {isFor("oversubscription", oversubscription.isSet(),
              {FatTree, Rail, MFabric}),
        isFor("switch-ports", switchPorts.isSet(), {FatTree, Rail, MFabric}),
        isFor("tiers", tiers.isSet(), {FatTree, Rail, MFabric}),
        isFor("path", path.isSet(), {FatTree, Rail, MFabric}),
        isFor("nic-use", nicUse.isSet(), {FatTree, Rail}),
        isFor("optical-nics", opticalNics.isSet(), {MFabric}),
        isFor("ocs-ports", opticalPorts.isSet(), {MFabric}),
        isFor("torus", torus.isSet(), {Torus})})
    if (failure)
      return *failure;
  std::optional<int64_t> numTiers;
  if (auto failure = tiers.readIfSet(numTiers))
    return *failure;
  network.tiers = numTiers;
  struct {
    const IntegerOption &option;
    int64_t &value;
  } integers[] = {{nics, network.nics},
                  {serverRanks, options.serverRanks},
                  {switchPorts, network.switchPorts},
                  {opticalNics, network.opticalNics},
                  {opticalPorts, network.opticalPorts}};
  for (auto &[option, value] : integers) {
    cost::Result<int64_t> read = option.read(value);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  double gbps = 400;
  struct {
    const NumberOption &option;
    double &value;
  } numbers[] = {{rate, gbps},
                 {oversubscription, network.oversubscription},
                 {latency, network.latency}};
  for (auto &[option, value] : numbers) {
    cost::Result<double> read = option.read(value);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  network.nicRate = gbps * 125;
  int64_t needed = (ranks + options.serverRanks - 1) / options.serverRanks;
  cost::Result<int64_t> numServers = servers.read(std::max<int64_t>(needed, 1));
  if (!numServers)
    return numServers.getFailure();
  network.servers = *numServers;
  if (network.servers < needed)
    return cost::Failure{"--servers: expected at least " +
                         std::to_string(needed) + " for " +
                         std::to_string(ranks) + " ranks, " +
                         std::to_string(options.serverRanks) +
                         " per server, got " + std::to_string(network.servers)};
  struct {
    const TextOption &option;
    llvm::StringRef first, second;
    bool &isFirst;
  } words[] = {{path, "multi", "single", network.isMultiPath},
               {nicUse, "shared", "own", network.sharesNics}};
  for (auto &[option, first, second, isFirst] : words) {
    if (option != first && option != second)
      return cost::Failure{("--" + option.getName() + ": expected " + first +
                            " or " + second + ", got '" + option.get() + "'")
                               .str()};
    isFirst = option == first;
  }
  if (packet.isSet() && !parsePacket(packet.get(), network))
    return cost::Failure{
        "--packet: expected PAYLOAD:HEADER:ACK in whole bytes, "
        "PAYLOAD above 0, such as 4000:64:80, at most " +
        std::to_string(kMostPacketBytes) + " each, got '" + packet.get() + "'"};
  if (torus.isSet() && !parseSides(torus.get(), network.torus))
    return cost::Failure{
        "--torus: expected servers per dimension, such as 4x4x2, got '" +
        torus.get() + "'"};
  if (std::string wrong = checkNetwork(network); !wrong.empty())
    return cost::Failure{"--fabric=" + kind.get() + ": " + wrong};
  return options;
}

cost::Result<Failures> moe::parseFailures(llvm::StringRef list) {
  Failures failures;
  llvm::SmallVector<llvm::StringRef> items;
  list.split(items, ',');
  for (llvm::StringRef item : items) {
    auto [of, number] = item.split(':');
    int64_t place = 0;
    bool isNumber = !number.getAsInteger(10, place) && place >= 0;
    Nic nic;
    if (item == "ocs") {
      failures.allCircuits = true;
    } else if (isNumber && of == "server") {
      failures.servers.push_back(place);
    } else if (isNumber && of == "leaf") {
      failures.leaves.push_back(place);
    } else if (isNumber && of == "ocs") {
      failures.circuitSwitches.push_back(place);
    } else if (isNumber && of == "spines" && place > 0) {
      failures.spines += place;
    } else if (isNumber && !of.getAsInteger(10, nic.server)) {
      nic.nic = place;
      failures.nics.push_back(nic);
    } else {
      return cost::Failure{
          ("--failed: expected a comma-separated list of SERVER:NIC, server:S, "
           "leaf:K, spines:N, ocs:R or ocs, got '" +
           item + "'")
              .str()};
    }
  }
  return failures;
}

cost::Result<FabricOptions>
FabricOption::applyFailures(const FabricOptions &whole) const {
  if (!hasFailures())
    return whole;
  auto failures = parseFailures(failed.get());
  if (!failures)
    return failures.getFailure();
  auto left = fabric::applyFailures(whole, *failures);
  if (!left)
    return cost::Failure{"--failed: " + left.getError()};
  return left;
}
