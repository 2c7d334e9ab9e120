// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which layers a stage holds.

#ifndef MOE_PLANNING_STAGESPLIT_H
#define MOE_PLANNING_STAGESPLIT_H

#include "moe/Frontend/ModelConfig.h"

namespace moe::planning {

/// How many layers of each kind something holds.
struct LayerCount {
  int64_t moe = 0, dense = 0;

  int64_t getAll() const { return moe + dense; }
  friend bool operator==(const LayerCount &, const LayerCount &) = default;
};

/// Cuts the layers of a model into so many pieces, 1 to as many as there are
/// layers; piece i is held by stage i % stages. All pieces but the first and
/// the last are alike, and these are no larger where that can be: among such
/// cuts one whose largest piece is smallest, then whose smallest is largest.
/// Megatron-LM states it by --decoder-first-pipeline-num-layers and
/// --decoder-last-pipeline-num-layers. If the largest piece of such a cut has
/// more layers than an even share, sizes differ by one layer instead, which
/// --pipeline-model-parallel-layout states.
std::vector<LayerCount> splitLayers(const ModelConfig &config, int64_t pieces);

/// Whether all pieces hold the same.
bool areAlike(llvm::ArrayRef<LayerCount> pieces);

/// What a stage holds of them.
LayerCount countOfStage(llvm::ArrayRef<LayerCount> pieces, int64_t stages,
                        int64_t stage);

/// "2, 14 x 4, 3 layers".
std::string describePieces(llvm::ArrayRef<LayerCount> pieces);

} // namespace moe::planning

#endif // MOE_PLANNING_STAGESPLIT_H
