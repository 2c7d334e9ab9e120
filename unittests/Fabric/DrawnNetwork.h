// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links and flows drawn at random.

#ifndef MOE_UNITTESTS_FABRIC_DRAWNNETWORK_H
#define MOE_UNITTESTS_FABRIC_DRAWNNETWORK_H

#include "moe/Fabric/FairRates.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace moe::fabric {

struct DrawnNetwork {
  std::vector<FairLink> links;
  std::vector<FairFlow> flows;
};

/// Draws a small network, with integers only if `isExact`.
inline DrawnNetwork drawNetwork(std::mt19937 &random, bool isExact) {
  DrawnNetwork network;
  auto uniform = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  size_t links = 1 + random() % 8, flows = 1 + random() % 12;
  for (size_t l = 0; l < links; ++l) {
    double exponent = uniform(-6, 6);
    network.links.push_back(
        {isExact ? double(1 + random() % 20) : std::pow(10., exponent)});
    if (!isExact && random() % 6 == 0)
      network.links.back().sharing = Sharing::FatPipe;
  }
  for (size_t f = 0; f < flows; ++f) {
    FairFlow flow;
    std::vector<int64_t> order(links);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    order.resize(1 + random() % std::min<size_t>(links, 4));
    for (int64_t l : order)
      flow.uses.push_back({l, isExact        ? double(1 + random() % 3)
                              : random() % 2 ? 1
                                             : uniform(.01, 3)});
    flow.penalty = isExact        ? double(1 + random() % 3)
                   : random() % 2 ? 1
                                  : uniform(.1, 10);
    network.flows.push_back(flow);
  }
  return network;
}

} // namespace moe::fabric

#endif // MOE_UNITTESTS_FABRIC_DRAWNNETWORK_H
