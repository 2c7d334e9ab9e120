// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of layers over pipeline stages.

#ifndef MOE_PLANNING_STAGESPLIT_H
#define MOE_PLANNING_STAGESPLIT_H

#include "moe/Frontend/ModelConfig.h"

namespace moe::planning {

/// Numbers of layers by kind.
struct LayerCount {
  int64_t moe = 0, dense = 0;

  int64_t getAll() const { return moe + dense; }
  friend bool operator==(const LayerCount &, const LayerCount &) = default;
};

/// Cuts the layers of a model into `pieces` pieces, from 1 to the number of
/// layers; stage i % stages holds piece i. All pieces except the first and the
/// last have the same size, and if possible the first and last are no larger.
/// Among these cuts, the function minimizes the largest piece and then
/// maximizes the smallest. Megatron-LM expresses such a cut by
/// --decoder-first-pipeline-num-layers and --decoder-last-pipeline-num-layers.
/// If its largest piece would exceed an even share, sizes differ by one layer
/// instead, which --pipeline-model-parallel-layout expresses.
std::vector<LayerCount> splitLayers(const ModelConfig &config, int64_t pieces);

/// Returns true if all pieces hold the same numbers of layers.
bool areAlike(llvm::ArrayRef<LayerCount> pieces);

/// Returns the layers of one stage.
LayerCount countOfStage(llvm::ArrayRef<LayerCount> pieces, int64_t stages,
                        int64_t stage);

/// Returns "2, 14 x 4, 3 layers".
std::string describePieces(llvm::ArrayRef<LayerCount> pieces);

} // namespace moe::planning

#endif // MOE_PLANNING_STAGESPLIT_H
