// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines with contention between stages.

#include "ContendedPipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace moe::schedule;

namespace {
/// Stages in order; a bit mask represents a set of stages.
enum Stage : unsigned { kExchange = 0, kGather = 1, kCopy = 2, kNumStages = 3 };

constexpr bool has(unsigned set, unsigned stage) { return set >> stage & 1; }
} // namespace

ContendedPipeline::ContendedPipeline(Strategy strategy,
                                     const StageResources &resources,
                                     const Contention &contention)
    : exchangeWithGather(resources.allToAll == resources.allGather),
      gatherWithCopy(strategy == Strategy::O2) {
  const ResourceId used[] = {resources.allToAll, resources.allGather,
                             resources.copy};
  for (unsigned set = 0; set < 8; ++set)
    for (unsigned stage = 0; stage < kNumStages; ++stage) {
      double slowdown = 1;
      // A resource counts once, regardless of how many tasks use it.
      std::array<bool, kMaxResources> counted = {};
      for (unsigned other = 0; other < kNumStages; ++other) {
        if (other == stage || !has(set, other) || counted[used[other]])
          continue;
        counted[used[other]] = true;
        slowdown *= contention.get(used[stage], used[other]);
      }
      slowdowns[set][stage] = slowdown;
    }
  findCorners();
}

void ContendedPipeline::findCorners() {
  // The speed of each stage in every set of stages that can run at once.
  std::array<Vector, 7> sets;
  size_t numSets = 0;
  for (unsigned set = 1; set < 8; ++set) {
    bool exchange = has(set, kExchange), gather = has(set, kGather),
         copy = has(set, kCopy);
    if ((exchangeWithGather && exchange && gather) ||
        (gatherWithCopy && gather && copy) ||
        (exchangeWithGather && gatherWithCopy && exchange && copy))
      continue;
    for (unsigned stage = 0; stage < kNumStages; ++stage)
      sets[numSets][stage] = has(set, stage) ? 1 / slowdowns[set][stage] : 0;
    ++numSets;
  }

  // Corners of { y : speeds(set) . y <= 1 for all sets }: three of these
  // constraints hold with equality at a corner. The sets of one stage imply y
  // <= 1, so a maximum of work . y with work >= 0 is at a corner.
  auto dot = [](const Vector &a, const Vector &b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  auto cross = [](const Vector &a, const Vector &b) {
    return Vector{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                  a[0] * b[1] - a[1] * b[0]};
  };
  for (size_t i = 0; i < numSets; ++i)
    for (size_t j = i + 1; j < numSets; ++j)
      for (size_t k = j + 1; k < numSets; ++k) {
        Vector jk = cross(sets[j], sets[k]), ki = cross(sets[k], sets[i]),
               ij = cross(sets[i], sets[j]);
        double determinant = dot(sets[i], jk);
        if (std::abs(determinant) < 1e-12)
          continue;
        Vector corner;
        for (unsigned stage = 0; stage < kNumStages; ++stage)
          corner[stage] = (jk[stage] + ki[stage] + ij[stage]) / determinant;
        if (std::all_of(sets.begin(), sets.begin() + numSets,
                        [&](const Vector &set) {
                          return dot(set, corner) <= 1 + 1e-12;
                        }))
          corners[numCorners++] = corner;
      }
}

double ContendedPipeline::getBoundUs(const StageTimes &stages,
                                     int64_t chunks) const {
  // The first chunk's all-to-all and the last one's copy run alone.
  double most = 0, n = double(chunks);
  Vector work = {(n - 1) * stages.allToAllUs, n * stages.allGatherUs,
                 (n - 1) * stages.copyUs};
  for (size_t i = 0; i < numCorners; ++i)
    most = std::max(most, work[0] * corners[i][0] + work[1] * corners[i][1] +
                              work[2] * corners[i][2]);
  return stages.allToAllUs + most + stages.copyUs;
}

double ContendedPipeline::getMakespanUs(const StageTimes &stages,
                                        int64_t chunks, double enoughUs) const {
  const Vector workUs = {stages.allToAllUs, stages.allGatherUs, stages.copyUs};
  // Remaining work of the current chunk of each stage.
  Vector leftUs = workUs;
  std::array<int64_t, kNumStages> done = {};
  double nowUs = 0;
  while (done[kCopy] < chunks) {
    if (nowUs > enoughUs)
      return std::numeric_limits<double>::infinity();
    // A stage may start on the next chunk after the previous stage has
    // completed it. A stream alternates between its stages chunk by chunk: the
    // earlier stage waits until the later one has caught up.
    bool canExchange = done[kExchange] < chunks;
    if (exchangeWithGather)
      canExchange &= done[kExchange] == done[kGather];
    if (exchangeWithGather && gatherWithCopy)
      canExchange &= done[kExchange] == done[kCopy];
    bool canGather = done[kGather] < done[kExchange];
    if (gatherWithCopy)
      canGather &= done[kGather] == done[kCopy];
    bool canCopy = done[kCopy] < done[kGather];
    unsigned running = unsigned(canExchange) << kExchange |
                       unsigned(canGather) << kGather |
                       unsigned(canCopy) << kCopy;

    const Vector &slowdown = slowdowns[running];
    double stepUs = std::numeric_limits<double>::infinity();
    for (unsigned stage = 0; stage < kNumStages; ++stage)
      if (has(running, stage))
        stepUs = std::min(stepUs, leftUs[stage] * slowdown[stage]);
    nowUs += stepUs;
    for (unsigned stage = 0; stage < kNumStages; ++stage) {
      if (!has(running, stage))
        continue;
      // The stage that determined the step is done, regardless of rounding
      // errors.
      if (leftUs[stage] * slowdown[stage] == stepUs) {
        leftUs[stage] = workUs[stage];
        ++done[stage];
      } else {
        leftUs[stage] -= stepUs / slowdown[stage];
      }
    }
  }
  return nowUs;
}
