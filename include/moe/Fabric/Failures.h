// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a fabric does not work.

#ifndef MOE_FABRIC_FAILURES_H
#define MOE_FABRIC_FAILURES_H

#include "moe/Fabric/NetworkExchange.h"

namespace moe::fabric {

/// What has failed (SPEC MF-22).
struct Failures {
  /// NICs, or what they are plugged into: a port, a cable.
  std::vector<Nic> nics = {};
  /// Whole servers: their ranks are on spare ones, which stand behind all
  /// others.
  std::vector<int64_t> servers = {};
  /// Leaf switches of a tree: of rails the switch of NIC k of group g is
  /// g * NICs + k, of other trees a leaf is where whole servers are joined.
  std::vector<int64_t> leaves = {};
  /// Switches of a tree that leaves lead to, or planes of these.
  int64_t spines = 0;
  /// mFabric: circuit switches, each that of a region; all of them.
  std::vector<int64_t> circuitSwitches = {};
  bool allCircuits = false;

  bool isEmpty() const {
    return nics.empty() && servers.empty() && leaves.empty() && spines == 0 &&
           circuitSwitches.empty() && !allCircuits;
  }
};

/// A fabric with failures. Fails, naming what is not there, for failures of
/// what it lacks, and when nothing of the kind is left.
cost::Result<FabricOptions> applyFailures(const FabricOptions &whole,
                                          const Failures &failures);

} // namespace moe::fabric

#endif // MOE_FABRIC_FAILURES_H
