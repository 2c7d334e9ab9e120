// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a training step takes as a job runs it.
//
// A job is priced as it is stated: its dispatcher, its overlap, its
// recomputation, its pipeline pieces and its framework's host, kernel by
// kernel, at the measured rates of a platform (`platform::MeasuredRates`), or
// at the lines of its data sheet. `moe-plan step` and `moe-plan sweep` print
// nothing else; programs that our compiler makes are timed by simulating them.

#ifndef MOE_ESTIMATE_STEP_H
#define MOE_ESTIMATE_STEP_H

#include "moe/Frontend/ImportOptions.h"
#include "moe/Frontend/ModelSize.h"
#include "moe/Platform/Load.h"
#include "moe/Schedule/Memory.h"

namespace moe::estimate {

/// Which exchanges with experts run concurrently with computing.
enum class Overlap : uint8_t {
  None,
  /// The forward pass of one micro-batch runs with the backward pass of another
  /// (Megatron's overlap_moe_expert_parallel_comm, DualPipe).
  Merged,
  /// The same, with gradients of weights put off (delay_wgrad_compute).
  MergedDelayed
};
/// "none", "1f1b" or "1f1b-delayed".
llvm::StringRef getName(Overlap overlap);

/// A piece of the model: what a virtual stage holds.
struct Piece {
  int64_t moe = 0, dense = 0;
  /// Layers that predict further tokens; each also computes the output layer.
  int64_t furtherTokens = 0;
  bool hasOutput = false;
};

/// A job as its framework runs it.
struct Job {
  ModelSize model;
  /// Degrees, sizes, routing and its factors, order of the mesh. Layers and
  /// experts follow from `model.config`.
  ImportOptions options;
  /// Piece i is of stage i % pp; as many of each stage.
  std::vector<Piece> pieces;
  int64_t microBatches = 1;
  /// Rows of the busiest rank's experts over an even share, of dropless layers.
  double expertLoad = 1;
  /// "all-to-all", or a dispatcher of the platform, with so many SMs.
  std::string dispatcher = "all-to-all";
  int64_t dispatcherSms = 20;
  /// Bytes of a value that the forward pass sends to experts: 2, or 1 with a
  /// scale of 32 bits per 128 values.
  int64_t dispatchBytes = 2;
  Overlap overlap = Overlap::None;
  schedule::Recompute recompute = schedule::Recompute::Nothing;
  schedule::RecomputeModules modules{};
  schedule::ZeroStage zero = schedule::ZeroStage::Optimizer;
  schedule::StateBytes stateBytes{};
  /// What linear layers and experts multiply in. The router, attention, the
  /// embedding and the output layer have 16 bits.
  cost::Precision precision = cost::Precision::SixteenBit;
  /// Weights are kept, and gathered, quantized (`--fp8-param-gather`).
  bool keepsQuantizedWeights = false;
  /// Host costs that the platform states of this framework, as --parallelism
  /// names it; empty for none.
  std::string framework;
  bool cudaGraphs = false;
  /// The whole step is one CUDA graph: the host starts it once.
  bool fullGraph = false;
  /// Factor on the time of exchanges with experts, to find what would change a
  /// choice.
  double exchangeFactor = 1;
};

/// What a part of a layer is.
enum class PartKind : uint8_t {
  /// Products, and attention.
  Compute,
  /// Kernels that move bytes.
  Memory,
  /// Exchanges with experts, and all others.
  ExpertExchange,
  Exchange,
  Host
};
constexpr unsigned kNumPartKinds = 5;
/// "products", "memory-bound kernels", "expert exchanges", "other exchanges",
/// "host".
llvm::StringRef getName(PartKind kind);

/// A part of a layer for one micro-batch of a rank.
struct LayerPart {
  llvm::StringRef name;
  PartKind kind;
  double forwardUs = 0, backwardUs = 0;
  /// The part belongs to the network with the experts, from the router to the
  /// weighted sum of their outputs.
  bool isOfExperts = false;
};

/// Parts of a layer in their order.
using PartList = std::vector<LayerPart>;

/// A step.
struct StepEstimate {
  /// The parts of a MoE layer, and of a dense one if the model has any, without
  /// overlap, recomputation and the host.
  PartList moeLayer, denseLayer;
  double stepUs = 0, tokensPerSecond = 0;
  /// The share of the platform's peak; none if it states no peak.
  std::optional<double> utilisation;
  /// How the busiest stage spends the step, in order; with what it waits for
  /// other stages.
  std::vector<std::pair<std::string, double>> spentUs;
  /// What of the step is not modelled, one phrase each.
  std::vector<std::string> notModelled;
};

/// The estimate; fails where the platform states neither kernels nor lines to
/// make them of, does not know the dispatcher, has too few ranks, or where
/// degrees and pieces do not fit.
cost::Result<StepEstimate> estimateStep(const Job &job,
                                        const platform::Platform &platform);

/// Why a platform's kernels cannot have a precision, an error of --precision;
/// empty if they can.
std::string checkPrecision(cost::Precision precision,
                           const cost::Kernels &kernels,
                           const std::string &platform);

/// Time of exchanges with experts that computing does not hide, in the step of
/// the busiest stage, us.
double getExchangeUs(const StepEstimate &estimate);

/// The pieces of a layout as Megatron writes it, "Et|(tt|)*30mL": pieces apart
/// by
/// '|', E for the embedding, t for a layer, m for one of further tokens, L for
/// the output layer, and *N behind one of these or a pair of brackets for N of
/// them. Fails on other texts, and where there are not `stages` times
/// `virtualStages` pieces with as many layers as the model has.
cost::Result<std::vector<Piece>> parsePipelineLayout(llvm::StringRef text,
                                                     const ModelConfig &config,
                                                     int64_t stages,
                                                     int64_t &virtualStages);

} // namespace moe::estimate

#endif // MOE_ESTIMATE_STEP_H
