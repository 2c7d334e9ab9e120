//===- Plan.cpp - Which servers circuits should join ----------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Fabric/Plan.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

using namespace moe;
using namespace moe::fabric;

namespace {

/// How good circuits are: the time that counts, then how far all servers are
/// from it, so that a search gets on where several servers are equally slow.
struct Score {
  double time = 0, spread = 0;

  /// Whether it is less than `other` by more than rounding.
  bool isBetterThan(const Score &other) const {
    constexpr double kRounding = 1e-12;
    if (time != other.time &&
        std::abs(time - other.time) > kRounding * other.time)
      return time < other.time;
    return spread < other.spread * (1 - kRounding);
  }
};

/// Circuits with the times of all servers, kept up to date.
class State {
public:
  State(const std::vector<WeightedDemand> &demands, const Ports &ports,
        Circuits start)
      : demands(&demands), ports(&ports), n(start.getSize()),
        circuits(std::move(start)), open(static_cast<size_t>(n)),
        times(demands.size() * static_cast<size_t>(n)) {
    for (int64_t i = 0; i < n; ++i)
      update(i);
    score = computeScore();
  }

  int64_t getSize() const { return n; }
  const Circuits &getCircuits() const { return circuits; }
  const Score &getScore() const { return score; }
  int64_t getOpenPorts(int64_t i) const { return open[index(i)]; }

  /// The slowest server of a demand.
  int64_t getSlowest(size_t demand) const {
    auto first = times.begin() + static_cast<int64_t>(demand) * n;
    return std::max_element(first, first + n) - first;
  }

  /// Circuits that come and go at once.
  struct Move {
    struct Change {
      int64_t i, j;
      int32_t by;
    };
    std::array<Change, 4> changes;
    size_t size = 0;

    void add(int64_t i, int64_t j, int32_t by) { changes[size++] = {i, j, by}; }
  };

  void apply(const Move &move) {
    change(move, 1);
    score = computeScore();
  }

  /// Applies a move if it makes circuits better.
  bool improve(const Move &move) {
    return attempt(move, [before = score](const Score &after) {
      return after.isBetterThan(before);
    });
  }

  /// Applies a move if the score after it is accepted.
  template <typename Accept> bool attempt(const Move &move, Accept accept) {
    Score before = score;
    std::array<double, 8 * kMostKept> kept;
    bool fits = demands->size() <= kMostKept;
    std::array<int64_t, 8> servers;
    size_t count = 0;
    for (size_t c = 0; c < move.size; ++c)
      for (int64_t server : {move.changes[c].i, move.changes[c].j})
        if (std::find(servers.begin(), servers.begin() + count, server) ==
            servers.begin() + count)
          servers[count++] = server;
    for (size_t s = 0; fits && s < count; ++s)
      for (size_t k = 0; k < demands->size(); ++k)
        kept[s * demands->size() + k] = times[k * index(n) + index(servers[s])];
    setCircuits(move, 1);
    for (size_t s = 0; s < count; ++s)
      update(servers[s]);
    score = computeScore();
    if (accept(score))
      return true;
    setCircuits(move, -1);
    for (size_t s = 0; s < count; ++s) {
      if (!fits) {
        update(servers[s]);
        continue;
      }
      updatePorts(servers[s]);
      for (size_t k = 0; k < demands->size(); ++k)
        times[k * index(n) + index(servers[s])] = kept[s * demands->size() + k];
    }
    score = before;
    return false;
  }

private:
  /// Demands whose times are kept beside a move; others are computed again.
  static constexpr size_t kMostKept = 8;

  static size_t index(int64_t i) { return static_cast<size_t>(i); }

  void setCircuits(const Move &move, int32_t sign) {
    for (size_t c = 0; c < move.size; ++c) {
      auto [i, j, by] = move.changes[c];
      circuits.at(i, j) += sign * by;
      circuits.at(j, i) += sign * by;
    }
  }

  void change(const Move &move, int32_t sign) {
    setCircuits(move, sign);
    for (size_t c = 0; c < move.size; ++c) {
      update(move.changes[c].i);
      update(move.changes[c].j);
    }
  }

  void updatePorts(int64_t i) {
    int64_t used = 0;
    for (int64_t j = 0; j < n; ++j)
      used += circuits.at(i, j);
    open[index(i)] = ports->opticalDegree - used;
  }

