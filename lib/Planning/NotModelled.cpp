// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of predictions.

#include "moe/Planning/NotModelled.h"
#include "moe/Planning/StepChoice.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using estimate::Overlap;
using schedule::Recompute;
using Asked = const PredictedJob &;

static bool concernsAll(Asked) { return true; }

static bool isMegatron(Asked asked) {
  return asked.job.framework == "megatron";
}
static bool isQuantized(Asked asked) {
  return asked.question.quantization.isQuantized();
}
static bool countsActivations(Asked asked) {
  return asked.job.options.seqLen > 0 && asked.job.model.config.attention;
}
static const platform::HostCost *findHost(Asked asked) {
  return asked.platform->rates.findHost(asked.job.framework,
                                        asked.job.cudaGraphs);
}
static int64_t countRanks(const ImportOptions &options) {
  return getDegrees(options).getNumRanks();
}
static bool spansNodes(Asked asked) {
  return countRanks(asked.job.options) > asked.question.nodeRanks;
}
static bool runsAsPairs(Asked asked) {
  return runsPairs(getStageOrder(asked.job.overlap));
}
static int64_t countFurther(Asked asked) {
  int64_t further = 0;
  for (const estimate::Piece &piece : asked.job.pieces)
    further += piece.furtherTokens;
  return further;
}

