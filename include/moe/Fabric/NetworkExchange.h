// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges on a fabric.
//
// Messages between the ranks of a cluster as flows over its fabric: bytes
// within the same server stay inside it, and bytes between servers use their
// NICs.

#ifndef MOE_FABRIC_NETWORKEXCHANGE_H
#define MOE_FABRIC_NETWORKEXCHANGE_H

#include "moe/Fabric/FlowSimulation.h"
#include "moe/Fabric/Network.h"
#include "moe/Fabric/Plan.h"

#include <algorithm>
#include <memory>

namespace moe::fabric {

/// Bytes from one rank of the cluster to another.
struct RankMessage {
  int64_t from = 0, to = 0;
  double bytes = 0;
};

struct FabricOptions {
  NetworkOptions network;
  /// Number of consecutive ranks per server.
  int64_t serverRanks = 8;
  /// Failed servers, and the servers that their ranks have moved to.
  std::vector<std::pair<int64_t, int64_t>> moved = {};
  /// For mFabric (SPEC MF-4).
  Routing routing = Routing::Split;
  Effort effort = Effort::Fast;

  /// Returns the server that now has the ranks of `server`.
  int64_t getPlace(int64_t server) const {
    for (auto [failed, spare] : moved)
      if (failed == server)
        return spare;
    return server;
  }
};

/// Plans circuits for messages. On mFabric, each region is planned separately;
/// its servers are consecutive and as many as its switch has ports for. On
/// TopoOpt, all servers are planned together so that all that send to each
/// other are connected, possibly through others (SPEC MF-16). Other fabrics
/// have no circuits. Equal regions are planned once. Fails like `checkNetwork`,
/// and for ranks that the cluster lacks.
cost::Result<std::vector<CircuitPair>>
planFabricCircuits(const FabricOptions &options,
                   const std::vector<RankMessage> &messages);

/// Draws random circuits for comparison (SPEC MF-21): as many between the
/// servers of each region as their NICs allow. An equal seed gives equal
/// circuits.
cost::Result<std::vector<CircuitPair>>
drawFabricCircuits(const FabricOptions &options,
                   const std::vector<RankMessage> &messages, uint64_t seed);

/// Removes circuits that end at failed NICs, those with the least demand first
/// (SPEC MF-22).
cost::Result<std::vector<CircuitPair>>
trimFabricCircuits(const FabricOptions &options,
                   const std::vector<CircuitPair> &circuits,
                   const std::vector<RankMessage> &messages);

/// For mFabric, lists the regions, by the number of their switch, with a server
/// without working NICs on the packet network. Other servers forward for it, so
/// the region's circuits must connect all servers that send to each other (SPEC
/// MF-22).
std::vector<int64_t> listCutOffRegions(const FabricOptions &options);

struct FabricExchange {
  /// The network; `times` has the bytes that crossed its links.
  std::shared_ptr<const Network> network;
  FlowTimes times;
  int64_t numFlows = 0;
  /// By server, the end of the last flow that it sends or receives.
  std::vector<double> serverEnds;
  /// Bytes between servers, and inside them.
  double sentBytes = 0, keptBytes = 0;
};

/// Simulates messages that start together over `circuits`, if the fabric has
/// any. Fails like the network, for ranks that the cluster lacks, and if some
/// bytes have no path.
cost::Result<FabricExchange>
runFabricExchange(const FabricOptions &options,
                  const std::vector<RankMessage> &messages,
                  const std::vector<CircuitPair> &circuits = {},
                  const FlowProgress &progress = {});

} // namespace moe::fabric

#endif // MOE_FABRIC_NETWORKEXCHANGE_H
