// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of training per rank.

#include "moe/Schedule/Memory.h"
#include "moe/Schedule/StageSchedule.h"
#include <algorithm>

using namespace moe::schedule;

double moe::schedule::getBytesPerParameter(ZeroStage zero, int64_t copies,
                                           StateBytes bytes) {
  constexpr double kWeight = 2;
  double d = double(copies);
  return kWeight / (zero >= ZeroStage::Parameters ? d : 1) +
         bytes.gradient / (zero >= ZeroStage::Gradients ? d : 1) +
         bytes.optimizer / (zero >= ZeroStage::Optimizer ? d : 1);
}

ModelStates moe::schedule::getModelStates(double nonExpertParameters,
                                          double expertParameters,
                                          const ParallelDegrees &degrees,
                                          ZeroStage zero, StateBytes bytes) {
  double stages = double(degrees.pp);
  return {nonExpertParameters / (stages * double(degrees.tp)) *
              getBytesPerParameter(zero, degrees.getOtherCopies(), bytes),
          expertParameters /
              (stages * double(degrees.ep * degrees.getExpertShards())) *
              getBytesPerParameter(zero, degrees.getExpertCopies(), bytes)};
}

Activations moe::schedule::getActivations(const ActivationSizes &sizes,
                                          ActivationForm form, int64_t tp) {
  double t = double(form == ActivationForm::Unsharded ? 1 : tp);
  double k = double(sizes.topK), s = double(sizes.seqLen);
  double unit = double(sizes.microBatch) * s * double(sizes.hiddenSize) *
                double(sizes.numLayers);
  if (form == ActivationForm::FullRecompute)
    return {2 * unit / t, 0, 0};
  // Values that all tensor-parallel ranks hold unless the sequence is split.
  double replicated = form == ActivationForm::Unsharded ||
                              form == ActivationForm::TensorParallel
                          ? 5.0
                          : 5.0 / t;
  double scores =
      5 * double(sizes.numHeads) * s / (double(sizes.hiddenSize) * t);
  if (form == ActivationForm::SelectiveRecompute)
    scores = 0;
  return {unit * (replicated + 8 / t), unit * scores,
          unit * k * (replicated + 16 / t)};
}

/// Returns the number of micro-batches held by the pieces of a first stage,
/// relative to the number of pieces, if there are sufficiently many
/// micro-batches.
static double getMicroBatchesHeld(int64_t stages, int64_t virtualStages) {
  StagedStep step;
  step.stages = stages;
  step.virtualStages = virtualStages;
  step.microBatches = 3 * stages;
  return double(getMostHeld(step, /*stage=*/0)) / double(step.getNumPieces());
}

double moe::schedule::getPartGradients(double layerParameters,
                                       const TrainingStep &step) {
  return 2 * layerParameters * double(step.parts - 1);
}

namespace {

/// A rank's shares of the elements per token.
struct TokenShares {
  TokenShares(const ParallelDegrees &degrees, const TrainingStep &step) {
    double t = double(degrees.tp);
    wide = step.sequenceParallel ? 1 / t : 1;
    split = 1 / t;
    // If ranks have their own tokens, each token meets a whole expert.
    bool ownTokens = step.sequenceParallel || degrees.foldEp;
    rows = ownTokens ? split : 1;
    expert = ownTokens ? split : 1 / double(degrees.getExpertShards());
  }

  /// The shares of values as wide as the hidden size, and of values per head or
  /// along a feed-forward network's hidden size.
  double wide, split;
  /// The shares of expert rows, and of rows along an expert's hidden size.
  double rows, expert;
};

} // namespace

/// Returns the bytes per token along a network's hidden size: outputs of the
/// first products, and the input of the last one.
static double getNetworkBytes(const ModelShape &shape, const TrainingStep &step,
                              int64_t ffn) {
  return ((shape.numMatrices == 3 ? 4 : 2) + step.inputBytes) * double(ffn);
}

