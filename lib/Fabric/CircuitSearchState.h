// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits with their times.

#ifndef MOE_LIB_FABRIC_CIRCUITSEARCHSTATE_H
#define MOE_LIB_FABRIC_CIRCUITSEARCHSTATE_H

#include "moe/Fabric/Plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace moe::fabric {

/// The quality of circuits: the time, then the deviation of all servers from
/// it, so that a search makes progress if several servers are equally slow.
struct Score {
  double time = 0, spread = 0;

  /// Returns true if it is less than `other` by more than rounding.
  bool isBetterThan(const Score &other) const {
    constexpr double kRounding = 1e-12;
    if (time != other.time &&
        std::abs(time - other.time) > kRounding * other.time)
      return time < other.time;
    return spread < other.spread * (1 - kRounding);
  }
};

/// Circuits with up-to-date times of all servers.
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

  int64_t getSlowest(size_t demand) const {
    auto first = times.begin() + static_cast<int64_t>(demand) * n;
    return std::max_element(first, first + n) - first;
  }

  /// Circuits that are added and removed together.
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

  /// Applies a move if it improves the circuits.
  bool improve(const Move &move) {
    return attempt(move, score.time, [before = score](const Score &after) {
      return after.isBetterThan(before);
    });
  }

  /// Applies a move if the time afterwards is at most `mostTime`, up to
  /// rounding, and `accept` accepts the score.
  template <typename Accept>
  bool attempt(const Move &move, double mostTime, Accept accept) {
    std::array<int64_t, 8> servers;
    size_t count = 0;
    for (size_t c = 0; c < move.size; ++c)
      for (int64_t server : {move.changes[c].i, move.changes[c].j})
        if (std::find(servers.begin(), servers.begin() + count, server) ==
            servers.begin() + count)
          servers[count++] = server;
    setCircuits(move, 1);
    // Most moves end here and only cost one sum per server.
    if (!canEndBy(mostTime, {servers.data(), count})) {
      setCircuits(move, -1);
      return false;
    }
    Score before = score;
    std::array<double, 8 * kMostKept> kept;
    bool fits = demands->size() <= kMostKept;
    for (size_t s = 0; fits && s < count; ++s)
      for (size_t k = 0; k < demands->size(); ++k)
        kept[s * demands->size() + k] = times[k * index(n) + index(servers[s])];
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
  /// Maximum number of demands with times saved during a move; with more, times
  /// are recomputed.
  static constexpr size_t kMostKept = 8;

  static size_t index(int64_t i) { return static_cast<size_t>(i); }

  /// Returns false if some of the servers would exceed `mostTime` by more than
  /// rounding. Several demands cannot be checked this way, because one may be
  /// slower if another is faster.
  bool canEndBy(double mostTime, std::span<const int64_t> servers) const {
    const WeightedDemand &only = demands->front();
    constexpr double kRounding = 2e-12;
    double time = mostTime / only.weight * (1 + kRounding);
    if (demands->size() != 1 || !std::isfinite(time))
      return true;
    return std::all_of(servers.begin(), servers.end(), [&](int64_t server) {
      return endsBy(only.demand, circuits, *ports, server, time);
    });
  }

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
    open[index(i)] = ports->getOptical(i) - used;
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
  /// Number of free ports per server.
  std::vector<int64_t> open;
  /// Times, demand-major.
  std::vector<double> times;
  Score score;
};

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_CIRCUITSEARCHSTATE_H
