// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links of a platform's devices.

#include "moe/Platform/DispatchLinks.h"
#include "moe/Cost/Collectives.h"

#include <algorithm>

using namespace moe;
using namespace moe::platform;
using namespace moe::dispatch;

static Link makeLink(const cost::Level &level, cost::Bytes message) {
  cost::Microseconds us = level.getTime(message, level.ranksPerNic);
  return {level.getCountedLatency().value(), us.value() / message.value()};
}

static Link makeLocalLink(const cost::CopyEngine &copy, cost::Bytes message) {
  double alphaUs = copy.efficiency.isEmpty() ? copy.latency.value() : 0;
  double us = cost::getCopyTime(copy, message).value() - alphaUs;
  return {alphaUs, us / message.value()};
}

cost::Result<DispatchLinks>
moe::platform::makeDispatchLinks(const cost::Machine &machine,
                                 const Topology &tree, cost::Bytes message) {
  if (!machine.copy)
    return cost::Failure{"expected a platform that states "
                         "'copy_bandwidth_GBps', what a device takes for its "
                         "own share, got " +
                         machine.name};
  size_t needed = tree.isRing() ? 1 : static_cast<size_t>(tree.getNumLevels());
  DispatchLinks made{Links(tree.getNumDevices()), {}, {}};
  std::vector<Link> levels;
  for (size_t l = 0; l < needed; ++l) {
    const cost::Level &level =
        machine.levels[std::min(l, machine.levels.size() - 1)];
    levels.push_back(makeLink(level, message));
    made.byLevel.push_back({level.name, levels.back()});
  }
  if (needed > machine.levels.size())
    made.notes.push_back(
        "levels above the " + std::to_string(machine.levels.size()) +
        " of platform " + machine.name + " have the links of its outermost, " +
        machine.levels.back().name);
  Link local = makeLocalLink(*machine.copy, message);
  made.byLevel.push_back({"local", local});
  cost::Result<Links> links = Links::create(tree, levels, local);
  if (!links)
    return links.getFailure();
  made.links = std::move(*links);
  return made;
}

/// Prints the devices from `begin` to `end`, all below one switch of this
/// height.
static std::string
printSwitch(int64_t begin, int64_t end, int64_t height,
            const std::function<int64_t(int64_t, int64_t)> &getLevel) {
  if (height == 1)
    return std::to_string(end - begin);
  std::string text;
  while (begin < end) {
    int64_t next = begin + 1;
    while (next < end && getLevel(begin, next) < height)
      ++next;
    text += (text.empty() ? "[" : ",") +
            printSwitch(begin, next, height - 1, getLevel);
    begin = next;
  }
  return text + "]";
}

cost::Result<Topology> moe::platform::makeTree(
    int64_t numDevices,
    const std::function<int64_t(int64_t, int64_t)> &getLevel) {
  int64_t height = 1;
  for (int64_t i = 0; i < numDevices; ++i)
    for (int64_t j = 0; j < i; ++j)
      height = std::max(height, getLevel(j, i));
  cost::Result<Topology> tree =
      Topology::parse(printSwitch(0, numDevices, height, getLevel));
  if (!tree)
    return tree;
  for (int64_t i = 0; i < numDevices; ++i)
    for (int64_t j = 0; j < i; ++j)
      if (tree->getLevel(j, i) != getLevel(j, i))
        return cost::Failure{
            "expected devices of one switch side by side, got " +
            std::to_string(j) + " and " + std::to_string(i) + " at level " +
            std::to_string(getLevel(j, i)) + " of others between them"};
  return tree;
}

int64_t moe::platform::getLevelOf(const cost::Machine &machine, int64_t rank,
                                  int64_t other) {
  if (rank == other)
    return 0;
  int64_t level = 1;
  for (const cost::Level &each : machine.levels) {
    if (rank / each.ranks == other / each.ranks)
      return level;
    ++level;
  }
  return level;
}
