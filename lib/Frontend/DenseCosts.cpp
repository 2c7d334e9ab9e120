// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of dense parts and steps.

#include "LayoutParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace moe;

/// Adds the numbers of columns of keys and values for the heads of each rank.
static void addContextWidths(const ModelConfig &config,
                             const AttentionWidths &widths,
                             const ImportOptions &options,
                             AttentionCost &attention) {
  int64_t columns =
      llvm::divideCeil(widths.latent > 0 ? widths.query + widths.output
                                         : widths.keyValue + widths.getValue(),
                       options.tp);
  int64_t pieces = llvm::divideCeil(columns, config.hiddenSize);
  for (int64_t i = 0; i < pieces; ++i)
    attention.contextWidths.push_back(columns * (i + 1) / pieces -
                                      columns * i / pieces);
}

/// Lists the parts of all layers in a training step.
static std::vector<LayerParts> listParts(const ModelConfig &config,
                                         const Layout &layout) {
  std::vector<LayerParts> parts;
  int64_t count = countLayers(config, layout.numLayers);
  for (int64_t layer = 0; layer < count; ++layer)
    parts.push_back(config.getParts(layer));
  return parts;
}

/// Returns the multiply-accumulates per pair of tokens: a score, and its share
/// of a value.
static double getPerPair(const AttentionWidths &widths) {
  return double(widths.query) + double(widths.output);
}

/// Adds the dense parts of a training step. All weights are spread evenly over
/// the tensor-parallel ranks, which read all tokens of their group.
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
  bool hasDense =
      any_of(listParts(config, layout),
             [](const LayerParts &parts) { return parts.denseFFNs > 0; });
  if (hasDense && config.denseFFNSize == 0)
    return makeImportError(
        "--phase: expected a config that states the "
        "'intermediate_size' of its dense layers for a training "
        "step, got " +
        config.modelType + " without");
  // Floats avoid overflow, because they fit the numbers of any config.
  constexpr double kLimit = double(int64_t(1) << 62);
  auto share = [&](double all) {
    return static_cast<int64_t>(std::ceil(all / double(options.tp)));
  };
  // Costs are equal for each sequence, so that sub-batches have their share.
  auto ofAll = [&](double all) {
    return options.microBatch * share(all / double(options.microBatch));
  };
  // Context-parallel ranks share the tokens of a sequence evenly, and also its
  // pairs, assuming parts with equally many pairs.
  double tokens =
      double(options.microBatch) * double(options.seqLen / options.cp);
  double pairs = tokens * (double(options.seqLen) + 1) / 2;
  int64_t gemms = config.getNumMatrices();
  double ffnWeights =
      double(gemms) * double(config.hiddenSize) * double(config.denseFFNSize);
  double largest = tokens * ffnWeights;
  for (const auto *widths : {&config.attention, &config.slidingAttention})
    if (*widths)
      largest =
          std::max({largest, tokens * config.getAttentionWeights(**widths),
                    2 * pairs * getPerPair(**widths)});
  if (largest >= kLimit / 4)
    return makeImportError("expected dense parts of less than 2^60 "
                           "multiply-accumulates, got 2^" +
                           Twine(std::ilogb(largest)));

  // A causal attention counts half of the pairs of its scores and values; the
  // backward pass has two GEMMs for each of these two.
  auto makeAttention = [&](double weights, int64_t gemms, double scores,
                           int64_t scoreGemms) {
    DenseCost cost;
    cost.forward = {ofAll(tokens * weights + scores), gemms + scoreGemms};
    cost.dgrad = {ofAll(tokens * weights + 2 * scores), gemms + 2 * scoreGemms};
    cost.wgrad = {ofAll(tokens * weights), gemms};
    cost.parameters = share(weights);
    return cost;
  };
  auto makeWhole = [&](const AttentionWidths &widths) {
    AttentionCost attention;
    double all = config.getAttentionWeights(widths);
    double scores = pairs * getPerPair(widths);
    int64_t projectionGemms = ModelConfig::getAttentionGemms(widths);
    if (options.cp == 1) {
      attention.cost = makeAttention(all, projectionGemms, scores, 2);
      return attention;
    }
    double behind = double(widths.output) * double(config.hiddenSize);
    attention.projections =
        makeAttention(all - behind, projectionGemms - 1, 0, 0);
    attention.cost = makeAttention(behind, 1, scores, 2);
    addContextWidths(config, widths, options, attention);
    return attention;
  };
  layout.attention = makeWhole(*config.attention);
  if (config.slidingAttention)
    layout.slidingAttention = makeWhole(*config.slidingAttention);
  if (hasDense) {
    DenseCost ffn;
    ffn.forward = ffn.dgrad = ffn.wgrad = {ofAll(tokens * ffnWeights), gemms};
    ffn.parameters = share(ffnWeights);
    layout.denseFFN = ffn;
  }
  return Error::success();
}

/// Returns the multiply-accumulates per token in the forward pass of an MoE
/// layer.
static double getLayerMacs(const ModelConfig &config, const Layout &layout) {
  double hidden = double(config.hiddenSize),
         experts = double(config.getScoredExperts());
  // If experts choose, they fill all their slots.
  double slots =
      experts * double(layout.exactCapacity) / double(layout.routedTokens);
  double rows = config.tokensChoose() ? double(config.topK) : slots;
  // Identity experts have a share of the tokens, but no work.
  rows *= double(config.numExperts) / experts;
  double width = double(config.getExpertWidth());
  double router = hidden * experts;
  switch (config.getGate()) {
  case GateModule::GShard:
    router *= 2;
    break;
  case GateModule::XMoE:
    router = double(layout.projected) * (hidden + experts);
    break;
  case GateModule::Outside:
    router = 0;
    break;
  case GateModule::SoftMoE:
    // Logits of all slots, one mix of tokens and one mix of slots.
    router = 3 * hidden * experts * double(layout.exactCapacity);
    break;
  default:
    break;
  }
  double matrices = double(config.getNumMatrices());
  double projections = config.expertWidth > 0 ? 2 * hidden * width : 0;
  return router + projections +
         matrices * (width * rows * double(config.expertFFNSize) +
                     hidden * double(config.sharedFFNSize)) +
         (config.hasSharedGate ? hidden : 0);
}

void moe::addLatentCost(const ModelConfig &config, Layout &layout) {
  if (config.expertWidth == 0)
    return;
  // Each size is below 2^31, so the product of two fits 64 bits.
  DenseCost cost;
  cost.parameters = config.hiddenSize * config.expertWidth;
  int64_t macs;
  if (MulOverflow(layout.routedTokens, cost.parameters, macs))
    macs = std::numeric_limits<int64_t>::max();
  cost.forward = cost.dgrad = cost.wgrad = {macs, 1};
  layout.latentProjection = cost;
}

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
    double pairs = tokens * (double(options.seqLen) + 1) / 2;
    double network = double(config.getNumMatrices()) *
                     double(config.hiddenSize) * double(config.denseFFNSize);
    for (const LayerParts &parts : listParts(config, layout)) {
      const AttentionWidths &widths = config.getAttention(parts);
      macs += parts.attentions * (tokens * config.getAttentionWeights(widths) +
                                  pairs * getPerPair(widths)) +
              parts.denseFFNs * tokens * network;
    }
  }
  // Each product has two gradients with the same number of operations.
  layout.modelFlops = 2 * macs * (options.train ? 3 : 1);
  return Error::success();
}
