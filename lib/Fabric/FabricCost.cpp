//===- FabricCost.cpp - Collectives as flows over a fabric ----------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Fabric/FabricCost.h"

#include <algorithm>

using namespace moe;
using namespace moe::fabric;

namespace {

/// Lists the messages of one collective.
class MessagesOf {
public:
  explicit MessagesOf(const cost::RankGroups &groups) : groups(groups) {}

  void run(const cost::BlockExchange &blocks) {
    auto n = static_cast<double>(groups.getGroupSize());
    auto buffer = static_cast<double>(blocks.buffer);
    switch (blocks.kind) {
    case cost::CollectiveKind::AllToAll:
      return sendBlocks(buffer / n);
    case cost::CollectiveKind::AllGather:
    case cost::CollectiveKind::ReduceScatter:
      return sendRing((n - 1) / n * buffer);
    case cost::CollectiveKind::AllReduce:
      return sendRing(2 * (n - 1) / n * buffer);
    }
  }
  void run(const cost::BoundedExchange &runs) {
    sendBlocks(static_cast<double>(std::max(runs.sent, runs.received)) /
               static_cast<double>(groups.getGroupSize()));
  }
  void run(const cost::RingTraffic &ring) {
    int64_t n = groups.getGroupSize();
    for (int64_t g = 0; g < groups.getNumGroups(); ++g)
      for (size_t d = 1; d < ring.bytes.size(); ++d)
        for (int64_t from = 0; from < n; ++from)
          add(g, from, (from + static_cast<int64_t>(d)) % n,
              static_cast<double>(ring.bytes[d]));
  }
  void run(const cost::SparseTraffic &sparse) { send(sparse.messages); }
  void run(const cost::UnequalExchange &unequal) { send(unequal.messages); }

  std::vector<RankMessage> messages;

private:
  void add(int64_t group, int64_t from, int64_t to, double bytes) {
    std::span<const int64_t> ranks = groups.getGroup(group);
    if (from != to && bytes > 0)
      messages.push_back({ranks[static_cast<size_t>(from)],
                          ranks[static_cast<size_t>(to)], bytes});
  }
  void send(const std::vector<cost::Message> &all) {
    for (int64_t g = 0; g < groups.getNumGroups(); ++g)
      for (auto [from, to, bytes] : all)
        add(g, from, to, static_cast<double>(bytes));
  }
  void sendBlocks(double bytes) {
    int64_t n = groups.getGroupSize();
    for (int64_t g = 0; g < groups.getNumGroups(); ++g)
      for (int64_t from = 0; from < n; ++from)
        for (int64_t to = 0; to < n; ++to)
          add(g, from, to, bytes);
  }
  void sendRing(double bytes) {
    int64_t n = groups.getGroupSize();
    for (int64_t g = 0; g < groups.getNumGroups(); ++g)
      for (int64_t from = 0; from < n; ++from)
        add(g, from, (from + 1) % n, bytes);
  }

  const cost::RankGroups &groups;
};

} // namespace

cost::Result<std::vector<RankMessage>>
moe::fabric::makeRankMessages(const cost::RankGroups &groups,
                              const cost::Traffic &traffic) {
  // Checks places and bytes, too.
  auto sent = cost::getSentBytes(traffic, groups.getGroupSize());
  if (!sent)
    return sent.getFailure();
  MessagesOf all(groups);
  std::visit([&](const auto &own) { all.run(own); }, traffic);
  return std::move(all.messages);
}

cost::Result<cost::Microseconds>
FabricPricer::getTime(const cost::Machine &machine,
                      const cost::RankGroups &groups,
                      const cost::Traffic &traffic) {
  auto byLevels = cost::getTrafficCost(machine, groups, traffic);
  if (!byLevels)
    return byLevels.getFailure();
  bool spansServer = options.serverRanks == 1;
  for (const cost::Level &level : machine.levels)
    spansServer |= level.ranks == options.serverRanks;
  if (!spansServer)
    return cost::Failure{
        "expected a level of machine " + machine.name + " that spans the " +
        std::to_string(options.serverRanks) + " ranks of a server, found none"};
  if (byLevels->levels.empty() ||
      machine.levels[byLevels->levels.back().level].ranks <=
          options.serverRanks)
    return byLevels->time;
  cost::Microseconds inside;
  for (const cost::LevelCost &level : byLevels->levels)
    if (machine.levels[level.level].ranks <= options.serverRanks)
      inside = std::max(inside, level.time);
  auto messages = makeRankMessages(groups, traffic);
  if (!messages)
    return messages.getFailure();
  std::vector<double> key;
  for (auto [from, to, bytes] : *messages) {
    key.push_back(static_cast<double>(from));
    key.push_back(static_cast<double>(to));
    key.push_back(bytes);
  }
  auto found = known.find(key);
  if (found == known.end()) {
    auto circuits = planFabricCircuits(options, *messages);
    if (!circuits)
      return circuits.getFailure();
    auto exchange = runFabricExchange(options, *messages, *circuits);
    if (!exchange)
      return exchange.getFailure();
    found = known.emplace(std::move(key), exchange->times.makespan).first;
  }
  return std::max(inside, cost::Microseconds(found->second));
}
