// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange of rows through delegates.

#include "moe/Fabric/DelegatedRows.h"
#include "moe/Fabric/Plan.h"
#include <algorithm>
#include <tuple>

using namespace moe;
using namespace moe::fabric;

cost::Result<RankRows> RankRows::read(const std::vector<int64_t> &counts,
                                      int64_t servers, int64_t places) {
  int64_t ranks = servers * places;
  RankRows read{servers, places, cost::Matrix<int64_t>(ranks)};
  auto experts = static_cast<int64_t>(counts.size()) / ranks;
  int64_t all = 0;
  for (int64_t from = 0; from < ranks; ++from)
    for (int64_t e = 0; e < experts; ++e) {
      int64_t count = counts[static_cast<size_t>(from * experts + e)];
      if (count < 0)
        return cost::Failure{"expected counts of at least 0, got " +
                             std::to_string(count) + " of expert " +
                             std::to_string(e) + " from position " +
                             std::to_string(from)};
      if (__builtin_add_overflow(all, count, &all))
        return cost::Failure{"expected counts that add up to a number of 64 "
                             "bits, got " +
                             std::to_string(count) + " of expert " +
                             std::to_string(e) + " from position " +
                             std::to_string(from)};
      read.rows.at(from, e / (experts / ranks)) += count;
    }
  return read;
}

/// Moves destinations away from delegates that have more than `turns`.
static void limitDestinations(DelegateMap &map, int64_t turns) {
  int64_t n = map.getNumServers(), b = map.getNumPlaces();
  for (int64_t i = 0; i < n; ++i) {
    std::vector<int64_t> load(static_cast<size_t>(b));
    std::vector<std::pair<int64_t, int64_t>> left;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t q = 0; q < b && j != i; ++q) {
        int64_t &own = load[static_cast<size_t>(map.at(i, j, q).sends)];
        if (own < turns)
          ++own;
        else
          left.push_back({j, q});
      }
    for (auto [j, q] : left) {
      auto least = std::min_element(load.begin(), load.end());
      ++*least;
      map.at(i, j, q).sends = least - load.begin();
    }
  }
}

cost::Result<DelegateMap> moe::fabric::planDelegates(const RankRows &rows,
                                                     const Ports &ports,
                                                     int64_t numaNodes,
                                                     int64_t turns) {
  int64_t n = rows.servers, b = rows.places;
  if (turns < n - 1)
    return cost::Failure{"expected at least " + std::to_string(n - 1) +
                         " turns, as many as there are other servers, got " +
                         std::to_string(turns)};
  if (ports.epsNics < 1)
    return cost::Failure{"expected an EPS NIC for servers that no circuit "
                         "joins, got none"};
  Demand demand(n);
  for (int64_t from = 0; from < n * b; ++from)
    for (int64_t to = 0; to < n * b; ++to)
      if (from / b != to / b)
        demand.at(from / b, to / b) += static_cast<double>(rows.at(from, to));
  PlanOptions options;
  options.effort = Effort::Fast;
  auto plan = planCircuits({{demand, 1}}, ports, options);
  if (!plan)
    return plan.getFailure();
  NicLayout layout;
  layout.opticalDegree = ports.opticalDegree;
  layout.numaNodes = numaNodes;
  auto map = mapDelegates(plan->circuits, layout, ports.epsNics, b);
  if (map)
    limitDestinations(*map, turns);
  return map;
}

namespace {

/// Rows from one server to one rank of another server, on their sending
/// delegate.
struct Destination {
  int64_t server, receives, place;

  int64_t getRank(int64_t places) const { return server * places + place; }
  bool operator<(const Destination &other) const {
    return std::tie(server, receives, place) <
           std::tie(other.server, other.receives, other.place);
  }
};

/// Offsets and sizes, sent and received, of exchanges with `peers` peers.
class Runs {
public:
  Runs(int64_t exchanges, int64_t peers)
      : exchanges(exchanges), peers(peers),
        numbers(static_cast<size_t>(4 * exchanges * peers)) {}

  void send(int64_t exchange, int64_t peer, int64_t offset, int64_t size) {
    set(0, exchange, peer, offset, size);
  }
  void receive(int64_t exchange, int64_t peer, int64_t offset, int64_t size) {
    set(2, exchange, peer, offset, size);
  }
  std::vector<int64_t> take() { return std::move(numbers); }

private:
  void set(int64_t first, int64_t exchange, int64_t peer, int64_t offset,
           int64_t size) {
    auto at = [&](int64_t kind) -> int64_t & {
      return numbers[static_cast<size_t>((kind * exchanges + exchange) * peers +
                                         peer)];
    };
    at(first) = offset;
    at(first + 1) = size;
  }

