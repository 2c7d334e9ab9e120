// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progressive filling of links.

//
// The one algorithm of fair rates, over flows and links that are plain numbers:
// `getFairRates` fills a whole network, a simulation the part that an event
// touched.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_FABRIC_MAXMINFAIRNESS_H
#define MOE_LIB_FABRIC_MAXMINFAIRNESS_H

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
  /// All weights and penalties are 1, as in trees where flows take all ways.
  bool isPlain = true;

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
  template <bool isPlain> double getLevel() const {
    if constexpr (isPlain)
      return std::max(0.0, left.get()) / numRising;
    if (isFatPipe)
      return left.get() / greatest;
    return std::max(0.0, left.get()) /
           (same > 0 ? same * numRising : shares.get());
  }
  void addShare(double share) {
    if (!(same > 0))
      shares.add(share);
    if (isFatPipe)
      greatest = std::max(greatest, share);
  }
  /// Before any flow rises.
  void clear(double capacity) {
    left = {capacity, 0};
    shares = {};
    greatest = 0;
    numRising = 0;
    isStale = false;
  }
  void addRising(double share) {
    ++numRising;
    addShare(share);
  }
};

/// Of four at a time, so that one comparison need not wait for the last.
inline double findLeast(std::span<const double> numbers) {
  constexpr double kMost = std::numeric_limits<double>::infinity();
  double least[4] = {kMost, kMost, kMost, kMost};
  size_t k = 0;
  for (; k + 4 <= numbers.size(); k += 4)
    for (size_t lane = 0; lane < 4; ++lane)
      least[lane] = std::min(least[lane], numbers[k + lane]);
  for (; k < numbers.size(); ++k)
    least[0] = std::min(least[0], numbers[k]);
  return std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
}

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
  /// left for the flows that rise, and these by `addRising` behind `clear`.
  std::vector<FillingLink> links;

  /// Finds the levels of flows: their rates times their penalties. `flowsOf(l)`
  /// lists flows of a touched link, `rises(f)` tells those of them that are to
  /// be filled, and `settle(f, level, rate)` is called for each of these once,
  /// after which it must not rise.
  /// `isPlain` is allowed where the table says so and no link is a fat pipe.
  template <bool isPlain, typename FlowsOf, typename Rises, typename Settle>
  void fill(std::span<const int32_t> touched, FlowsOf flowsOf, Rises rises,
            Settle settle);

private:
  const FlowTable &table;
  struct LinkLevel {
    double level;
    int32_t link;
    bool operator<(const LinkLevel &other) const {
      return level < other.level || (level == other.level && link < other.link);
    }
  };
  /// A heap of levels, the least first; those of stale links are too low. Of
  /// few links all levels are found again each time instead, which takes less
  /// than branches that nobody can foresee.
  std::vector<LinkLevel> heap;
  static constexpr size_t kFew = 64;
  /// Flows that rise over the link that is full.
  std::vector<int32_t> stopping;

  /// Levels off the flows that rise over a full link.
  template <bool isPlain, typename FlowsOf, typename Rises, typename Settle>
  void levelOff(int32_t full, double level, FlowsOf flowsOf, Rises rises,
                Settle settle);

  /// Puts one that may be too great for its place, and is the only such.
  static void sink(LinkLevel *heap, size_t size, size_t place,
                   LinkLevel moved) {
    for (size_t next; (next = 2 * place + 1) < size; place = next) {
      next += next + 1 < size && heap[next + 1] < heap[next];
      if (!(heap[next] < moved))
        break;
      heap[place] = heap[next];
    }
    heap[place] = moved;
  }
};

template <bool isPlain, typename FlowsOf, typename Rises, typename Settle>
void Filling::levelOff(int32_t full, double level, FlowsOf flowsOf, Rises rises,
                       Settle settle) {
  FillingLink *const all = links.data();
  const FlowTable::Use *const uses = table.uses.data();
  const size_t *const firstUse = table.firstUse.data();
  auto &&crossing = flowsOf(full);
  if (stopping.size() < crossing.size())
    stopping.resize(crossing.size());
  int32_t *const found = stopping.data();
  size_t count = 0;
  for (int32_t f : crossing) {
    found[count] = f;
    count += rises(f) ? 1 : 0;
  }
  for (size_t k = 0; k < count; ++k) {
    const int32_t f = found[k];
    double rate = isPlain ? level : level / table.penalties[size_t(f)];
    settle(f, level, rate);
    const FlowTable::Use *const end = uses + firstUse[f + 1];
    for (const FlowTable::Use *use = uses + firstUse[f]; use != end; ++use) {
      FillingLink &crossed = all[use->link];
      --crossed.numRising;
      crossed.isStale = true;
      // What is left of the full link is not asked for again.
      if constexpr (isPlain) {
        crossed.left.add(-rate);
      } else if (use->link == full) {
        continue;
      } else if (!crossed.isFatPipe) {
        crossed.left.addProduct(-use->weight, rate);
        crossed.addShare(-use->share);
      } else if (use->share == crossed.greatest) {
        crossed.greatest = 0;
        for (int32_t other : flowsOf(use->link))
          if (rises(other))
            for (const FlowTable::Use &its :
                 table.getUses(static_cast<size_t>(other)))
              if (its.link == use->link)
                crossed.greatest = std::max(crossed.greatest, its.share);
      }
    }
  }
}

template <bool isPlain, typename FlowsOf, typename Rises, typename Settle>
void Filling::fill(std::span<const int32_t> touched, FlowsOf flowsOf,
                   Rises rises, Settle settle) {
  FillingLink *const all = links.data();
  heap.resize(touched.size());
  LinkLevel *const least = heap.data();
  size_t size = 0;
  for (int32_t l : touched)
    if (all[l].numRising > 0)
      least[size++] = {all[l].getLevel<isPlain>(), l};
  if (size <= kFew) {
    double levels[kFew];
    int32_t rising[kFew];
    for (size_t k = 0; k < size; ++k) {
      levels[k] = least[k].level;
      rising[k] = least[k].link;
    }
    while (size > 0) {
      double level = findLeast({levels, size});
      size_t next = 0;
      while (next + 1 < size && levels[next] != level)
        ++next;
      levelOff<isPlain>(rising[next], level, flowsOf, rises, settle);
      size_t kept = 0;
      for (size_t k = 0; k < size; ++k) {
        int32_t l = rising[k];
        // Of links without flows that rise it is no number, and goes.
        levels[kept] = all[l].getLevel<isPlain>();
        rising[kept] = l;
        kept += all[l].numRising > 0 ? 1 : 0;
      }
      size = kept;
    }
    return;
  }
  for (size_t place = size / 2; place-- > 0;)
    sink(least, size, place, least[place]);
  while (size > 0) {
    auto [level, full] = *least;
    FillingLink &link = all[full];
    // Levels only rise while other links get full, so that the least that is
    // not stale is the next.
    if (link.isStale && link.numRising > 0) {
      link.isStale = false;
      sink(least, size, 0, {link.getLevel<isPlain>(), full});
      continue;
    }
    --size;
    sink(least, size, 0, least[size]);
    if (link.numRising > 0)
      levelOff<isPlain>(full, level, flowsOf, rises, settle);
  }
}

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_MAXMINFAIRNESS_H
