// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Delegate ranks at the ends of circuits.
//
// Ranks of different servers exchange data through delegates, which are the
// ranks at the NICs of the links between the two servers (SPEC MF-9).

#ifndef MOE_FABRIC_DELEGATES_H
#define MOE_FABRIC_DELEGATES_H

#include "moe/Fabric/NicAssignment.h"

namespace moe::fabric {

/// The delegate places of servers.
class DelegateMap {
public:
  DelegateMap(int64_t servers, int64_t places)
      : servers(servers), places(places),
        pairs(static_cast<size_t>(servers * servers * places)) {}

  /// The places at both ends of a link.
  struct Pair {
    int64_t sends = 0, receives = 0;
  };
  /// Returns the delegates through which server `from` sends to place `to` of
  /// another server `toServer`.
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

/// Assigns delegates to servers with `places` places each. NIC k of n, on
/// circuits or on EPS, is at place k * places / n. Pairs with circuits use only
/// these, each for the same number of places up to one, with the NICs from
/// `mapNics`; other pairs use the EPS NICs in turn. Fails like `mapNics`, and
/// if two servers have neither.
cost::Result<DelegateMap> mapDelegates(const Circuits &circuits,
                                       const NicLayout &layout, int64_t epsNics,
                                       int64_t places);

} // namespace moe::fabric

#endif // MOE_FABRIC_DELEGATES_H
