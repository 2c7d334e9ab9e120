// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exchanges take on a fabric.

//
// Messages between the ranks of a cluster as flows over its fabric: bytes of
// one server stay inside of it, those of others go over its NICs.
//
//===----------------------------------------------------------------------===//

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
  /// Consecutive ranks of a server.
  int64_t serverRanks = 8;
  /// Servers that have failed, and those on which their ranks are instead.
  std::vector<std::pair<int64_t, int64_t>> moved = {};
  /// mFabric (SPEC MF-4).
  Routing routing = Routing::Split;
  Effort effort = Effort::Fast;

  /// Where the ranks of a server are.
  int64_t getPlace(int64_t server) const {
    for (auto [failed, spare] : moved)
      if (failed == server)
        return spare;
    return server;
  }
};

/// The circuits for messages: on mFabric of each region on its own, whose
/// servers are consecutive and as many as its switch has ports for; on TopoOpt
/// of all servers, such that all that send to each other are joined, be it over
/// others (SPEC MF-16). None on other fabrics. Equal regions are planned once.
/// Fails as `checkNetwork` does, and for ranks that the cluster lacks.
cost::Result<std::vector<CircuitPair>>
planFabricCircuits(const FabricOptions &options,
                   const std::vector<RankMessage> &messages);

/// Any circuits, to compare with (SPEC MF-21): of each region's servers as many
/// as their NICs allow, drawn; equal for an equal seed.
cost::Result<std::vector<CircuitPair>>
drawFabricCircuits(const FabricOptions &options,
                   const std::vector<RankMessage> &messages, uint64_t seed);

/// Circuits of which none ends at a NIC that has failed, those of the least
/// demand being given up (SPEC MF-22).
cost::Result<std::vector<CircuitPair>>
trimFabricCircuits(const FabricOptions &options,
                   const std::vector<CircuitPair> &circuits,
                   const std::vector<RankMessage> &messages);

/// mFabric: the regions, by the number of their switch, in which a server has
/// no NIC on packets that works. Others forward for it, so that circuits of the
/// region have to join all that send to each other (SPEC MF-22).
std::vector<int64_t> listCutOffRegions(const FabricOptions &options);

/// What an exchange took.
struct FabricExchange {
  /// Of the network, whose links have been crossed by so many bytes.
  std::shared_ptr<const Network> network;
  FlowTimes times;
  int64_t numFlows = 0;
  /// By server, when the last flow ends that it sends or receives.
  std::vector<double> serverEnds;
  /// Between servers, and inside of them.
  double sentBytes = 0, keptBytes = 0;
};

/// Simulates messages that start together over `circuits`, if the fabric has
/// any. Fails as the network does, for ranks that the cluster lacks, and where
/// bytes have no way.
cost::Result<FabricExchange>
runFabricExchange(const FabricOptions &options,
                  const std::vector<RankMessage> &messages,
                  const std::vector<CircuitPair> &circuits = {},
                  const FlowProgress &progress = {});

} // namespace moe::fabric

#endif // MOE_FABRIC_NETWORKEXCHANGE_H
