// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What training holds on a rank.

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
  // What all tensor-parallel ranks hold unless the sequence is split.
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

/// Micro-batches of which a first stage's pieces hold values, over the stages:
/// those of a step that has enough of them.
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

StageActivations
moe::schedule::getStageActivations(const ModelShape &shape,
                                   const ParallelDegrees &degrees,
                                   const TrainingStep &step) {
  double t = double(degrees.tp), p = double(degrees.pp);
  double wide = step.sequenceParallel ? 1 / t : 1, split = 1 / t;
  double h = double(shape.hidden);
  auto network = [&](int64_t ffn, double share) {
    return (shape.numMatrices == 3 ? 6 : 4) * double(ffn) * share;
  };
  // Where ranks have tokens of their own, each meets a whole expert.
  bool ownTokens = step.sequenceParallel || degrees.foldEp;
  double expertSplit =
      ownTokens ? split : 1 / double(degrees.getExpertShards());
  // Bytes a token of one layer.
  double attention =
      wide * (4 * h + 4 * double(shape.latents)) +
      split * (2 * double(shape.queries + shape.keysAndValues + shape.output) +
               4 * double(shape.heads));
  double dense = wide * 4 * h + network(shape.denseFFN, split);
  double row = (ownTokens ? split : 1) * 4 * h +
               network(shape.expertFFN, expertSplit);
  double moe = wide * (4 * h + 8 * double(shape.experts)) +
               step.expertLoad * double(shape.topK) * row +
               network(shape.sharedFFN, split);

  double tokens =
      double(step.microBatch) * double(step.seqLen) / double(degrees.cp);
  double moeLayers = double(shape.moeLayers);
  double denseLayers = double(shape.denseLayers);
  StageActivations first;
  if (step.recompute == Recompute::Layers) {
    first.inputs = tokens * wide * 2 * h * (moeLayers + denseLayers);
    first.workingSet =
        tokens * (attention + std::max(moeLayers > 0 ? moe : 0,
                                       denseLayers > 0 ? dense : 0));
  } else {
    first.attention = tokens * attention * (moeLayers + denseLayers);
    first.moe = tokens * moe * moeLayers;
    first.dense = tokens * dense * denseLayers;
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
