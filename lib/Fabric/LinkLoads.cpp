// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of the links of a fabric.

#include "moe/Fabric/LinkLoads.h"

#include <algorithm>
#include <tuple>

using namespace moe;
using namespace moe::fabric;

void LinkLoadSum::add(const FabricExchange &exchange, double times) {
  const Network &network = *exchange.network;
  double us = exchange.times.makespan * times;
  for (const LinkClass &own : network.getClasses()) {
    auto [found, isNew] = classes.try_emplace(own.name);
    if (isNew) {
      found->second.name = own.name;
      order.push_back(own.name);
    }
    found->second.links = std::max(found->second.links, own.count);
    for (int64_t l = own.first; l < own.first + own.count; ++l) {
      double bytes = exchange.times.linkBytes[size_t(l)] * times;
      double most = network.getLinks()[size_t(l)].capacity * us;
      found->second.bytes += bytes;
      found->second.most += most;
      if (bytes == 0)
        continue;
      LinkLoad &load = links[network.getName(l)];
      load.className = own.name;
      load.place = l - own.first;
      load.bytes += bytes;
      load.most += most;
    }
  }
}

LinkLoads LinkLoadSum::get() const {
  LinkLoads loads;
  std::map<std::string, ClassLoad> byClass = classes;
  for (const auto &[name, load] : links) {
    loads.links.push_back(load);
    loads.links.back().name = name;
    ClassLoad &own = byClass[load.className];
    own.busiest = std::max(own.busiest, load.getUtilisation());
  }
  std::sort(loads.links.begin(), loads.links.end(),
            [](const LinkLoad &a, const LinkLoad &b) {
              return std::tuple(-a.getUtilisation(), a.className, a.place) <
                     std::tuple(-b.getUtilisation(), b.className, b.place);
            });
  for (const std::string &name : order)
    loads.classes.push_back(byClass[name]);
  return loads;
}
