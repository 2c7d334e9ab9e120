// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks of MoE layers for tests.

#ifndef MOE_UNITTESTS_SCHEDULE_RANDOMNETWORKS_H
#define MOE_UNITTESTS_SCHEDULE_RANDOMNETWORKS_H

#include "moe/Schedule/GradientPartition.h"
#include <cmath>
#include <optional>
#include <random>

namespace moe::schedule {

/// Returns the backward phase of a layer on testbed A or B of SPEC FS-9.
inline LinearPhase makePhase(std::mt19937_64 &random, bool isB) {
  auto pick = [&](std::initializer_list<double> values) {
    return values.begin()[random() % values.size()];
  };
  double ranks = isB ? 4 : 8, hidden = pick({1024, 2048, 4096});
  double elements = 2 * pick({1, 1.2, 2.4}) * pick({1, 2, 4}) *
                    pick({256, 512, 1024, 2048}) * hidden;
  double gemms = 2 * pick({2, 3});
  double macs = elements * hidden * pick({2, 3, 4}) / ranks * gemms;
  LinearPhase phase;
  if (isB) {
    phase.dispatch = {175, 1.224e-3 * elements / ranks};
    phase.allGather = {32, 6.72e-4 * elements};
    phase.reduceScatter = {39.1, 6.68e-4 * elements};
    phase.experts = {gemms * 92.4, 1.354e-7 * macs};
  } else {
    phase.dispatch = {287, 2.054e-3 * elements / ranks};
    phase.allGather = {337, 2.32e-4 * elements};
    phase.reduceScatter = {395, 2.34e-4 * elements};
    phase.experts = {gemms * 42.6, 6.534e-8 * macs};
  }
  phase.combine = phase.dispatch;
  return phase;
}

struct Network {
  std::vector<GeneralizedLayer> layers;
  /// One entry per layer; empty if the layer has no MoE part.
  std::vector<std::optional<LinearPhase>> phases;
  LinearTime allReduce;
};

inline Network makeNetwork(std::mt19937_64 &random, size_t maxLayers) {
  bool isB = random() % 2;
  auto uniform = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  Network network;
  network.allReduce =
      isB ? LinearTime{83.7, 2.396e-3} : LinearTime{511, 4.95e-3};
  // Ranges from much work that hides gradients to many gradients.
  double scale = std::exp(uniform(-3, 1.5));
  size_t numLayers = 1 + random() % maxLayers;
  for (size_t i = 0; i < numLayers; ++i) {
    GeneralizedLayer layer;
    if (random() % 8)
      layer.gradientElements = int64_t(scale * uniform(0, 1e7));
    if (random() % 4)
      layer.denseUs = uniform(0, 2e4);
    network.phases.emplace_back();
    if (random() % 8) {
      network.phases.back() = makePhase(random, isB);
      layer.moe = getBackwardChoices(*network.phases.back(), 16);
    }
    network.layers.push_back(std::move(layer));
  }
  return network;
}

/// Returns a network with MoE parts that have choices of all kinds, so that the
/// best choice of each depends on all the others.
inline Network makeHardNetwork(std::mt19937_64 &random, size_t maxLayers) {
  auto uniform = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  Network network;
  network.allReduce = {uniform(0, 20), uniform(0.5, 2)};
  size_t numLayers = 1 + random() % maxLayers;
  for (size_t i = 0; i < numLayers; ++i) {
    GeneralizedLayer layer;
    if (random() % 4)
      layer.gradientElements = int64_t(uniform(0, 150));
    if (random() % 2)
      layer.denseUs = uniform(0, 30);
    if (random() % 4)
      for (int64_t degree = 1; degree <= 6; ++degree) {
        double aloneUs = uniform(100, 200);
        layer.moe.push_back({degree, aloneUs, uniform(0.3, 1) * aloneUs});
      }
    network.layers.push_back(std::move(layer));
    network.phases.emplace_back();
  }
  return network;
}

/// Returns the most that rounding to whole elements may cost: one element's
/// time per slot.
inline double getRoundingUs(const Network &network) {
  return double(2 * network.layers.size() + 1) * network.allReduce.slopeUs +
         1e-6;
}

} // namespace moe::schedule

#endif // MOE_UNITTESTS_SCHEDULE_RANDOMNETWORKS_H
