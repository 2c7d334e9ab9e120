// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures of fabrics.

#ifndef MOE_FABRIC_FAILURES_H
#define MOE_FABRIC_FAILURES_H

#include "moe/Fabric/NetworkExchange.h"

namespace moe::fabric {

/// The failed parts of a fabric (SPEC MF-22).
struct Failures {
  /// NICs, including failures of their port or cable.
  std::vector<Nic> nics = {};
  /// Whole servers. Their ranks move to spare servers, which have the numbers
  /// after all others.
  std::vector<int64_t> servers = {};
  /// Leaf switches of a tree. In rails, the switch of NIC k of group g has the
  /// number g * NICs + k; in other trees, a leaf connects whole servers.
  std::vector<int64_t> leaves = {};
  /// Number of switches above the leaves of a tree, or of planes of them.
  int64_t spines = 0;
  /// For mFabric: circuit switches, one per region; or all of them.
  std::vector<int64_t> circuitSwitches = {};
  bool allCircuits = false;

  bool isEmpty() const {
    return nics.empty() && servers.empty() && leaves.empty() && spines == 0 &&
           circuitSwitches.empty() && !allCircuits;
  }
};

/// Returns a fabric with failures. Fails if the fabric lacks the failed part,
/// or if nothing of the kind remains. The failure names the invalid number.
cost::Result<FabricOptions> applyFailures(const FabricOptions &whole,
                                          const Failures &failures);

} // namespace moe::fabric

#endif // MOE_FABRIC_FAILURES_H
