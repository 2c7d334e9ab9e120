//===- FabricCost.h - Collectives as flows over a fabric ------ -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_FABRIC_FABRICCOST_H
#define MOE_FABRIC_FABRICCOST_H

#include "moe/Cost/Traffic.h"
#include "moe/Fabric/NetworkExchange.h"

#include <map>

namespace moe::fabric {

/// The messages of a collective of all groups at once. All-to-alls send each
/// block on its own; the others go round rings, a rank sending the next of its
/// group what SPEC CC-2 says. Fails as `cost::getSentBytes` does.
cost::Result<std::vector<RankMessage>>
makeRankMessages(const cost::RankGroups &groups, const cost::Traffic &traffic);

/// Prices collectives of a machine by their flows over a fabric, in place of
/// the machine's levels outside of servers. Remembers what it has priced.
class FabricPricer {
public:
  explicit FabricPricer(FabricOptions options) : options(std::move(options)) {}

  /// What lies inside of servers takes what `cost::getTrafficCost` says, what
  /// leaves them its flows, and both go on at once. Circuits are planned for
  /// the collective: all of its groups have them when it begins. Fails as these
  /// do, and when no level of the machine spans just a server.
  cost::Result<cost::Microseconds> getTime(const cost::Machine &machine,
                                           const cost::RankGroups &groups,
                                           const cost::Traffic &traffic);

  const FabricOptions &getOptions() const { return options; }

private:
  FabricOptions options;
  /// Times of flows by what ranks send.
  std::map<std::vector<double>, double> known;
};

} // namespace moe::fabric

#endif // MOE_FABRIC_FABRICCOST_H
