//===- Filling.h - Progressive filling of links --------------- -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The one algorithm of fair rates, over flows and links that are plain numbers:
// `getFairRates` fills a whole network, a simulation the part that an event
// touched.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_FABRIC_FILLING_H
#define MOE_LIB_FABRIC_FILLING_H

#include "DoubleDouble.h"
#include "moe/Fabric/FairRates.h"

#include <algorithm>
#include <span>

namespace moe::fabric {

/// Flows by number with their ways, one after the other. A flow's bound is a
/// link of its own.
struct FlowTable {
  struct Use {
    int32_t link;
    /// Of the rate, and of the level: weight / penalty.
    double weight, share;
  };
  std::vector<size_t> firstUse{0};
  std::vector<Use> uses;
  std::vector<double> penalties;

  /// Adds a flow; not called for one that stands still.
  void add(std::span<const LinkUse> way, double penalty);

  size_t getNumFlows() const { return penalties.size(); }
  std::span<const Use> getUses(size_t flow) const {
    return std::span(uses).subspan(firstUse[flow],
                                   firstUse[flow + 1] - firstUse[flow]);
  }
};

/// A link while it is filled.
struct FillingLink {
  /// What flows that are not filled, or already are, leave of it.
  DoubleDouble left;
  /// Of the flows that still rise: the sum of their shares, kept only where
  /// not all flows of the link have the share `same`.
  DoubleDouble shares;
  double same = 0;
  /// The greatest share of a flow that still rises, of a fat pipe.
  double greatest = 0;
  bool isFatPipe = false;
  /// Flows that still rise.
  int32_t numRising = 0;
  /// Its level is to be found again.
  bool isStale = false;

  /// The level at which it is full.
  double getLevel() const {
    if (isFatPipe)
      return left.high / greatest;
    DoubleDouble rest = left.high > 0 ? left : DoubleDouble();
    if (!(same > 0))
      return rest.over(shares);
    DoubleDouble all;
    all.addProduct(same, numRising);
    return rest.over(all);
  }
  void addShare(double share) {
    if (!(same > 0))
      shares.add(share);
  }
};

/// Fills links with flows that rise together.
class Filling {
public:
  /// The table has all of its flows.
  Filling(const FlowTable &table, size_t numLinks)
      : links(numLinks), table(table) {
    for (const FlowTable::Use &use : table.uses) {
      double &same = links[static_cast<size_t>(use.link)].same;
      same = same == 0 || same == use.share ? use.share : -1;
    }
  }

  /// By link, set by the caller for `touched` ones before each `fill`: what is
  /// left for the flows; the rest is reset by `addRising`.
  std::vector<FillingLink> links;

  /// Finds the levels of flows: their rates times their penalties. `flowsOf(l)`
  /// lists flows of a touched link, `rises(f)` tells those of them that are to
  /// be filled, and `settle(f, level)` is called for each of these once, after
  /// which it must not rise.
  template <typename FlowsOf, typename Rises, typename Settle>
  void fill(std::span<const int32_t> touched, FlowsOf flowsOf, Rises rises,
            Settle settle);

private:
  const FlowTable &table;
  struct Candidate {
    double level;
    int32_t link;
    bool operator<(const Candidate &other) const {
      return level < other.level || (level == other.level && link < other.link);
    }
  };
  /// A heap of levels, the least first; those of stale links are too low.
  std::vector<Candidate> heap;

  /// Puts one that may be too great for its place, and is the only such.
  void sink(size_t place) {
    Candidate moved = heap[place];
    for (size_t next; (next = 2 * place + 1) < heap.size(); place = next) {
      if (next + 1 < heap.size() && heap[next + 1] < heap[next])
        ++next;
      if (!(heap[next] < moved))
        break;
      heap[place] = heap[next];
    }
    heap[place] = moved;
  }
};

template <typename FlowsOf, typename Rises, typename Settle>
void Filling::fill(std::span<const int32_t> touched, FlowsOf flowsOf,
                   Rises rises, Settle settle) {
  heap.clear();
  for (int32_t l : touched)
    if (links[static_cast<size_t>(l)].numRising > 0)
      heap.push_back({links[static_cast<size_t>(l)].getLevel(), l});
  for (size_t place = heap.size() / 2; place-- > 0;)
    sink(place);
  while (!heap.empty()) {
    auto [level, full] = heap.front();
    FillingLink &link = links[static_cast<size_t>(full)];
    // Levels only rise while other links get full, so that the least that is
    // not stale is the next.
    if (link.isStale && link.numRising > 0) {
      link.isStale = false;
      heap.front().level = link.getLevel();
      sink(0);
      continue;
    }
    heap.front() = heap.back();
    heap.pop_back();
    if (!heap.empty())
      sink(0);
    if (link.numRising == 0)
      continue;
    for (int32_t f : flowsOf(full)) {
      if (!rises(f))
        continue;
      settle(f, level);
      double rate = level / table.penalties[static_cast<size_t>(f)];
      for (const FlowTable::Use &use : table.getUses(static_cast<size_t>(f))) {
        FillingLink &crossed = links[static_cast<size_t>(use.link)];
        --crossed.numRising;
        if (use.link == full)
          continue;
        crossed.isStale = true;
        if (!crossed.isFatPipe) {
          crossed.left.addProduct(-use.weight, rate);
          crossed.addShare(-use.share);
        } else if (use.share == crossed.greatest) {
          crossed.greatest = 0;
          for (int32_t other : flowsOf(use.link))
            if (rises(other))
              for (const FlowTable::Use &its :
                   table.getUses(static_cast<size_t>(other)))
                if (its.link == use.link)
                  crossed.greatest = std::max(crossed.greatest, its.share);
        }
      }
    }
  }
}

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_FILLING_H
