// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dense parts and steps cost.

#include "LayoutParts.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;

/// The columns of keys and values that a rank's heads have.
static void addContextWidths(const ModelConfig &config,
                             const ImportOptions &options, Layout &layout) {
  const AttentionWidths &widths = *config.attention;
  int64_t columns = llvm::divideCeil(
      widths.latent > 0 ? widths.query + widths.output : 2 * widths.keyValue,
      options.tp);
  int64_t pieces = llvm::divideCeil(columns, config.hiddenSize);
  for (int64_t i = 0; i < pieces; ++i)
    layout.contextWidths.push_back(columns * (i + 1) / pieces -
                                   columns * i / pieces);
}

/// The dense parts of a training step. All weights are spread evenly over the
/// tensor-parallel ranks, which see all tokens of their group.
Error moe::addDenseCosts(const ModelConfig &config,
                         const ImportOptions &options, Layout &layout) {
  if (!config.attention)
    return make_error<ImportError>(
        config.headsPlace, "expected the heads of the attention for a training "
                           "step (--phase=train), got no such key");
  if (config.unevenHeads > 0)
    return make_error<ImportError>(
        config.headsPlace,
        "expected a number of heads that divides the hidden size, where heads "
        "state no width, for a training step (--phase=train), got " +
            Twine(config.unevenHeads));
  bool hasDense = countLayers(config, layout.numLayers) > layout.numLayers;
  if (hasDense && config.denseFFNSize == 0)
    return makeImportError(
        "--phase: expected a config that states the "
        "'intermediate_size' of its dense layers for a training "
        "step, got " +
        config.modelType + " without");
  // As floats first: the numbers of any config fit these.
  constexpr double kLimit = double(int64_t(1) << 62);
  auto share = [&](double all) {
    return static_cast<int64_t>(std::ceil(all / double(options.tp)));
  };
  // As many for each sequence: parts of the batch do their share.
  auto ofAll = [&](double all) {
    return options.microBatch * share(all / double(options.microBatch));
  };
  // The ranks of a sequence share its tokens and, in parts that attend to as
  // many each, its pairs.
  double tokens =
      double(options.microBatch) * double(options.seqLen / options.cp);
  double pairs = tokens * (double(options.seqLen) + 1) / 2;
  double perPair =
      double(config.attention->query) + double(config.attention->output);
  int64_t gemms = config.getNumMatrices();
  double ffnWeights =
      double(gemms) * double(config.hiddenSize) * double(config.denseFFNSize);
  double largest =
      std::max(tokens * std::max(config.getAttentionWeights(), ffnWeights),
               2 * pairs * perPair);
  if (largest >= kLimit / 4)
    return makeImportError("expected dense parts of less than 2^60 "
                           "multiply-accumulates, got 2^" +
                           Twine(std::ilogb(largest)));

  int64_t projectionGemms = config.getAttentionGemms();
  double weights = config.getAttentionWeights();
  // Of a causal attention's scores and values, half the pairs count; backward
  // has two GEMMs for each of these two.
  auto makeAttention = [&](double weights, int64_t gemms, double scores,
                           int64_t scoreGemms) {
    DenseCost cost;
    cost.forward = {ofAll(tokens * weights + scores), gemms + scoreGemms};
    cost.dgrad = {ofAll(tokens * weights + 2 * scores), gemms + 2 * scoreGemms};
    cost.wgrad = {ofAll(tokens * weights), gemms};
    cost.parameters = share(weights);
    return cost;
  };
  if (options.cp == 1) {
    layout.attention =
        makeAttention(weights, projectionGemms, pairs * perPair, 2);
  } else {
    double behind =
        double(config.attention->output) * double(config.hiddenSize);
    layout.projections =
        makeAttention(weights - behind, projectionGemms - 1, 0, 0);
    layout.attention = makeAttention(behind, 1, pairs * perPair, 2);
    addContextWidths(config, options, layout);
  }
  if (hasDense) {
    DenseCost ffn;
    ffn.forward = ffn.dgrad = ffn.wgrad = {ofAll(tokens * ffnWeights), gemms};
    ffn.parameters = share(ffnWeights);
    layout.denseFFN = ffn;
  }
  return Error::success();
}

/// The multiply-accumulates that a token asks for in the forward pass of an MoE
/// layer.
static double getLayerMacs(const ModelConfig &config, const Layout &layout) {
  double hidden = double(config.hiddenSize),
         experts = double(config.numExperts);
  // Where experts choose, they fill their slots.
  double slots =
      experts * double(layout.exactCapacity) / double(layout.routedTokens);
  double rows = config.tokensChoose() ? double(config.topK) : slots;
  double router = hidden * experts;
  switch (config.getGate()) {
  case GateModule::GShard:
    router *= 2;
    break;
  case GateModule::XMoE:
    router = double(layout.projected) * (hidden + experts);
    break;
  case GateModule::SoftMoE:
    // Logits of all slots, and a mix of tokens and one of slots.
    router = 3 * hidden * experts * double(layout.exactCapacity);
    break;
  default:
    break;
  }
  double perWidth = double(config.getNumMatrices()) * hidden;
  return router +
         perWidth * (rows * double(config.expertFFNSize) +
                     double(config.sharedFFNSize)) +
         (config.hasSharedGate ? hidden : 0);
}

/// Adds what all ranks together do of the model.
Error moe::addWork(const ModelConfig &config, const ImportOptions &options,
                   Layout &layout) {
  int64_t sequences;
  int64_t ranks = options.dp;
  for (auto [axis, size] : llvm::zip_equal(layout.axes, layout.shape))
    if (axis == "ep")
      ranks *= size;
  if (MulOverflow(options.microBatch, ranks, sequences) ||
      MulOverflow(sequences, options.seqLen, layout.batchTokens))
    return makeImportError("expected less than 2^63 tokens a step, got a "
                           "micro-batch of " +
                           Twine(options.microBatch) + " sequences of " +
                           Twine(options.seqLen) + " tokens on " +
                           Twine(ranks) + " ranks");
  double tokens = double(layout.batchTokens);
  double macs =
      tokens * double(layout.numLayers) * getLayerMacs(config, layout);
  if (options.train) {
    int64_t layers = countLayers(config, layout.numLayers);
    double pairs = tokens * (double(options.seqLen) + 1) / 2;
    macs += double(layers) * (tokens * config.getAttentionWeights() +
                              pairs * (double(config.attention->query) +
                                       double(config.attention->output)));
    macs += double(layers - layout.numLayers) * tokens *
            double(config.getNumMatrices()) * double(config.hiddenSize) *
            double(config.denseFFNSize);
  }
  // Each product has two gradients of as many operations.
  layout.modelFlops = 2 * macs * (options.train ? 3 : 1);
  return Error::success();
}
