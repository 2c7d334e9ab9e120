//===- ChunkSizes.cpp - Chunks of unequal sizes ---------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Schedule/ChunkSizes.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace moe::schedule;

/// Less is rounding.
static constexpr double kLeastGain = 1e-9;

static void setTimes(const LayerPhase &phase, std::span<const int64_t> parts,
                     int64_t granularity, std::vector<ChunkTimes> &chunks) {
  chunks.clear();
  for (int64_t part : parts)
    chunks.push_back(phase.getTimes(double(part) / double(granularity)));
}

/// Moves parts between chunks while that makes `order` faster. Returns how long
/// it takes in the end.
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

/// Sizes that grow threefold a chunk from `first` times the middle's on, and
/// shrink so to `last` times.
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
  // Whole parts, the least for each chunk and the rest by weight: what all up
  // to each chunk hold is rounded.
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

ChunkSizePlan moe::schedule::findChunkSizes(const LayerPhase &phase,
                                            int64_t degree, int64_t granularity,
                                            double gradientUs,
                                            OrderSearch &search,
                                            int64_t leastParts) {
  assert(degree >= 1 && leastParts >= 1 && granularity >= degree * leastParts &&
         "expected parts for all chunks");
  ChunkSizePlan best;
  std::vector<ChunkTimes> chunks;
  auto descend = [&](std::vector<int64_t> parts) {
    setTimes(phase, parts, granularity, chunks);
    OrderPlan plan = search.run(chunks, gradientUs);
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
      plan = search.run(chunks, gradientUs);
      // A search that leaves something out may miss the order it started from.
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
