// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of unequal sizes.

#include "moe/Schedule/ChunkSizes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace moe::schedule;

/// Smaller gains are rounding errors.
static constexpr double kLeastGain = 1e-9;

static void setTimes(const LayerPhase &phase, std::span<const int64_t> parts,
                     int64_t granularity, std::vector<ChunkTimes> &chunks) {
  chunks.clear();
  for (int64_t part : parts)
    chunks.push_back(phase.getTimes(double(part) / double(granularity)));
}

/// Moves parts between chunks while that makes `order` faster. Returns its
/// final time.
static double improveSizes(const LayerPhase &phase, int64_t granularity,
                           int64_t leastParts, double gradientUs,
                           const OperationOrder &order,
                           std::vector<int64_t> &parts,
                           std::vector<ChunkTimes> &chunks) {
  setTimes(phase, parts, granularity, chunks);
  double bestUs = *getOrderUs(chunks, gradientUs, order);
  auto set = [&](size_t chunk, int64_t count) {
    parts[chunk] = count;
    chunks[chunk] = phase.getTimes(double(count) / double(granularity));
  };
  int64_t step = 1;
  while (step * 4 <= granularity / int64_t(parts.size()))
    step *= 2;
  for (; step > 0; step /= 2)
    for (bool gained = true; gained;) {
      gained = false;
      for (size_t from = 0; from < parts.size(); ++from)
        for (size_t to = 0; to < parts.size(); ++to) {
          if (from == to || parts[from] - step < leastParts)
            continue;
          set(from, parts[from] - step);
          set(to, parts[to] + step);
          double us = *getOrderUs(chunks, gradientUs, order);
          if (us < bestUs * (1 - kLeastGain)) {
            bestUs = us;
            gained = true;
            continue;
          }
          set(from, parts[from] + step);
          set(to, parts[to] - step);
        }
    }
  return bestUs;
}

/// Returns sizes that grow threefold per chunk, starting at `first` times the
/// size in the middle, and that shrink in the same way to `last` times.
static std::vector<int64_t> makeSizes(int64_t degree, int64_t granularity,
                                      int64_t leastParts, double first,
                                      double last) {
  std::vector<double> weights;
  double sum = 0;
  for (int64_t i = 0; i < degree; ++i) {
    weights.push_back(std::min({1.0, first * std::pow(3, double(i)),
                                last * std::pow(3, double(degree - 1 - i))}));
    sum += weights.back();
  }
  // Each chunk gets the minimum, and the rest by weight. Cumulative sizes are
  // rounded, so that the parts add up.
  std::vector<int64_t> parts;
  double rest = double(granularity - degree * leastParts), upTo = 0;
  int64_t given = 0;
  for (double weight : weights) {
    upTo += weight;
    int64_t end = int64_t(parts.size() + 1) * leastParts +
                  std::llround(rest * upTo / sum);
    parts.push_back(end - given);
    given = end;
  }
  return parts;
}

/// `findOrder` returns the best order of chunks.
template <typename FindOrder>
static ChunkSizePlan findSizes(const LayerPhase &phase, int64_t degree,
                               int64_t granularity, double gradientUs,
                               int64_t leastParts, FindOrder findOrder) {
  assert(degree >= 1 && leastParts >= 1 && granularity >= degree * leastParts &&
         "expected parts for all chunks");
  ChunkSizePlan best;
  std::vector<ChunkTimes> chunks;
  auto descend = [&](std::vector<int64_t> parts) {
    setTimes(phase, parts, granularity, chunks);
    OrderPlan plan = findOrder(chunks);
    if (best.parts.empty()) {
      best.equalUs = plan.timeUs;
      best.parts = parts;
      best.plan = plan;
    }
    while (true) {
      double startUs = plan.timeUs;
      OperationOrder order = plan.order;
      double us = improveSizes(phase, granularity, leastParts, gradientUs,
                               order, parts, chunks);
      plan = findOrder(chunks);
      // A search that discards schedules may miss the order it started from.
      if (us < plan.timeUs) {
        plan.timeUs = us;
        plan.order = order;
        plan.isExact = false;
      }
      if (plan.timeUs < best.plan.timeUs * (1 - kLeastGain)) {
        best.parts = parts;
        best.plan = plan;
      }
      if (plan.timeUs >= startUs * (1 - kLeastGain))
        return;
    }
  };
  for (double first : {1.0, 1.0 / 2, 1.0 / 8})
    for (double last : {1.0, 1.0 / 2, 1.0 / 8})
      if (degree > 1 || first * last == 1)
        descend(makeSizes(degree, granularity, leastParts, first, last));
  return best;
}

ChunkSizePlan moe::schedule::findChunkSizes(const LayerPhase &phase,
                                            int64_t degree, int64_t granularity,
                                            double gradientUs,
                                            BeamSearch &search,
                                            int64_t leastParts) {
  return findSizes(phase, degree, granularity, gradientUs, leastParts,
                   [&](std::span<const ChunkTimes> chunks) {
                     return search.run(chunks, gradientUs);
                   });
}

ChunkSizePlan moe::schedule::findFixedOrderSizes(const LayerPhase &phase,
                                                 int64_t degree,
                                                 int64_t granularity,
                                                 double gradientUs,
                                                 int64_t leastParts) {
  OrderPlan plan;
  plan.order = getFixedOrder(degree, gradientUs > 0);
  return findSizes(phase, degree, granularity, gradientUs, leastParts,
                   [&](std::span<const ChunkTimes> chunks) {
                     plan.timeUs = plan.fixedOrderUs =
                         getFixedOrderUs(chunks, gradientUs);
                     return plan;
                   });
}

