// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What training holds on a rank.
//
// SPEC MO-11: MoNTA's tables 3 and 4 with their errors put right. Training is
// mixed precision with Adam: 2 bytes a parameter for the weight, 2 for the
// gradient, and 12 for the optimizer (fp32 master weight and two moments).

#ifndef MOE_SCHEDULE_MEMORY_H
#define MOE_SCHEDULE_MEMORY_H

#include <array>
#include <cstdint>
#include <vector>

namespace moe::schedule {

/// What ZeRO spreads over the ranks that hold the same parameters; each stage
/// includes the ones before.
enum class ZeroStage { None = 0, Optimizer = 1, Gradients = 2, Parameters = 3 };

/// How a job is spread over ranks, all >= 1. The mesh is [dp, pp, cp, ep, tp]:
/// `dp` counts the ranks that hold the same experts, so parameters outside of
/// experts are held by dp * cp * ep ranks.
struct ParallelDegrees {
  int64_t tp = 1, ep = 1, dp = 1, pp = 1, cp = 1;
  /// Ranks that an expert is split over, a divisor of `tp`; 0 for `tp`.
  int64_t esp = 0;
  /// `ep` counts the tensor-parallel ranks, too, of which it is a multiple, and
  /// the context-parallel ones where it is a multiple of both together; an
  /// expert is whole on its rank.
  bool foldEp = false;

  /// Ranks of the axis `ep` of the mesh.
  int64_t getAxisEp() const {
    if (!foldEp)
      return ep;
    return ep % (tp * cp) == 0 ? ep / (tp * cp) : ep / tp;
  }
  /// Of all stages.
  int64_t getNumRanks() const { return dp * pp * cp * getAxisEp() * tp; }
  /// Ranks that an expert is split over.
  int64_t getExpertShards() const { return foldEp ? 1 : esp ? esp : tp; }
  /// Ranks of a stage with a copy of a parameter of an expert, or of another.
  int64_t getExpertCopies() const {
    return getNumRanks() / (pp * ep * getExpertShards());
  }
  int64_t getOtherCopies() const { return dp * cp * getAxisEp(); }
};

/// Bytes for a parameter beside its 16-bit weight: of Adam's state, a 32-bit
/// weight and two 32-bit moments, and of its gradient, 16 bits; 4 where
/// gradients are summed in 32.
struct StateBytes {
  double optimizer = 12, gradient = 2;
};

/// Bytes a rank holds for each parameter of which `copies` ranks have a copy:
/// 16 without ZeRO, then 4 + 12/d, 2 + 14/d and 16/d with d = copies. MoNTA's
/// table 3 prints the pipeline degree for d.
/// With gradients of g bytes 2 + g + 12/d and so on.
double getBytesPerParameter(ZeroStage zero, int64_t copies,
                            StateBytes bytes = {});

/// Weights, gradients and optimizer state of one rank, in bytes. Parameters
/// are taken to be spread evenly over pipeline stages.
struct ModelStates {
  double nonExpertBytes = 0, expertBytes = 0;
};

/// `nonExpertParameters` are P1 of the paper, P2 are `expertParameters`, both
/// of the whole model.
ModelStates getModelStates(double nonExpertParameters, double expertParameters,
                           const ParallelDegrees &degrees, ZeroStage zero,
                           StateBytes bytes = {});

/// The sizes eq. (2) is about.
struct ActivationSizes {
  /// Micro-batch b, sequence length s, hidden size h, layers l, experts per
  /// token k, attention heads a.
  int64_t microBatch, seqLen, hiddenSize, numLayers, topK, numHeads;
};

/// What of the activations a rank keeps for the backward pass.
enum class ActivationForm {
  /// Everything of the model, on one rank: eq. (2).
  Unsharded,
  /// Tensor parallelism shards what is between its pairs of matrices.
  TensorParallel,
  /// Sequence parallelism shards the rest too.
  SequenceParallel,
  /// ... and the attention scores are computed again.
  SelectiveRecompute,
  /// Only the input of each layer is kept.
  FullRecompute,
};

constexpr std::array<ActivationForm, 5> kActivationForms = {
    ActivationForm::Unsharded, ActivationForm::TensorParallel,
    ActivationForm::SequenceParallel, ActivationForm::SelectiveRecompute,
    ActivationForm::FullRecompute};

/// Activations of one rank, in bytes, by where they come from.
struct Activations {
  /// Attention without its scores; or, with FullRecompute, layer inputs.
  double attentionBytes = 0;
  /// Scores, the part that grows with the square of the sequence.
  double scoresBytes = 0;
  /// Experts and what leads to and from them.
  double expertBytes = 0;

