// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greedy plans, one circuit at a time.

#include "moe/Fabric/Plan.h"
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

using namespace moe;
using namespace moe::fabric;

constexpr double kNoTime = std::numeric_limits<double>::infinity();

namespace {

/// Free ports, and the circuits that use the others.
class OpenPorts {
public:
  OpenPorts(int64_t n, const Ports &ports)
      : circuits(n), left(static_cast<size_t>(n)) {
    for (int64_t i = 0; i < n; ++i)
      left[static_cast<size_t>(i)] = ports.getOptical(i);
  }

  bool areOpen(int64_t i, int64_t j) const {
    return left[static_cast<size_t>(i)] > 0 && left[static_cast<size_t>(j)] > 0;
  }
  void connect(int64_t i, int64_t j) {
    ++circuits.at(i, j);
    ++circuits.at(j, i);
    --left[static_cast<size_t>(i)];
    --left[static_cast<size_t>(j)];
  }
  Circuits circuits;

private:
  std::vector<int64_t> left;
};

/// A pair in the order of Algorithm 1: by time, demand, then lower numbers.
struct Pair {
  double time, demand;
  int64_t i, j;

  bool operator<(const Pair &other) const {
    return std::tie(time, demand, other.i, other.j) <
           std::tie(other.time, other.demand, i, j);
  }
};

} // namespace

/// Runs Algorithm 1; `goesOn` determines whether it continues after pairs
/// without ports.
static Circuits runAlgorithm1(const Demand &demand, const Ports &ports,
                              bool goesOn) {
  int64_t n = demand.getSize();
  OpenPorts open(n, ports);
  std::vector<Pair> pairs;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j) {
      double most = std::max(demand.at(i, j), demand.at(j, i));
      if (most > 0)
        pairs.push_back({kNoTime, most, i, j});
    }
  std::priority_queue<Pair> queue(std::less<Pair>(), std::move(pairs));
  while (!queue.empty()) {
    Pair pair = queue.top();
    queue.pop();
    // Ports are never freed, so this pair is done.
    if (!open.areOpen(pair.i, pair.j)) {
      if (!goesOn)
        break;
      continue;
    }
    open.connect(pair.i, pair.j);
    pair.time = pair.demand / open.circuits.at(pair.i, pair.j);
    queue.push(pair);
  }
  return std::move(open.circuits);
}

Circuits moe::fabric::planGreedily(const Demand &demand, const Ports &ports) {
  return runAlgorithm1(demand, ports, /*goesOn=*/true);
}

Circuits moe::fabric::planAsPrinted(const Demand &demand, const Ports &ports) {
  return runAlgorithm1(demand, ports, /*goesOn=*/false);
}

namespace {

/// Plans circuits from the demand that EPS cannot carry by a given time.
class Cover {
public:
  Cover(const Demand &demand, const Ports &ports, double time)
      : demand(demand), n(demand.getSize()), time(time), open(n, ports),
        excess(static_cast<size_t>(2 * n)) {
    for (int64_t i = 0; i < n; ++i)
      excess[sends(i)] = excess[receives(i)] = -ports.getEpsRate(i) * time;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        if (i != j) {
          excess[sends(i)] += demand.at(i, j);
          excess[receives(j)] += demand.at(i, j);
        }
  }

  Circuits run() {
    struct AddedCircuit {
      double gain;
      int64_t i, j;
      bool operator<(const AddedCircuit &other) const {
        return std::tie(gain, other.i, other.j) < std::tie(other.gain, i, j);
      }
    };
    std::vector<AddedCircuit> candidates;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j)
        if (double gain = getGain(i, j); gain > 0)
          candidates.push_back({gain, i, j});
    std::priority_queue<AddedCircuit> queue(std::less<AddedCircuit>(),
                                            std::move(candidates));
    // Gains only decrease, so an unchanged gain is the greatest.
    while (!queue.empty()) {
      AddedCircuit best = queue.top();
      queue.pop();
      if (!open.areOpen(best.i, best.j))
        continue;
      double gain = getGain(best.i, best.j);
      if (gain <= 0)
        continue;
      if (gain < best.gain) {
        queue.push({gain, best.i, best.j});
        continue;
      }
      take(best.i, best.j);
      queue.push({getGain(best.i, best.j), best.i, best.j});
    }
    return std::move(open.circuits);
  }

private:
  static size_t sends(int64_t i) { return static_cast<size_t>(2 * i); }
  static size_t receives(int64_t i) { return static_cast<size_t>(2 * i + 1); }

  /// Returns the demand that one more circuit takes off EPS from `i` to `j`.
  double getRelief(int64_t i, int64_t j) const {
    double left = demand.at(i, j) - open.circuits.at(i, j) * time;
    return std::clamp(left, 0.0, time);
  }

  /// Returns the useful part of the relief, which reduces an excess.
  double getGain(int64_t i, int64_t j) const {
    double gain = 0;
    for (auto [from, to] : {std::pair(i, j), std::pair(j, i)}) {
      double relief = getRelief(from, to);
      gain += std::min(relief, std::max(excess[sends(from)], 0.0)) +
              std::min(relief, std::max(excess[receives(to)], 0.0));
    }
    return gain;
  }

  void take(int64_t i, int64_t j) {
    for (auto [from, to] : {std::pair(i, j), std::pair(j, i)}) {
      double relief = getRelief(from, to);
      excess[sends(from)] -= relief;
      excess[receives(to)] -= relief;
    }
    open.connect(i, j);
  }

  const Demand &demand;
  int64_t n;
  double time;
  OpenPorts open;
  /// Demand of each sender and receiver in excess of EPS's capacity.
  std::vector<double> excess;
};

} // namespace

Circuits moe::fabric::coverUntil(const Demand &demand, const Ports &ports,
                                 double time) {
  return Cover(demand, ports, time).run();
}

int64_t moe::fabric::countChangedPorts(const Circuits &before,
                                       const Circuits &after) {
  int64_t changed = 0;
  for (int64_t i = 0; i < after.getSize(); ++i) {
    int64_t added = 0, removed = 0;
    for (int64_t j = 0; j < after.getSize(); ++j) {
      int32_t more = after.at(i, j) - before.at(i, j);
      (more > 0 ? added : removed) += std::abs(more);
    }
    changed += std::max(added, removed);
  }
  return changed;
}
