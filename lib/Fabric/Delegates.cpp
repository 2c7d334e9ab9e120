// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Delegate ranks at the ends of circuits.

#include "moe/Fabric/Delegates.h"

using namespace moe;
using namespace moe::fabric;

cost::Result<DelegateMap> moe::fabric::mapDelegates(const Circuits &circuits,
                                                    const NicLayout &layout,
                                                    int64_t epsNics,
                                                    int64_t places) {
  int64_t n = circuits.getSize();
  if (places < 1)
    return cost::Failure{"expected at least 1 rank a server, got " +
                         std::to_string(places)};
  // By [from][to], the places at both ends of each circuit.
  std::vector<std::vector<DelegateMap::Pair>> ways(static_cast<size_t>(n * n));
  auto getPlace = [&](int64_t nic, int64_t nics) {
    return nic * places / nics;
  };
  if (layout.opticalDegree > 0) {
    auto mapped = mapNics(circuits, layout);
    if (!mapped)
      return mapped.getFailure();
    for (const Link &link : mapped->links) {
      int64_t a = getPlace(link.first.nic, layout.opticalDegree),
              b = getPlace(link.second.nic, layout.opticalDegree);
      int64_t i = link.first.server, j = link.second.server;
      ways[static_cast<size_t>(i * n + j)].push_back({a, b});
      ways[static_cast<size_t>(j * n + i)].push_back({b, a});
    }
  }
  DelegateMap map(n, places);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      if (i == j)
        continue;
      const auto &circuitsOf = ways[static_cast<size_t>(i * n + j)];
      if (circuitsOf.empty() && epsNics < 1)
        return cost::Failure{
            "expected a circuit or an EPS NIC between servers " +
            std::to_string(i) + " and " + std::to_string(j) + ", got neither"};
      for (int64_t to = 0; to < places; ++to) {
        if (!circuitsOf.empty()) {
          map.at(i, j, to) =
              circuitsOf[static_cast<size_t>(to) % circuitsOf.size()];
          continue;
        }
        // Neighboring servers start with different NICs.
        int64_t place = getPlace((to + i + j) % epsNics, epsNics);
        map.at(i, j, to) = {place, place};
      }
    }
  return map;
}
