// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignment of circuits to NICs.

#include "moe/Fabric/NicAssignment.h"
#include "SwitchPlanes.h"
#include <algorithm>
#include <tuple>

using namespace moe;
using namespace moe::fabric;

static size_t index(int64_t i) { return static_cast<size_t>(i); }

std::string moe::fabric::checkLayout(const NicLayout &layout,
                                     int64_t numServers) {
  int64_t degree = layout.opticalDegree;
  if (degree < 0)
    return "expected at least 0 optical NICs of a server, got " +
           std::to_string(degree);
  int64_t mostNodes = std::max<int64_t>(degree, 1);
  if (layout.numaNodes < 1 || layout.numaNodes > mostNodes)
    return "expected 1 to " + std::to_string(mostNodes) + " NUMA nodes for " +
           std::to_string(degree) + " NICs, got " +
           std::to_string(layout.numaNodes);
  if (layout.hasPlanes && degree > 64)
    return "expected at most 64 NICs with a switch each, got " +
           std::to_string(degree);
  std::vector<Nic> failed = layout.failed;
  std::sort(failed.begin(), failed.end());
  for (size_t k = 0; k < failed.size(); ++k) {
    auto [server, nic] = failed[k];
    if (server < 0 || server >= numServers)
      return "expected failed NICs of servers in [0, " +
             std::to_string(numServers) + "), got server " +
             std::to_string(server);
    if (nic < 0 || nic >= degree)
      return "expected failed NICs in [0, " + std::to_string(degree) +
             "), got " + std::to_string(nic) + " of server " +
             std::to_string(server);
    if (k > 0 && failed[k] == failed[k - 1])
      return "expected each failed NIC once, got NIC " + std::to_string(nic) +
             " of server " + std::to_string(server) + " twice";
  }
  return "";
}

std::vector<int64_t> moe::fabric::countFailed(const NicLayout &layout,
                                              int64_t numServers) {
  if (layout.failed.empty())
    return {};
  std::vector<int64_t> counts(index(numServers));
  for (Nic nic : layout.failed)
    ++counts[index(nic.server)];
  return counts;
}

namespace {

/// Assigns the circuits of one server to NUMA nodes: a flow from peers to nodes
/// with given numbers of NICs.
class NodeFlow {
public:
  NodeFlow(std::vector<int64_t> circuits, std::vector<int64_t> nics)
      : circuits(std::move(circuits)), nics(std::move(nics)),
        used(this->nics.size()),
        flow(this->circuits.size(), std::vector<int64_t>(this->nics.size())) {}

  /// Returns, at [p][k], the number of circuits to peer p on node k, as evenly
  /// as the NICs allow. There must be enough NICs.
  const std::vector<std::vector<int64_t>> &run() {
    auto nodes = static_cast<int64_t>(nics.size());
    for (int64_t more = 0;; ++more) {
      bool fits = true;
      for (size_t peer = 0; peer < circuits.size() && fits; ++peer) {
        limit = more;
        while (fits && getPlaced(peer) < circuits[peer]) {
          reached.assign(circuits.size(), false);
          fits = place(peer, nodes);
        }
      }
      if (fits)
        return flow;
    }
  }

private:
  int64_t getPlaced(size_t peer) const {
    int64_t sum = 0;
    for (int64_t count : flow[peer])
      sum += count;
    return sum;
  }

  /// Returns the maximum number of circuits per peer and node.
  int64_t getMost(size_t peer, int64_t nodes) const {
    return (circuits[peer] + nodes - 1) / nodes + limit;
  }

  /// Places one more circuit of a peer, possibly moving circuits of others to
  /// other nodes.
  bool place(size_t peer, int64_t nodes) {
    reached[peer] = true;
    // Prefer nodes with the fewest circuits of this peer, then nodes with the
    // most free NICs.
    std::vector<size_t> order;
    for (size_t node = 0; node < nics.size(); ++node)
      if (flow[peer][node] < getMost(peer, nodes))
        order.push_back(node);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::tuple(flow[peer][a], used[a] - nics[a], a) <
             std::tuple(flow[peer][b], used[b] - nics[b], b);
    });
    for (size_t node : order)
      if (used[node] < nics[node]) {
        ++used[node];
        ++flow[peer][node];
        return true;
      }
    for (size_t node : order)
      for (size_t other = 0; other < circuits.size(); ++other)
        if (!reached[other] && flow[other][node] > 0) {
          // The NIC is reserved for this peer and not free in the meantime.
          --flow[other][node];
          if (place(other, nodes)) {
            ++flow[peer][node];
            return true;
          }
          ++flow[other][node];
        }
    return false;
  }

  std::vector<int64_t> circuits, nics, used;
  std::vector<std::vector<int64_t>> flow;
  std::vector<bool> reached;
  int64_t limit = 0;
};

class Mapper {
public:
  Mapper(const Circuits &circuits, const NicLayout &layout)
      : circuits(circuits), layout(layout), n(circuits.getSize()),
        works(index(n), std::vector<bool>(index(layout.opticalDegree), true)) {
    for (Nic nic : layout.failed)
      works[index(nic.server)][index(nic.nic)] = false;
  }