  void update(int64_t i) {
    updatePorts(i);
    for (size_t k = 0; k < demands->size(); ++k)
      times[k * index(n) + index(i)] =
          getServerTime((*demands)[k].demand, circuits, *ports, i);
  }

  Score computeScore() const {
    Score sum;
    for (size_t k = 0; k < demands->size(); ++k) {
      double most = 0, squares = 0;
      for (int64_t i = 0; i < n; ++i) {
        double time = times[k * index(n) + index(i)];
        most = std::max(most, time);
        squares += time * time;
      }
      sum.time += (*demands)[k].weight * most;
      sum.spread += (*demands)[k].weight * squares;
    }
    return sum;
  }

  const std::vector<WeightedDemand> *demands;
  const Ports *ports;
  int64_t n;
  Circuits circuits;
  /// Ports of each server that no circuit has.
  std::vector<int64_t> open;
  /// Demand-major.
  std::vector<double> times;
  Score score;
};

/// xorshift64*: the same numbers everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 0x9e3779b97f4a7c15) {}
  /// A number in [0, bound).
  int64_t draw(int64_t bound) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<int64_t>(((state * 0x2545f4914f6cdd1d) >> 33) %
                                static_cast<uint64_t>(bound));
  }

private:
  uint64_t state;
};

/// Moves circuits of the slowest servers for as long as it helps.
class LocalSearch {
public:
  LocalSearch(const std::vector<WeightedDemand> &demands, State &state)
      : demands(demands), state(state), n(state.getSize()) {}

  /// Returns after at most `mostMoves` tries, or once the time is `enough`.
  void run(int64_t mostMoves, double enough = 0) {
    left = mostMoves;
    bool improved = true;
    while (improved && left > 0 && state.getScore().time > enough) {
      improved = false;
      for (size_t k = 0; k < demands.size() && !improved; ++k)
        improved = relieve(state.getSlowest(k), demands[k].demand);
    }
  }

private:
  /// Servers that a circuit may be worth it to, those with most demand first.
  std::vector<int64_t> listPeers(int64_t server, const Demand &demand) const {
    constexpr int64_t kMostPeers = 16;
    std::vector<int64_t> peers;
    auto getLoad = [&](int64_t j) {
      return std::max(demand.at(server, j), demand.at(j, server)) /
             (1 + state.getCircuits().at(server, j));
    };
    for (int64_t j = 0; j < n; ++j)
      if (j != server && getLoad(j) > 0)
        peers.push_back(j);
    auto isMore = [&](int64_t a, int64_t b) {
      double loadA = getLoad(a), loadB = getLoad(b);
      return loadA != loadB ? loadA > loadB : a < b;
    };
    if (static_cast<int64_t>(peers.size()) > kMostPeers) {
      std::nth_element(peers.begin(), peers.begin() + kMostPeers, peers.end(),
                       isMore);
      peers.resize(kMostPeers);
    }
    std::sort(peers.begin(), peers.end(), isMore);
    return peers;
  }

  std::vector<int64_t> listNeighbours(int64_t server, int64_t but) const {
    std::vector<int64_t> found;
    for (int64_t j = 0; j < n; ++j)
      if (j != but && state.getCircuits().at(server, j) > 0)
        found.push_back(j);
    return found;
  }

  bool attempt(const State::Move &move) {
    --left;
    return state.improve(move);
  }

  /// Gives a server one more circuit, or a better one, taking ports from
  /// others; whether something helped.
  bool relieve(int64_t server, const Demand &demand) {
    constexpr int64_t kNobody = -1;
    for (int64_t peer : listPeers(server, demand)) {
      // Whom the two give up for it; a port that is open costs nothing.
      std::vector<int64_t> own{kNobody}, others{kNobody};
      if (state.getOpenPorts(server) == 0)
        own = listNeighbours(server, peer);
      if (state.getOpenPorts(peer) == 0)
        others = listNeighbours(peer, server);
      for (int64_t k : own)
        for (int64_t l : others) {
          if (left <= 0)
            return false;
          State::Move move;
          move.add(server, peer, 1);
          if (k != kNobody)
            move.add(server, k, -1);
          if (l != kNobody)
            move.add(peer, l, -1);
          // Those left behind have ports for each other.
          if (k != kNobody && l != kNobody && k != l) {
            State::Move joined = move;
            joined.add(k, l, 1);
            if (attempt(joined))
              return true;
          }
          if (attempt(move))
            return true;
        }
    }
    return false;
  }

