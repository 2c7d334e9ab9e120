// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that ranks of groups exchange.

#include "moe/Cost/Traffic.h"
#include "Loads.h"

#include <limits>

using namespace moe::cost;

static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// Returns a failure if places or bytes of a message are invalid.
static std::optional<Failure> checkMessage(const Message &message,
                                           int64_t groupSize) {
  for (int64_t place : {message.from, message.to})
    if (place < 0 || place >= groupSize)
      return Failure{"traffic: expected places in groups of " +
                     std::to_string(groupSize) + " ranks, got place " +
                     std::to_string(place)};
  if (message.bytes < 0)
    return Failure{"traffic: expected bytes >= 0 from place " +
                   std::to_string(message.from) + " to place " +
                   std::to_string(message.to) + ", got " +
                   std::to_string(message.bytes)};
  return std::nullopt;
}

/// Returns a failure if a ring is invalid.
static std::optional<Failure> checkRing(const RingTraffic &ring,
                                        int64_t groupSize) {
  if (int64_t(ring.bytes.size()) > groupSize)
    return Failure{"traffic: expected distances below " +
                   std::to_string(groupSize) + ", the ranks of a group, got " +
                   std::to_string(int64_t(ring.bytes.size())) + " of them"};
  for (size_t d = 0; d < ring.bytes.size(); ++d)
    if (ring.bytes[d] < 0)
      return Failure{"traffic: expected bytes >= 0 over distance " +
                     std::to_string(int64_t(d)) + ", got " +
                     std::to_string(ring.bytes[d])};
  return std::nullopt;
}

namespace {

template <typename... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};

/// A sum of bytes that detects overflow.
class ByteSum {
public:
  void add(int64_t bytes) {
    if (bytes > kMost - sum)
      overflows = true;
    else
      sum += bytes;
  }
  Result<int64_t> get() const {
    if (overflows)
      return Failure{"traffic: expected a rank to send at most " +
                     std::to_string(kMost) + " bytes, got more"};
    return sum;
  }

private:
  int64_t sum = 0;
  bool overflows = false;
};

} // namespace

/// Returns the most bytes that one place sends to others.
static Result<int64_t> getMostSent(const std::vector<Message> &messages,
                                   int64_t groupSize) {
  std::unordered_map<int64_t, ByteSum> sent;
  int64_t most = 0;
  for (const Message &message : messages) {
    if (auto failure = checkMessage(message, groupSize))
      return *failure;
    if (message.from != message.to)
      sent[message.from].add(message.bytes);
  }
  for (const auto &[place, sum] : sent) {
    Result<int64_t> bytes = sum.get();
    if (!bytes)
      return bytes;
    most = std::max(most, *bytes);
  }
  return most;
}

Result<int64_t> moe::cost::getSentBytes(const Traffic &traffic,
                                        int64_t groupSize) {
  return std::visit(
      Overloaded{[&](const BlockExchange &blocks) -> Result<int64_t> {
                   ByteSum passed;
                   passed.add(blocks.buffer);
                   if (blocks.kind == CollectiveKind::AllReduce)
                     passed.add(blocks.buffer);
                   // A buffer cut among the ranks of the group is divisible by
                   // the group size. The buffer of an all-reduce need not be;
                   // its uneven pieces add up to the same bytes, rounded up.
                   Result<int64_t> sum = passed.get();
                   return sum ? Result<int64_t>(*sum - *sum / groupSize) : sum;
                 },
                 [&](const RingTraffic &ring) -> Result<int64_t> {
                   if (auto failure = checkRing(ring, groupSize))
                     return *failure;
                   ByteSum sent;
                   for (size_t d = 1; d < ring.bytes.size(); ++d)
                     sent.add(ring.bytes[d]);
                   return sent.get();
                 },
                 [&](const MessageList &list) -> Result<int64_t> {
                   return getMostSent(list.messages, groupSize);
                 }},
      traffic);
}

/// Returns the time of a level with unequally loaded endpoints. `full` is the
/// time if all endpoints carried as much as the busiest one, `mean` the time if
/// all carried the mean, and `latency` the fixed part.
static Microseconds getUnequalTime(const Level &level, Bytes busiest,
                                   Microseconds full, Microseconds mean,
                                   Microseconds latency) {
  if (!level.portRate)
    return full;
  return std::min(full, std::max(mean, latency + busiest / *level.portRate));
}

