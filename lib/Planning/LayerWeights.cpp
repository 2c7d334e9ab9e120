// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer parameters and gradients per rank.

#include "moe/Planning/LayerWeights.h"
#include <algorithm>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

LayerWeights moe::planning::getLayerWeights(const ModelSize &model,
                                            const ParallelDegrees &degrees) {
  auto moeLayers = double(model.config.moeLayers.size());
  auto layers = double(model.numLayers);
  auto tp = double(degrees.tp);
  LayerWeights weights;
  weights.experts = double(model.expertParameters) / moeLayers /
                    double(degrees.ep * degrees.getExpertShards());
  weights.words =
      double(model.config.hiddenSize) * double(model.vocabulary) / tp;
  for (const ParameterPart &part : model.nonExpert) {
    double parameters = double(part.parameters) / tp;
    if (part.name == "attention")
      weights.attention = parameters / layers;
    else if (part.name == "dense layers")
      weights.dense = parameters / (layers - moeLayers);
    else if (part.name != "embeddings")
      weights.beside += parameters / moeLayers;
  }
  return weights;
}

LayersAtWork moe::planning::getLayersAtWork(const ModelSize &model,
                                            const ParallelDegrees &degrees,
                                            ZeroStage zero,
                                            const LayerCount &layers,
                                            bool hasEmbedding, bool hasOutput) {
  constexpr double kWeight = 2, kGradient = 2;
  LayersAtWork most;
  if (zero < ZeroStage::Gradients)
    return most;
  LayerWeights weights = getLayerWeights(model, degrees);
  double other = degrees.getOtherCopies() > 1 ? 1 : 0;
  double expert = degrees.getExpertCopies() > 1 ? 1 : 0;
  double dense = other * (weights.attention + weights.dense);
  double moe =
      other * (weights.attention + weights.beside) + expert * weights.experts;
  // In execution order. Two layers of a kind suffice because only neighbours
  // matter.
  std::vector<double> parts;
  if (hasEmbedding)
    parts.push_back(other * weights.words);
  parts.insert(parts.end(), size_t(std::min<int64_t>(layers.dense, 2)), dense);
  parts.insert(parts.end(), size_t(std::min<int64_t>(layers.moe, 2)), moe);
  if (hasOutput)
    parts.push_back(other * weights.words);
  bool gathers = zero >= ZeroStage::Parameters;
  for (size_t i = 0; i < parts.size(); ++i)
    for (size_t next : {i - 1, i + 1}) {
      double beside = next < parts.size() ? parts[next] : 0;
      LayersAtWork now{gathers ? kWeight * (parts[i] + beside) : 0,
                       kGradient * parts[i]};
      if (now.weights + now.gradients > most.weights + most.gradients)
        most = now;
    }
  return most;
}
