// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured rates of platforms.

#include "moe/Platform/Rates.h"

#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;

Microseconds HostCost::getLayer(int64_t tp) const {
  const OfLayer *below = nullptr, *above = nullptr;
  for (const OfLayer &entry : layers) {
    if (entry.tp <= tp)
      below = &entry;
    if (entry.tp >= tp && !above)
      above = &entry;
  }
  if (!below || !above || below == above)
    return (below ? below : above)->layer;
  double share = std::log(double(tp) / double(below->tp)) /
                 std::log(double(above->tp) / double(below->tp));
  return below->layer * (1 - share) + above->layer * share;
}

const Dispatcher *MeasuredRates::findDispatcher(std::string_view name) const {
  auto it = std::find_if(
      dispatchers.begin(), dispatchers.end(),
      [&](const Dispatcher &dispatcher) { return dispatcher.name == name; });
  return it == dispatchers.end() ? nullptr : &*it;
}

const HostCost *MeasuredRates::findHost(std::string_view framework,
                                        bool cudaGraphs) const {
  auto it = std::find_if(hosts.begin(), hosts.end(), [&](const HostCost &host) {
    return host.framework == framework && host.cudaGraphs == cudaGraphs;
  });
  return it == hosts.end() ? nullptr : &*it;
}