  const std::vector<WeightedDemand> &demands;
  State &state;
  int64_t n, left = 0;
};

/// All demands as one, where a start needs one.
Demand sum(const std::vector<WeightedDemand> &demands) {
  Demand all(demands.front().demand.getSize());
  for (const WeightedDemand &weighted : demands)
    for (int64_t i = 0; i < all.getSize(); ++i)
      for (int64_t j = 0; j < all.getSize(); ++j)
        all.at(i, j) += weighted.weight * weighted.demand.at(i, j);
  return all;
}

/// Takes back changes of circuits that are up where the time allows it.
class Restorer {
public:
  Restorer(State &state, const Circuits &keep, double mostTime)
      : state(state), keep(keep), mostTime(mostTime) {}

  void run() {
    int64_t n = state.getSize();
    bool changed = true;
    while (changed) {
      changed = false;
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n; ++j)
          while (getMissing(i, j) > 0 && restore(i, j))
            changed = true;
    }
  }

private:
  int32_t getMissing(int64_t i, int64_t j) const {
    return keep.at(i, j) - state.getCircuits().at(i, j);
  }

  /// Servers to which `server` has circuits that were not up, or nobody where a
  /// port is open.
  std::vector<int64_t> listGiven(int64_t server) const {
    if (state.getOpenPorts(server) > 0)
      return {kNobody};
    std::vector<int64_t> given;
    for (int64_t k = 0; k < state.getSize(); ++k)
      if (k != server && getMissing(server, k) < 0)
        given.push_back(k);
    return given;
  }

  bool restore(int64_t i, int64_t j) {
    for (int64_t k : listGiven(i))
      for (int64_t l : listGiven(j)) {
        State::Move move;
        move.add(i, j, 1);
        if (k != kNobody)
          move.add(i, k, -1);
        if (l != kNobody)
          move.add(j, l, -1);
        auto isEnough = [this](const Score &after) {
          return after.time <= mostTime;
        };
        if (k != kNobody && l != kNobody && k != l) {
          State::Move joined = move;
          joined.add(k, l, 1);
          // The two get back what they had.
          if (getMissing(k, l) > 0 && state.attempt(joined, isEnough))
            return true;
        }
        if (state.attempt(move, isEnough))
          return true;
      }
    return false;
  }

  static constexpr int64_t kNobody = -1;
  State &state;
  const Circuits &keep;
  double mostTime;
};

class Planner {
public:
  Planner(const std::vector<WeightedDemand> &demands, const Ports &ports,
          const PlanOptions &options)
      : demands(demands), ports(ports), options(options), all(sum(demands)),
        random(options.seed) {}

  CircuitPlan run() {
    int64_t n = all.getSize();
    bool isFast = options.effort == Effort::Fast;
    CircuitPlan plan;
    for (const WeightedDemand &weighted : demands)
      plan.bound += weighted.weight * getPortBound(weighted.demand, ports);
    State greedy(demands, ports, planGreedily(all, ports));
    plan.greedyTime = greedy.getScore().time;
    if (options.effort == Effort::Greedy)
      return finish(plan, greedy);
    State best = greedy, other = greedy;
    // Where the greedy plan is all but the best there is, nothing covers more.
    constexpr double kClose = 1.01, kFar = 1.1;
    if (plan.greedyTime > kClose * plan.bound) {
      other = State(demands, ports, findCover(plan.bound, plan.greedyTime));
      if (other.getScore().isBetterThan(best.getScore()))
        std::swap(best, other);
    }
    // Moves that are tried; more of them do not pay on large regions.
    const int64_t mostMoves = isFast ? 60 : 4000;
    LocalSearch(demands, best).run(mostMoves);
    if (!isFast || best.getScore().time > kFar * plan.bound) {
      LocalSearch(demands, other).run(mostMoves);
      if (other.getScore().isBetterThan(best.getScore()))
        best = other;
    }
    if (!isFast) {
      // Jumps out of what moves cannot leave; fewer where each takes longer.
      constexpr int64_t kWork = 3000000;
      int64_t jumps = std::min<int64_t>(60, kWork / (n * n * n + 1));
      State current = best;
      for (int64_t jump = 0; jump < jumps; ++jump) {
        State other = jump % 8 == 7 ? best : current;
        shake(other);
        LocalSearch(demands, other).run(400);
        if (!current.getScore().isBetterThan(other.getScore()))
          current = other;
        if (current.getScore().isBetterThan(best.getScore()))
          best = current;
      }
    }
    if (options.keep)
      keepWhatIsUp(best, mostMoves);
    return finish(plan, best);
  }

private:
  CircuitPlan finish(CircuitPlan &plan, const State &best) const {
    plan.circuits = best.getCircuits();
    plan.time = best.getScore().time;
    plan.changedPorts = countChangedPorts(
        options.keep ? *options.keep : Circuits(all.getSize()), plan.circuits);
    return std::move(plan);
  }

