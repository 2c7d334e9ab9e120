// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection of the number of chunks.

#include "moe/Schedule/DegreePlanner.h"
#include "moe/Cost/TieTolerance.h"

#include <algorithm>
#include <limits>

using namespace moe;
using namespace moe::schedule;

template <typename GetChunk>
static double boundAnyOrder(int64_t numChunks, double gradientUs,
                            GetChunk getChunk) {
  // A stream's operations from the i-th to the j-th chunk run in sequence,
  // after the i dispatches up to the first of them, and before the combines
  // from the j-th chunk on. The times before and after are sums over chunks, so
  // the best i for each j is updated while j grows.
  double interUs = gradientUs, combinesUs = 0;
  for (int64_t i = 0; i < numChunks; ++i) {
    interUs += getChunk(i).dispatchUs + getChunk(i).combineUs;
    combinesUs += getChunk(i).combineUs;
  }
  double boundUs = interUs;
  double dispatchesUs = 0, chainUs = 0;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double gathersUs = kNone, expertsUs = kNone, scattersUs = kNone,
         intraUs = kNone;
  for (int64_t j = 0; j < numChunks; ++j) {
    const ChunkTimes &chunk = getChunk(j);
    dispatchesUs += chunk.dispatchUs;
    // Earliest ends of the j-th all-gather, experts and reduce-scatter.
    gathersUs = std::max(gathersUs, dispatchesUs) + chunk.allGatherUs;
    expertsUs = std::max(expertsUs, gathersUs) + chunk.expertsUs;
    scattersUs = std::max(scattersUs, expertsUs) + chunk.reduceScatterUs;
    // All-gathers and reduce-scatters up to j share a stream.
    intraUs = std::max(intraUs, dispatchesUs) + chunk.allGatherUs +
              chunk.reduceScatterUs;
    chainUs = std::max(scattersUs, intraUs) + combinesUs;
    boundUs = std::max(boundUs, chainUs);
    combinesUs -= chunk.combineUs;
  }
  return boundUs;
}

double moe::schedule::getAnyOrderBoundUs(const ChunkTimes &chunk,
                                         int64_t degree, double gradientUs) {
  return boundAnyOrder(degree, gradientUs,
                       [&](int64_t) -> const ChunkTimes & { return chunk; });
}

double moe::schedule::getAnyOrderBoundUs(std::span<const ChunkTimes> chunks,
                                         double gradientUs) {
  return boundAnyOrder(
      int64_t(chunks.size()), gradientUs,
      [&](int64_t i) -> const ChunkTimes & { return chunks[size_t(i)]; });
}

DegreePlan DegreePlanner::plan(const LayerPhase &phase, int64_t maxDegree,
                               double gradientUs, double uncertainty) {
  times.resize(size_t(maxDegree));
  DegreePlan plan;
  for (int64_t degree = 1; degree <= maxDegree; ++degree) {
    DegreeTime &time = times[size_t(degree - 1)];
    time.degree = degree;
    time.chunk = phase.getTimes(1 / double(degree));
    time.timeUs = getFixedOrderUs(time.chunk, degree, gradientUs);
    time.closedForm = getClosedForm(time.chunk, degree, gradientUs);
    time.lowerBoundUs = getAnyOrderBoundUs(time.chunk, degree, gradientUs);
    plan.lowerBoundUs = degree == 1
                            ? time.lowerBoundUs
                            : std::min(plan.lowerBoundUs, time.lowerBoundUs);
  }
  auto pick = [&](double within, int64_t without) {
    return cost::pickWithinTolerance(
        times, within, [&](const DegreeTime &time) {
          return time.degree == without
                     ? std::numeric_limits<double>::infinity()
                     : time.timeUs;
        });
  };
  auto chosen = pick(uncertainty, /*without=*/0);
  plan.degree = chosen->degree;
  plan.timeUs = chosen->timeUs;
  if (auto next = pick(/*within=*/0, plan.degree); next != times.end())
    plan.runnerUp = next->degree;
  plan.byDegree = times;
  return plan;
}
