// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small regions to plan for.

#ifndef MOE_UNITTESTS_FABRIC_REGIONS_H
#define MOE_UNITTESTS_FABRIC_REGIONS_H

#include "moe/Fabric/Plan.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace moe::fabric {

/// Calls `visit` with all circuits that the ports allow.
inline void
forEachCircuits(int64_t n, int64_t degree,
                const std::function<void(const Circuits &)> &visit) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j)
      pairs.push_back({i, j});
  Circuits circuits(n);
  std::vector<int64_t> open(n, degree);
  std::function<void(size_t)> extend = [&](size_t at) {
    if (at == pairs.size())
      return visit(circuits);
    auto [i, j] = pairs[at];
    int64_t most = std::min(open[i], open[j]);
    for (int64_t count = 0; count <= most; ++count) {
      circuits.at(i, j) = circuits.at(j, i) = int32_t(count);
      open[i] -= count;
      open[j] -= count;
      extend(at + 1);
      open[i] += count;
      open[j] += count;
    }
    circuits.at(i, j) = circuits.at(j, i) = 0;
  };
  extend(0);
}

/// Returns the least time over all circuits.
inline double getLeastTime(const Demand &demand, const Ports &ports) {
  double least = std::numeric_limits<double>::infinity();
  forEachCircuits(demand.getSize(), ports.opticalDegree,
                  [&](const Circuits &circuits) {
                    least = std::min(least, getTime(demand, circuits, ports));
                  });
  return least;
}

/// Lognormal with sigma 1, by popularity of experts, or with a few large pairs.
enum class Kind { Lognormal, Zipf, Elephants };

/// Draws the demand between servers as gates produce it.
inline Demand draw(std::mt19937 &random, int64_t n, Kind kind) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> popularity(n);
  for (int64_t i = 0; i < n; ++i)
    popularity[i] = std::pow(i + 1, -1.2);
  std::shuffle(popularity.begin(), popularity.end(), random);
  Demand demand(n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (i != j)
        demand.at(i, j) = kind == Kind::Lognormal ? std::exp(normal(random))
                          : kind == Kind::Zipf
                              ? popularity[j] * (0.8 + 0.4 * uniform(random))
                          : uniform(random) < 0.15 ? 5 + 10 * uniform(random)
                                                   : 0.05 * uniform(random);
  return demand;
}

} // namespace moe::fabric

#endif // MOE_UNITTESTS_FABRIC_REGIONS_H