  int64_t exchanges, peers;
  std::vector<int64_t> numbers;
};

/// The rows that delegates have to send.
class HeldRows {
public:
  HeldRows(const RankRows &rows, const DelegateMap &map)
      : rows(rows), map(map), n(rows.servers), b(rows.places) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t s = 0; s < b; ++s)
        held.push_back(listDestinations(i, s));
  }

protected:
  const std::vector<Destination> &getHeld(int64_t i, int64_t s) const {
    return held[static_cast<size_t>(i * b + s)];
  }
  /// Returns the number of rows from all ranks of server `i` to rank `to`.
  int64_t countFrom(int64_t i, int64_t to) const {
    int64_t sum = 0;
    for (int64_t p = 0; p < b; ++p)
      sum += rows.at(i * b + p, to);
    return sum;
  }

  const RankRows &rows;
  const DelegateMap &map;
  int64_t n, b;

private:
  /// Lists the destinations of a delegate in the order of its buffer.
  std::vector<Destination> listDestinations(int64_t i, int64_t s) const {
    std::vector<Destination> found;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t q = 0; q < b && j != i; ++q)
        if (auto pair = map.at(i, j, q); pair.sends == s)
          found.push_back({j, pair.receives, q});
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Destinations by rank of the delegate.
  std::vector<std::vector<Destination>> held;
};

class RunPlanner : HeldRows {
public:
  RunPlanner(const RankRows &rows, const DelegateMap &map, int64_t turns,
             int64_t rank)
      : HeldRows(rows, map), turns(turns), rank(rank), server(rank / b),
        place(rank % b) {}

  DelegatedRuns run() {
    return {planGather(), planBetween(), planScatter(), planOwn()};
  }

private:
  int64_t getSendOffset(int64_t to) const {
    int64_t sum = 0;
    for (int64_t other = 0; other < to; ++other)
      sum += rows.at(rank, other);
    return sum;
  }
  int64_t getReceiveOffset(int64_t from) const {
    int64_t sum = 0;
    for (int64_t other = 0; other < from; ++other)
      sum += rows.at(other, rank);
    return sum;
  }

  std::vector<int64_t> planGather() const {
    Runs runs(turns, b);
    for (int64_t s = 0; s < b; ++s) {
      int64_t turn = 0, offset = 0;
      for (const Destination &to : getHeld(server, s)) {
        int64_t target = to.getRank(b);
        runs.send(turn, s, getSendOffset(target), rows.at(rank, target));
        for (int64_t p = 0; p < b && s == place; ++p) {
          int64_t size = rows.at(server * b + p, target);
          runs.receive(turn, p, offset, size);
          offset += size;
        }
        ++turn;
      }
    }
    return runs.take();
  }

  /// Lists the parts of the receive buffer of delegate `r` on server `j` by
  /// sending rank: offsets and sizes.
  std::vector<std::pair<int64_t, int64_t>> listReceived(int64_t j,
                                                        int64_t r) const {
    std::vector<std::pair<int64_t, int64_t>> received;
    int64_t offset = 0;
    for (int64_t from = 0; from < n * b; ++from) {
      int64_t size = 0;
      for (const Destination &to : getHeld(from / b, from % b))
        if (to.server == j && to.receives == r)
          size += countFrom(from / b, to.getRank(b));
      received.push_back({offset, size});
      offset += size;
    }
    return received;
  }

  std::vector<int64_t> planBetween() const {
    Runs runs(1, n * b);
    int64_t offset = 0;
    std::vector<int64_t> starts(static_cast<size_t>(n * b)),
        sizes(static_cast<size_t>(n * b));
    for (const Destination &to : getHeld(server, place)) {
      auto peer = static_cast<size_t>(to.server * b + to.receives);
      int64_t size = countFrom(server, to.getRank(b));
      // The rows for one receiver are adjacent.
      if (sizes[peer] == 0)
        starts[peer] = offset;
      sizes[peer] += size;
      offset += size;
    }
    auto received = listReceived(server, place);
    for (int64_t peer = 0; peer < n * b; ++peer) {
      auto k = static_cast<size_t>(peer);
      runs.send(0, peer, starts[k], sizes[k]);
      runs.receive(0, peer, received[k].first, received[k].second);
    }
    return runs.take();
  }

