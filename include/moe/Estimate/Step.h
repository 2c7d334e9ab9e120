// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step times of training jobs in their own framework.
//
// A job is priced as given: its dispatcher, overlap, recomputation, pipeline
// pieces and framework's host, kernel by kernel, at the measured rates of a
// platform (`platform::MeasuredRates`), or at the rates of its data sheet.
// `moe-plan step` and `moe-plan sweep` print only these estimates; programs
// from this compiler are simulated instead.

#ifndef MOE_ESTIMATE_STEP_H
#define MOE_ESTIMATE_STEP_H

#include "moe/Frontend/ImportOptions.h"
#include "moe/Frontend/ModelSize.h"
#include "moe/Platform/Load.h"
#include "moe/Schedule/Memory.h"
#include "moe/Schedule/StageSchedule.h"

namespace moe::estimate {

/// Exchanges with experts that overlap with compute.
enum class Overlap : uint8_t {
  None,
  /// The forward pass of one micro-batch overlaps with the backward pass of
  /// another (Megatron's overlap_moe_expert_parallel_comm). It hides the
  /// fraction given by the platform.
  Merged,
  /// The same, with delayed weight gradients (delay_wgrad_compute).
  MergedDelayed,
  /// Pipelines of `StageOrder::DualPipeV` and `DualPipe`. A pair of passes
  /// hides exchanges as long as its products run (`schedule::getPairSaving`),
  /// as described in DeepSeek-V3's report (arXiv:2412.19437, section 3.2.1).
  /// Without a pipeline, all passes are pairs.
  DualPipeV,
  DualPipe
};
/// Returns "none", "1f1b", "1f1b-delayed", "dualpipev" or "dualpipe".
llvm::StringRef getName(Overlap overlap);

/// Returns the order of a pipeline's passes with this overlap.
schedule::StageOrder getStageOrder(Overlap overlap);

/// A piece of the model, which is the content of a virtual stage.
struct Piece {
  int64_t moe = 0, dense = 0;
  /// Layers that predict further tokens; each also computes the output layer.
  int64_t furtherTokens = 0;
  bool hasOutput = false;
};

/// A job as run by its framework.
struct Job {
  ModelSize model;
  /// Degrees, sizes, routing and its factors, order of the mesh. Layers and
  /// experts follow from `model.config`.
  ImportOptions options;
  /// Pieces, equally many per stage; `schedule::listPieces` defines their
  /// placement.
  std::vector<Piece> pieces;
  int64_t microBatches = 1;
  /// For dropless layers, expert rows of the busiest rank relative to an even
  /// share.
  double expertLoad = 1;
  /// "all-to-all", or a dispatcher of the platform with this number of SMs.
  std::string dispatcher = "all-to-all";
  int64_t dispatcherSms = 20;
  /// Bytes per value that the forward pass sends to experts: 2, or 1 with a
  /// scale of 32 bits per 128 values.
  int64_t dispatchBytes = 2;
  Overlap overlap = Overlap::None;
  schedule::Recompute recompute = schedule::Recompute::Nothing;
  schedule::RecomputeModules modules{};
  schedule::ZeroStage zero = schedule::ZeroStage::Optimizer;
  schedule::StateBytes stateBytes{};
  /// Precision of linear layers and experts. The router, attention, the
  /// embedding and the output layer have 16 bits.
  cost::Precision precision = cost::Precision::SixteenBit;
  /// If set, weights are kept and gathered quantized (`--fp8-param-gather`).
  bool keepsQuantizedWeights = false;
  /// The framework, as named by --parallelism, for the platform's host costs;
  /// empty for none.
  std::string framework;
  bool cudaGraphs = false;
  /// If set, the whole step is one CUDA graph, so the host launches it once.
  bool fullGraph = false;
  /// Factor for the time of exchanges with experts, to find sensitivities of a
  /// choice.
  double exchangeFactor = 1;

  /// Returns true if kernels apart from the experts' products add biases.
  /// Megatron's do, except in one CUDA graph, for which kernels are fused.
  bool addsBiasesApart() const {
    return model.config.hasExpertBiases && framework == "megatron" &&
           !fullGraph;
  }
};

/// The kind of a part of layers.
enum class PartKind : uint8_t {
  /// Matrix products, and attention.
  Compute,
  /// Kernels that move bytes.
  Memory,
  /// Exchanges with experts, and all other exchanges.
  ExpertExchange,
  Exchange,
  Host
};
constexpr unsigned kNumPartKinds = 5;
/// Returns "products", "memory-bound kernels", "expert exchanges", "other
/// exchanges" or "host".
llvm::StringRef getName(PartKind kind);

/// A part of layers, per micro-batch and rank.
struct LayerPart {
  llvm::StringRef name;
  PartKind kind;
  double forwardUs = 0, backwardUs = 0;
  /// True if the part belongs to the network with the experts, from the router
  /// to the weighted sum of their outputs.
  bool isOfExperts = false;
};

/// Parts of layers in execution order.
using PartList = std::vector<LayerPart>;

struct StepEstimate {
  /// The parts of an MoE layer, and of a dense one if the model has any,
  /// without overlap, recomputation and the host.
  PartList moeLayer, denseLayer;
  double stepUs = 0, tokensPerSecond = 0;
  /// Fraction of the platform's peak; nullopt if it has none.
  std::optional<double> utilisation;
  /// How the busiest stage spends the step, in order, including its waits for
  /// other stages.
  std::vector<std::pair<std::string, double>> spentUs;
  /// True if the platform's dispatcher was measured on as many nodes, and without
  /// a dispatcher.
  bool isDispatcherMeasured = true;
};

/// Estimates the step of `job`. Fails if the platform has neither kernels nor
/// data-sheet rates for them, lacks the dispatcher, has too few ranks, or if
/// degrees and pieces do not fit.
cost::Result<StepEstimate> estimateStep(const Job &job,
                                        const platform::Platform &platform);

/// Returns why a platform's kernels do not support a precision, as an error of
/// --precision; empty if they do.
std::string checkPrecision(cost::Precision precision,
                           const cost::Kernels &kernels,
                           const std::string &platform);

/// Returns the exposed time of exchanges with experts in the busiest stage's
/// step, in us.
double getExchangeUs(const StepEstimate &estimate);

/// Parses the pieces of a layout in Megatron's syntax, "Et|(tt|)*30mL": pieces
/// are separated by '|', E is the embedding, t a layer, m a layer for further
/// tokens, L the output layer, and *N after one of these or after a pair of
/// brackets repeats it N times. Fails for other texts, and unless there are
/// `stages` times `virtualStages` pieces with as many layers as the model has.
cost::Result<std::vector<Piece>> parsePipelineLayout(llvm::StringRef text,
                                                     const ModelConfig &config,
                                                     int64_t stages,
                                                     int64_t &virtualStages);

} // namespace moe::estimate

#endif // MOE_ESTIMATE_STEP_H
