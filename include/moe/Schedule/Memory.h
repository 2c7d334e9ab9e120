// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of training per rank.
//
// SPEC MO-11: MoNTA's tables 3 and 4 with their errors corrected. Training is
// mixed precision with Adam: per parameter, 2 bytes for the weight, 2 for the
// gradient, and 12 for the optimizer (fp32 master weight and two moments).

#ifndef MOE_SCHEDULE_MEMORY_H
#define MOE_SCHEDULE_MEMORY_H

#include <array>
#include <cstdint>
#include <vector>

namespace moe::schedule {

/// The states that ZeRO shards over the ranks with the same parameters. Each
/// stage includes the previous ones.
enum class ZeroStage { None = 0, Optimizer = 1, Gradients = 2, Parameters = 3 };

/// The parallelism degrees of a job, all >= 1. The mesh is [dp, pp, cp, ep,
/// tp]. `dp` counts the ranks that hold the same experts, so dp * cp * ep ranks
/// hold the parameters outside experts.
struct ParallelDegrees {
  int64_t tp = 1, ep = 1, dp = 1, pp = 1, cp = 1;
  /// Number of ranks that share one expert, a divisor of `tp`; 0 means `tp`.
  int64_t esp = 0;
  /// If set, each expert is whole on one rank. `ep` then includes the
  /// tensor-parallel ranks and must be a multiple of `tp`; if it is also a
  /// multiple of `tp * cp`, it includes the context-parallel ranks, too.
  bool foldEp = false;

  /// Returns the size of the mesh axis `ep`.
  int64_t getAxisEp() const {
    if (!foldEp)
      return ep;
    return ep % (tp * cp) == 0 ? ep / (tp * cp) : ep / tp;
  }
  int64_t getNumRanks() const { return dp * pp * cp * getAxisEp() * tp; }
  /// Returns the number of ranks that share one expert.
  int64_t getExpertShards() const { return foldEp ? 1 : esp ? esp : tp; }
  /// Returns the number of ranks in a stage with a copy of the same parameter,
  /// for parameters of experts and for other parameters.
  int64_t getExpertCopies() const {
    return getNumRanks() / (pp * ep * getExpertShards());
  }
  int64_t getOtherCopies() const { return dp * cp * getAxisEp(); }
};

/// Bytes per parameter in addition to its 16-bit weight: Adam's state, which is
/// a 32-bit weight and two 32-bit moments, and the gradient, which has 16 bits,
/// or 32 bits (4 bytes) if gradients are summed in that precision.
struct StateBytes {
  double optimizer = 12, gradient = 2;
};

/// Returns the bytes that each rank holds per parameter with `copies` copies
/// over the ranks: 16 without ZeRO, then 4 + 12/d, 2 + 14/d and 16/d with d =
/// copies. MoNTA's table 3 prints the pipeline degree for d. If gradients have
/// g bytes, the terms are 2 + g + 12/d and so on.
double getBytesPerParameter(ZeroStage zero, int64_t copies,
                            StateBytes bytes = {});

/// Weights, gradients and optimizer state of one rank in bytes. Parameters are
/// assumed to be spread evenly over pipeline stages.
struct ModelStates {
  double nonExpertBytes = 0, expertBytes = 0;
};

/// `nonExpertParameters` is P1 of the paper and `expertParameters` is P2, both
/// for the whole model.
ModelStates getModelStates(double nonExpertParameters, double expertParameters,
                           const ParallelDegrees &degrees, ZeroStage zero,
                           StateBytes bytes = {});

/// The sizes in eq. (2).
struct ActivationSizes {
  /// Micro-batch b, sequence length s, hidden size h, layers l, experts per
  /// token k, attention heads a.
  int64_t microBatch, seqLen, hiddenSize, numLayers, topK, numHeads;
};

/// The activations that ranks keep for the backward pass.
enum class ActivationForm {
  /// The whole model on one rank: eq. (2).
  Unsharded,
  /// Tensor parallelism shards the values between its pairs of matrices.
  TensorParallel,
  /// Sequence parallelism also shards the rest.
  SequenceParallel,
  /// In addition, attention scores are recomputed.
  SelectiveRecompute,
  /// Only the input of each layer is kept.
  FullRecompute,
};

constexpr std::array<ActivationForm, 5> kActivationForms = {
    ActivationForm::Unsharded, ActivationForm::TensorParallel,
    ActivationForm::SequenceParallel, ActivationForm::SelectiveRecompute,
    ActivationForm::FullRecompute};

/// Activations of one rank in bytes, by origin.
struct Activations {
  /// Attention without its scores; with FullRecompute, layer inputs.
  double attentionBytes = 0;
  /// Attention scores, which grow with the square of the sequence length.
  double scoresBytes = 0;
  /// Experts, with the operations before and after them.
  double expertBytes = 0;

