// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignment of circuits to NICs.

#ifndef MOE_FABRIC_NICASSIGNMENT_H
#define MOE_FABRIC_NICASSIGNMENT_H

#include "moe/Fabric/Circuits.h"

#include <compare>

namespace moe::fabric {

/// A NIC of a server on the circuit switch; numbers start at 0.
struct Nic {
  int64_t server = 0, nic = 0;

  friend auto operator<=>(const Nic &, const Nic &) = default;
};

/// The NICs of servers; all servers are alike.
struct NicLayout {
  /// NICs per server on the circuit switch.
  int64_t opticalDegree = 0;
  /// NUMA nodes per server, at least 1 and at most its NICs; NIC k of d is on
  /// node k * nodes / d.
  int64_t numaNodes = 1;
  /// If set, NIC k of each server is on a separate switch k, and reaches only
  /// NICs k. The maximum is then 64 NICs.
  bool hasPlanes = false;
  /// Failed NICs, including failures of their port of the switch; in any order.
  std::vector<Nic> failed = {};

  int64_t getNode(int64_t nic) const { return nic * numaNodes / opticalDegree; }
};

/// A circuit with its ends, the lower server first.
struct Link {
  Nic first, second;
};

struct NicMapping {
  /// Links sorted by servers, then by NICs.
  std::vector<Link> links;
  /// Number of links that share a NUMA node with another link of their pair
  /// although the servers have enough nodes; 0 if NICs permit.
  int64_t crowded = 0;
};

/// Returns why a layout for this number of servers is invalid; empty if valid.
std::string checkLayout(const NicLayout &layout, int64_t numServers);

/// Returns the number of failed optical NICs of each server, as used by
/// `Ports`.
std::vector<int64_t> countFailed(const NicLayout &layout, int64_t numServers);

/// Assigns circuits to NICs: each NIC has at most one circuit, and the circuits
/// of a pair are on as many NUMA nodes of both servers as possible (SPEC MF-6,
/// GetNICMapping and permuteLinks). With a separate switch for each NIC, this
/// is an edge coloring with as many colors as NICs, which may not exist. The
/// function then fails with that reason, or reports that it found none if an
/// exhaustive search would take too long. Also fails for an invalid layout, and
/// for servers with more circuits than working NICs.
cost::Result<NicMapping> mapNics(const Circuits &circuits,
                                 const NicLayout &layout);

} // namespace moe::fabric

#endif // MOE_FABRIC_NICASSIGNMENT_H
