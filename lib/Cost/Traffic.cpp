// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks send each other.

#include "moe/Cost/Traffic.h"
#include "Loads.h"

#include <limits>

using namespace moe::cost;

static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// What is wrong with the bytes from one place to another, if anything.
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

/// What is wrong with a ring, if anything.
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

/// A sum of bytes that remembers when it does not fit.
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

/// The most bytes that one place sends to others.
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
                   // A buffer cut among the group divides by it. An
                   // all-reduce's need not: its uneven pieces add up to the
                   // same, rounded up.
                   Result<int64_t> sum = passed.get();
                   return sum ? Result<int64_t>(*sum - *sum / groupSize) : sum;
                 },
                 [&](const BoundedExchange &runs) -> Result<int64_t> {
                   return groupSize == 1 ? 0 : runs.sent;
                 },
                 [&](const RingTraffic &ring) -> Result<int64_t> {
                   if (auto failure = checkRing(ring, groupSize))
                     return *failure;
                   ByteSum sent;
                   for (size_t d = 1; d < ring.bytes.size(); ++d)
                     sent.add(ring.bytes[d]);
                   return sent.get();
                 },
                 [&](const SparseTraffic &sparse) -> Result<int64_t> {
                   return getMostSent(sparse.messages, groupSize);
                 },
                 [&](const UnequalExchange &blocks) -> Result<int64_t> {
                   return getMostSent(blocks.messages, groupSize);
                 }},
      traffic);
}

/// The messages of traffic that lists them; null of other traffic.
static const std::vector<Message> *findMessages(const Traffic &traffic) {
  if (auto *sparse = std::get_if<SparseTraffic>(&traffic))
    return &sparse->messages;
  if (auto *blocks = std::get_if<UnequalExchange>(&traffic))
    return &blocks->messages;
  return nullptr;
}

/// Calls `visit` with the ranks and bytes of every message of every group.
template <typename Visitor>
static void forEachMessage(const RankGroups &groups, const Traffic &traffic,
                           Visitor visit) {
  int64_t size = groups.getGroupSize();
  for (int64_t g = 0; g < groups.getNumGroups(); ++g) {
    std::span<const int64_t> group = groups.getGroup(g);
    if (const std::vector<Message> *messages = findMessages(traffic)) {
      for (auto [from, to, bytes] : *messages)
        visit(group[size_t(from)], group[size_t(to)], double(bytes));
      continue;
    }
    const std::vector<int64_t> &ring = std::get<RingTraffic>(traffic).bytes;
    for (size_t d = 0; d < ring.size(); ++d)
      for (int64_t from = 0; ring[d] != 0 && from < size; ++from)
        visit(group[size_t(from)], group[size_t((from + int64_t(d)) % size)],
              double(ring[d]));
  }
}

/// What endpoints of a level that carry unequal bytes take: `full` if all
/// carried as much as the busiest, `mean` if all carried the mean, `latency`
/// besides the bytes.
static Microseconds getUnequalTime(const Level &level, Bytes busiest,
                                   Microseconds full, Microseconds mean,
                                   Microseconds latency) {
  if (!level.portRate)
    return full;
  return std::min(full, std::max(mean, latency + busiest / *level.portRate));
}

/// Gives a cost by levels the time of the fit of all-to-alls that the outermost
/// of its levels has, if it has one. `meanBytes` are those of endpoints, by
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
  // What equal blocks of a buffer of one byte put on each level.
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
  std::optional<BlockExchange> blocks;
  if (auto *exchange = std::get_if<BlockExchange>(&traffic))
    blocks = *exchange;
  else if (auto *runs = std::get_if<BoundedExchange>(&traffic))
    blocks = {CollectiveKind::AllToAll, std::max(runs->sent, runs->received)};
  if (blocks) {
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
  forEachMessage(groups, traffic, [&](int64_t from, int64_t to, double bytes) {
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
  });
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
  if (std::holds_alternative<UnequalExchange>(traffic))
    if (auto failure = applyFit(machine, groups, meanBytes, cost))
      return *failure;
  return cost;
}
