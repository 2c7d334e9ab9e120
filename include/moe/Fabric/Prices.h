// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What fabrics cost.

//
// What the network of a cluster costs (SPEC MF-13, MF-16): NICs, and for each
// the ports, transceivers and fibres that it takes, wherever those are.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_FABRIC_PRICES_H
#define MOE_FABRIC_PRICES_H

#include "moe/Fabric/Network.h"

namespace moe::fabric {

/// Dollars of one of each, for links of one rate.
struct Prices {
  double nic = 0, transceiver = 0, switchPort = 0, ocsPort = 0, patchPort = 0;
  /// Of a link of two transceivers.
  double fibre = 0;
};

struct PriceOptions {
  FabricKind kind = FabricKind::FatTree;
  int64_t servers = 1;
  int64_t nics = 8;
  /// Those of an mFabric that are on its circuit switch.
  int64_t opticalNics = 6;
  /// Of switches, 1 to 3, and what leaves are oversubscribed.
  int64_t tiers = 3;
  double oversubscription = 1;
  /// A cable from NIC to leaf with its price, in place of two transceivers and
  /// a fibre.
  std::optional<double> hostCable;
};

/// How many of one component a server takes, and dollars for these.
struct PricePart {
  std::string name;
  double count = 0, dollars = 0;
};

/// Of a server, and of all.
struct FabricPrice {
  std::vector<PricePart> parts;
  double perServer = 0, total = 0;
};

/// Only the ports in use count. A NIC of a tree takes a port at its leaf and,
/// of each tier above, two ports and two transceivers over the
/// oversubscription; an optical NIC a transceiver and a port of the circuit
/// switch or patch panel (SPEC MF-13, MF-16). Fails for a torus or ring, for
/// which nobody states a rule, and for numbers out of range.
cost::Result<FabricPrice> getFabricPrice(const PriceOptions &options,
                                         const Prices &prices);

} // namespace moe::fabric

#endif // MOE_FABRIC_PRICES_H