/// Replaces the time of `cost` by that of the all-to-all fit of its outermost
/// level, if it has one. `meanBytes` has the mean bytes per endpoint for each
/// level of the cost.
static std::optional<Failure> applyFit(const Machine &machine,
                                       const RankGroups &groups,
                                       const std::vector<double> &meanBytes,
                                       CostBreakdown &cost) {
  auto kind = CollectiveKind::AllToAll;
  if (!machine.levels[cost.levels.back().level].getFit(kind))
    return std::nullopt;
  auto plan = CollectivePlan::create(machine, groups, kind);
  if (!plan)
    return plan.getFailure();
  // The load that equal blocks of a one-byte buffer put on each level.
  CostBreakdown unit = plan->explain(Bytes(1));
  if (unit.levels.back().level != cost.levels.back().level)
    return std::nullopt;
  Bytes buffer(0), mean(0);
  for (size_t i = 0; i < cost.levels.size(); ++i)
    for (const LevelCost &equal : unit.levels) {
      const LevelCost &level = cost.levels[i];
      if (equal.level != level.level)
        continue;
      double bytes = equal.endpointBytes.value();
      buffer = std::max(buffer, Bytes(level.endpointBytes.value() / bytes));
      mean = std::max(mean, Bytes(meanBytes[i] / bytes));
    }
  CostBreakdown fitted = plan->explain(buffer);
  const LevelCost &outermost = cost.levels.back();
  cost.time =
      getUnequalTime(machine.levels[outermost.level], outermost.endpointBytes,
                     fitted.time, plan->getTime(mean), fitted.alpha);
  cost.alpha = fitted.alpha;
  cost.isFit = fitted.isFit;
  cost.isExtrapolated = fitted.isExtrapolated;
  return std::nullopt;
}

Result<CostBreakdown> moe::cost::getTrafficCost(const Machine &machine,
                                                const RankGroups &groups,
                                                const Traffic &traffic) {
  if (auto *blocks = std::get_if<BlockExchange>(&traffic)) {
    auto plan = CollectivePlan::create(machine, groups, blocks->kind);
    if (!plan)
      return plan.getFailure();
    return plan->explain(Bytes(double(blocks->buffer)));
  }

  if (auto failure = checkMachine(machine, groups.getRankLimit()))
    return *failure;
  if (auto sent = getSentBytes(traffic, groups.getGroupSize()); !sent)
    return sent.getFailure();
  int64_t numRanks = groups.getRankLimit();
  Loads loads(machine.levels, numRanks);
  std::vector<double> sent(size_t(numRanks), 0.0), received(sent);
  auto send = [&](int64_t from, int64_t to, double bytes) {
    sent[size_t(from)] += bytes;
    received[size_t(to)] += bytes;
    if (from == to || bytes == 0)
      return;
    size_t level = 0;
    while (from / machine.levels[level].ranks !=
           to / machine.levels[level].ranks)
      ++level;
    loads.add(level, from, bytes, 0);
    loads.add(level, to, 0, bytes);
  };
  auto *list = std::get_if<MessageList>(&traffic);
  if (list)
    forEachMessage(groups, *list, send);
  else
    forEachMessage(groups, std::get<RingTraffic>(traffic), send);
  double most = 0;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    most = std::max({most, sent[size_t(rank)], received[size_t(rank)]});

  CostBreakdown cost;
  std::vector<double> meanBytes;
  for (unsigned l = 0; l < machine.levels.size(); ++l) {
    Loads::Busiest busiest = loads.getBusiest(l);
    if (busiest.endpointBytes == 0)
      continue;
    const Level &level = machine.levels[l];
    Bytes endpointBytes(busiest.endpointBytes);
    double fraction = busiest.endpointBytes / most;
    double share = busiest.meanBytes / busiest.endpointBytes;
    Microseconds full = level.getTime(Bytes(most), fraction);
    Microseconds time =
        getUnequalTime(level, endpointBytes, full,
                       level.getTime(Bytes(most * share), fraction),
                       level.getContainedLatency().value_or(Microseconds(0)));
    double reached = time < full
                         ? endpointBytes / level.bandwidth / time
                         : getReached(level.efficiency, Bytes(most),
                                      endpointBytes, level.bandwidth, time);
    cost.levels.push_back({l, Bytes(busiest.rankBytes), endpointBytes,
                           busiest.endpoint, reached, time});
    meanBytes.push_back(busiest.meanBytes);
    if (!cost.bottleneck ||
        cost.levels.back().time > cost.levels[*cost.bottleneck].time)
      cost.bottleneck = cost.levels.size() - 1;
  }
  if (cost.levels.empty())
    return cost;
  const Level &outermost = machine.levels[cost.levels.back().level];
  cost.alpha = outermost.getCountedLatency();
  cost.time = cost.alpha + cost.levels[*cost.bottleneck].time;
  cost.isExtrapolated = machine.levels[cost.levels[*cost.bottleneck].level]
                            .efficiency.isExtrapolatedAt(Bytes(most));
  if (list && list->isAllToAll)
    if (auto failure = applyFit(machine, groups, meanBytes, cost))
      return *failure;
  return cost;
}
