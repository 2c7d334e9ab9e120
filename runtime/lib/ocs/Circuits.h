// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-connects and what changes them.

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

/// The ports that somebody may take circuits down at.
struct OwnedPorts {
  /// Empty when no port is known to be the caller's, or all are.
  std::set<int32_t> listed;
  /// Whatever the switch has.
  bool all = false;
};

/// What leads from some cross-connects to others.
struct CircuitDifference {
  /// To take down first, and to set up then.
  std::vector<Circuit> removed, added;

  bool isEmpty() const { return removed.empty() && added.empty(); }
};

/// Checks cross-connects that somebody asks for: ports are numbers from 1 on,
/// each in one of them only and, where ports are listed, one of those.
Status verifyCircuits(const std::vector<Circuit> &circuits,
                      const OwnedPorts &owned);

/// The fewest changes after which the switch has the cross-connects `wanted`
/// (SPEC MF-14): one that is there already stays untouched, every other one
/// that holds an owned port goes. Cross-connects of ports that are not owned
/// stay. Fails when one joins an owned port with a foreign one that is not
/// wanted: somebody else's; and when one would have to go though nobody said
/// which ports are owned.
Status computeDifference(const std::vector<Circuit> &present,
                         const std::vector<Circuit> &wanted,
                         const OwnedPorts &owned,
                         CircuitDifference &difference);

} // namespace moert

#endif // MOERT_OCS_CIRCUITS_H