/// Limits of time come first, beginning with the limits that concern only some
/// jobs.
static constexpr Limit kLimits[] = {
    // The platform.
    {LimitOf::Time, "no `--parallelism`",
     "host time, as no framework is given (--parallelism)",
     [](Asked asked) {
       return !asked.job.fullGraph && asked.job.framework.empty();
     }},
    {LimitOf::Time,
     "a platform without the framework's host time, with or without CUDA graphs",
     "host time: the platform states none of the framework (hosts)",
     [](Asked asked) {
       return !asked.job.fullGraph && !asked.job.framework.empty() &&
              !findHost(asked);
     }},
    {LimitOf::Time, "`--cuda-graphs`",
     "host time with and without CUDA graphs on one job: the platform's two "
     "figures are of different jobs, so do not compare them",
     [](Asked asked) { return asked.job.cudaGraphs && findHost(asked); }},
    {LimitOf::Time, "a platform without measured rates",
     "rates by size, which the platform does not state: products and attention "
     "take its GEMM line, and memory-bound kernels the rate of its copies",
     [](Asked asked) { return !asked.platform->rates.kernels; }},
    {LimitOf::Time, "a dispatcher on other numbers of nodes than measured",
     "the dispatcher on so many nodes: priced by the nearest number that was "
     "measured",
     [](Asked asked) { return !asked.step->isDispatcherMeasured; }},
    // Precision.
    {LimitOf::Time, "`--dtype=f16`",
     "products of f16: priced at the rates of bf16",
     [](Asked asked) {
       return asked.job.options.elements == ElementKind::F16;
     }},
    {LimitOf::Time, "`--precision` of fewer than 16 bits",
     "padding of experts' rows for quantized products, with its kernels",
     isQuantized},
    {LimitOf::Time, "`--precision` of fewer than 16 bits",
     "attention and the output layer in 8 bits: priced in 16 bits",
     isQuantized},
    {LimitOf::Time, "`--precision` of fewer than 16 bits, Megatron",
     "layers in bf16 at both ends (--first-last-layers-bf16): all layers are "
     "priced in --precision",
     [](Asked asked) { return isQuantized(asked) && isMegatron(asked); }},
    {LimitOf::Time,
     "`--precision` of fewer than 16 bits without `--dispatch-bytes=1`",
     "a dispatch of quantized tokens: priced in 16 bits (--dispatch-bytes)",
     [](Asked asked) {
       return isQuantized(asked) && asked.job.dispatchBytes == 2;
     }},
    {LimitOf::Time, "`--precision=nvfp4 --fp8-param-gather`",
     "gathers of packed 4-bit weights, as in current Megatron: priced in 16 "
     "bits, so they are predicted too long",
     [](Asked asked) {
       return asked.job.keepsQuantizedWeights &&
              asked.job.precision == cost::Precision::NVFP4;
     }},
    {LimitOf::Time, "`--precision` of fewer than 16 bits, with host time",
     "host time of kernels that quantize: priced as of 16-bit jobs",
     [](Asked asked) {
       return isQuantized(asked) && !asked.job.fullGraph && findHost(asked);
     }},
    {LimitOf::Time, "`--precision=fp8` or `fp8-tensorwise`, `--tp` > 1",
     "maxima of tensor-parallel ranks, of which scales are made",
     [](Asked asked) {
       return (asked.job.precision == cost::Precision::FP8Delayed ||
               asked.job.precision == cost::Precision::FP8Tensorwise) &&
              asked.job.options.tp > 1;
     }},
    // The model.
    {LimitOf::Time,
     "a model with biases of experts, not Megatron or `--full-iteration-graph`",
     "biases of experts",
     [](Asked asked) {
       return asked.job.model.config.hasExpertBiases &&
              !asked.job.addsBiasesApart();
     }},
    {LimitOf::Time, "a model with latent experts",
     "projections to and from experts' latent vectors",
     [](Asked asked) { return asked.job.model.config.expertWidth > 0; }},
    {LimitOf::Time, "a config without `vocab_size`",
     "the output layer, as the config has no vocab_size",
     [](Asked asked) { return asked.job.model.vocabulary <= 0; }},
    {LimitOf::Time, "layers that predict further tokens (`--mtp-layers`)",
     "the projection and the embedding of layers that predict further tokens: "
     "their time",
     [](Asked asked) { return countFurther(asked) > 0; }},
    {LimitOf::Time, "a model with layers for further tokens, no `--mtp-layers`",
     "the config's layers that predict further tokens "
     "(num_nextn_predict_layers): not trained here without --mtp-layers",
     [](Asked asked) {
       return asked.job.model.furtherTokenLayers > 0 &&
              countFurther(asked) == 0;
     }},
    // Parallelism.
    {LimitOf::Time, "more `--tp` than heads of keys and values",
     "the gather of heads of keys and values that tensor-parallel ranks share",
     [](Asked asked) {
       const auto &attention = asked.job.model.config.attention;
       return attention && asked.job.options.tp > attention->keyValueHeads;
     }},
    {LimitOf::Time, "`--tp` > 1, Megatron",
     "overlap of tensor-parallel exchanges (--tp-comm-overlap): they are "
     "exposed, so with the flag the step is predicted too long",
     [](Asked asked) {
       return isMegatron(asked) && asked.job.options.tp > 1;
     }},
    {LimitOf::Time, "several copies of weights",
     "links that gradient and weight collectives share with other exchanges: "
     "neither slows the other",
     [](Asked asked) {
       const ImportOptions &options = asked.job.options;
       return options.dp * options.cp * getDegrees(options).getAxisEp() > 1;
     }},
    {LimitOf::Time, "more ranks than a node has",
     "reduction in switches between nodes, other jobs on the network, and slow "
     "nodes",
     spansNodes},
    // Overlap.
    {LimitOf::Time, "`--overlap=1f1b` or `1f1b-delayed`",
     "how overlap depends on the dispatcher and the layout: one share of the "
     "exchanges is hidden, the platform's hidden_exchanges",
     [](Asked asked) {
       return asked.job.overlap != Overlap::None && !runsAsPairs(asked);
     }},
    {LimitOf::Time, "`--overlap=1f1b-delayed`",
     "gradients of weights put off: priced as --overlap=1f1b",
     [](Asked asked) {
       return asked.job.overlap == Overlap::MergedDelayed;
     }},
    {LimitOf::Time, "`--overlap=dualpipe` with stages",
     "the sum of gradients over the two stages that hold a piece",
     [](Asked asked) {
       return asked.job.options.pp > 1 &&
              asked.job.overlap == Overlap::DualPipe;
     }},
    {LimitOf::Time, "an overlap with stages, or of pairs without stages",
     "the first and last micro-batches of an overlap, which have no other to "
     "overlap with",
     [](Asked asked) {
       bool hasStages = asked.job.options.pp > 1;
       return asked.job.overlap != Overlap::None &&
              hasStages != runsAsPairs(asked);
     }},
    {LimitOf::Time, "shared experts, Megatron, no `--overlap`",
     "overlap of shared experts (--moe-shared-expert-overlap): they run after "
     "the exchanges, so with the flag the step is predicted too long",
     [](Asked asked) {
       return isMegatron(asked) && asked.job.model.config.sharedFFNSize > 0 &&
              asked.job.overlap == Overlap::None;
     }},
    // Settings of a framework.
    {LimitOf::Time, "Megatron",
     "fused kernels of the router and of the loss (--moe-router-fusion, "
     "--cross-entropy-loss-fusion): with the flags the step is predicted too "
     "long",
     isMegatron},
    {LimitOf::Time, "`--recompute=full`, Megatron",
     "recomputation of some layers only (--recompute-method block): all are "
     "recomputed, so with it the step is predicted too long",
     [](Asked asked) {
       return isMegatron(asked) && asked.job.recompute == Recompute::Layers;
     }},
    // Every job.
    {LimitOf::Time, "`--routing=dropless` without a load",
     "uneven routing: experts get equal shares without --imbalance or "
     "--traffic",
     [](Asked asked) {
       return asked.job.options.routing == Routing::Dropless &&
              asked.job.options.ep > 1 && !asked.question.load;
     }},
    {LimitOf::Time, "`--imbalance` or `--traffic`",
     "the cost of uneven rows beyond the rows of the busiest rank",
     [](Asked asked) { return asked.question.load.has_value(); }},
    {LimitOf::Time, "all",
     "lookup of the embedding and its gradient, norms of queries and keys, "
     "dropout, and losses that balance the router",
     concernsAll},
    {LimitOf::Time, "all", "data loading, checkpoints and evaluation",
     concernsAll},
    // Memory.
    {LimitOf::Memory, "no `--seq-len`", "activations: no --seq-len",
     [](Asked asked) { return asked.job.options.seqLen == 0; }},
    {LimitOf::Memory, "a config without heads",
     "activations: the config lacks num_attention_heads",
     [](Asked asked) {
       return asked.job.options.seqLen > 0 &&
              !asked.job.model.config.attention;
     }},
    {LimitOf::Memory, "a config without `vocab_size`",
     "logits: the config lacks vocab_size",
     [](Asked asked) {
       return countsActivations(asked) && asked.job.model.vocabulary == 0;
     }},
    {LimitOf::Memory,
     "a model with layers for further tokens, no `--mtp-layers`",
     "the config's layers that predict further tokens "
     "(num_nextn_predict_layers): not counted without --mtp-layers",
     [](Asked asked) {
       return asked.job.model.furtherTokenLayers > 0 &&
              countFurther(asked) == 0;
     }},
    {LimitOf::Memory, "`--routing=dropless` without a load or `--receive-factor`",
     "rows of experts beyond an even load (--imbalance, --receive-factor); "
     "compiled programs have buffers for them, which moe-sim's peak includes",
     [](Asked asked) {
       return countsActivations(asked) &&
              asked.job.options.routing == Routing::Dropless &&
              asked.job.options.ep > 1 && !asked.question.load &&
              !asked.job.options.receiveFactor;
     }},
    {LimitOf::Memory, "`--recompute=full`, Megatron",
     "recomputation of some layers only (--recompute-method block): with it "
     "memory is predicted too small",
     [](Asked asked) {
       return isMegatron(asked) && asked.job.recompute == Recompute::Layers;
     }},
    {LimitOf::Memory, "`--precision` of fewer than 16 bits, no `--platform`",
     "fewer than two quantized copies of a weight, where a device's products "
     "need only one (give --platform)",
     [](Asked asked) { return isQuantized(asked) && !asked.platform; }},
    {LimitOf::Memory, "`--precision` of fewer than 16 bits, `--zero=3`",
     "quantized weights of the layer at work, with --zero=3",
     [](Asked asked) {
       return isQuantized(asked) &&
              asked.question.zero == schedule::ZeroStage::Parameters;
     }},
    {LimitOf::Memory, "`--fp8-param-gather --zero=3`",
     "savings of --fp8-param-gather with --zero=3, whose gathered weights "
     "count 16 bits",
     [](Asked asked) {
       return asked.question.quantization.keepsWeights &&
              asked.question.zero == schedule::ZeroStage::Parameters;
     }},
    {LimitOf::Memory, "all", "biases and the weights of norms", concernsAll},
    {LimitOf::Memory, "all",
     "communication buffers, fragmentation, memory of the framework",
     concernsAll},
};

ArrayRef<Limit> moe::planning::listLimits() { return kLimits; }

std::vector<std::string>
moe::planning::listNotModelled(LimitOf of, const PredictedJob &asked) {
  std::vector<std::string> texts;
  // A job that cannot run is the most important limit.
  if (of == LimitOf::Time)
    if (std::string refusal = refuseOverlap(asked.job, asked.job.overlap);
        !refusal.empty())
      texts.push_back(refusal);
  llvm::append_range(texts, of == LimitOf::Time
                                ? asked.job.model.config.leavesOut
                                : asked.job.model.notCounted);
  llvm::append_range(texts, asked.question.ways.notModelled);
  for (const Limit &limit : kLimits)
    if (limit.of == of && limit.concerns(asked))
      texts.push_back(limit.what.str());
  return texts;
}