LayerActivations
moe::schedule::getLayerActivations(const ModelShape &shape,
                                   const ParallelDegrees &degrees,
                                   const TrainingStep &step) {
  TokenShares share(degrees, step);
  double h = double(shape.hidden), input = step.inputBytes;
  // A quantized copy in addition to 16 bits that are kept anyway.
  double copy = input < 2 ? input : 0;
  LayerActivations made;
  made.attention =
      share.wide * ((2 + input) * (h + double(shape.latents))) +
      share.split *
          (2 * double(shape.queries + shape.keysAndValues + shape.output) +
           copy * double(shape.output) + 4 * double(shape.heads));
  made.dense = share.wide * (2 + input) * h +
               getNetworkBytes(shape, step, shape.denseFFN) * share.split;
  double row = share.rows * (2 + input) * h +
               getNetworkBytes(shape, step, shape.expertFFN) * share.expert;
  double shared = shape.sharedFFN > 0 ? copy * h : 0;
  made.moe = share.wide * (4 * h + shared + 8 * double(shape.experts)) +
             step.expertLoad * double(shape.topK) * row +
             getNetworkBytes(shape, step, shape.sharedFFN) * share.split;
  return made;
}

std::vector<LayerProduct>
moe::schedule::listProducts(const ModelShape &shape,
                            const ParallelDegrees &degrees,
                            const TrainingStep &step, bool isMoE) {
  TokenShares share(degrees, step);
  double h = double(shape.hidden);
  std::vector<LayerProduct> products;
  auto add = [&](double width, double inner, double widthShare,
                 double macShare) {
    if (width > 0)
      products.push_back({width * widthShare, inner * width * macShare,
                          /*isKept=*/products.size() % 2 == 0});
  };
  // The output of a product over sharded inputs is a partial sum, which is not
  // yet scattered.
  double queryInput = shape.queryLatents > 0 ? double(shape.queryLatents) : h;
  add(double(shape.queryLatents), h, share.wide, share.wide);
  add(double(shape.queries), queryInput, share.split, share.split);
  double latents = double(shape.latents - shape.queryLatents);
  if (latents > 0) {
    add(latents, h, share.wide, share.wide);
    add(double(shape.keysAndValues), latents, share.split, share.split);
  } else {
    for (int i = 0; i < 2; ++i)
      add(double(shape.keysAndValues) / 2, h, share.split, share.split);
  }
  add(h, double(shape.output), /*widthShare=*/1, share.split);
  double ffn = double(isMoE ? shape.sharedFFN : shape.denseFFN);
  if (ffn > 0) {
    for (int64_t i = 1; i < shape.numMatrices; ++i)
      add(ffn, h, share.split, share.split);
    add(h, ffn, /*widthShare=*/1, share.split);
  }
  return products;
}

/// Returns the activations that recomputation by ops keeps in each kind of
/// layer; `attention` includes the layer's input.
static LayerActivations getKeptByOps(const ModelShape &shape,
                                     const ParallelDegrees &degrees,
                                     const TrainingStep &step) {
  TokenShares share(degrees, step);
  double h = double(shape.hidden);
  LayerActivations kept;
  // Attention's output, with a 32-bit number per head.
  kept.attention =
      share.wide * 2 * h +
      share.split * (2 * double(shape.output) + 4 * double(shape.heads));
  // Results of the all-to-alls to and from the experts.
  double rows = double(shape.topK) * share.rows * 2 * h;
  if (degrees.ep > 1)
    kept.moe = step.expertLoad * rows + rows;
  // Both blocks of each layer scatter their sums over tensor-parallel ranks.
  if (degrees.tp > 1 && step.sequenceParallel) {
    kept.attention += share.wide * 2 * h;
    kept.dense += share.wide * 2 * h;
    kept.moe += share.wide * 2 * h;
  }
  // Products of attention precede the others, so the same ones are kept in both
  // kinds.
  ModelShape bare = shape;
  bare.sharedFFN = 0;
  size_t ofAttention = listProducts(bare, degrees, step, /*isMoE=*/true).size();
  for (bool isMoE : {false, true}) {
    std::vector<LayerProduct> products =
        listProducts(shape, degrees, step, isMoE);
    for (size_t i = isMoE ? ofAttention : 0; i < products.size(); ++i)
      if (products[i].isKept)
        (i < ofAttention ? kept.attention
         : isMoE         ? kept.moe
                         : kept.dense) += 2 * products[i].width;
  }
  return kept;
}

