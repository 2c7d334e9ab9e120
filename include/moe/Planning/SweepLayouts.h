// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that a job can have.

#ifndef MOE_PLANNING_SWEEPLAYOUTS_H
#define MOE_PLANNING_SWEEPLAYOUTS_H

#include "moe/Cost/Result.h"
#include "moe/Planning/MemoryFit.h"
#include "moe/Planning/SweepLoad.h"
#include "moe/Schedule/StageSchedule.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace moe::planning {

/// What a layout is looked for.
struct SweepQuestion {
  ModelSize model;
  /// With the layers that programs are timed with.
  ModelConfig timed;
  /// Sizes and type; its degrees are not read.
  ImportOptions sizes;
  int64_t ranks = 0;
  /// Tensor-parallel groups stay inside of so many consecutive ranks.
  int64_t nodeRanks = 1;
  /// Of a rank, in bytes.
  double memory = 0;
  schedule::ZeroStage zero = schedule::ZeroStage::Optimizer;
  schedule::StateBytes stateBytes{};
  /// Micro-batches of a step, or sequences of all of them on all ranks.
  int64_t microBatches = 1;
  std::optional<int64_t> globalBatch;
  /// Pieces of the model that a stage holds, where there are several stages.
  int64_t virtualStages = 1;
  /// None leaves it to the sweep: the first that fits of nothing, parts and
  /// layers.
  std::optional<schedule::Recompute> recompute;
  /// The parts that the job can recompute selectively; none if it cannot.
  std::optional<schedule::RecomputeModules> modules;
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
  /// What the pieces of the timed model hold (`splitLayers`).
  std::vector<LayerCount> pieces;
  schedule::Recompute recompute = schedule::Recompute::Nothing;
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

/// The job of a layout.
TrainingJob getTrainingJob(const SweepQuestion &question,
                           const ImportOptions &options,
                           schedule::Recompute recompute);

/// Bytes of a layout's fullest rank.
double getLayoutBytes(const SweepQuestion &question,
                      const ImportOptions &options,
                      schedule::Recompute recompute);

/// Options that would each alone let some layout fit, with the layout: of more
/// ranks up to eight times as many, of a smaller batch, and of the states, of
/// these two at once where neither alone does.
std::vector<std::string> findSweepChanges(const SweepQuestion &question);

/// "dp 2 x pp 1 x cp 1 x ep 8 x tp 8, folded".
std::string describeLayout(const ImportOptions &options);

/// Why no layout fits: memory, or what the model or the frontend cannot have.
std::string describeNone(const SweepQuestion &question,
                         const SweepLayouts &found, llvm::StringRef machine);

/// Rows of experts on a layout's busiest rank over an even share: of padded
/// layers, whose slots all are, the capacity factor.
double getExpertLoad(const SweepQuestion &question,
                     const ImportOptions &options);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEPLAYOUTS_H
