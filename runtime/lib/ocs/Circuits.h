// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-connects and their differences.

#ifndef MOERT_OCS_CIRCUITS_H
#define MOERT_OCS_CIRCUITS_H

#include "core/Status.h"
#include <cstdint>
#include <set>
#include <vector>

namespace moert {

/// A cross-connect.
struct Circuit {
  int32_t in = 0, out = 0;

  friend auto operator<=>(const Circuit &, const Circuit &) = default;
};

/// The ports where a caller may take circuits down.
struct OwnedPorts {
  /// Empty if the caller owns no known port, or all ports.
  std::set<int32_t> listed;
  /// Whether the caller owns all ports of the switch.
  bool all = false;
};

/// The changes from one set of cross-connects to another.
struct CircuitDifference {
  /// Cross-connects to take down first, and to set up afterwards.
  std::vector<Circuit> removed, added;

  bool isEmpty() const { return removed.empty() && added.empty(); }
};

/// Checks requested cross-connects: ports are at least 1, each port is in only
/// one cross-connect and, if ports are listed, is in the list.
Status verifyCircuits(const std::vector<Circuit> &circuits,
                      const OwnedPorts &owned);

/// Computes the fewest changes after which the switch has the cross-connects
/// `wanted` (SPEC MF-14). Existing wanted ones stay untouched, and all others
/// at owned ports are removed; cross-connects of other ports stay. Fails if an
/// unwanted cross-connect joins an owned port with one that is not owned,
/// because it belongs to another user, and if one would have to be removed
/// although the configuration names no owned ports.
Status computeDifference(const std::vector<Circuit> &present,
                         const std::vector<Circuit> &wanted,
                         const OwnedPorts &owned,
                         CircuitDifference &difference);

} // namespace moert

#endif // MOERT_OCS_CIRCUITS_H
