// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local search over circuits.

#include "CircuitLocalSearch.h"

using namespace moe;
using namespace moe::fabric;

/// Represents the missing other end of a free port.
static constexpr int64_t kNobody = -1;

namespace {

class LocalSearch {
public:
  LocalSearch(const std::vector<WeightedDemand> &demands, State &state)
      : demands(demands), state(state), n(state.getSize()) {}

  void run(int64_t mostMoves, double enough) {
    left = mostMoves;
    bool improved = true;
    while (improved && left > 0 && state.getScore().time > enough) {
      improved = false;
      for (size_t k = 0; k < demands.size() && !improved; ++k)
        improved = relieve(state.getSlowest(k), demands[k].demand);
    }
  }

private:
  /// Lists servers that may benefit from a circuit to `server`, most demand
  /// first.
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

  /// Gives a server one more circuit, or a better one, by taking ports from
  /// others; returns whether this helped.
  bool relieve(int64_t server, const Demand &demand) {
    for (int64_t peer : listPeers(server, demand)) {
      // The circuits that the two servers may give up; a free port costs
      // nothing.
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
          // The two abandoned servers have free ports for each other.
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

  /// Lists servers with circuits to `server` that were not in `keep`, or
  /// `kNobody` if a port is free.
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
          // The two abandoned servers regain a circuit from `keep`.
          if (getMissing(k, l) > 0 && state.attempt(joined, mostTime, isEnough))
            return true;
        }
        if (state.attempt(move, mostTime, isEnough))
          return true;
      }
    return false;
  }

  State &state;
  const Circuits &keep;
  double mostTime;
};

} // namespace

void moe::fabric::improve(const std::vector<WeightedDemand> &demands,
                          State &state, int64_t mostMoves, double enough) {
  LocalSearch(demands, state).run(mostMoves, enough);
}

void moe::fabric::restore(State &state, const Circuits &keep, double mostTime) {
  Restorer(state, keep, mostTime).run();
}