  double getTotal() const { return attentionBytes + scoresBytes + expertBytes; }
};

/// Returns the activations for `tp` tensor-parallel ranks. Eq. (2) is
/// b*s*h*l*(13 + 21k + 5*a*s/h) in total. The parallel forms are derived,
/// because the paper's table 4, which has them, is damaged:
///
/// - A layer of eq. (2) has these bytes per token and hidden element.
///   Attention, 13: norm 2, input of the projections 2, mask of the dropout 1;
///   query, key and value 6 and input of the output projection 2, these 8 per
///   head. Each chosen expert, 21: norm 2, input 2, mask 1; inputs of
///   activation and of second matrix 8 + 8, these 16 along the expert's hidden
///   size (assumed to be 4*h, two matrices). Scores, 5*a*s/h: softmax 2, its
///   mask 1, its dropped output 2, per head.
/// - Values per head or along the expert's hidden size are on one of the t
///   ranks, and the rest on all: (5 + 8/t) + k*(5 + 16/t) + 5*a*s/(h*t).
/// - Sequence parallelism also puts the rest on one of the t ranks: (13 +
///   21k)/t + 5*a*s/(h*t). Selective recomputation drops the scores; full
///   recomputation leaves a layer's input, 2/t.
/// - Expert parallelism changes nothing, because a rank sends the tokens of its
///   micro-batch away and, if balanced, receives as many. Pipeline parallelism
///   changes nothing on its first stage, which holds 1/p of the layers for p
///   micro-batches at a time (1F1B).
///
/// At t = 1 the second and third forms are eq. (2), and the last two forms
/// agree with the legible part of table 4.
Activations getActivations(const ActivationSizes &sizes, ActivationForm form,
                           int64_t tp);

/// Sizes of a model that determine the activations of one token, in elements.
struct ModelShape {
  /// Hidden size; queries, keys with values, and attention outputs of all
  /// heads; latent vectors of queries, keys and values (0 for plain attention).
  int64_t hidden, queries, keysAndValues, output, latents;
  int64_t heads;
  int64_t experts, topK;
  /// Hidden sizes of a routed expert, of the shared expert and of a dense
  /// layer.
  int64_t expertFFN, sharedFFN, denseFFN;
  /// Matrices of a feed-forward network: 3 if gated, otherwise 2.
  int64_t numMatrices;
  int64_t moeLayers, denseLayers;
  /// Number of tokens in the vocabulary.
  int64_t vocabulary;
  /// The part of `latents` for queries.
  int64_t queryLatents = 0;
};

/// The values that the backward pass recomputes.
enum class Recompute {
  Nothing,
  /// The parts of layers in `RecomputeModules`.
  Selective,
  /// Whole layers; only their inputs are kept.
  Layers,
};

/// A part of layers that selective recomputation repeats in the backward pass.
///
/// All but the last are the modules of Megatron core's --recompute-modules, and
/// each keeps its input (megatron/core/transformer/transformer_config.py,
/// core_v0.12.0; shared_experts is later). The last is the policy `op` of
/// torchtitan's activation_checkpoint.selective_ac_option
/// (torchtitan/distributed/activation_checkpoint.py, v0.2.0).
enum class RecomputeModule : unsigned {
  /// Scores and their product with the values, without the projections.
  CoreAttention,
  /// Queries, keys and values from the latent vectors.
  UpProjection,
  /// The norms before attention and before the feed-forward network.
  Norms,
  /// The activation function of routed experts.
  ExpertActivation,
  /// The feed-forward network of a dense layer.
  DenseNetwork,
  SharedExperts,
  /// A whole MoE layer after its norm, including exchanges.
  MoELayer,
  /// Everything except the outputs of every other matrix product, attention,
  /// all-to-alls and reduce-scatters. The grouped products of routed experts
  /// and the products of the router are not kept.
  UnsavedOps,
};

class RecomputeModules {
public:
  constexpr RecomputeModules() = default;
  constexpr RecomputeModules(RecomputeModule module) { add(module); }

