// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a job's ranks, and options that make it fit.

#ifndef MOE_PLANNING_MEMORYFIT_H
#define MOE_PLANNING_MEMORYFIT_H

#include "moe/Frontend/ImportOptions.h"
#include "moe/Planning/LayerWeights.h"
#include "moe/Schedule/StageSchedule.h"
#include <string>
#include <vector>

namespace moe::planning {

/// The properties of a job that determine the memory of its ranks.
struct TrainingJob {
  schedule::ParallelDegrees degrees;
  schedule::ZeroStage zero = schedule::ZeroStage::None;
  schedule::TrainingStep step{};
  schedule::StateBytes stateBytes{};
  /// With fewer heads of keys and values than tensor-parallel ranks, each rank
  /// holds a whole head, as in Megatron. Otherwise ranks hold even shares.
  bool sharesKeyValues = false;
  /// The layers per piece of the model, on the stages of
  /// `schedule::listPieces`; empty for `splitLayers`.
  std::vector<LayerCount> pieces = {};
  /// The order of a pipeline's passes.
  schedule::StageOrder order = schedule::StageOrder::OneForwardOneBackward;
  /// Bytes of the quantized copies per weight of a linear layer or expert, 0 in
  /// 16 bits, and whether the job also keeps the 16-bit weight.
  double quantizedWeight = 0;
  bool keepsSixteenBits = true;
  /// Micro-batches per step, or sequences per step on all ranks. They limit the
  /// micro-batches that a stage holds; 0 for as many as fill the pipeline.
  int64_t microBatches = 0, globalBatch = 0;
  /// Numbers of layers that predict further tokens, for the pieces from the
  /// last to the first; 0 for pieces beyond the list. Each is an MoE layer
  /// after a projection of two hidden vectors to one, and computes the output
  /// layer. Their stage has a copy of the embedding, as in Megatron
  /// (GPTModel.mtp_process).
  std::vector<int64_t> furtherTokens = {};
  /// True if a stage runs a forward pass with a backward pass, layer by layer.
  /// It then holds one more layer of the forward pass before the backward pass
  /// frees one. Orders of pairs hold whole passes.
  bool overlapsPasses = false;
};

/// Returns the degrees in the form of the memory model.
schedule::ParallelDegrees getDegrees(const ImportOptions &options);

/// Returns the widths of a model's layers. The config must state the attention.
schedule::ModelShape getShape(const ModelSize &model);

/// Returns the bytes of weight gradients that wait for other parts of the
/// micro-batch.
double getPartGradients(const ModelSize &model, const TrainingJob &job);

/// The memory of each rank of a stage, in bytes.
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

/// Returns the memory of the fullest rank. Each stage has the parameters of its
/// layers, the first stage also the embedding and the last one the output
/// layer. Activations are 0 if the config states no attention or the step has
/// no tokens.
RankMemory getRankMemory(const ModelSize &model, const TrainingJob &job);

/// Returns the bytes that the fullest rank holds.
double getRankBytes(const ModelSize &model, const TrainingJob &job);

/// Returns the memory per rank of each pipeline stage, first to last; empty for
/// a job with one stage.
std::vector<RankMemory> listStageMemory(const ModelSize &model,
                                        const TrainingJob &job);

/// Returns the options that reduce the states, each alone and then both at
/// once.
std::vector<std::pair<llvm::StringRef, schedule::StateBytes>>
listSmallerStates(const schedule::StateBytes &bytes);

/// The limits within which a job must fit.
struct FitLimits {
  /// Memory per rank.
  double bytes;
  /// Ranks per node, which limit tensor parallelism, and ranks of the platform.
  int64_t nodeRanks, ranks;
  /// True if tensor parallelism must divide the heads of keys and values.
  bool dividesKeyValues = false;
  /// Sets of parts that the job can recompute selectively, approximately in the
  /// order of their time.
  std::vector<schedule::RecomputeModules> sets{};
  /// True if the framework can shard gradients and weights (ZeRO-2 and 3).
  bool shardsGradients = true;
};

/// The fewest tokens of a sequence per rank in context parallelism that
/// planners propose. With fewer, attention is too short to hide its exchanges.
inline constexpr int64_t kLeastContext = 4096;

/// Returns options that would each alone make a job fit the limit, with the
/// resulting gigabytes, for example "--zero=1: 61.3 GB". Two reductions of the
/// states are combined if one is not sufficient. A degree is multiplied by the
/// smallest sufficient power of two that divides the sizes that it must divide,
/// and takes ranks from data parallelism: "--ep=16 --dp=4: 61.3 GB". If there
/// are too few data-parallel ranks, the number of ranks grows: "--ep=16: 61.3
/// GB, on 16 ranks instead of 8". If no option alone is sufficient, returns
/// some sufficient pairs, on more ranks only if no pair fits on the same
/// number.
std::vector<std::string> findWhatFits(const ModelSize &model,
                                      const TrainingJob &job,
                                      const FitLimits &limits);

} // namespace moe::planning

#endif // MOE_PLANNING_MEMORYFIT_H
