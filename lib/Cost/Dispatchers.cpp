// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that send tokens to experts and back.

#include "moe/Cost/Dispatchers.h"
#include "moe/Cost/ExpectedNodes.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

using namespace moe::cost;

/// Returns the expected number of nodes, or of ranks, that receive a token if
/// the experts are spread over `places` of them.
static double countPlaces(const TokenExchange &exchange, int64_t places) {
  if (places <= 1)
    return 1;
  if (exchange.groups <= exchange.chosenGroups || exchange.groups <= 1)
    return getExpectedNodes(exchange.experts, exchange.topK, places);
  // A token can only choose the experts of its chosen groups, which occupy a
  // proportional part of the places.
  int64_t experts = exchange.experts / exchange.groups * exchange.chosenGroups;
  int64_t ofThem =
      std::max<int64_t>(1, places * exchange.chosenGroups / exchange.groups);
  return getExpectedNodes(experts, exchange.topK, ofThem);
}

double TokenExchange::getNodesOfToken() const {
  return countPlaces(*this, getNodes());
}

double TokenExchange::getRanksOfToken() const {
  return countPlaces(*this, ranks);
}

/// Returns the nearest line in the order that `getDispatcherTime` documents.
static const DispatcherLine &findLine(const Dispatcher &dispatcher,
                                      int64_t nodes, int64_t sms) {
  auto isBetter = [&](const DispatcherLine &a, const DispatcherLine &b) {
    auto rank = [&](const DispatcherLine &line) {
      bool isLess = line.nodes < nodes;
      int64_t distance = isLess ? nodes - line.nodes : line.nodes - nodes;
      return std::tuple(isLess, distance, std::abs(line.sms - sms));
    };
    return rank(a) < rank(b);
  };
  return *std::min_element(dispatcher.lines.begin(), dispatcher.lines.end(),
                           isBetter);
}

Result<DispatcherTime>
moe::cost::getDispatcherTime(const Dispatcher &dispatcher,
                             const TokenExchange &exchange, double combineBytes,
                             int64_t sms) {
  if (dispatcher.maxRanks && exchange.ranks > *dispatcher.maxRanks)
    return Failure{"expected a group of at most the " +
                   std::to_string(*dispatcher.maxRanks) + " ranks that " +
                   dispatcher.name + " takes, got " +
                   std::to_string(exchange.ranks)};
  int64_t nodes = exchange.getNodes();
  const DispatcherLine &line = findLine(dispatcher, nodes, sms);
  const DispatcherLine &inside = findLine(dispatcher, 1, sms);
  double ranks = exchange.getRanksOfToken();
  // A token is not sent to its own node.
  double others =
      exchange.getNodesOfToken() * double(nodes - 1) / double(nodes);
  DispatcherTime time;
  time.isMeasured = line.nodes == nodes;
  time.inside = Bytes(exchange.tokens * exchange.bytesPerToken * ranks);
  time.between = Bytes(exchange.tokens * exchange.bytesPerToken * others);
  auto getTime = [&](DispatchRate DispatcherLine::*kind, double bytes) {
    Bytes rows(exchange.tokens * bytes * ranks);
    Microseconds within = rows / (inside.*kind).rate;
    if (nodes == 1 || line.nodes == 1)
      return (line.*kind).start + within;
    Microseconds across =
        Bytes(exchange.tokens * bytes * others) / (line.*kind).rate;
    return (line.*kind).start + std::max(within, across);
  };
  time.dispatch = getTime(&DispatcherLine::dispatch, exchange.bytesPerToken);
  time.combine = getTime(&DispatcherLine::combine, combineBytes);
  return time;
}
