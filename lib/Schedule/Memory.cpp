//===- Memory.cpp - What training holds on a rank -------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Schedule/Memory.h"

using namespace moe::schedule;

double moe::schedule::getBytesPerParameter(ZeroStage zero, int64_t copies) {
  constexpr double kWeight = 2, kGradient = 2, kOptimizer = 12;
  double d = double(copies);
  return kWeight / (zero >= ZeroStage::Parameters ? d : 1) +
         kGradient / (zero >= ZeroStage::Gradients ? d : 1) +
         kOptimizer / (zero >= ZeroStage::Optimizer ? d : 1);
}

ModelStates moe::schedule::getModelStates(double nonExpertParameters,
                                          double expertParameters,
                                          const ParallelDegrees &degrees,
                                          ZeroStage zero) {
  double shards = double(degrees.pp) * double(degrees.tp);
  return {nonExpertParameters / shards *
              getBytesPerParameter(zero, degrees.dp * degrees.ep),
          expertParameters / (shards * double(degrees.ep)) *
              getBytesPerParameter(zero, degrees.dp)};
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
