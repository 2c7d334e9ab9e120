// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement of gradient all-reduces.
//
// Proof that the search is exact: a slot that carries x > 0 elements takes the
// minimum over its options of us + slope * max(0, x - capacity). The slope is
// the all-reduce's, so it is the same for all options of all slots (a choice
// takes max(alone, through + alpha + slope * x)). A partition is determined by
// how much each slot carries: if older gradients are sent first, a gradient is
// never sent before it exists, provided that no slot must carry more than
// exists and has not been sent.
//
// 1. The elements that exceed capacities can all be sent in the last slot that
//    carries anything, because they exist by then and cost the same slope
//    there.
// 2. Therefore, a partition is a choice for each slot, idle or one of its
//    options. Its time is the sum of `us`, plus the slope times the rest that
//    remains if each slot sends, as early as possible, the existing elements up
//    to its capacity. If a rest remains, some slot after the last gradient
//    exists must be in use.
// 3. Two candidates that have made choices up to some slot differ in the time
//    so far, in the elements sent, and in whether a slot is in use since the
//    last gradient exists. If they agree in the latter, or if the first has
//    such a slot, the second may be discarded if time1 + slope * max(0, sent2 -
//    sent1) <= time2: the first may make the same further choices as the
//    second, and is left with at most sent2 - sent1 more elements, which cost
//    the slope each. (If the second ends with nothing more to send, it has used
//    a slot after the last gradient, and so has the first.)
//
// Discarding by 3 loses nothing, so the remaining candidates contain a best
// one. The problem contains the knapsack problem, so there may be exponentially
// many. In that case, among candidates with times within a small width, only
// the one that has sent most is kept. By 3, each discarded candidate is better
// by at most the width.

#include "OverlapWindows.h"
#include <algorithm>
#include <limits>

using namespace moe::schedule;

namespace {

/// Choices for the slots up to some slot.
struct PartialPartition {
  double us;
  int64_t sent;
  /// True if a slot is in use since the last gradient exists.
  bool canEnd;
  /// The parent candidate in the previous slot, and the index of the added
  /// option, or idle.
  uint32_t parent;
  uint32_t option;

  static constexpr uint32_t kIdle = std::numeric_limits<uint32_t>::max();
};

/// Maximum number of candidates of all slots together, 32 bytes each.
constexpr size_t kMostStored = size_t(1) << 22;

class PartitionSearch {
public:
  PartitionSearch(std::vector<Slot> slots, double slopeUs, size_t maxCandidates)
      : slots(std::move(slots)), slopeUs(slopeUs),
        maxCandidates(std::max<size_t>(
            2, std::min(maxCandidates, kMostStored / this->slots.size()))) {}

  /// Returns the number of elements of each slot.
  std::vector<int64_t> run();

  double gapUs = 0;

private:
  void dropWorse(std::vector<PartialPartition> &candidates);
  void thinOut(std::vector<PartialPartition> &candidates);

  std::vector<Slot> slots;
  double slopeUs;
  size_t maxCandidates;
};

} // namespace

void PartitionSearch::dropWorse(std::vector<PartialPartition> &candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [](const PartialPartition &a, const PartialPartition &b) {
              if (a.us != b.us)
                return a.us < b.us;
              return a.sent != b.sent ? a.sent > b.sent : a.canEnd > b.canEnd;
            });
  // The most elements sent by any kept candidate, and the least time minus the
  // cost of its elements at the slope; for all candidates, and for candidates
  // that can end.
  struct Best {
    int64_t sent = -1;
    double us = std::numeric_limits<double>::infinity();

    void add(int64_t otherSent, double otherUs) {
      sent = std::max(sent, otherSent);
      us = std::min(us, otherUs);
    }
  } all, ending;
  size_t kept = 0;
  for (const PartialPartition &candidate : candidates) {
    double atSlopeUs = candidate.us - slopeUs * double(candidate.sent);
    // Equal sums that differ only by rounding must not keep both candidates.
    double roundingUs = 1e-14 * (candidate.us + slopeUs * candidate.sent);
    const Best &best = candidate.canEnd ? ending : all;
    if (best.sent >= candidate.sent || best.us <= atSlopeUs + roundingUs)
      continue;
    all.add(candidate.sent, atSlopeUs);
    if (candidate.canEnd)
      ending.add(candidate.sent, atSlopeUs);
    candidates[kept++] = candidate;
  }
  candidates.resize(kept);
}

void PartitionSearch::thinOut(std::vector<PartialPartition> &candidates) {
  // Candidates that can end and candidates that cannot are thinned separately,
  // with half of the limit each.
  double firstUs = candidates.front().us, lastUs = candidates.back().us;
  size_t numWidths = maxCandidates / 2;
  double widthUs = (lastUs - firstUs) / double(numWidths);
  std::vector<PartialPartition> kept;
  for (bool canEnd : {false, true}) {
    size_t previous = numWidths + 1;
    for (const PartialPartition &candidate : candidates) {
      if (candidate.canEnd != canEnd)
        continue;
      size_t width =
          std::min(numWidths - 1, size_t((candidate.us - firstUs) / widthUs));
      // Within a kind, candidates that take longer have sent more.
      if (width == previous)
        kept.back() = candidate;
      else
        kept.push_back(candidate);
      previous = width;
    }
  }
  candidates = std::move(kept);
  gapUs += widthUs;
}

