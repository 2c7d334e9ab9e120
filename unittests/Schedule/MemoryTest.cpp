// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training memory per rank.

#include "moe/Schedule/Memory.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace moe::schedule;

namespace {

/// The formulas of SPEC MO-11 as printed.
TEST(MemoryTest, BytesPerParameter) {
  for (int64_t d : {1, 2, 3, 64}) {
    double x = double(d);
    EXPECT_DOUBLE_EQ(getBytesPerParameter(ZeroStage::None, d), 16);
    EXPECT_DOUBLE_EQ(getBytesPerParameter(ZeroStage::Optimizer, d), 4 + 12 / x);
    EXPECT_DOUBLE_EQ(getBytesPerParameter(ZeroStage::Gradients, d), 2 + 14 / x);
    EXPECT_DOUBLE_EQ(getBytesPerParameter(ZeroStage::Parameters, d), 16 / x);
    // Gradients accumulated in 32 bits.
    StateBytes wide{.gradient = 4};
    EXPECT_DOUBLE_EQ(getBytesPerParameter(ZeroStage::None, d, wide), 18);
    EXPECT_DOUBLE_EQ(getBytesPerParameter(ZeroStage::Optimizer, d, wide),
                     6 + 12 / x);
    EXPECT_DOUBLE_EQ(getBytesPerParameter(ZeroStage::Parameters, d, wide),
                     18 / x);
  }
}

/// Counted rank by rank, all ranks together hold each parameter as often as it
/// is replicated; with ZeRO-3 every byte exists once.
TEST(MemoryTest, RanksTogetherHoldTheModel) {
  for (int64_t tp : {1, 2})
    for (int64_t ep : {1, 4})
      for (int64_t dp : {1, 3})
        for (int64_t pp : {1, 2}) {
          ParallelDegrees degrees{tp, ep, dp, pp};
          double ranks = double(tp * ep * dp * pp);
          ModelStates states =
              getModelStates(1e6, 8e6, degrees, ZeroStage::Parameters);
          EXPECT_DOUBLE_EQ(states.nonExpertBytes * ranks, 16e6);
          EXPECT_DOUBLE_EQ(states.expertBytes * ranks, 128e6);
          states = getModelStates(1e6, 8e6, degrees, ZeroStage::None);
          EXPECT_DOUBLE_EQ(states.nonExpertBytes * ranks,
                           16e6 * double(dp * ep));
          EXPECT_DOUBLE_EQ(states.expertBytes * ranks, 128e6 * double(dp));
          EXPECT_DOUBLE_EQ(states.nonExpertBytes, 16e6 / double(pp * tp));
          EXPECT_DOUBLE_EQ(states.expertBytes, 128e6 / double(pp * tp * ep));
        }
}

constexpr ActivationSizes kSizes = {2, 4096, 5120, 40, 2, 32};

TEST(MemoryTest, Equation2) {
  double unit = 2.0 * 4096 * 5120 * 40;
  double expected = unit * (13 + 21 * 2 + 5.0 * 32 * 4096 / 5120);
  for (int64_t tp : {1, 8})
    EXPECT_DOUBLE_EQ(
        getActivations(kSizes, ActivationForm::Unsharded, tp).getTotal(),
        expected);
  EXPECT_DOUBLE_EQ(
      getActivations(kSizes, ActivationForm::TensorParallel, 1).getTotal(),
      expected);
  EXPECT_DOUBLE_EQ(
      getActivations(kSizes, ActivationForm::SequenceParallel, 1).getTotal(),
      expected);
}

TEST(MemoryTest, ParallelForms) {
  double unit = 2.0 * 4096 * 5120 * 40, scores = 5.0 * 32 * 4096 / 5120;
  auto total = [](ActivationForm form) {
    return getActivations(kSizes, form, 8).getTotal();
  };
  EXPECT_DOUBLE_EQ(total(ActivationForm::TensorParallel),
                   unit * (5 + 5 * 2 + (8 + 16 * 2) / 8.0 + scores / 8));
  EXPECT_DOUBLE_EQ(total(ActivationForm::SequenceParallel),
                   unit * ((13 + 21 * 2) / 8.0 + scores / 8));
  EXPECT_DOUBLE_EQ(total(ActivationForm::SelectiveRecompute),
                   unit * (13 + 21 * 2) / 8.0);
  EXPECT_DOUBLE_EQ(total(ActivationForm::FullRecompute), unit * 2 / 8.0);
}

/// Each recomputation form keeps at most as much as the one before.
TEST(MemoryTest, FormsOnlySave) {
  for (int64_t tp : {1, 2, 8}) {
    double previous = HUGE_VAL;
    for (ActivationForm form : kActivationForms) {
      double total = getActivations(kSizes, form, tp).getTotal();
      EXPECT_LE(total, previous);
      previous = total;
    }
  }
}

/// Degrees and recomputation only ever save memory. Stages share the
/// activations of layers, except for the logits of the last stage.
TEST(MemoryTest, StagesOfModels) {
  ModelShape shape{
      /*hidden=*/64,     /*queries=*/64,    /*keysAndValues=*/32,
      /*output=*/64,     /*latents=*/0,     /*heads=*/8,
      /*experts=*/8,
      /*topK=*/2,        /*expertFFN=*/48,  /*sharedFFN=*/0,
      /*denseFFN=*/128,  /*numMatrices=*/3, /*moeLayers=*/6,
      /*denseLayers=*/2, /*vocabulary=*/0};
  TrainingStep step{/*microBatch=*/2, /*seqLen=*/16,
                    /*sequenceParallel=*/false, Recompute::Nothing};
  ParallelDegrees degrees;
  StageActivations all = getStageActivations(shape, degrees, step);
  // 32 tokens, 8 layers: norms 256, heads 320 and 32.
  EXPECT_DOUBLE_EQ(all.attention, 32 * 8 * (256 + 320 + 32));
  EXPECT_DOUBLE_EQ(all.moe, 32 * 6 * (256 + 64 + 2 * (256 + 6 * 48)));
  EXPECT_DOUBLE_EQ(all.dense, 32 * 2 * (256 + 6 * 128));
  EXPECT_EQ(all.getTotal(), all.attention + all.moe + all.dense);
  degrees.pp = 4;
  EXPECT_DOUBLE_EQ(getStageActivations(shape, degrees, step).getTotal(),
                   all.getTotal());
  shape.vocabulary = 1 << 20;
  StageActivations last = getStageActivations(shape, degrees, step);
  EXPECT_DOUBLE_EQ(last.getTotal(), all.getTotal() / 4 + 32.0 * 6 * (1 << 20));
  shape.vocabulary = 0;
  degrees.pp = 1;
  degrees.tp = 4;
  StageActivations split = getStageActivations(shape, degrees, step);
  EXPECT_LT(split.getTotal(), all.getTotal());
  step.sequenceParallel = true;
  EXPECT_DOUBLE_EQ(getStageActivations(shape, degrees, step).getTotal(),
                   all.getTotal() / 4);
  step.recompute = Recompute::Layers;
  StageActivations again = getStageActivations(shape, degrees, step);
  EXPECT_DOUBLE_EQ(again.inputs, 32 * 8 * 2 * 64 / 4);
  EXPECT_DOUBLE_EQ(again.workingSet, all.attention / 8 / 4 + all.moe / 6 / 4);
}

/// Each recomputed part saves memory and returns as the working set of one
/// layer; the kept and the recomputed parts together are all that a layer
/// produces.
TEST(MemoryTest, SelectiveRecomputation) {
  ModelShape shape{
      /*hidden=*/64,     /*queries=*/64,    /*keysAndValues=*/32,
      /*output=*/64,     /*latents=*/40,    /*heads=*/8,
      /*experts=*/8,
      /*topK=*/2,        /*expertFFN=*/48,  /*sharedFFN=*/32,
      /*denseFFN=*/128,  /*numMatrices=*/3, /*moeLayers=*/6,
      /*denseLayers=*/2, /*vocabulary=*/0};
  ParallelDegrees degrees;
  degrees.ep = 2;
  TrainingStep step{/*microBatch=*/2, /*seqLen=*/16,
                    /*sequenceParallel=*/false, Recompute::Selective};
  LayerActivations made = getLayerActivations(shape, degrees, step);
  double all = getStageActivations(shape, degrees, step).getTotal();
  for (RecomputeModule module :
       {RecomputeModule::CoreAttention, RecomputeModule::UpProjection,
        RecomputeModule::Norms, RecomputeModule::ExpertActivation,
        RecomputeModule::DenseNetwork, RecomputeModule::SharedExperts,
        RecomputeModule::MoELayer, RecomputeModule::UnsavedOps}) {
    step.modules = module;
    StageActivations stage = getStageActivations(shape, degrees, step);
    EXPECT_LT(stage.getTotal(), all) << unsigned(module);
    LayerActivations kept = getKeptActivations(shape, degrees, step);
    EXPECT_DOUBLE_EQ(stage.workingSet, 32 * (made.attention - kept.attention +
                                             std::max(made.moe - kept.moe,
                                                      made.dense - kept.dense)))
        << unsigned(module);
  }
  // A recomputed MoE layer includes its activation functions.
  step.modules = RecomputeModule::MoELayer;
  double layer = getStageActivations(shape, degrees, step).getTotal();
  step.modules.add(RecomputeModule::ExpertActivation);
  EXPECT_DOUBLE_EQ(getStageActivations(shape, degrees, step).getTotal(), layer);

  // Products in their order: queries, latents, keys with values, output; then
  // the two whose results are multiplied, and the down projection.
  std::vector<double> widths, macs;
  std::vector<bool> kept;
  for (const LayerProduct &product :
       listProducts(shape, degrees, step, /*isMoE=*/true)) {
    widths.push_back(product.width);
    macs.push_back(product.macs);
    kept.push_back(product.isKept);
  }
  EXPECT_EQ(widths, (std::vector<double>{64, 40, 32, 64, 32, 32, 64}));
  EXPECT_EQ(macs, (std::vector<double>{64 * 64, 64 * 40, 40 * 32, 64 * 64,
                                       64 * 32, 64 * 32, 32 * 64}));
  EXPECT_EQ(kept,
            (std::vector<bool>{true, false, true, false, true, false, true}));
  // Plain attention computes keys and values separately; latent queries add one
  // product.
  shape.latents = 0;
  EXPECT_EQ(listProducts(shape, degrees, step, /*isMoE=*/false).size(), 7u);
  shape.latents = 40;
  shape.queryLatents = 16;
  EXPECT_EQ(listProducts(shape, degrees, step, /*isMoE=*/false).size(), 8u);
}

/// Folded experts are whole on their ranks. All ranks together hold each as
/// often as it is replicated, wherever experts are placed.
TEST(MemoryTest, ExpertsApartFromAttention) {
  ParallelDegrees folded;
  folded.tp = 8;
  folded.ep = 64;
  folded.dp = 2;
  folded.foldEp = true;
  EXPECT_EQ(folded.getAxisEp(), 8);
  EXPECT_EQ(folded.getNumRanks(), 128);
  EXPECT_EQ(folded.getExpertCopies(), 2);
  EXPECT_EQ(folded.getOtherCopies(), 16);
  ModelStates states = getModelStates(8e6, 64e6, folded, ZeroStage::Optimizer);
  EXPECT_DOUBLE_EQ(states.nonExpertBytes, 1e6 * (4 + 12 / 16.0));
  EXPECT_DOUBLE_EQ(states.expertBytes, 1e6 * (4 + 12 / 2.0));
  // Optimizer moments of 16 bits.
  EXPECT_DOUBLE_EQ(
      getModelStates(8e6, 64e6, folded, ZeroStage::None, {.optimizer = 8})
          .expertBytes,
      12e6);
  ParallelDegrees context;
  context.tp = 2;
  context.cp = 2;
  context.ep = 8;
  context.foldEp = true;
  EXPECT_EQ(context.getAxisEp(), 2);
  EXPECT_EQ(context.getExpertCopies(), 1);
  EXPECT_EQ(context.getOtherCopies(), 4);
  ParallelDegrees copied;
  copied.tp = 4;
  copied.ep = 2;
  copied.esp = 1;
  EXPECT_EQ(copied.getExpertCopies(), 4);
  for (const ParallelDegrees &degrees : {folded, context, copied}) {
    double ranks = double(degrees.getNumRanks());
    states = getModelStates(1e6, 8e6, degrees, ZeroStage::Parameters);
    EXPECT_DOUBLE_EQ(states.nonExpertBytes * ranks, 16e6);
    EXPECT_DOUBLE_EQ(states.expertBytes * ranks, 128e6);
  }
}

} // namespace
