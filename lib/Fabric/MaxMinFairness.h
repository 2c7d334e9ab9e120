// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progressive filling of links.
//
// The algorithm of fair rates over flows and links that are plain numbers.
// `getFairRates` fills a whole network, and a simulation fills the part that an
// event reached.

#ifndef MOE_LIB_FABRIC_MAXMINFAIRNESS_H
#define MOE_LIB_FABRIC_MAXMINFAIRNESS_H

#include "DoubleDouble.h"
#include "moe/Fabric/FairRates.h"

#include <algorithm>
#include <span>

namespace moe::fabric {

/// Flows by number with their paths, stored consecutively. A flow's bound is an
/// additional link.
struct FlowTable {
  struct Use {
    int32_t link;
    /// Factors for the rate, and for the level: weight / penalty.
    double weight, share;
  };
  std::vector<size_t> firstUse{0};
  std::vector<Use> uses;
  std::vector<double> penalties;
  /// True if all weights and penalties are 1, as in trees with multiple paths.
  bool isPlain = true;

  /// Adds a flow, which must not be stopped.
  void add(std::span<const LinkUse> way, double penalty);

  size_t getNumFlows() const { return penalties.size(); }
  std::span<const Use> getUses(size_t flow) const {
    return std::span(uses).subspan(firstUse[flow],
                                   firstUse[flow + 1] - firstUse[flow]);
  }
};

/// The state of a link during filling.
struct FillingLink {
  /// Capacity that remains after flows with settled rates.
  DoubleDouble left;
  /// Sum of the shares of the rising flows, maintained only if the flows of the
  /// link have different shares; otherwise, `same` is the common share.
  DoubleDouble shares;
  double same = 0;
  /// For fat pipes, the greatest share of a rising flow.
  double greatest = 0;
  bool isFatPipe = false;
  /// Number of rising flows.
  int32_t numRising = 0;
  /// True if its level must be recomputed.
  bool isStale = false;

  /// Returns the level that fills it.
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
  /// Resets the link to no rising flows.
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

/// Four independent minima, so that comparisons need not wait for each other.
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
  /// The table must already have all of its flows.
  Filling(const FlowTable &table, size_t numLinks)
      : links(numLinks), table(table) {
    for (const FlowTable::Use &use : table.uses) {
      double &same = links[static_cast<size_t>(use.link)].same;
      same = same == 0 || same == use.share ? use.share : -1;
    }
  }

  /// By link. Before each `fill`, the caller sets the links in `touched`:
  /// `clear` with the capacity for rising flows, then `addRising` for each of
  /// these.
  std::vector<FillingLink> links;

  /// Finds the levels of flows, which are their rates times their penalties.
  /// `flowsOf(l)` returns the flows of a touched link, and `rises(f)` returns
  /// whether a flow is to be filled. `settle(f, level, rate)` is called once
  /// for each of these, after which `rises(f)` must be false. `isPlain` is
  /// permitted if the table is plain and no link is a fat pipe.
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
  /// A min-heap of levels, where levels of stale links are too low. If there
  /// are few links, all levels are recomputed each time instead, which costs
  /// less than unpredictable branches.
  std::vector<LinkLevel> heap;
  static constexpr size_t kFew = 64;
  /// Rising flows over the full link.
  std::vector<int32_t> stopping;

  /// Settles the rising flows over a full link.
  template <bool isPlain, typename FlowsOf, typename Rises, typename Settle>
  void levelOff(int32_t full, double level, FlowsOf flowsOf, Rises rises,
                Settle settle);

  /// Restores the heap if `moved`, at `place`, is the only element that may be
  /// too large for its place.
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
      // The remaining capacity of the full link is not needed again.
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
        // Without rising flows, the level is undefined, and the link is
        // removed.
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
    // Levels only rise while other links become full, so the least level that
    // is not stale is next.
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
