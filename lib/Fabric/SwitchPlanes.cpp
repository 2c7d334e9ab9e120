// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignment of circuits to separate switches.

#include "SwitchPlanes.h"
#include <algorithm>
#include <bit>
#include <optional>

using namespace moe;
using namespace moe::fabric;

namespace {

constexpr int kMostPlanes = 64;
constexpr int kNone = -1;

uint64_t getBit(int64_t plane) { return uint64_t(1) << plane; }

/// An edge coloring under construction.
class Colouring {
public:
  Colouring(const Circuits &circuits, const NicLayout &layout,
            const std::vector<uint64_t> &open)
      : layout(layout), open(open), free(open),
        at(open.size() * kMostPlanes, kNone) {
    for (int64_t i = 0; i < circuits.getSize(); ++i)
      for (int64_t j = i + 1; j < circuits.getSize(); ++j)
        for (int32_t k = 0; k < circuits.at(i, j); ++k)
          edges.push_back({i, j, kNone});
  }

  size_t getNumEdges() const { return edges.size(); }
  const std::vector<PlanedCircuit> &getEdges() const { return edges; }

  /// Assigns planes to circuits one after the other. If a circuit has no plane
  /// that is free at both servers, two planes are exchanged along a path of
  /// circuits on them, or the circuit takes the plane of a neighbor, which is
  /// then assigned again. Returns false if this does not terminate.
  bool colourByPaths() {
    std::vector<size_t> stuck;
    for (size_t e = 0; e < edges.size(); ++e)
      if (!colourPlainly(e))
        stuck.push_back(e);
    constexpr size_t kMostTurns = 50;
    size_t turns = kMostTurns * (edges.size() + 1);
    for (size_t next = 0; next < stuck.size(); ++next) {
      if (turns-- == 0)
        return false;
      size_t e = stuck[next];
      if (colourPlainly(e) || colourByPath(e))
        continue;
      std::optional<size_t> displaced = displace(e, turns);
      if (!displaced)
        return false;
      stuck.push_back(*displaced);
    }
    return true;
  }

  /// Searches all choices, starting with the circuit that has the fewest.
  /// Returns nullopt if `steps` do not suffice.
  std::optional<bool> search(int64_t &steps) {
    size_t next = edges.size();
    int fewest = kMostPlanes + 1;
    for (size_t e = 0; e < edges.size(); ++e) {
      if (edges[e].plane != kNone)
        continue;
      int choices = std::popcount(getCommon(e));
      if (choices < fewest) {
        fewest = choices;
        next = e;
      }
    }
    if (next == edges.size())
      return true;
    uint64_t common = getCommon(next);
    while (common) {
      if (--steps < 0)
        return std::nullopt;
      int64_t plane = choose(next, common);
      common &= ~getBit(plane);
      set(next, plane);
      if (std::optional<bool> found = search(steps); found != false)
        return found;
      clear(next);
    }
    return false;
  }

  void clearAll() {
    for (size_t e = 0; e < edges.size(); ++e)
      if (edges[e].plane != kNone)
        clear(e);
  }

private:
  static size_t index(int64_t i) { return static_cast<size_t>(i); }
  int &getAt(int64_t server, int64_t plane) {
    return at[index(server) * kMostPlanes + index(plane)];
  }
  uint64_t getCommon(size_t e) const {
    return free[index(edges[e].i)] & free[index(edges[e].j)];
  }

  void set(size_t e, int64_t plane) {
    PlanedCircuit &edge = edges[e];
    edge.plane = plane;
    for (int64_t server : {edge.i, edge.j}) {
      free[index(server)] &= ~getBit(plane);
      getAt(server, plane) = static_cast<int>(e);
    }
  }
  void clear(size_t e) {
    PlanedCircuit &edge = edges[e];
    for (int64_t server : {edge.i, edge.j}) {
      free[index(server)] |= getBit(edge.plane);
      getAt(server, edge.plane) = kNone;
    }
    edge.plane = kNone;
  }