  double getTotal() const { return attentionBytes + scoresBytes + expertBytes; }
};

/// Activations for `tp` tensor-parallel ranks. Eq. (2) gives
/// b*s*h*l*(13 + 21k + 5*a*s/h) for all; the paper's table 4, which has the
/// parallel forms, is damaged, so they are derived:
///
/// - A layer of eq. (2), in bytes per token and hidden element. Attention, 13:
///   norm 2, input of the projections 2, mask of the dropout 1; query, key
///   and value 6 and input of the output projection 2, these 8 per head. Per
///   expert chosen, 21: norm 2, input 2, mask 1; inputs of activation and of
///   second matrix 8 + 8, these 16 along the expert's hidden size (taken as
///   4*h, two matrices). Scores, 5*a*s/h: softmax 2, its mask 1, its dropped
///   output 2, per head.
/// - What is per head or along the expert's hidden size is on one of the t
///   ranks, the rest on all: (5 + 8/t) + k*(5 + 16/t) + 5*a*s/(h*t).
/// - Sequence parallelism puts the rest too on one of the t ranks:
///   (13 + 21k)/t + 5*a*s/(h*t); selective recomputation drops the scores;
///   full recomputation leaves a layer's input, 2/t.
/// - Expert parallelism changes nothing: a rank sends the tokens of its
///   micro-batch away and, when balanced, gets as many. Nor does pipeline
///   parallelism on its first stage, which holds 1/p of the layers for p
///   micro-batches at a time (one-forward-one-backward order).
///
/// At t = 1 the second and third forms are eq. (2), and the last two forms
/// are as they can still be read in table 4.
Activations getActivations(const ActivationSizes &sizes, ActivationForm form,
                           int64_t tp);

/// What one token makes in the layers of a model, in elements.
struct ModelShape {
  /// Hidden size; all heads' queries, keys with values, and output of
  /// attention; latent vectors of queries, keys and values (0 of plain
  /// attention).
  int64_t hidden, queries, keysAndValues, output, latents;
  int64_t heads;
  int64_t experts, topK;
  /// Hidden sizes of a chosen expert, of the shared one and of a dense layer.
  int64_t expertFFN, sharedFFN, denseFFN;
  /// Of a feed-forward network: 3 where a product gates it, else 2.
  int64_t numMatrices;
  int64_t moeLayers, denseLayers;
  /// Tokens that the model knows.
  int64_t vocabulary;
  /// The part of `latents` that queries have.
  int64_t queryLatents = 0;
};

/// What the backward pass recomputes.
enum class Recompute {
  Nothing,
  /// Parts of layers, `RecomputeModules`.
  Selective,
  /// Layers, of which only the inputs are kept.
  Layers,
};

/// A part of a layer that selective recomputation leaves to the backward pass.
///
/// All but the last are the modules of Megatron core's --recompute-modules, of
/// which each keeps its input (megatron/core/transformer/transformer_config.py,
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
  /// All of a MoE layer behind its norm, exchanges included.
  MoELayer,
  /// All but the outputs of every other matrix product, attention, all-to-alls
  /// and
  /// reduce-scatters. Products of the router and of routed experts, which are
  /// grouped, are not kept.
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

/// How a job trains, beside its degrees.
struct TrainingStep {
  /// Sequences of a micro-batch, tokens of a sequence.
  int64_t microBatch, seqLen;
  /// What is as wide as the hidden size is spread over tensor-parallel ranks.
  bool sequenceParallel;
  Recompute recompute;
  /// Pieces of the model that a pipeline stage holds; above 1 they are
  /// interleaved (`StageOrder::OneForwardOneBackward`).
  int64_t virtualStages = 1;
  /// Parts of the micro-batch that run beside each other.
  int64_t parts = 1;
  /// Rows of experts on the busiest rank over an even share: of slots, the
  /// capacity factor.
  double expertLoad = 1;
  /// The recomputed parts, with `Recompute::Selective`.
  RecomputeModules modules{};
  /// Bytes of a value that a linear layer or an expert keeps of its input. If
  /// fewer than 2, the layer keeps a quantized copy, and the 16-bit one
  /// where another operation keeps that.
  double inputBytes = 2;
};

/// Bytes per token that layers make and that they keep for the backward pass.
struct LayerActivations {
  /// In all layers, in MoE layers, and in dense layers.
  double attention = 0, moe = 0, dense = 0;
};

/// As `getStageActivations` counts them, without recomputation.
LayerActivations getLayerActivations(const ModelShape &shape,
                                     const ParallelDegrees &degrees,
                                     const TrainingStep &step);
/// The kept part of these: all without recomputation, the input of the layer as
/// its `attention` with full recomputation. The rest is recomputed.
LayerActivations getKeptActivations(const ModelShape &shape,
                                    const ParallelDegrees &degrees,
                                    const TrainingStep &step);

/// A matrix product of a layer whose output selective recomputation by ops
/// keeps or not: every other one in their order is not (torchtitan).
struct LayerProduct {
  /// Elements of a token's output, on one rank.
  double width;
  /// Multiply-accumulates of a token, on one rank.
  double macs;
  bool isKept;
};

/// The products of attention and of the feed-forward network, a shared one in
/// MoE layers, in their order. The products of router and routed experts are
/// not among them.
std::vector<LayerProduct> listProducts(const ModelShape &shape,
                                       const ParallelDegrees &degrees,
                                       const TrainingStep &step, bool isMoE);

/// Activations that the fullest pipeline stage of a model holds, in bytes.
struct StageActivations {
  double attention = 0, moe = 0, dense = 0;
  /// With full recomputation, in place of these: the inputs of layers. With
  /// any, the recomputed part of one layer, while its gradient is computed.
  double inputs = 0, workingSet = 0;
  /// Of the last stage.
  double logits = 0;