std::vector<int64_t> PartitionSearch::run() {
  int64_t total = slots.back().produced;
  std::vector<std::vector<PartialPartition>> bySlot(slots.size() + 1);
  bySlot[0] = {{0, 0, total == 0, 0, PartialPartition::kIdle}};
  for (size_t s = 0; s < slots.size(); ++s) {
    const Slot &slot = slots[s];
    std::vector<PartialPartition> &next = bySlot[s + 1];
    for (uint32_t parent = 0; parent < bySlot[s].size(); ++parent) {
      const PartialPartition &from = bySlot[s][parent];
      next.push_back({from.us + slot.idleUs, from.sent, from.canEnd, parent,
                      PartialPartition::kIdle});
      if (from.sent == total)
        continue;
      for (uint32_t option = 0; option < slot.options.size(); ++option) {
        const SlotOption &way = slot.options[option];
        int64_t sent =
            from.sent + std::min(way.capacity, slot.produced - from.sent);
        bool canEnd = from.canEnd || slot.produced == total;
        if (sent > from.sent || canEnd)
          next.push_back({from.us + way.us, sent, canEnd, parent, option});
      }
    }
    dropWorse(next);
    if (next.size() > maxCandidates)
      thinOut(next);
  }

  const PartialPartition *best = nullptr;
  double bestUs = std::numeric_limits<double>::infinity();
  for (const PartialPartition &candidate : bySlot.back()) {
    double us = candidate.us + slopeUs * double(total - candidate.sent);
    if (candidate.canEnd && us < bestUs) {
      best = &candidate;
      bestUs = us;
    }
  }
  // One exists, because the last slot can carry everything.
  std::vector<int64_t> carried(slots.size(), 0);
  int64_t left = total - best->sent;
  for (size_t s = slots.size(); s-- > 0;) {
    const PartialPartition &parent = bySlot[s][best->parent];
    carried[s] = best->sent - parent.sent;
    if (best->option != PartialPartition::kIdle && left > 0) {
      carried[s] += left;
      left = 0;
    }
    best = &parent;
  }
  return carried;
}

/// Makes the partition that sends this many elements in each slot, oldest
/// gradients first.
static GradientPartition
makePartition(const std::vector<GeneralizedLayer> &layers,
              const LinearTime &allReduce, const std::vector<Slot> &slots,
              const std::vector<int64_t> &carried) {
  GradientPartition partition;
  int64_t from = int64_t(layers.size());
  int64_t left = 0;
  for (size_t s = 0; s < slots.size(); ++s) {
    for (int64_t elements = carried[s]; elements > 0;) {
      while (left == 0)
        left = layers[size_t(--from)].gradientElements;
      int64_t taken = std::min(left, elements);
      partition.pieces.push_back({slots[s].layer, slots[s].kind, from, taken});
      elements -= taken;
      left -= taken;
    }
  }
  partition.time = getBackwardTime(layers, allReduce, partition.pieces);
  return partition;
}

moe::cost::Result<GradientPartition>
moe::schedule::hideGradients(const std::vector<GeneralizedLayer> &layers,
                             const LinearTime &allReduce) {
  if (std::string problem = checkLayers(layers, allReduce); !problem.empty())
    return cost::Failure{std::move(problem)};
  std::vector<Slot> slots = getSlots(layers, allReduce);
  std::vector<int64_t> carried(slots.size(), 0);
  int64_t total = slots.back().produced, sent = 0;
  size_t last = slots.size() - 1;
  for (size_t s = 0; s < slots.size(); ++s) {
    const Slot &slot = slots[s];
    // The MoE part of the first layer can carry the rest as cheaply as any
    // later slot.
    if (slot.kind == OverlapWindow::MoE && slot.produced == total)
      last = s;
    for (const SlotOption &option : slot.options)
      if (option.us <= slot.idleUs)
        carried[s] = std::max(carried[s],
                              std::min(option.capacity, slot.produced - sent));
    sent += carried[s];
  }
  carried[last] += total - sent;
  return makePartition(layers, allReduce, slots, carried);
}

moe::cost::Result<GradientPartition>
moe::schedule::partitionGradients(const std::vector<GeneralizedLayer> &layers,
                                  const LinearTime &allReduce,
                                  const PartitionLimits &limits) {
  if (std::string problem = checkLayers(layers, allReduce); !problem.empty())
    return cost::Failure{std::move(problem)};
  std::vector<Slot> slots = getSlots(layers, allReduce);
  PartitionSearch search(slots, allReduce.slopeUs, limits.maxCandidates);
  GradientPartition partition =
      makePartition(layers, allReduce, slots, search.run());
  partition.gapUs = search.gapUs;
  return partition;
}
