// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks at the ends of circuits.
//
// What ranks of a server send ranks of another one goes through delegates, at
// whose NICs the ways between the two servers end (SPEC MF-9).

#ifndef MOE_FABRIC_DELEGATES_H
#define MOE_FABRIC_DELEGATES_H

#include "moe/Fabric/NicAssignment.h"

namespace moe::fabric {

/// Which places of servers are delegates.
class DelegateMap {
public:
  DelegateMap(int64_t servers, int64_t places)
      : servers(servers), places(places),
        pairs(static_cast<size_t>(servers * servers * places)) {}

  /// The places at both ends of a way.
  struct Pair {
    int64_t sends = 0, receives = 0;
  };
  /// Those through which server `from` sends place `to` of server `toServer`,
  /// another one.
  Pair &at(int64_t from, int64_t toServer, int64_t to) {
    return pairs[getIndex(from, toServer, to)];
  }
  const Pair &at(int64_t from, int64_t toServer, int64_t to) const {
    return pairs[getIndex(from, toServer, to)];
  }

  int64_t getNumServers() const { return servers; }
  int64_t getNumPlaces() const { return places; }

private:
  size_t getIndex(int64_t from, int64_t toServer, int64_t to) const {
    return static_cast<size_t>((from * servers + toServer) * places + to);
  }

  int64_t servers, places;
  std::vector<Pair> pairs;
};

/// The delegates of servers with so many places each. NIC k of n, on circuits
/// or on EPS, is at place k * places / n. Pairs with circuits use these alone,
/// each for as many places as the others to one more or less, with their NICs
/// as of `mapNics`; others the EPS NICs in turn. Fails as `mapNics` does, and
/// for two servers with neither.
cost::Result<DelegateMap> mapDelegates(const Circuits &circuits,
                                       const NicLayout &layout, int64_t epsNics,
                                       int64_t places);

} // namespace moe::fabric

#endif // MOE_FABRIC_DELEGATES_H
