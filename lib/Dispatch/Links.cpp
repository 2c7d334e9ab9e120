// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links between pairs of devices.

#include "moe/Dispatch/Links.h"
#include <cmath>

using namespace moe;
using namespace moe::dispatch;

cost::Result<Links> Links::create(const Topology &topology,
                                  const std::vector<Link> &levels, Link local) {
  int64_t expected = topology.isRing() ? 1 : topology.getNumLevels();
  if (static_cast<int64_t>(levels.size()) != expected)
    return cost::Failure{"expected links of " + std::to_string(expected) +
                         (expected == 1 ? " level" : " levels") +
                         " for topology " + topology.print() + ", got " +
                         std::to_string(levels.size())};
  Links links(topology.getNumDevices());
  for (int64_t i = 0; i < links.numDevices; ++i)
    for (int64_t j = 0; j < links.numDevices; ++j) {
      int64_t level = topology.getLevel(i, j);
      if (level == 0)
        links.at(i, j) = local;
      else if (topology.isRing())
        links.at(i, j) = {static_cast<double>(level) * levels[0].alphaUs,
                          levels[0].betaUsPerByte};
      else
        links.at(i, j) = levels[static_cast<size_t>(level - 1)];
    }
  return links;
}

Links Links::smooth(const Topology &topology) const {
  std::vector<Link> sums(static_cast<size_t>(topology.getNumLevels() + 1));
  std::vector<int64_t> counts(sums.size());
  auto add = [&](int64_t i, int64_t j) {
    auto level = static_cast<size_t>(topology.getLevel(i, j));
    sums[level].alphaUs += (at(i, j).alphaUs + at(j, i).alphaUs) / 2;
    sums[level].betaUsPerByte +=
        (at(i, j).betaUsPerByte + at(j, i).betaUsPerByte) / 2;
    ++counts[level];
  };
  for (int64_t i = 0; i < numDevices; ++i)
    for (int64_t j = 0; j <= i; ++j)
      add(i, j);
  Links result(numDevices);
  for (int64_t i = 0; i < numDevices; ++i)
    for (int64_t j = 0; j < numDevices; ++j) {
      auto level = static_cast<size_t>(topology.getLevel(i, j));
      double count = static_cast<double>(counts[level]);
      result.at(i, j) = {sums[level].alphaUs / count,
                         sums[level].betaUsPerByte / count};
    }
  return result;
}

std::string Links::check() const {
  for (int64_t i = 0; i < numDevices; ++i)
    for (int64_t j = 0; j < numDevices; ++j) {
      const Link &link = at(i, j);
      std::string place = " from device " + std::to_string(i) + " to " +
                          std::to_string(j) + ", got ";
      if (!std::isfinite(link.alphaUs) || link.alphaUs < 0)
        return "expected a latency of at least 0 us" + place +
               std::to_string(link.alphaUs);
      if (!std::isfinite(link.betaUsPerByte) || link.betaUsPerByte <= 0)
        return "expected a time per byte greater than 0 us" + place +
               std::to_string(link.betaUsPerByte);
    }
  return "";
}