  /// Makes `best` the plan with the fewest changed ports of those found whose
  /// time is within the uncertainty of its own.
  void keepWhatIsUp(State &best, int64_t mostMoves) {
    double mostTime = best.getScore().time * (1 + options.uncertainty);
    State kept(demands, ports, *options.keep);
    LocalSearch(demands, kept).run(mostMoves, mostTime);
    for (State *state : {&best, &kept})
      if (state->getScore().time <= mostTime)
        Restorer(*state, *options.keep, mostTime).run();
    auto count = [&](const State &state) {
      return countChangedPorts(*options.keep, state.getCircuits());
    };
    if (kept.getScore().time <= mostTime && count(kept) < count(best))
      best = kept;
  }

  /// The best of covers for times between the bound and a time that is reached.
  Circuits findCover(double bound, double reached) {
    constexpr int kSteps = 3;
    double least = bound, most = std::isfinite(reached) ? reached : 8 * bound;
    Circuits best(all.getSize());
    double bestTime = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kSteps; ++step) {
      double target = least + (most - least) / 2;
      Circuits circuits = coverUntil(all, ports, target);
      double time = getTime(all, circuits, ports);
      if (time < bestTime) {
        bestTime = time;
        best = std::move(circuits);
      }
      (time <= target ? most : least) = target;
    }
    return best;
  }

  /// Moves a few circuits at random.
  void shake(State &state) {
    int64_t n = state.getSize();
    for (int64_t turns = 1 + random.draw(3); turns > 0; --turns) {
      // Two circuits exchange their ends.
      std::array<std::pair<int64_t, int64_t>, 2> picked;
      size_t count = 0;
      for (int tries = 0; tries < 64 && count < 2; ++tries) {
        int64_t i = random.draw(n), j = random.draw(n);
        bool isNew =
            count == 0 || (i != picked[0].first && i != picked[0].second &&
                           j != picked[0].first && j != picked[0].second);
        if (i != j && isNew && state.getCircuits().at(i, j) > 0)
          picked[count++] = {i, j};
      }
      if (count < 2)
        return;
      auto [a, b] = picked[0];
      auto [c, d] = picked[1];
      State::Move move;
      move.add(a, b, -1);
      move.add(c, d, -1);
      move.add(a, c, 1);
      move.add(b, d, 1);
      state.apply(move);
    }
  }

  const std::vector<WeightedDemand> &demands;
  const Ports &ports;
  const PlanOptions &options;
  Demand all;
  Random random;
};

} // namespace

cost::Result<CircuitPlan>
moe::fabric::planCircuits(const std::vector<WeightedDemand> &demands,
                          const Ports &ports, const PlanOptions &options) {
  if (demands.empty())
    return cost::Failure{"expected at least one demand, got none"};
  for (const WeightedDemand &weighted : demands) {
    if (weighted.demand.getSize() != demands.front().demand.getSize())
      return cost::Failure{"expected demands of " +
                           std::to_string(demands.front().demand.getSize()) +
                           " servers, got one of " +
                           std::to_string(weighted.demand.getSize())};
    if (std::string wrong = checkDemand(weighted.demand, ports); !wrong.empty())
      return cost::Failure{wrong};
    if (!(weighted.weight >= 0 && std::isfinite(weighted.weight)))
      return cost::Failure{"expected a finite weight of at least 0, got " +
                           std::to_string(weighted.weight)};
  }
  if (options.keep)
    if (std::string wrong =
            checkCircuits(*options.keep, demands.front().demand, ports);
        !wrong.empty())
      return cost::Failure{"circuits that are up: " + wrong};
  return Planner(demands, ports, options).run();
}
