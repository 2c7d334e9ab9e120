// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which NICs circuits are plugged into.

#ifndef MOE_FABRIC_NICASSIGNMENT_H
#define MOE_FABRIC_NICASSIGNMENT_H

#include "moe/Fabric/Circuits.h"

#include <compare>

namespace moe::fabric {

/// A NIC of a server on the circuit switch, from 0 on.
struct Nic {
  int64_t server = 0, nic = 0;

  friend auto operator<=>(const Nic &, const Nic &) = default;
};

/// Where the NICs of servers are, all servers alike.
struct NicLayout {
  /// NICs of a server on the circuit switch.
  int64_t opticalDegree = 0;
  /// NUMA nodes of a server, from 1 to its NICs; NIC k of d is on node
  /// k * nodes / d.
  int64_t numaNodes = 1;
  /// NIC k of each server is on a switch of its own, k, and reaches NICs k
  /// only. At most 64 then.
  bool hasPlanes = false;
  /// NICs that do not work, or whose port of the switch does not; in any order.
  std::vector<Nic> failed = {};

  int64_t getNode(int64_t nic) const { return nic * numaNodes / opticalDegree; }
};

/// A circuit with its ends; that of the lower server is first.
struct Link {
  Nic first, second;
};

struct NicMapping {
  /// By servers, then by NICs.
  std::vector<Link> links;
  /// Links that share a NUMA node with another one of their pair though the
  /// servers' nodes would be enough for all of these; 0 where NICs allow.
  int64_t crowded = 0;
};

/// What is wrong with a layout for so many servers; empty when nothing is.
std::string checkLayout(const NicLayout &layout, int64_t numServers);

/// How many optical NICs of each server have failed: what `Ports` reads.
std::vector<int64_t> countFailed(const NicLayout &layout, int64_t numServers);

/// Which NICs circuits are plugged into: each in one circuit at most, the
/// circuits of a pair on as many NUMA nodes of both servers as can be (SPEC
/// MF-6, GetNICMapping and permuteLinks). With a switch for each NIC this is an
/// edge colouring with as many colours as NICs, which need not exist; fails
/// then, saying so, or that none was found where looking through all would take
/// too long. Also fails for a wrong layout and servers with more circuits than
/// NICs that work.
cost::Result<NicMapping> mapNics(const Circuits &circuits,
                                 const NicLayout &layout);

} // namespace moe::fabric

#endif // MOE_FABRIC_NICASSIGNMENT_H
