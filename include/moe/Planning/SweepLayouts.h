// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that a job can have.

#ifndef MOE_PLANNING_SWEEPLAYOUTS_H
#define MOE_PLANNING_SWEEPLAYOUTS_H

#include "moe/Cost/Result.h"
#include "moe/Estimate/Step.h"
#include "moe/Planning/MemoryFit.h"
#include "moe/Planning/RecomputeOptions.h"
#include "moe/Planning/SweepLoad.h"
#include "moe/Schedule/StageSchedule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace moe::planning {

/// How a framework runs a job; of several dispatchers and overlaps, the
/// fastest.
struct JobWays {
  std::vector<std::string> dispatchers;
  std::vector<estimate::Overlap> overlaps;
  int64_t dispatcherSms = 20;
  /// Bytes of a value that the forward pass sends to experts.
  int64_t dispatchBytes = 2;
  bool cudaGraphs = false;
  /// The whole step is one CUDA graph.
  bool fullGraph = false;
  /// As --parallelism names it; empty for none.
  std::string framework;
};

/// What the linear layers and experts of a job multiply in.
struct Quantization {
  cost::Precision precision = cost::Precision::SixteenBit;
  /// What is not quantized.
  ElementKind elements = ElementKind::BF16;
  /// Weights are kept quantized alone, and so gathered (--fp8-param-gather).
  bool keepsWeights = false;
  /// What the platform states of it; none in 16 bits.
  std::optional<cost::QuantizedProducts> products;

  bool isQuantized() const { return precision != cost::Precision::SixteenBit; }
  /// As --precision names it; of 16 bits the type.
  llvm::StringRef getName() const {
    return isQuantized() ? llvm::StringRef(cost::getName(precision))
           : elements == ElementKind::F16 ? "f16"
                                          : "bf16";
  }
};

/// Says what a rank holds of a quantized job, with two copies of a weight where
/// no platform says.
void setQuantized(TrainingJob &job, const Quantization &quantization,
                  const cost::QuantizedProducts *products);

/// What a layout is looked for.
struct SweepQuestion {
  ModelSize model;
  /// Sizes and type; its degrees are not read.
  ImportOptions sizes;
  int64_t ranks = 0;
  /// Tensor-parallel groups stay inside of so many consecutive ranks.
  int64_t nodeRanks = 1;
  /// The platform's name.
  std::string machine;
  /// Of a rank, in bytes; none if neither platform nor option states it.
  std::optional<double> memory;
  schedule::ZeroStage zero = schedule::ZeroStage::Optimizer;
  schedule::StateBytes stateBytes{};
  Quantization quantization;
  /// Micro-batches of a step, or sequences of all of them on all ranks.
  int64_t microBatches = 1;
  std::optional<int64_t> globalBatch;
  /// Pieces of the model that a stage holds, where there are several stages.
  int64_t virtualStages = 1;
  RecomputeSettings recompute;
  JobWays ways;
  /// What experts get; nothing where it is even.
  std::optional<ExpertLoad> load;
  /// Degrees that are given; all that there are of the others.
  std::optional<int64_t> dp, ep, tp, cp, pp, esp;
  std::optional<bool> foldEp;
  /// Whether tokens are split over tensor-parallel ranks; as the sweep has it
  /// where nobody says.
  std::optional<bool> sequenceParallel;
  /// Only layouts that a framework has.
  ParallelismPreset preset = ParallelismPreset::None;
};

/// One way to spread the job, and what its fullest rank holds.
struct SweepLayout {
  ImportOptions options;
  int64_t microBatches = 1;
  /// What the pieces of the model hold (`splitLayers`).
  std::vector<LayerCount> pieces;
  /// The same as --pipeline-layout states it; empty where it does not.
  std::vector<estimate::Piece> stated = {};
  schedule::Recompute recompute = schedule::Recompute::Nothing;
  /// The parts, if it is selective.
  schedule::RecomputeModules modules{};
  double bytes = 0;

  /// The step of all stages; its pieces' times are not set.
  schedule::StagedStep getStep() const;
};

struct SweepLayouts {
  /// Those that fit, and those that do not, the least memory first.
  std::vector<SweepLayout> fitting, tooLarge;
  /// How many the model or the frontend cannot have, by the reason.
  std::map<std::string, int64_t> impossible;
};

/// All layouts of so many ranks: meshes of [dp, pp, cp, ep, tp] whose sizes
/// multiply to them, with sequence parallelism where tp > 1 unless it
/// is denied, experts split over
/// tp or esp of its ranks, or whole and folded over it. DeepSpeed has no
/// sequence parallelism and experts whole on all ranks of tp, torchtitan folds
/// them over these. Context parallelism leaves a rank 4096 tokens of a sequence
/// at least unless cp is given.
SweepLayouts findLayouts(const SweepQuestion &question);

/// The job of a layout, as memory is counted.
TrainingJob getTrainingJob(const SweepQuestion &question,
                           const SweepLayout &layout);

/// The job of a layout, as its step is estimated, with the first dispatcher and
/// overlap of the question.
estimate::Job getEstimateJob(const SweepQuestion &question,
                             const SweepLayout &layout);

/// Sets what a layout recomputes, the least that fits of what the question
/// allows, and the bytes of its fullest rank. If nothing fits, leaves the most,
/// and returns false; without a memory, the first fits.
bool fitLayout(const SweepQuestion &question, SweepLayout &layout);

/// Sets the pieces and the micro-batches of a layout with options; returns why
/// it cannot have them, or nothing.
std::string cutLayout(const SweepQuestion &question, SweepLayout &layout);

/// Options that would each alone let some layout fit, with the layout: of more
/// ranks up to eight times as many, of a smaller batch, and of the states, of
/// these two at once where neither alone does.
std::vector<std::string> findSweepChanges(const SweepQuestion &question);

/// "dp 2 x pp 1 x cp 1 x ep 8 x tp 8, folded".
std::string describeLayout(const ImportOptions &options);

/// Why no layout fits: memory, or what the model or the frontend cannot have.
std::string describeNone(const SweepQuestion &question,
                         const SweepLayouts &found);

/// The fields of a layout in JSON, members of an open object.
void printLayoutFields(llvm::json::OStream &out, const SweepQuestion &question,
                       const SweepLayout &layout);

/// Rows of experts on a layout's busiest rank over an even share: of padded
/// layers, whose slots all are, the capacity factor.
double getExpertLoad(const SweepQuestion &question,
                     const ImportOptions &options);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEPLAYOUTS_H