  std::vector<int64_t> planScatter() const {
    Runs runs(n - 1, b);
    auto received = listReceived(server, place);
    for (int64_t turn = 0; turn < n - 1; ++turn) {
      int64_t i = (server + 1 + turn) % n;
      for (int64_t s = 0; s < b; ++s) {
        int64_t offset = received[static_cast<size_t>(i * b + s)].first;
        for (const Destination &to : getHeld(i, s))
          if (to.server == server && to.receives == place) {
            int64_t size = countFrom(i, to.getRank(b));
            runs.send(turn, to.place, offset, size);
            offset += size;
          }
      }
      runs.receive(turn, map.at(i, server, place).receives,
                   getReceiveOffset(i * b), countFrom(i, rank));
    }
    return runs.take();
  }

  std::vector<int64_t> planOwn() const {
    Runs runs(1, b);
    for (int64_t p = 0; p < b; ++p) {
      int64_t peer = server * b + p;
      runs.send(0, p, getSendOffset(peer), rows.at(rank, peer));
      runs.receive(0, p, getReceiveOffset(peer), rows.at(peer, rank));
    }
    return runs.take();
  }

  int64_t turns, rank, server, place;
};

/// Lists the messages of one exchange between the ranks of the region.
class MessageLister : HeldRows {
public:
  using HeldRows::HeldRows;

  std::vector<cost::Message> run(DelegatedStep step, int64_t turn) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t s = 0; s < b; ++s)
        switch (step) {
        case DelegatedStep::Gather:
          gather(i, s, turn);
          break;
        case DelegatedStep::Between:
          for (const Destination &to : getHeld(i, s))
            add(i * b + s, to.server * b + to.receives,
                countFrom(i, to.getRank(b)));
          break;
        case DelegatedStep::Scatter:
          scatter(i, s, turn);
          break;
        case DelegatedStep::Own:
          for (int64_t q = i * b; q < (i + 1) * b; ++q)
            add(i * b + s, q, rows.at(i * b + s, q));
          break;
        }
    return std::move(messages);
  }

private:
  void add(int64_t from, int64_t to, int64_t size) {
    if (size > 0)
      messages.push_back({from, to, size});
  }
  void gather(int64_t i, int64_t s, int64_t turn) {
    const std::vector<Destination> &all = getHeld(i, s);
    if (turn >= static_cast<int64_t>(all.size()))
      return;
    int64_t target = all[static_cast<size_t>(turn)].getRank(b);
    for (int64_t p = i * b; p < (i + 1) * b; ++p)
      add(p, i * b + s, rows.at(p, target));
  }
  /// Adds the rows that delegate `s` of server `i` has sent to the server that
  /// receives from `i` in this turn.
  void scatter(int64_t i, int64_t s, int64_t turn) {
    int64_t j = (i + n - 1 - turn) % n;
    for (const Destination &to : getHeld(i, s))
      if (to.server == j)
        add(j * b + to.receives, to.getRank(b), countFrom(i, to.getRank(b)));
  }

  std::vector<cost::Message> messages;
};

} // namespace

/// Returns the messages of the server with the rank that sends or receives the
/// most.
static std::vector<cost::Message>
pickBusiestServer(const std::vector<cost::Message> &all, int64_t servers,
                  int64_t places) {
  auto ranks = static_cast<size_t>(servers * places);
  std::vector<int64_t> sent(ranks), received(ranks);
  for (const cost::Message &message : all)
    if (message.from != message.to) {
      sent[static_cast<size_t>(message.from)] += message.bytes;
      received[static_cast<size_t>(message.to)] += message.bytes;
    }
  int64_t busiest = 0, most = 0;
  for (size_t rank = 0; rank < ranks; ++rank)
    if (int64_t load = std::max(sent[rank], received[rank]); load > most) {
      most = load;
      busiest = static_cast<int64_t>(rank) / places;
    }
  std::vector<cost::Message> picked;
  for (const cost::Message &message : all)
    if (message.from / places == busiest)
      picked.push_back(
          {message.from % places, message.to % places, message.bytes});
  return picked;
}

std::vector<cost::Message> moe::fabric::listDelegatedMessages(
    const RankRows &rows, const DelegateMap &map, DelegatedStep step,
    int64_t turn) {
  std::vector<cost::Message> all = MessageLister(rows, map).run(step, turn);
  if (step == DelegatedStep::Between)
    return all;
  return pickBusiestServer(all, rows.servers, rows.places);
}

DelegatedRuns moe::fabric::planDelegatedRuns(const RankRows &rows,
                                             const DelegateMap &map,
                                             int64_t turns, int64_t rank) {
  return RunPlanner(rows, map, turns, rank).run();
}
