// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of gradient buckets.

#include "moe/Cost/FormatNumber.h"
#include "moe/Schedule/GradientPartition.h"
#include <algorithm>

using namespace moe::schedule;

/// Integers up to this limit are exact in floating point.
static constexpr int64_t kMaxElements = int64_t(1) << 53;
static constexpr double kMaxUs = 1e15;

const char *moe::schedule::getName(OverlapWindow slot) {
  switch (slot) {
  case OverlapWindow::Dense:
    return "dense";
  case OverlapWindow::MoE:
    return "moe";
  case OverlapWindow::After:
    return "after";
  }
  return "";
}

static std::string expected(const std::string &place, const std::string &what,
                            const std::string &got) {
  return place + ": expected " + what + ", got " + got;
}

std::string
moe::schedule::checkLayers(const std::vector<GeneralizedLayer> &layers,
                           const LinearTime &allReduce) {
  auto isTime = [](double us) { return us >= 0 && us <= kMaxUs; };
  for (double us : {allReduce.alphaUs, allReduce.slopeUs})
    if (!isTime(us))
      return expected("all-reduce", "a time in [0, 1e15] us",
                      moe::cost::toText(us));
  int64_t total = 0;
  for (size_t i = 0; i < layers.size(); ++i) {
    const GeneralizedLayer &layer = layers[i];
    std::string place = "layer " + std::to_string(i);
    if (layer.gradientElements < 0)
      return expected(place, "gradient elements >= 0",
                      std::to_string(layer.gradientElements));
    if (layer.gradientElements > kMaxElements - total)
      return expected(place, "at most 2^53 gradient elements in all layers",
                      "more");
    total += layer.gradientElements;
    if (!isTime(layer.denseUs))
      return expected(place, "a dense time in [0, 1e15] us",
                      moe::cost::toText(layer.denseUs));
    for (const BackwardChoice &choice : layer.moe) {
      if (choice.degree < 1)
        return expected(place, "a degree >= 1", std::to_string(choice.degree));
      if (!isTime(choice.aloneUs))
        return expected(place, "an MoE time in [0, 1e15] us",
                        moe::cost::toText(choice.aloneUs));
      if (!(choice.throughUs >= 0 && choice.throughUs <= choice.aloneUs))
        return expected(place,
                        "a chain through the all-reduce in [0, " +
                            moe::cost::toText(choice.aloneUs) + "] us",
                        moe::cost::toText(choice.throughUs));
    }
  }
  return "";
}

std::string
moe::schedule::checkPartition(const std::vector<GeneralizedLayer> &layers,
                              const std::vector<GradientBucket> &pieces) {
  int64_t numLayers = int64_t(layers.size());
  auto isLayer = [&](int64_t layer) { return layer >= 0 && layer < numLayers; };
  std::vector<int64_t> left;
  for (const GeneralizedLayer &layer : layers)
    left.push_back(layer.gradientElements);
  for (size_t i = 0; i < pieces.size(); ++i) {
    const GradientBucket &piece = pieces[i];
    std::string place = "piece " + std::to_string(i);
    if (!isLayer(piece.from))
      return expected(place,
                      "the gradient of one of " + std::to_string(numLayers) +
                          " layers",
                      "that of layer " + std::to_string(piece.from));
    bool isAfter = piece.slot == OverlapWindow::After;
    if (isAfter ? piece.layer != GradientBucket::kNoLayer
                : !isLayer(piece.layer))
      return expected(place,
                      isAfter ? "layer -1 after the backward pass"
                              : "to be sent in one of " +
                                    std::to_string(numLayers) + " layers",
                      "layer " + std::to_string(piece.layer));
    if (piece.slot == OverlapWindow::MoE &&
        layers[size_t(piece.layer)].moe.empty())
      return expected(place, "a layer with an MoE part",
                      "layer " + std::to_string(piece.layer));
    // A layer's own dense part makes the gradient; its MoE part follows.
    if (!isAfter &&
        (piece.slot == OverlapWindow::Dense ? piece.layer >= piece.from
                                            : piece.layer > piece.from))
      return expected(place,
                      "to be sent after the gradient of layer " +
                          std::to_string(piece.from) + " exists",
                      std::string("the ") + getName(piece.slot) +
                          " part of layer " + std::to_string(piece.layer));
    if (piece.elements < 1)
      return expected(place, "at least 1 element",
                      std::to_string(piece.elements));
    int64_t &leftOfLayer = left[size_t(piece.from)];
    if (piece.elements > leftOfLayer)
      return expected(place,
                      "at most the " + std::to_string(leftOfLayer) +
                          " elements that are left of the gradient of layer " +
                          std::to_string(piece.from),
                      std::to_string(piece.elements));
    leftOfLayer -= piece.elements;
  }
  for (size_t i = 0; i < layers.size(); ++i)
    if (left[i] != 0)
      return expected(
          "layer " + std::to_string(i),
          "its gradient of " + std::to_string(layers[i].gradientElements) +
              " elements to be sent",
          std::to_string(layers[i].gradientElements - left[i]) + " sent");
  return "";
}

BackwardTime
moe::schedule::getBackwardTime(const std::vector<GeneralizedLayer> &layers,
                               const LinearTime &allReduce,
                               const std::vector<GradientBucket> &pieces) {
  std::vector<int64_t> dense(layers.size(), 0), moe(layers.size(), 0);
  int64_t after = 0;
  for (const GradientBucket &piece : pieces) {
    switch (piece.slot) {
    case OverlapWindow::Dense:
      dense[size_t(piece.layer)] += piece.elements;
      break;
    case OverlapWindow::MoE:
      moe[size_t(piece.layer)] += piece.elements;
      break;
    case OverlapWindow::After:
      after += piece.elements;
      break;
    }
  }
  auto getAllReduceUs = [&](int64_t elements) {
    return elements == 0 ? 0 : allReduce.getUs(double(elements));
  };
  BackwardTime time;
  time.afterUs = getAllReduceUs(after);
  for (size_t i = 0; i < layers.size(); ++i) {
    const GeneralizedLayer &layer = layers[i];
    time.denseUs += std::max(layer.denseUs, getAllReduceUs(dense[i]));
    double gradientUs = getAllReduceUs(moe[i]);
    const BackwardChoice *best = nullptr;
    for (const BackwardChoice &choice : layer.moe)
      if (!best || choice.getUs(gradientUs) < best->getUs(gradientUs) ||
          (choice.getUs(gradientUs) == best->getUs(gradientUs) &&
           choice.degree < best->degree))
        best = &choice;
    time.degrees.push_back(best ? best->degree : 0);
    if (best)
      time.moeUs += best->getUs(gradientUs);
  }
  return time;
}
