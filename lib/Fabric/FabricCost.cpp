// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives as flows over a fabric.

#include "moe/Fabric/FabricCost.h"
#include "ServerBytes.h"
#include "moe/Fabric/CircuitExchange.h"

#include <algorithm>

using namespace moe;
using namespace moe::fabric;

namespace {

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
  /// Adds the messages of a ring or a list.
  template <typename Traffic> void run(const Traffic &traffic) {
    cost::forEachMessage(groups, traffic,
                         [&](int64_t from, int64_t to, double bytes) {
                           if (from != to && bytes > 0)
                             messages.push_back({from, to, bytes});
                         });
  }

  std::vector<RankMessage> messages;

private:
  void add(int64_t group, int64_t from, int64_t to, double bytes) {
    std::span<const int64_t> ranks = groups.getGroup(group);
    if (from != to && bytes > 0)
      messages.push_back({ranks[static_cast<size_t>(from)],
                          ranks[static_cast<size_t>(to)], bytes});
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
  // This call also checks places and bytes.
  auto sent = cost::getSentBytes(traffic, groups.getGroupSize());
  if (!sent)
    return sent.getFailure();
  MessagesOf all(groups);
  std::visit([&](const auto &own) { all.run(own); }, traffic);
  return std::move(all.messages);
}

FabricPricer::FabricPricer(FabricOptions given, int64_t programRanks,
                           CircuitUse use)
    : options(std::move(given)), use(use) {
  // A patch panel cannot change between collectives.
  if (options.network.kind == FabricKind::TopoOpt)
    this->use = CircuitUse::Once;
  copyServers = std::max<int64_t>(1, (programRanks + options.serverRanks - 1) /
                                         options.serverRanks);
  // Spare servers replace failed ones.
  auto spares = static_cast<int64_t>(options.moved.size());
  copies =
      std::max<int64_t>(1, (options.network.servers - spares) / copyServers);
}

std::vector<RankMessage>
FabricPricer::copyMessages(const std::vector<RankMessage> &messages) const {
  std::vector<RankMessage> all = messages;
  all.reserve(messages.size() * static_cast<size_t>(copies));
  for (int64_t copy = 1; copy < copies; ++copy)
    for (const RankMessage &own : messages) {
      int64_t shift = copy * copyServers * options.serverRanks;
      all.push_back({own.from + shift, own.to + shift, own.bytes});
    }
  return all;
}

std::optional<cost::Failure>
FabricPricer::addDemand(const cost::RankGroups &groups,
                        const cost::Traffic &traffic, double times) {
  auto messages = makeRankMessages(groups, traffic);
  if (!messages)
    return messages.getFailure();
  for (RankMessage own : *messages) {
    own.bytes *= times;
    demand.push_back(own);
  }
  return std::nullopt;
}

std::optional<cost::Failure> FabricPricer::planOnce() {
  auto circuits = planFabricCircuits(options, copyMessages(demand));
  if (!circuits)
    return circuits.getFailure();
  planned = std::move(*circuits);
  demand.clear();
  known.clear();
  return std::nullopt;
}

/// Returns true if circuits are meant for this traffic; sums and gathers use
/// packets.
static bool isAllToAll(const cost::Traffic &traffic) {
  auto *blocks = std::get_if<cost::BlockExchange>(&traffic);
  return !blocks || blocks->kind == cost::CollectiveKind::AllToAll;
}

cost::Result<std::vector<CircuitPair>>
FabricPricer::findCircuits(const cost::Traffic &traffic,
                           const std::vector<RankMessage> &messages,
                           const GivenCircuits &given) const {
  const NetworkOptions &network = options.network;
  std::vector<CircuitPair> pairs;
  if (!given.circuits) {
    if (use == CircuitUse::Once)
      return planned;
    if (use == CircuitUse::Each && isAllToAll(traffic))
      return planFabricCircuits(options, messages);
    return pairs;
  }
  if (network.kind != FabricKind::MFabric)
    return cost::Failure{
        "expected a fabric with a circuit switch for a program "
        "that goes over circuits, got " +
        std::string(getName(network.kind))};
  int64_t ofSwitch = network.getRegionServers();
  int64_t n = given.circuits->getSize();
  if (n > copyServers)
    return cost::Failure{"expected circuits of the program's " +
                         std::to_string(copyServers) +
                         " servers, got those of " + std::to_string(n)};
  for (int64_t i = 0; i < n; ++i) {
    int64_t ends = 0;
    for (int64_t j = 0; j < n; ++j)
      ends += given.circuits->at(i, j);
    if (ends > network.opticalNics)
      return cost::Failure{
          "expected at most " + std::to_string(network.opticalNics) +
          " circuits at a server, as many as it has optical "
          "NICs, got " +
          std::to_string(ends) + " at server " + std::to_string(i)};
    for (int64_t j = i + 1; j < n; ++j)
      for (int64_t copy = 0; given.circuits->at(i, j) && copy < copies;
           ++copy) {
        int64_t first = i + copy * copyServers, second = j + copy * copyServers;
        if (first / ofSwitch != second / ofSwitch)
          return cost::Failure{"expected circuits between servers of one "
                               "circuit switch, which has ports for " +
                               std::to_string(ofSwitch) + ", got one from " +
                               std::to_string(first) + " to " +
                               std::to_string(second)};
        pairs.push_back({first, second, given.circuits->at(i, j)});
      }
  }
  if (!network.failed.empty())
    return trimFabricCircuits(options, pairs, messages);
  return pairs;
}

cost::Result<std::shared_ptr<const FabricExchange>>
FabricPricer::run(const cost::Traffic &traffic,
                  const std::vector<RankMessage> &messages,
                  const GivenCircuits &given) {
  std::vector<RankMessage> all = copyMessages(messages);
  auto circuits = findCircuits(traffic, all, given);
  if (!circuits)
    return circuits.getFailure();
  FabricOptions how = options;
  if (given.circuits)
    how.routing = given.routing;
  double kept = 0;
  // All copies are alike, so one suffices for the key.
  auto bytes = addUpServers(how, messages, kept);
  if (!bytes)
    return bytes.getFailure();
  std::vector<double> key{static_cast<double>(how.routing), kept};
  for (const ServerBytes &own : *bytes)
    for (int64_t number :
         {own.from.server, own.from.nic, own.to.server, own.to.nic})
      key.push_back(static_cast<double>(number));
  for (const ServerBytes &own : *bytes)
    key.push_back(own.bytes);
  for (auto [first, second, count] : *circuits)
    for (int64_t number : {first, second, static_cast<int64_t>(count)})
      key.push_back(static_cast<double>(number));
  auto &found = ran[std::move(key)];
  if (found)
    return found;
  auto exchange = runFabricExchange(how, all, *circuits);
  if (!exchange)
    return exchange.getFailure();
  found = std::make_shared<const FabricExchange>(std::move(*exchange));
  return found;
}

/// Returns the maximum bytes per NIC that any server sends or receives,
/// averaged over its NICs.
static double getNicBytes(const FabricOptions &options,
                          const std::vector<RankMessage> &messages) {
  auto servers = static_cast<size_t>(options.network.servers);
  std::vector<double> sent(servers), received(servers);
  for (auto [from, to, bytes] : messages) {
    auto sender = static_cast<size_t>(from / options.serverRanks);
    auto receiver = static_cast<size_t>(to / options.serverRanks);
    if (sender == receiver)
      continue;
    sent[sender] += bytes;
    received[receiver] += bytes;
  }
  double most = 0;
  for (size_t s = 0; s < servers; ++s)
    most = std::max({most, sent[s], received[s]});
  return most / static_cast<double>(options.network.nics);
}

/// Sets `key` to a short description of traffic; returns false if that would
/// need all of its messages.
static bool describe(const cost::Traffic &traffic, std::vector<double> &key) {
  auto *blocks = std::get_if<cost::BlockExchange>(&traffic);
  if (blocks)
    key = {static_cast<double>(blocks->kind),
           static_cast<double>(blocks->buffer)};
  return blocks;
}

cost::Result<FabricCost> FabricPricer::getCost(const cost::Machine &machine,
                                               const cost::RankGroups &groups,
                                               const cost::Traffic &traffic,
                                               const GivenCircuits &given) {
  // Programs request the same cost repeatedly.
  std::vector<double> key;
  bool isShort = !given.circuits && describe(traffic, key);
  if (isShort) {
    key.push_back(static_cast<double>(groups.getGroupSize()));
    for (int64_t rank : groups.getRanks())
      key.push_back(static_cast<double>(rank));
    if (auto found = known.find(key); found != known.end())
      return found->second;
  }
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
  FabricCost cost{std::move(*byLevels), nullptr};
  auto isInside = [&](const cost::LevelCost &level) {
    return machine.levels[level.level].ranks <= options.serverRanks;
  };
  cost::CostBreakdown &all = cost.byLevels;
  if (!all.levels.empty() && !isInside(all.levels.back())) {
    auto messages = makeRankMessages(groups, traffic);
    if (!messages)
      return messages.getFailure();
    auto flows = run(traffic, *messages, given);
    if (!flows)
      return flows.getFailure();
    cost.flows = *flows;
    cost::LevelCost outside = all.levels.back();
    outside.endpointBytes = cost::Bytes(getNicBytes(options, *messages));
    outside.time = cost::Microseconds(cost.flows->times.makespan);
    std::erase_if(all.levels, [&](const cost::LevelCost &level) {
      return !isInside(level);
    });
    all.levels.push_back(outside);
    all.alpha = cost::Microseconds(0);
    all.isFit = all.isExtrapolated = false;
    all.time = cost::Microseconds(0);
    for (size_t i = 0; i < all.levels.size(); ++i)
      if (i == 0 || all.levels[i].time > all.time) {
        all.time = all.levels[i].time;
        all.bottleneck = i;
      }
  }
  if (isShort)
    known.emplace(std::move(key), cost);
  return cost;
}

cost::Result<cost::PricedExchange>
FabricPricer::price(const cost::Machine &machine,
                    const cost::RankGroups &groups,
                    const cost::Traffic &traffic, const cost::Links *links) {
  GivenCircuits own;
  if (links) {
    const auto *circuits = dynamic_cast<const CircuitLinks *>(links);
    if (!circuits)
      return cost::Failure{"on the fabric: expected links that are circuits"};
    own = {&circuits->getCircuits(), circuits->getRouting()};
  }
  auto cost = getCost(machine, groups, traffic, own);
  if (!cost)
    return cost::Failure{"on the fabric: " + cost.getError()};
  return cost::PricedExchange{cost->byLevels, cost->flows};
}
