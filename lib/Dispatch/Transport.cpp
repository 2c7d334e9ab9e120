// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flows from rows to columns.

#include "Transport.h"
#include <algorithm>
#include <numeric>

using namespace moe::dispatch;

namespace {

/// Dinic's algorithm on the complete bipartite graph from rows to columns.
/// Vertices are the rows, followed by the columns.
class Transport {
public:
  Transport(const Matrix<int64_t> &capacities, std::vector<int64_t> rows,
            std::vector<int64_t> columns)
      : n(capacities.getSize()), capacities(capacities), flow(n),
        supply(std::move(rows)), room(std::move(columns)),
        distance(static_cast<size_t>(2 * n)), next(distance.size()) {}

  std::optional<Matrix<int64_t>> run(const Matrix<int64_t> *start) {
    if (start)
      fillGreedily(*start);
    fillGreedily(capacities);
    while (label()) {
      std::fill(next.begin(), next.end(), 0);
      for (int64_t i = 0; i < n; ++i)
        while (int64_t pushed = push(i, supply[index(i)]))
          supply[index(i)] -= pushed;
    }
    bool isFull = std::all_of(supply.begin(), supply.end(),
                              [](int64_t left) { return left == 0; });
    return isFull ? std::optional(flow) : std::nullopt;
  }

private:
  static size_t index(int64_t i) { return static_cast<size_t>(i); }

  /// Finds most of the flow without augmenting paths: each number grows up to
  /// the number in `most`.
  void fillGreedily(const Matrix<int64_t> &most) {
    for (int64_t shift = 0; shift < n; ++shift)
      for (int64_t i = 0; i < n; ++i) {
        int64_t j = (i + shift) % n;
        int64_t open = std::min(most.at(i, j), capacities.at(i, j));
        int64_t some =
            std::min({supply[index(i)], room[index(j)], open - flow.at(i, j)});
        flow.at(i, j) += some;
        supply[index(i)] -= some;
        room[index(j)] -= some;
      }
  }

  /// Computes distances of vertices from rows with supply; returns true if a
  /// column with remaining room is reachable.
  bool label() {
    std::fill(distance.begin(), distance.end(), -1);
    std::vector<int64_t> queue;
    for (int64_t i = 0; i < n; ++i)
      if (supply[index(i)] > 0) {
        distance[index(i)] = 0;
        queue.push_back(i);
      }
    bool reached = false;
    for (size_t at = 0; at < queue.size(); ++at) {
      int64_t v = queue[at];
      for (int64_t u = 0; u < n; ++u) {
        bool isRow = v < n;
        int64_t other = isRow ? n + u : u;
        bool isOpen =
            isRow ? flow.at(v, u) < capacities.at(v, u) : flow.at(u, v - n) > 0;
        if (!isOpen || distance[index(other)] >= 0)
          continue;
        distance[index(other)] = distance[index(v)] + 1;
        queue.push_back(other);
        reached |= isRow && room[index(u)] > 0;
      }
    }
    return reached;
  }

  /// Pushes up to `most` from a vertex to columns with remaining room.
  int64_t push(int64_t v, int64_t most) {
    if (most == 0)
      return 0;
    if (v >= n && room[index(v - n)] > 0) {
      int64_t some = std::min(most, room[index(v - n)]);
      room[index(v - n)] -= some;
      return some;
    }
    for (int64_t &u = next[index(v)]; u < n; ++u) {
      bool isRow = v < n;
      int64_t other = isRow ? n + u : u;
      if (distance[index(other)] != distance[index(v)] + 1)
        continue;
      int64_t &carried = isRow ? flow.at(v, u) : flow.at(u, v - n);
      int64_t open = isRow ? capacities.at(v, u) - carried : carried;
      if (open == 0)
        continue;
      if (int64_t pushed = push(other, std::min(most, open))) {
        carried += isRow ? pushed : -pushed;
        return pushed;
      }
    }
    return 0;
  }

  int64_t n;
  const Matrix<int64_t> &capacities;
  Matrix<int64_t> flow;
  /// Remaining supply of rows and remaining room of columns.
  std::vector<int64_t> supply, room;
  std::vector<int64_t> distance;
  /// The next neighbor to try for each vertex in this phase.
  std::vector<int64_t> next;
};

} // namespace

std::optional<Matrix<int64_t>> moe::dispatch::transport(
    const Matrix<int64_t> &capacities, const std::vector<int64_t> &rows,
    const std::vector<int64_t> &columns, const Matrix<int64_t> *start) {
  return Transport(capacities, rows, columns).run(start);
}
