// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes between servers.

#ifndef MOE_LIB_FABRIC_SERVERBYTES_H
#define MOE_LIB_FABRIC_SERVERBYTES_H

#include "moe/Fabric/NetworkExchange.h"

namespace moe::fabric {

/// Bytes between two different servers, or between ends of them.
struct ServerBytes {
  NetworkEnd from, to;
  double bytes = 0;
};

/// Sums messages by servers, or by their NICs if ranks do not share these, in
/// ascending order; `kept` returns the bytes inside servers. Fails for ranks
/// beyond the servers.
cost::Result<std::vector<ServerBytes>>
addUpServers(const FabricOptions &options,
             const std::vector<RankMessage> &messages, double &kept);

/// Servers of an mFabric with circuits that are planned together.
struct FabricRegion {
  /// Server numbers, ascending.
  std::vector<int64_t> servers;
  Demand demand;
  Ports ports;
};

/// Returns the regions of the traffic: for each circuit switch with its
/// consecutive servers, each set of servers that send to each other.
std::vector<FabricRegion> findRegions(const FabricOptions &options,
                                      const std::vector<ServerBytes> &bytes);

/// Returns the number of a server's failed NICs on circuits.
int64_t countFailedOptical(const NetworkOptions &options, int64_t server);

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_SERVERBYTES_H
