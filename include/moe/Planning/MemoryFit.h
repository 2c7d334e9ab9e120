// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a job fits a rank's memory.

#ifndef MOE_PLANNING_MEMORYFIT_H
#define MOE_PLANNING_MEMORYFIT_H

#include "moe/Frontend/ImportOptions.h"
#include "moe/Planning/LayerWeights.h"
#include <string>
#include <vector>

namespace moe::planning {

/// All that decides what a rank holds.
struct TrainingJob {
  schedule::ParallelDegrees degrees;
  schedule::ZeroStage zero = schedule::ZeroStage::None;
  schedule::TrainingStep step{};
  schedule::StateBytes stateBytes{};
  /// With fewer heads of keys and values than tensor-parallel ranks, each rank
  /// holds a whole head, as in Megatron. Otherwise ranks hold even shares.
  bool sharesKeyValues = false;
  /// What the pieces of the model hold, piece i on stage i % pp; empty for
  /// `splitLayers`.
  std::vector<LayerCount> pieces = {};
  /// Bytes of the quantized copies of a weight of a linear layer or expert; 0
  /// in 16 bits. The job also keeps the 16-bit weight, or not.
  double quantizedWeight = 0;
  bool keepsSixteenBits = true;
};

/// As the memory model has them.
schedule::ParallelDegrees getDegrees(const ImportOptions &options);

/// The widths of a model's layers; its config must state its attention.
schedule::ModelShape getShape(const ModelSize &model);

/// Gradients of weights that parts of the micro-batch wait with, in bytes.
double getPartGradients(const ModelSize &model, const TrainingJob &job);

/// What a rank of a stage holds.
struct RankMemory {
  schedule::ModelStates states;
  LayersAtWork atWork;
  schedule::StageActivations activations;
  double partGradients = 0;
  /// Quantized copies of weights.
  double quantizedWeights = 0;

  double getBytes() const {
    return states.nonExpertBytes + states.expertBytes + atWork.weights +
           atWork.gradients + activations.getTotal() + partGradients +
           quantizedWeights;
  }
};

/// That of the fullest rank: each stage has the parameters of its layers, the
/// first also the embedding and the last the output layer. A model whose config
/// states no attention has no activations, and neither has a step of no tokens.
RankMemory getRankMemory(const ModelSize &model, const TrainingJob &job);

/// The same, in bytes.
double getRankBytes(const ModelSize &model, const TrainingJob &job);

/// What a rank of each pipeline stage holds, first to last; empty for a job of
/// one stage.
std::vector<RankMemory> listStageMemory(const ModelSize &model,
                                        const TrainingJob &job);

/// The options that make states smaller, each alone and then both at once.
std::vector<std::pair<llvm::StringRef, schedule::StateBytes>>
listSmallerStates(const schedule::StateBytes &bytes);

/// What a job has to keep to.
struct FitLimits {
  /// Of a rank.
  double bytes;
  /// Ranks of a node, beyond which tensor parallelism does not go, and of the
  /// platform.
  int64_t nodeRanks, ranks;
  /// Tensor parallelism divides the heads of keys and values.
  bool dividesKeyValues = false;
  /// Sets of parts that the job can recompute selectively, about the one that
  /// takes least time first.
  std::vector<schedule::RecomputeModules> sets{};
  /// The framework can shard gradients and weights (ZeRO-2 and 3).
  bool shardsGradients = true;
};

/// Fewest tokens of a sequence per rank that planners propose by context
/// parallelism: with fewer, attention is too short to hide its exchanges.
inline constexpr int64_t kLeastContext = 4096;

/// Options that would each by itself bring a job that does not fit to at most
/// the limit, with the gigabytes that it takes then: "--zero=1: 61.3 GB";
/// states are made smaller twice where once is not enough. A degree is the
/// least multiple by a power of two that is enough and divides what it must, at
/// the cost of data-parallel ranks: "--ep=16 --dp=4: 61.3 GB". Where these are
/// too few, it makes more ranks, which are said: "--ep=16: 61.3 GB, on 16 ranks
/// instead of 8". Where none is enough by itself, some pairs of options that
/// are, on more ranks only where none is on as many.
std::vector<std::string> findWhatFits(const ModelSize &model,
                                      const TrainingJob &job,
                                      const FitLimits &limits);

} // namespace moe::planning

#endif // MOE_PLANNING_MEMORYFIT_H
