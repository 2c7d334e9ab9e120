// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What servers send servers.

#ifndef MOE_LIB_FABRIC_SERVERBYTES_H
#define MOE_LIB_FABRIC_SERVERBYTES_H

#include "moe/Fabric/NetworkExchange.h"

namespace moe::fabric {

/// Bytes between two different servers, or ends of them.
struct ServerBytes {
  NetworkEnd from, to;
  double bytes = 0;
};

/// Messages added up by servers, or by their NICs where ranks do not share
/// these, ascending; bytes inside of servers in `kept`. Fails for ranks beyond
/// the servers.
cost::Result<std::vector<ServerBytes>>
addUpServers(const FabricOptions &options,
             const std::vector<RankMessage> &messages, double &kept);

/// Servers of an mFabric whose circuits are planned together.
struct FabricRegion {
  /// Ascending.
  std::vector<int64_t> servers;
  Demand demand;
  Ports ports;
};

/// The regions of what servers send: consecutive servers of one circuit switch,
/// and of these each set of servers that send to each other.
std::vector<FabricRegion> findRegions(const FabricOptions &options,
                                      const std::vector<ServerBytes> &bytes);

/// NICs of a server on circuits that do not work.
int64_t countFailedOptical(const NetworkOptions &options, int64_t server);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_SERVERBYTES_H