LayerActivations
moe::schedule::getKeptActivations(const ModelShape &shape,
                                  const ParallelDegrees &degrees,
                                  const TrainingStep &step) {
  LayerActivations kept = getLayerActivations(shape, degrees, step);
  TokenShares share(degrees, step);
  double h = double(shape.hidden);
  switch (step.recompute) {
  case Recompute::Nothing:
    return kept;
  case Recompute::Layers:
    return {share.wide * 2 * h, 0, 0};
  case Recompute::Selective:
    break;
  }
  if (step.modules.has(RecomputeModule::UnsavedOps))
    return getKeptByOps(shape, degrees, step);
  auto has = [&](RecomputeModule module) { return step.modules.has(module); };
  if (has(RecomputeModule::CoreAttention))
    kept.attention -= share.split * 4 * double(shape.heads);
  if (has(RecomputeModule::UpProjection) && shape.latents > 0)
    kept.attention -=
        share.split * 2 * double(shape.queries + shape.keysAndValues);
  if (has(RecomputeModule::DenseNetwork))
    kept.dense -= getNetworkBytes(shape, step, shape.denseFFN) * share.split;
  if (has(RecomputeModule::MoELayer)) {
    kept.moe = share.wide * 4 * h;
  } else {
    // The output of the activation function, or of the product with it.
    if (has(RecomputeModule::ExpertActivation))
      kept.moe -= step.expertLoad * double(shape.topK) * step.inputBytes *
                  double(shape.expertFFN) * share.expert;
    if (has(RecomputeModule::SharedExperts))
      kept.moe -= getNetworkBytes(shape, step, shape.sharedFFN) * share.split;
  }
  if (has(RecomputeModule::Norms)) {
    for (double *part : {&kept.attention, &kept.dense})
      *part -= share.wide * step.inputBytes * h;
    kept.moe -= share.wide * 2 * h;
  }
  return kept;
}

StageActivations
moe::schedule::getStageActivations(const ModelShape &shape,
                                   const ParallelDegrees &degrees,
                                   const TrainingStep &step) {
  double p = double(degrees.pp), split = 1 / double(degrees.tp);
  LayerActivations made = getLayerActivations(shape, degrees, step);
  LayerActivations kept = getKeptActivations(shape, degrees, step);
  double tokens =
      double(step.microBatch) * double(step.seqLen) / double(degrees.cp);
  double moeLayers = double(shape.moeLayers);
  double denseLayers = double(shape.denseLayers);
  StageActivations first;
  double attention = tokens * kept.attention * (moeLayers + denseLayers);
  (step.recompute == Recompute::Layers ? first.inputs : first.attention) =
      attention;
  first.moe = tokens * kept.moe * moeLayers;
  first.dense = tokens * kept.dense * denseLayers;
  if (step.recompute != Recompute::Nothing) {
    auto getRecomputed = [&](double made, double kept) {
      return std::max(0.0, made - kept);
    };
    // With full recomputation, one whole layer is recomputed, including its
    // input.
    LayerActivations left =
        step.recompute == Recompute::Layers ? LayerActivations{} : kept;
    first.workingSet =
        tokens *
        std::max(moeLayers > 0 ? getRecomputed(made.attention + made.moe,
                                               left.attention + left.moe)
                               : 0,
                 denseLayers > 0 ? getRecomputed(made.attention + made.dense,
                                                 left.attention + left.dense)
                                 : 0);
  }
  StageActivations last = first;
  for (double *part : {&last.attention, &last.moe, &last.dense, &last.inputs})
    *part /= p;
  for (double *part :
       {&first.attention, &first.moe, &first.dense, &first.inputs})
    *part *= getMicroBatchesHeld(degrees.pp, step.virtualStages);
  last.logits = tokens * 6 * double(shape.vocabulary) * split;
  return last.getTotal() >= first.getTotal() ? last : first;
}