/// For each number of chunks up to `bounds.size()`, raises its bound to the
/// minimum over all sizes of the sum of `getAll` of all chunks, `getFirst` of
/// one chunk and `getLast` of one chunk, possibly the same one.
template <typename GetAll, typename GetFirst, typename GetLast>
static void raiseBounds(std::span<const ChunkTimes> byParts, int64_t leastParts,
                        std::vector<double> &bounds, GetAll getAll,
                        GetFirst getFirst, GetLast getLast) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  int64_t granularity = int64_t(byParts.size()) - 1;
  // The least sum by number of parts assigned, and by the chunks already
  // selected: bit 0 for `getFirst`, bit 1 for `getLast`.
  using Sums = std::array<double, 4>;
  std::vector<Sums> sums(byParts.size(), {kNone, kNone, kNone, kNone});
  sums[0][0] = 0;
  std::vector<Sums> next;
  for (double &bound : bounds) {
    next.assign(byParts.size(), {kNone, kNone, kNone, kNone});
    for (int64_t parts = leastParts; parts <= granularity; ++parts) {
      const ChunkTimes &chunk = byParts[parts];
      double all = getAll(chunk), first = getFirst(chunk),
             last = getLast(chunk);
      const double us[] = {all, all + first, all + last, all + first + last};
      for (int64_t given = 0; given + parts <= granularity; ++given) {
        const Sums &from = sums[given];
        Sums &to = next[given + parts];
        to[0] = std::min(to[0], from[0] + us[0]);
        to[1] = std::min({to[1], from[0] + us[1], from[1] + us[0]});
        to[2] = std::min({to[2], from[0] + us[2], from[2] + us[0]});
        to[3] = std::min({to[3], from[0] + us[3], from[1] + us[2],
                          from[2] + us[1], from[3] + us[0]});
      }
    }
    sums.swap(next);
    bound = std::max(bound, sums[granularity][3]);
  }
}

std::vector<double> moe::schedule::getAnySizesBoundsUs(const LayerPhase &phase,
                                                       int64_t maxDegree,
                                                       int64_t granularity,
                                                       double gradientUs,
                                                       int64_t leastParts) {
  assert(maxDegree >= 1 && leastParts >= 1 && granularity >= leastParts &&
         "expected parts for a chunk");
  std::vector<ChunkTimes> byParts(size_t(granularity) + 1);
  for (int64_t parts = leastParts; parts <= granularity; ++parts)
    byParts[parts] = phase.getTimes(double(parts) / double(granularity));
  std::vector<double> bounds(size_t(maxDegree), 0.0);
  using T = const ChunkTimes &;
  auto raise = [&](auto getAll, auto getFirst, auto getLast) {
    raiseBounds(byParts, leastParts, bounds, getAll, getFirst, getLast);
  };
  auto none = [](T) { return 0.0; };
  // All operations of each stream, and all operations of one kind on streams
  // with two kinds.
  raise([](T t) { return t.expertsUs; },
        [](T t) { return t.dispatchUs + t.allGatherUs; },
        [](T t) { return t.reduceScatterUs + t.combineUs; });
  raise([](T t) { return t.allGatherUs + t.reduceScatterUs; },
        [](T t) { return t.dispatchUs; }, [](T t) { return t.combineUs; });
  raise([](T t) { return t.allGatherUs; }, [](T t) { return t.dispatchUs; },
        [](T t) { return t.expertsUs + t.reduceScatterUs + t.combineUs; });
  raise([](T t) { return t.reduceScatterUs; },
        [](T t) { return t.dispatchUs + t.allGatherUs + t.expertsUs; },
        [](T t) { return t.combineUs; });
  auto getInside = [](T t) {
    return t.allGatherUs + t.expertsUs + t.reduceScatterUs;
  };
  raise([](T t) { return t.dispatchUs; }, none,
        [&](T t) { return getInside(t) + t.combineUs; });
  raise([](T t) { return t.combineUs; },
        [&](T t) { return t.dispatchUs + getInside(t); }, none);
  std::vector<double> inter(bounds.size(), 0.0);
  raiseBounds(
      byParts, leastParts, inter,
      [](T t) { return t.dispatchUs + t.combineUs; }, none, none);
  for (size_t i = 0; i < bounds.size(); ++i)
    bounds[i] = std::max(bounds[i], inter[i] + gradientUs);
  // The chain of the largest chunk.
  double pathUs = std::numeric_limits<double>::infinity();
  int64_t parts = granularity;
  for (int64_t degree = 1; degree <= maxDegree; ++degree) {
    int64_t largest = std::max((granularity + degree - 1) / degree, leastParts);
    for (; parts >= largest; --parts) {
      T chunk = byParts[parts];
      pathUs = std::min(pathUs,
                        chunk.dispatchUs + getInside(chunk) + chunk.combineUs);
    }
    bounds[size_t(degree - 1)] = std::max(bounds[size_t(degree - 1)], pathUs);
  }
  return bounds;
}

std::optional<ChunkSizePlan> moe::schedule::findFastestSizes(
    const LayerPhase &phase, int64_t maxDegree, int64_t granularity,
    double gradientUs, double equalUs, int64_t leastParts) {
  // The search is narrow, because it runs often.
  BeamSearch search(/*width=*/16);
  std::optional<ChunkSizePlan> best;
  for (int64_t degree = 2;
       degree <= std::min(maxDegree, granularity / leastParts); ++degree) {
    ChunkSizePlan plan = findChunkSizes(phase, degree, granularity, gradientUs,
                                        search, leastParts);
    // Smaller gains are rounding errors.
    if (plan.plan.timeUs >= (best ? best->plan.timeUs : equalUs) * (1 - 1e-9))
      continue;
    best = std::move(plan);
  }
  return best;
}