  /// Returns the plane with the fewest circuits of the same pair on its NUMA
  /// node; ties are broken by number.
  int64_t choose(size_t e, uint64_t planes) {
    int64_t best = kNone;
    int64_t fewest = 0;
    for (uint64_t left = planes; left; left &= left - 1) {
      int64_t plane = std::countr_zero(left), same = 0;
      for (int64_t other = 0; other < layout.opticalDegree; ++other)
        if (int f = getAt(edges[e].i, other); f != kNone &&
                                              edges[index(f)].i == edges[e].i &&
                                              edges[index(f)].j == edges[e].j)
          same += layout.getNode(other) == layout.getNode(plane);
      if (best == kNone || same < fewest) {
        best = plane;
        fewest = same;
      }
    }
    return best;
  }

  bool colourPlainly(size_t e) {
    uint64_t common = getCommon(e);
    if (common)
      set(e, choose(e, common));
    return common != 0;
  }

  bool colourByPath(size_t e) {
    auto [i, j, plane] = edges[e];
    for (auto [end, other] : {std::pair(j, i), std::pair(i, j)})
      for (uint64_t ours = free[index(other)]; ours; ours &= ours - 1)
        for (uint64_t theirs = free[index(end)]; theirs; theirs &= theirs - 1) {
          int64_t wanted = std::countr_zero(ours);
          if (!exchange(end, other, wanted, std::countr_zero(theirs)))
            continue;
          set(e, wanted);
          return true;
        }
    return false;
  }

  /// Gives a circuit the plane of another circuit at one of its servers, and
  /// returns that circuit, which then has none; `turn` selects it. Returns
  /// nullopt if there is no such plane.
  std::optional<size_t> displace(size_t e, size_t turn) {
    std::vector<std::pair<size_t, int64_t>> others;
    auto [i, j, plane] = edges[e];
    for (auto [has, lacks] : {std::pair(i, j), std::pair(j, i)})
      for (uint64_t left = free[index(has)]; left; left &= left - 1)
        if (int other = getAt(lacks, std::countr_zero(left)); other != kNone)
          others.push_back({index(other), std::countr_zero(left)});
    if (others.empty())
      return std::nullopt;
    // Any order without a short period works.
    auto [other, taken] = others[(turn * 2654435761u >> 7) % others.size()];
    clear(other);
    set(e, taken);
    return other;
  }

  /// Exchanges planes `wanted` and `given` along the path of circuits on them
  /// starting at `end`, so that `wanted` becomes free there. Returns false if
  /// the path meets `other`, or a server where the required plane has failed.
  bool exchange(int64_t end, int64_t other, int64_t wanted, int64_t given) {
    std::vector<size_t> path;
    int64_t server = end, on = wanted, next = given;
    // Failed NICs are neither free nor used by a circuit.
    while (true) {
      int e = getAt(server, on);
      if (e == kNone) {
        if (!(open[index(server)] & getBit(on)))
          return false;
        break;
      }
      path.push_back(index(e));
      server =
          edges[index(e)].i == server ? edges[index(e)].j : edges[index(e)].i;
      if (server == other)
        return false;
      std::swap(on, next);
    }
    std::vector<int64_t> planes;
    for (size_t e : path) {
      planes.push_back(edges[e].plane == wanted ? given : wanted);
      clear(e);
    }
    for (size_t k = 0; k < path.size(); ++k)
      set(path[k], planes[k]);
    return true;
  }

  const NicLayout &layout;
  const std::vector<uint64_t> &open;
  std::vector<PlanedCircuit> edges;
  /// Free planes per server.
  std::vector<uint64_t> free;
  /// The circuit at each plane of each server.
  std::vector<int> at;
};

} // namespace

namespace {

/// Looks for a set of servers with more circuits among themselves than planes
/// can carry, where each plane serves pairs of servers. Such a set explains why
/// there is no coloring.
class DenseServers {
public:
  DenseServers(const Circuits &circuits, const NicLayout &layout,
               const std::vector<uint64_t> &open)
      : circuits(circuits), layout(layout), open(open), n(circuits.getSize()) {}