  double getTotal() const {
    return attention + moe + dense + inputs + workingSet + logits;
  }
};

/// As training is done today, and not as eq. (2) has it: 16-bit activations,
/// attention that keeps no scores (FlashAttention), no dropout, feed-forward
/// networks of the model's own size and number of matrices.
/// Bytes a token of h hidden elements:
///
/// - attention: input and output of the norm 4h, latents 4 each (before and
///   after their norm), queries, keys and values 2 each, output 2, a 32-bit
///   number a head;
/// - a dense layer or shared expert: norm 4h (of a dense layer), and along its
///   hidden size H 6H with three matrices (both factors and their product), 4H
///   with two (before and after the activation);
/// - a MoE layer: norm 4h, 32-bit logits and scores of all experts; for each
///   expert chosen what it reads and gives, 4h, and 6H or 4H, this of
///   `expertLoad` times an even share;
/// - logits: 16-bit ones and their 32-bit softmax, 6 for each token known.
///
/// Linear layers that multiply in fewer bits keep a quantized copy of their
/// input in place of 2 bytes: of the norm's output (the router also needs 16
/// bits of it), latents behind their norm, rows of experts, and the product
/// behind an activation. The output of attention is kept in both, because
/// FlashAttention needs it again.
///
/// What is per head, along a feed-forward network's hidden size, or per token
/// known is on one of the t tensor-parallel ranks; the rest is on all of them,
/// or on one with sequence parallelism. An expert split over fewer ranks is on
/// one of those, unless all tensor-parallel ranks have tokens of their own.
/// Context-parallel ranks have a part of each sequence. Layers are alike on all
/// stages; the first holds 1/p of them for p micro-batches at a time, with v
/// pieces a stage for (p (v + 1) - 1) / v, the last for one, with the logits:
/// the fuller of both counts. Parts of the micro-batch leave for the backward
/// pass what the whole does.
StageActivations getStageActivations(const ModelShape &shape,
                                     const ParallelDegrees &degrees,
                                     const TrainingStep &step);

/// Gradients of weights that wait for those of the other parts of a
/// micro-batch, in bytes: 16-bit ones of one layer of `layerParameters` on the
/// rank, of all parts but one, as parts are no more than a layer apart.
double getPartGradients(double layerParameters, const TrainingStep &step);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_MEMORY_H
