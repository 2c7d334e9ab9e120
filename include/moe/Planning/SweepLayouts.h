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

/// How a framework runs a job. The fastest of the dispatchers and overlaps is
/// chosen.
struct JobWays {
  std::vector<std::string> dispatchers = {"all-to-all"};
  std::vector<estimate::Overlap> overlaps;
  int64_t dispatcherSms = 20;
  /// Bytes per value that the forward pass sends to experts.
  int64_t dispatchBytes = 2;
  bool cudaGraphs = false;
  /// The whole step is one CUDA graph.
  bool fullGraph = false;
  /// Name of the framework as in --parallelism; empty without one.
  std::string framework;
  /// Parts of the framework's configuration that are not modelled.
  std::vector<std::string> notModelled = {};
};

/// The precision in which linear layers and experts of a job multiply.
struct Quantization {
  cost::Precision precision = cost::Precision::SixteenBit;
  /// Element type of the values that are not quantized.
  ElementKind elements = ElementKind::BF16;
  /// True if only quantized weights are kept, which are therefore also gathered
  /// in this form (--fp8-param-gather).
  bool keepsWeights = false;
  /// The platform's data about quantized products; nullopt in 16 bits.
  std::optional<cost::QuantizedProducts> products;

  bool isQuantized() const { return precision != cost::Precision::SixteenBit; }
  /// Returns the name as in --precision; in 16 bits, the element type.
  llvm::StringRef getName() const {
    return isQuantized() ? llvm::StringRef(cost::getName(precision))
           : elements == ElementKind::F16 ? "f16"
                                          : "bf16";
  }
};

/// Sets the bytes that each rank of a quantized job holds, assuming two copies
/// of each weight if `products` is null.
void setQuantized(TrainingJob &job, const Quantization &quantization,
                  const cost::QuantizedProducts *products);

/// A job whose layout is to be found.
struct SweepQuestion {
  ModelSize model;
  /// Sizes and element type; the degrees are ignored.
  ImportOptions sizes;
  int64_t ranks = 0;
  /// Tensor-parallel groups stay within this number of consecutive ranks.
  int64_t nodeRanks = 1;
  /// The platform's name.
  std::string machine;
  /// Memory per rank in bytes; nullopt if neither platform nor option states
  /// it.
  std::optional<double> memory;
  schedule::ZeroStage zero = schedule::ZeroStage::Optimizer;
  schedule::StateBytes stateBytes{};
  Quantization quantization;
  /// Micro-batches per step, or sequences per step on all ranks.
  int64_t microBatches = 1;
  std::optional<int64_t> globalBatch;
  /// True if an option gives one of them.
  bool statesBatch = false;
  /// Layers that predict further tokens, in the last piece.
  int64_t mtpLayers = 0;
  bool statesMtpLayers = false;
  /// The numbers of pieces of the model per stage that are tried with several
  /// stages, and the numbers of sequences per micro-batch that are tried.
  std::vector<int64_t> virtualStages = {1}, microBatchSizes = {1};
  bool statesVirtualStages = false;
  /// The value of --pipeline-layout; empty if it is not given.
  std::string pipelineLayout;
  /// Concurrent sub-batches of a micro-batch.
  int64_t subBatches = 1;
  RecomputeSettings recompute;
  JobWays ways;
  /// The load of experts; nullopt if it is even.
  std::optional<ExpertLoad> load;
  /// The given degrees. All possible values of the other degrees are tried.
  std::optional<int64_t> dp, ep, tp, cp, pp, esp;
  std::optional<bool> foldEp;
  /// Whether tokens are split over tensor-parallel ranks; nullopt for the
  /// sweep's default.
  std::optional<bool> sequenceParallel;
  /// The framework to whose layouts the sweep is limited.
  ParallelismPreset preset = ParallelismPreset::None;
};

/// A layout of the job, and the bytes that its fullest rank holds.
struct SweepLayout {
  ImportOptions options;
  int64_t microBatches = 1;
  /// Pieces per stage if there are several stages.
  int64_t virtualStages = 1;
  /// The exchanges that overlap. Until one of several overlaps is chosen, this
  /// is one that needs the most memory.
  estimate::Overlap overlap = estimate::Overlap::None;
  /// The layers in each piece of the model (`splitLayers`).
  std::vector<LayerCount> pieces;
  /// The pieces that --pipeline-layout states; empty if it is not given.
  std::vector<estimate::Piece> stated = {};
  schedule::Recompute recompute = schedule::Recompute::Nothing;
  /// The parts that selective recomputation recomputes.
  schedule::RecomputeModules modules{};
  double bytes = 0;