  /// Returns a description of the set; empty if none was found.
  std::string find() {
    if (n <= kMostListed)
      return lookThrough() ? describe() : "";
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j)
        if (circuits.at(i, j) > 0 && grow(i, j))
          return describe();
    return "";
  }

private:
  /// Maximum number of servers for a search through all subsets.
  static constexpr int64_t kMostListed = 16;

  bool lookThrough() {
    std::vector<int32_t> insides(size_t(1) << n);
    for (uint64_t set = 1; set < insides.size(); ++set) {
      int64_t first = std::countr_zero(set);
      uint64_t others = set & (set - 1);
      insides[set] = insides[others];
      for (uint64_t left = others; left; left &= left - 1)
        insides[set] += circuits.at(first, std::countr_zero(left));
      servers.clear();
      for (uint64_t left = set; left; left &= left - 1)
        servers.push_back(std::countr_zero(left));
      inside = insides[set];
      if (inside > getRoom())
        return true;
    }
    return false;
  }

  /// Repeatedly adds the server with the most circuits to the set; returns true
  /// if there are too many circuits.
  bool grow(int64_t i, int64_t j) {
    // Enough for a small region; larger sets are rarely dense.
    constexpr size_t kMostServers = 31;
    constexpr int64_t kTaken = INT64_MIN / 2;
    servers = {i};
    inside = 0;
    std::vector<int64_t> links(static_cast<size_t>(n));
    int64_t next = j;
    auto linkTo = [&](int64_t server) {
      for (int64_t k = 0; k < n; ++k)
        links[static_cast<size_t>(k)] += circuits.at(server, k);
      links[static_cast<size_t>(server)] = kTaken;
    };
    linkTo(i);
    while (servers.size() < kMostServers) {
      inside += links[static_cast<size_t>(next)];
      servers.push_back(next);
      linkTo(next);
      if (inside > getRoom())
        return true;
      next = std::max_element(links.begin(), links.end()) - links.begin();
      if (links[static_cast<size_t>(next)] <= 0)
        return false;
    }
    return false;
  }

  int64_t getRoom() const {
    int64_t room = 0;
    for (int64_t plane = 0; plane < layout.opticalDegree; ++plane) {
      int64_t working = 0;
      for (int64_t server : servers)
        working += (open[static_cast<size_t>(server)] & getBit(plane)) != 0;
      room += working / 2;
    }
    return room;
  }

  std::string describe() {
    std::sort(servers.begin(), servers.end());
    std::string names;
    for (int64_t server : servers)
      names += (names.empty() ? "" : ", ") + std::to_string(server);
    return "servers " + names + " have " + std::to_string(inside) +
           " circuits among themselves, and planes carry " +
           std::to_string(getRoom()) + " between so many";
  }

  const Circuits &circuits;
  const NicLayout &layout;
  const std::vector<uint64_t> &open;
  int64_t n;
  std::vector<int64_t> servers;
  int64_t inside = 0;
};

} // namespace

cost::Result<std::vector<PlanedCircuit>>
moe::fabric::colourPlanes(const Circuits &circuits, const NicLayout &layout,
                          const std::vector<uint64_t> &open) {
  constexpr int64_t kMostSteps = 200000;
  // The step limit would stop deeper searches anyway.
  constexpr size_t kMostSearched = 256;
  std::string none = "no choice of planes exists: ";
  Colouring colouring(circuits, layout, open);
  if (colouring.colourByPaths())
    return colouring.getEdges();
  if (std::string dense = DenseServers(circuits, layout, open).find();
      !dense.empty())
    return cost::Failure{none + dense};
  colouring.clearAll();
  int64_t steps = kMostSteps;
  std::optional<bool> found;
  if (colouring.getNumEdges() <= kMostSearched)
    found = colouring.search(steps);
  if (found == true)
    return colouring.getEdges();
  if (found == false)
    return cost::Failure{none + "of " +
                         std::to_string(colouring.getNumEdges()) +
                         " circuits, all were looked through"};
  return cost::Failure{"no choice of planes was found, and there are too many "
                       "to look through; other circuits may have one"};
}
