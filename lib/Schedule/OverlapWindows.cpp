// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capacities of the slots of a backward pass.

#include "OverlapWindows.h"
#include <algorithm>
#include <cmath>

using namespace moe::schedule;

std::vector<BackwardChoice>
moe::schedule::getBackwardChoices(const LayerPhase &phase, int64_t maxDegree) {
  std::vector<BackwardChoice> choices;
  for (int64_t degree = 1; degree <= maxDegree; ++degree) {
    ChunkTimes chunk = phase.getTimes(1.0 / double(degree));
    // The chain through the all-reduce is its stream: all dispatches precede
    // it, and all combines follow it.
    double through = double(degree) * (chunk.dispatchUs + chunk.combineUs);
    double alone = getFixedOrderUs(chunk, degree, 0);
    choices.push_back({degree, alone, std::min(through, alone)});
  }
  return choices;
}

std::vector<BackwardChoice>
moe::schedule::getOneStreamChoices(const LayerPhase &phase, int64_t maxDegree) {
  std::vector<BackwardChoice> choices;
  for (int64_t degree = 1; degree <= maxDegree; ++degree) {
    ChunkTimes chunk = phase.getTimes(1.0 / double(degree));
    double inUs = chunk.dispatchUs + chunk.allGatherUs,
           outUs = chunk.reduceScatterUs + chunk.combineUs;
    // The experts of chunk i start after its all-gather and the previous
    // experts have ended. The stream turns around when all chunks are in.
    double expertsUs = 0, collectivesUs = double(degree) * inUs;
    for (int64_t i = 1; i <= degree; ++i) {
      expertsUs = std::max(expertsUs, double(i) * inUs) + chunk.expertsUs;
      collectivesUs = std::max(collectivesUs, expertsUs) + outUs;
    }
    // An all-reduce at the turn of the stream is in one chain with all
    // collectives. Their sum differs from the computed end by rounding at most.
    double throughUs = double(degree) * (inUs + outUs);
    choices.push_back(
        {degree, collectivesUs, std::min(throughUs, collectivesUs)});
  }
  return choices;
}

/// Returns the number of elements, at most `limit`, that an all-reduce moves in
/// `us`.
static int64_t getElements(double us, const LinearTime &allReduce,
                           int64_t limit) {
  double left = us - allReduce.alphaUs;
  if (left < 0)
    return 0;
  if (left >= allReduce.slopeUs * double(limit))
    return limit;
  return std::min(limit, int64_t(std::floor(left / allReduce.slopeUs)));
}

/// Removes options that are not the best for any number of elements.
static void dropUseless(std::vector<SlotOption> &options, double slopeUs) {
  std::sort(options.begin(), options.end(),
            [](const SlotOption &a, const SlotOption &b) {
              return a.us != b.us ? a.us < b.us : a.capacity > b.capacity;
            });
  std::vector<SlotOption> kept;
  for (const SlotOption &option : options)
    if (std::none_of(kept.begin(), kept.end(), [&](const SlotOption &other) {
          return other.us +
                     slopeUs * double(std::max<int64_t>(
                                   0, option.capacity - other.capacity)) <=
                 option.us;
        }))
      kept.push_back(option);
  options = std::move(kept);
}

std::vector<Slot>
moe::schedule::getSlots(const std::vector<GeneralizedLayer> &layers,
                        const LinearTime &allReduce) {
  int64_t total = 0;
  for (const GeneralizedLayer &layer : layers)
    total += layer.gradientElements;

  std::vector<Slot> slots;
  // An all-reduce that fits in `aloneUs` concurrently with a chain of
  // `throughUs` costs nothing; only the excess of a longer one costs time.
  auto addOption = [&](Slot &slot, double aloneUs, double throughUs) {
    int64_t fits = getElements(aloneUs - throughUs, allReduce, total);
    slot.options.push_back(
        {fits, std::max(aloneUs, throughUs + allReduce.alphaUs)});
  };
  int64_t produced = 0;
  for (int64_t i = int64_t(layers.size()) - 1; i >= 0; --i) {
    const GeneralizedLayer &layer = layers[size_t(i)];
    Slot dense{i, OverlapWindow::Dense, produced, layer.denseUs, {}};
    if (produced > 0)
      addOption(dense, layer.denseUs, 0);
    slots.push_back(std::move(dense));
    produced += layer.gradientElements;
    if (layer.moe.empty())
      continue;
    Slot moe{i, OverlapWindow::MoE, produced, layer.moe.front().aloneUs, {}};
    for (const BackwardChoice &choice : layer.moe) {
      moe.idleUs = std::min(moe.idleUs, choice.aloneUs);
      if (produced > 0)
        addOption(moe, choice.aloneUs, choice.throughUs);
    }
    dropUseless(moe.options, allReduce.slopeUs);
    slots.push_back(std::move(moe));
  }
  // The MoE part of the first layer carries any amount in at most the time it
  // would take afterwards.
  if (!layers.empty() && !layers.front().moe.empty())
    return slots;
  Slot after{GradientBucket::kNoLayer, OverlapWindow::After, total, 0, {}};
  if (total > 0)
    addOption(after, 0, 0);
  slots.push_back(std::move(after));
  return slots;
}