  constexpr void add(RecomputeModule module) { bits |= 1u << unsigned(module); }
  constexpr bool has(RecomputeModule module) const {
    return bits >> unsigned(module) & 1;
  }
  constexpr bool isEmpty() const { return bits == 0; }

private:
  unsigned bits = 0;
};

/// The training settings of a job apart from its parallelism degrees.
struct TrainingStep {
  /// Sequences per micro-batch, tokens per sequence.
  int64_t microBatch, seqLen;
  /// If set, values as wide as the hidden size are sharded over tensor-parallel
  /// ranks.
  bool sequenceParallel;
  Recompute recompute;
  /// Pieces of the model per pipeline stage; more than one are interleaved
  /// (`StageOrder::OneForwardOneBackward`).
  int64_t virtualStages = 1;
  /// Number of concurrent sub-batches of the micro-batch.
  int64_t parts = 1;
  /// Expert rows of the busiest rank relative to an even share; for padded
  /// slots, the capacity factor.
  double expertLoad = 1;
  /// The recomputed parts with `Recompute::Selective`.
  RecomputeModules modules{};
  /// Bytes per value of the kept inputs of linear layers and experts. If below
  /// 2, the layer keeps a quantized copy, in addition to the 16-bit value if
  /// another operation keeps that.
  double inputBytes = 2;
};

/// Bytes per token that layers produce and keep for the backward pass.
struct LayerActivations {
  /// Bytes in all layers, in MoE layers, and in dense layers.
  double attention = 0, moe = 0, dense = 0;
};

/// Returns the activations without recomputation, counted like in
/// `getStageActivations`.
LayerActivations getLayerActivations(const ModelShape &shape,
                                     const ParallelDegrees &degrees,
                                     const TrainingStep &step);
/// Returns the kept part of these activations: everything without
/// recomputation, and the layer's input (as `attention`) with full
/// recomputation. The backward pass recomputes the rest.
LayerActivations getKeptActivations(const ModelShape &shape,
                                    const ParallelDegrees &degrees,
                                    const TrainingStep &step);

/// A matrix product in one layer. If selective recomputation works on ops,
/// torchtitan keeps the output of every other product.
struct LayerProduct {
  /// Elements of the output per token and rank.
  double width;
  /// Multiply-accumulates per token and rank.
  double macs;
  bool isKept;
};

/// Lists the products of attention and of the feed-forward network, which is
/// the shared expert in MoE layers, in execution order. The products of the
/// router and of routed experts are excluded.
std::vector<LayerProduct> listProducts(const ModelShape &shape,
                                       const ParallelDegrees &degrees,
                                       const TrainingStep &step, bool isMoE);

/// Activations of the fullest pipeline stage of a model in bytes.
struct StageActivations {
  double attention = 0, moe = 0, dense = 0;
  /// Layer inputs, which full recomputation keeps instead of the values above;
  /// and the part of one layer that any recomputation holds while computing its
  /// gradient.
  double inputs = 0, workingSet = 0;
  /// Logits of the last stage.
  double logits = 0;

  double getTotal() const {
    return attention + moe + dense + inputs + workingSet + logits;
  }
};

/// Returns the activations of current training practice instead of eq. (2):
/// 16-bit activations, attention that keeps no scores (FlashAttention), no
/// dropout, and feed-forward networks with the model's own size and number of
/// matrices. Bytes per token of h hidden elements:
///
/// - attention: input and output of the norm 4h, latents 4 each (before and
///   after their norm), queries, keys and values 2 each, output 2, and a 32-bit
///   number per head;
/// - a dense layer or shared expert: norm 4h (of a dense layer), and along its
///   hidden size H 6H with three matrices (both factors and their product), 4H
///   with two (before and after the activation);
/// - an MoE layer: norm 4h, 32-bit logits and scores of all experts; for each
///   chosen expert its input and output, 4h, and 6H or 4H, this of `expertLoad`
///   times an even share;
/// - logits: 16-bit logits and their 32-bit softmax, 6 per token of the
///   vocabulary.
///
/// Linear layers that multiply in fewer bits keep a quantized copy of their
/// input instead of 2 bytes: of the norm's output (the router also needs its 16
/// bits), of latents after their norm, of expert rows, and of the product after
/// an activation. The output of attention is kept in both precisions, because
/// FlashAttention needs it again.
///
/// Values per head, along a feed-forward network's hidden size, or per token of
/// the vocabulary are on one of the t tensor-parallel ranks; the rest is on all
/// of them, or on one with sequence parallelism. An expert that fewer ranks
/// share is on one of those, unless each tensor-parallel rank has its own
/// tokens. Context-parallel ranks have a part of each sequence.
///
/// All stages have equal layers. The first stage holds 1/p of them for p
/// micro-batches at a time, or, with v pieces per stage, for (p (v + 1) - 1) /
/// v; the last stage holds them for one, with the logits. The result is the
/// fuller of both. Sub-batches of the micro-batch keep together as much as the
/// whole.
StageActivations getStageActivations(const ModelShape &shape,
                                     const ParallelDegrees &degrees,
                                     const TrainingStep &step);

/// Returns the bytes of weight gradients that wait for the other sub-batches of
/// a micro-batch: 16-bit gradients of one layer with `layerParameters` on the
/// rank, for all sub-batches but one, because sub-batches are at most one layer
/// apart.
double getPartGradients(double layerParameters, const TrainingStep &step);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_MEMORY_H
