// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of fabrics.
//
// The price of a cluster's network (SPEC MF-13, MF-16): NICs, and for each NIC
// its ports, transceivers and fibres, wherever these are.

#ifndef MOE_FABRIC_PRICES_H
#define MOE_FABRIC_PRICES_H

#include "moe/Fabric/Network.h"

namespace moe::fabric {

/// Dollars per component, for links of one rate.
struct Prices {
  double nic = 0, transceiver = 0, switchPort = 0, ocsPort = 0, patchPort = 0;
  /// Price of a fibre between two transceivers.
  double fibre = 0;
};

struct PriceOptions {
  FabricKind kind = FabricKind::FatTree;
  int64_t servers = 1;
  int64_t nics = 8;
  /// Number of NICs on the circuit switch of an mFabric.
  int64_t opticalNics = 6;
  /// Tiers of switches, 1 to 3, and oversubscription of leaves.
  int64_t tiers = 3;
  double oversubscription = 1;
  /// Price of a cable from NIC to leaf, used instead of two transceivers and a
  /// fibre.
  std::optional<double> hostCable;
};

/// The number of one component per server, and its price in dollars.
struct PricePart {
  std::string name;
  double count = 0, dollars = 0;
};

/// Prices per server, and in total.
struct FabricPrice {
  std::vector<PricePart> parts;
  double perServer = 0, total = 0;
};

/// Computes the price of the ports in use. A NIC of a tree needs a port at its
/// leaf, and, for each higher tier, two ports and two transceivers divided by
/// the oversubscription. An optical NIC needs a transceiver and a port of the
/// circuit switch or patch panel (SPEC MF-13, MF-16). Fails for a torus or
/// ring, because no published rule exists, and for numbers out of range.
cost::Result<FabricPrice> getFabricPrice(const PriceOptions &options,
                                         const Prices &prices);

} // namespace moe::fabric

#endif // MOE_FABRIC_PRICES_H
