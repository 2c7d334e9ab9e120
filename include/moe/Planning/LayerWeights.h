// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer weighs on a rank.

#ifndef MOE_PLANNING_LAYERWEIGHTS_H
#define MOE_PLANNING_LAYERWEIGHTS_H

#include "moe/Frontend/ModelSize.h"
#include "moe/Planning/StageSplit.h"
#include "moe/Schedule/Memory.h"

namespace moe::planning {

/// Parameters of a model's layers that a rank of tensor and expert parallelism
/// works with, before ZeRO spreads them.
struct LayerWeights {
  /// Of each layer; of a MoE layer its router and what else is beside its
  /// experts, and the rank's experts; of a dense layer its network.
  double attention = 0, beside = 0, experts = 0, dense = 0;
  /// The embedding, or the output layer.
  double words = 0;
};

LayerWeights getLayerWeights(const ModelSize &model,
                             const schedule::ParallelDegrees &degrees);

/// What a stage of ZeRO has whole on a rank while a layer works, in bytes.
struct LayersAtWork {
  /// Stage 3: the 16-bit weights of the layer at work and of its neighbour,
  /// gathered meanwhile.
  double weights = 0;
  /// From stage 2 on: the 16-bit gradients of the layer at work, until they are
  /// summed.
  double gradients = 0;
};

/// Those of the layer with most beside its neighbour, of a stage that begins
/// with the embedding, ends with the output layer or both: SPEC MO-11. What
/// only one rank has a copy of is whole on it anyway, and not counted.
LayersAtWork getLayersAtWork(const ModelSize &model,
                             const schedule::ParallelDegrees &degrees,
                             schedule::ZeroStage zero, const LayerCount &layers,
                             bool hasEmbedding, bool hasOutput);

} // namespace moe::planning

#endif // MOE_PLANNING_LAYERWEIGHTS_H