  std::string check() const {
    for (int64_t i = 0; i < n; ++i) {
      int64_t working =
          std::count(works[index(i)].begin(), works[index(i)].end(), true);
      int64_t used = 0;
      for (int64_t j = 0; j < n; ++j) {
        if (circuits.at(i, j) < 0 || circuits.at(i, j) != circuits.at(j, i) ||
            (i == j && circuits.at(i, j) != 0))
          return "expected circuits that are symmetric, at least 0 and none "
                 "on the diagonal, got " +
                 std::to_string(circuits.at(i, j)) + " at [" +
                 std::to_string(i) + ", " + std::to_string(j) + "]";
        used += circuits.at(i, j);
      }
      if (used > working)
        return "expected at most " + std::to_string(working) +
               " circuits at server " + std::to_string(i) +
               ", the optical NICs of it that work, got " +
               std::to_string(used);
    }
    return "";
  }

  cost::Result<NicMapping> run() {
    NicMapping mapping;
    if (layout.hasPlanes) {
      std::vector<uint64_t> open(index(n));
      for (int64_t i = 0; i < n; ++i)
        for (int64_t nic = 0; nic < layout.opticalDegree; ++nic)
          if (works[index(i)][index(nic)])
            open[index(i)] |= uint64_t(1) << nic;
      auto planes = colourPlanes(circuits, layout, open);
      if (!planes)
        return planes.getFailure();
      for (auto [i, j, plane] : *planes)
        mapping.links.push_back({{i, plane}, {j, plane}});
    } else {
      std::vector<std::vector<std::vector<int64_t>>> nics;
      for (int64_t i = 0; i < n; ++i)
        nics.push_back(spread(i));
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n; ++j)
          for (int32_t k = 0; k < circuits.at(i, j); ++k)
            mapping.links.push_back({{i, nics[index(i)][index(j)][index(k)]},
                                     {j, nics[index(j)][index(i)][index(k)]}});
    }
    std::sort(mapping.links.begin(), mapping.links.end(),
              [](const Link &a, const Link &b) {
                return std::tuple(a.first.server, a.second.server,
                                  a.first.nic) <
                       std::tuple(b.first.server, b.second.server, b.first.nic);
              });
    mapping.crowded = countCrowded(mapping.links);
    return mapping;
  }

private:
  std::vector<std::vector<int64_t>> spread(int64_t server) const {
    std::vector<std::vector<int64_t>> byNode(index(layout.numaNodes)),
        byPeer(index(n));
    for (int64_t nic = layout.opticalDegree - 1; nic >= 0; --nic)
      if (works[index(server)][index(nic)])
        byNode[index(layout.getNode(nic))].push_back(nic);
    std::vector<int64_t> peers, counts, nics;
    for (int64_t j = 0; j < n; ++j)
      if (circuits.at(server, j) > 0)
        peers.push_back(j);
    // Peers with many circuits have fewer choices.
    std::sort(peers.begin(), peers.end(), [&](int64_t a, int64_t b) {
      int32_t ofA = circuits.at(server, a), ofB = circuits.at(server, b);
      return ofA != ofB ? ofA > ofB : a < b;
    });
    for (int64_t peer : peers)
      counts.push_back(circuits.at(server, peer));
    for (const auto &node : byNode)
      nics.push_back(static_cast<int64_t>(node.size()));
    NodeFlow flow(counts, nics);
    const auto &onNodes = flow.run();
    for (size_t p = 0; p < peers.size(); ++p)
      for (size_t node = 0; node < byNode.size(); ++node)
        for (int64_t k = 0; k < onNodes[p][node]; ++k) {
          byPeer[index(peers[p])].push_back(byNode[node].back());
          byNode[node].pop_back();
        }
    return byPeer;
  }

  /// Counts, for each pair and end, links in excess of an even spread over
  /// nodes.
  int64_t countCrowded(const std::vector<Link> &links) const {
    std::vector<std::tuple<int64_t, int64_t, int64_t>> ends;
    for (const Link &link : links) {
      ends.push_back({link.first.server, link.second.server,
                      layout.getNode(link.first.nic)});
      ends.push_back({link.second.server, link.first.server,
                      layout.getNode(link.second.nic)});
    }
    std::sort(ends.begin(), ends.end());
    int64_t crowded = 0;
    for (size_t from = 0; from < ends.size();) {
      size_t to = from;
      while (to < ends.size() && ends[to] == ends[from])
        ++to;
      int64_t all =
          circuits.at(std::get<0>(ends[from]), std::get<1>(ends[from]));
      int64_t even = (all + layout.numaNodes - 1) / layout.numaNodes;
      crowded += std::max<int64_t>(0, static_cast<int64_t>(to - from) - even);
      from = to;
    }
    return crowded;
  }

  const Circuits &circuits;
  const NicLayout &layout;
  int64_t n;
  std::vector<std::vector<bool>> works;
};

} // namespace

cost::Result<NicMapping> moe::fabric::mapNics(const Circuits &circuits,
                                              const NicLayout &layout) {
  if (std::string wrong = checkLayout(layout, circuits.getSize());
      !wrong.empty())
    return cost::Failure{wrong};
  Mapper mapper(circuits, layout);
  if (std::string wrong = mapper.check(); !wrong.empty())
    return cost::Failure{wrong};
  return mapper.run();
}
