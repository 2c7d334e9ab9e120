// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of fabrics.

#include "moe/Fabric/Prices.h"
#include "moe/Cost/FormatNumber.h"

#include <cmath>

using namespace moe;
using namespace moe::fabric;

static std::string check(const PriceOptions &options) {
  auto isIn = [](int64_t value, int64_t min, int64_t max) {
    return value >= min && value <= max;
  };
  if (options.kind == FabricKind::Torus || options.kind == FabricKind::Ring)
    return "expected fat-tree, rail, topoopt or mfabric, for which there is a "
           "rule, got " +
           std::string(getName(options.kind));
  if (!isIn(options.servers, 1, int64_t(1) << 31))
    return "servers: expected an integer in [1, 2147483648], got " +
           cost::toText(options.servers);
  if (!isIn(options.nics, 1, 64))
    return "NICs of a server: expected an integer in [1, 64], got " +
           cost::toText(options.nics);
  if (options.kind == FabricKind::MFabric &&
      !isIn(options.opticalNics, 0, options.nics))
    return "optical NICs: expected an integer in [0, " +
           cost::toText(options.nics) + "], got " +
           cost::toText(options.opticalNics);
  if (!isIn(options.tiers, 1, 3))
    return "tiers: expected an integer in [1, 3], got " +
           cost::toText(options.tiers);
  if (!(options.oversubscription > 0) ||
      !std::isfinite(options.oversubscription))
    return "oversubscription: expected a finite number above 0, got " +
           cost::toText(options.oversubscription);
  if (options.hostCable &&
      (!(*options.hostCable >= 0) || !std::isfinite(*options.hostCable)))
    return "host link: expected a finite number of dollars of at least 0, "
           "got " +
           cost::toText(*options.hostCable);
  return "";
}

cost::Result<FabricPrice>
moe::fabric::getFabricPrice(const PriceOptions &options, const Prices &prices) {
  if (std::string wrong = check(options); !wrong.empty())
    return cost::Failure{wrong};
  auto nics = static_cast<double>(options.nics), onTree = nics, optical = 0.0;
  if (options.kind == FabricKind::TopoOpt)
    onTree = 0;
  else if (options.kind == FabricKind::MFabric)
    onTree = nics - static_cast<double>(options.opticalNics);
  optical = nics - onTree;
  // Links above the leaves per NIC below them.
  double above =
      static_cast<double>(options.tiers - 1) / options.oversubscription;
  double hostLinks = options.hostCable ? 0 : 1;
  double links = onTree * (hostLinks + above) + optical;
  FabricPrice price;
  auto add = [&](const char *name, double count, double dollars) {
    if (count == 0)
      return;
    price.parts.push_back({name, count, count * dollars});
    price.perServer += count * dollars;
  };
  add("NICs", nics, prices.nic);
  add("switch ports", onTree * (1 + 2 * above), prices.switchPort);
  // A circuit has a transceiver at the server but none at the optical switch.
  add("transceivers", onTree * 2 * (hostLinks + above) + optical,
      prices.transceiver);
  bool isPanel = options.kind == FabricKind::TopoOpt;
  add(isPanel ? "patch panel ports" : "circuit switch ports", optical,
      isPanel ? prices.patchPort : prices.ocsPort);
  if (prices.fibre > 0)
    add("fibres", links, prices.fibre);
  if (options.hostCable)
    add("host cables", onTree, *options.hostCable);
  price.total = price.perServer * static_cast<double>(options.servers);
  return price;
}
