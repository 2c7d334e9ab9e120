// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One phase of one MoE layer.

#include "moe/Schedule/LayerPhase.h"
#include <algorithm>

using namespace moe::schedule;

LayerPhase::~LayerPhase() = default;

LayerWork moe::schedule::getLayerWork(const LayerShape &shape,
                                      TrainingPhase phase) {
  double elements = double(shape.topK) * shape.capacityFactor.value_or(1.0) *
                    double(shape.microBatch) * double(shape.seqLen) *
                    double(shape.hidden);
  int64_t gemms = shape.gemms * (phase == TrainingPhase::Backward ? 2 : 1);
  LayerWork work;
  work.allToAllElements = elements / double(shape.tp);
  work.gatheredElements = elements;
  work.macs =
      elements * double(shape.ffnHidden) / double(shape.esp) * double(gemms);
  work.gemms = gemms;
  return work;
}

/// `getChunk(i)` returns the times of chunk i.
template <typename GetChunk>
static double simulate(int64_t numChunks, double gradientUs,
                       GetChunk getChunk) {
  if (numChunks == 0)
    return 0;
  // Reduce-scatters follow all all-gathers and combines follow all dispatches,
  // so dispatches and all-gathers are timed first.
  double interUs = 0, intraUs = 0;
  for (int64_t i = 0; i < numChunks; ++i) {
    interUs += getChunk(i).dispatchUs;
    intraUs = std::max(intraUs, interUs) + getChunk(i).allGatherUs;
  }
  interUs += gradientUs;
  double dispatchUs = 0, gatherUs = 0, expertsUs = 0;
  for (int64_t i = 0; i < numChunks; ++i) {
    const ChunkTimes &chunk = getChunk(i);
    dispatchUs += chunk.dispatchUs;
    gatherUs = std::max(gatherUs, dispatchUs) + chunk.allGatherUs;
    expertsUs = std::max(expertsUs, gatherUs) + chunk.expertsUs;
    intraUs = std::max(intraUs, expertsUs) + chunk.reduceScatterUs;
    interUs = std::max(interUs, intraUs) + chunk.combineUs;
  }
  return interUs;
}

double moe::schedule::getFixedOrderUs(std::span<const ChunkTimes> chunks,
                                      double gradientUs) {
  return simulate(int64_t(chunks.size()), gradientUs,
                  [&](int64_t i) -> const ChunkTimes & { return chunks[i]; });
}

double moe::schedule::getFixedOrderUs(const ChunkTimes &chunk, int64_t degree,
                                      double gradientUs) {
  return simulate(degree, gradientUs,
                  [&](int64_t) -> const ChunkTimes & { return chunk; });
}
