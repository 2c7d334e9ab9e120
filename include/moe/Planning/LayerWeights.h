// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer parameters and gradients per rank.

#ifndef MOE_PLANNING_LAYERWEIGHTS_H
#define MOE_PLANNING_LAYERWEIGHTS_H

#include "moe/Frontend/ModelSize.h"
#include "moe/Planning/StageSplit.h"
#include "moe/Schedule/Memory.h"

namespace moe::planning {

/// Parameters of a model's layers per rank of tensor and expert parallelism,
/// before ZeRO shards them.
struct LayerWeights {
  /// Parameters per layer. In an MoE layer, `beside` counts the router and
  /// other parameters outside the experts, and `experts` the rank's experts;
  /// `dense` is the network of a dense layer.
  double attention = 0, beside = 0, experts = 0, dense = 0;
  /// The embedding, or the output layer.
  double words = 0;
};

LayerWeights getLayerWeights(const ModelSize &model,
                             const schedule::ParallelDegrees &degrees);

/// Bytes that ranks must hold unsharded during each layer with ZeRO.
struct LayersAtWork {
  /// Stage 3: the 16-bit weights of the running layer and of its neighbour,
  /// which are gathered meanwhile.
  double weights = 0;
  /// Stages 2 and 3: the 16-bit gradients of the running layer until they are
  /// reduced.
  double gradients = 0;
};

/// Returns the bytes of the layer that needs most with its neighbour. The
/// pipeline stage may begin with the embedding and end with the output layer
/// (SPEC MO-11). Parameters with a single copy are whole on their rank anyway,
/// and are not counted.
LayersAtWork getLayersAtWork(const ModelSize &model,
                             const schedule::ParallelDegrees &degrees,
                             schedule::ZeroStage zero, const LayerCount &layers,
                             bool hasEmbedding, bool hasOutput);

} // namespace moe::planning

#endif // MOE_PLANNING_LAYERWEIGHTS_H