  /// Returns the order of a pipeline's passes.
  schedule::StageOrder getOrder() const {
    return options.pp > 1 ? getStageOrder(overlap)
                          : schedule::StageOrder::OneForwardOneBackward;
  }
  /// Returns the step of all stages without the times of its pieces.
  schedule::StagedStep getStep() const;
};

struct SweepLayouts {
  /// The layouts that fit and that do not fit, each with the least memory
  /// first.
  std::vector<SweepLayout> fitting, tooLarge;
  /// The number of layouts that the model or the frontend rejects, by reason.
  std::map<std::string, int64_t> impossible;
};

/// Finds all layouts of the question's ranks: meshes [dp, pp, cp, ep, tp] with
/// a product of sizes equal to the ranks. Layouts with tp > 1 use sequence
/// parallelism unless the question excludes it. Experts are split over tp or
/// over esp of its ranks, or they are whole and folded over tp. DeepSpeed has
/// no sequence parallelism and keeps whole experts on all ranks of tp;
/// torchtitan folds them over tp. Unless cp is given, context parallelism
/// leaves each rank at least 4096 tokens of a sequence.
SweepLayouts findLayouts(const SweepQuestion &question);

/// Returns the job of a layout for the memory model.
TrainingJob getTrainingJob(const SweepQuestion &question,
                           const SweepLayout &layout);

/// Returns the job of a layout for the estimate of its step, with the first
/// dispatcher and overlap of the question.
estimate::Job getEstimateJob(const SweepQuestion &question,
                             const SweepLayout &layout);

/// Sets the recomputation of a layout to the first one allowed by the question
/// that fits, and sets the bytes of its fullest rank. If there are several
/// overlaps, sets the first one that the framework allows and that fits, in the
/// order of the memory that they need. If nothing fits, sets the last ones and
/// returns false. Without a stated memory, the first one fits.
bool fitLayout(const SweepQuestion &question, SweepLayout &layout);

/// Returns the overlaps of the question with which a layout fits as it
/// recomputes; all of them if none does.
std::vector<estimate::Overlap>
listFittingOverlaps(const SweepQuestion &question, SweepLayout layout);

/// Returns the micro-batches per rank that give `globalBatch` sequences on all
/// ranks. A failure names --global-batch if they do not divide it.
Result<int64_t> countMicroBatches(int64_t globalBatch,
                                  const ImportOptions &options);

/// Sets the overlap, the pieces and the micro-batches of a layout that has
/// options and virtual stages. Returns the reason if the layout cannot have
/// them, otherwise an empty string. With `mayLackBatch`, a step without a
/// stated batch has as many micro-batches as its pipeline needs.
std::string cutLayout(const SweepQuestion &question, SweepLayout &layout,
                      bool mayLackBatch = false);

/// Sets the chosen overlap and the bytes that the fullest rank holds with it.
void setOverlap(const SweepQuestion &question, estimate::Overlap overlap,
                SweepLayout &layout);

/// Returns, for example, "dp 2 x ep 8, micro-batch 2, 4 virtual stages": the
/// degrees and each further setting for which the question tries several
/// values.
std::string describeLayout(const SweepQuestion &question,
                           const SweepLayout &layout);

/// Returns options that would each alone let some layout fit, with the layout:
/// up to eight times as many ranks, a smaller batch, and smaller states. Two
/// changes of the states are combined if neither alone is sufficient.
std::vector<std::string> findSweepChanges(const SweepQuestion &question);

/// Returns, for example, "dp 2 x pp 1 x cp 1 x ep 8 x tp 8, folded".
std::string describeLayout(const ImportOptions &options);

/// Returns the reason that no layout fits: memory, or the limits of the model
/// or the frontend.
std::string describeNone(const SweepQuestion &question,
                         const SweepLayouts &found);

/// Prints the fields of a layout as members of an open JSON object.
void printLayoutFields(llvm::json::OStream &out, const SweepQuestion &question,
                       const SweepLayout &layout);

/// Returns the rows of experts on a layout's busiest rank divided by an even
/// share. For padded layers this is the capacity factor, because all their
/// slots are rows.
double getExpertLoad(const SweepQuestion &question,
                     const ImportOptions &options);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEPLAYOUTS_H
