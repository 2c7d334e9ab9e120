// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attentions of a config's layers.

#include "FamilyConfigReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace moe;
using moe::support::JsonValue;

/// Maximum number of heads; a width with this many elements per head fits.
static constexpr int64_t kMaxHeads = 1 << 15;
/// Maximum width of heads, and of each part of heads that have two.
static constexpr int64_t kMaxHeadDim = kMaxSize / kMaxHeads;
static constexpr int64_t kMaxPartDim = kMaxHeadDim / 2;

/// The width of heads is either a separate key or the hidden size divided by
/// the number of heads.
AttentionWidths FamilyConfigReader::readPlainAttention(
    const ConfigTerm<int64_t> &heads, const ConfigTerm<int64_t> &kvHeads,
    const ConfigTerm<int64_t> &headDim,
    const ConfigTerm<int64_t> &valueHeadDim) {
  AttentionWidths widths;
  widths.heads = getInteger(heads, 1, kMaxHeads);
  widths.keyValueHeads =
      hasValue(kvHeads) ? getInteger(kvHeads, 1, widths.heads) : widths.heads;
  if (widths.heads % widths.keyValueHeads != 0)
    in.fail(kvHeads.keys.empty() ? findTermName(family, kvHeads)
                                 : kvHeads.getKey(in),
            "expected a divisor of the " + Twine(widths.heads) +
                " attention heads, got " + Twine(widths.keyValueHeads));
  widths.query = config.hiddenSize;
  if (hasValue(headDim))
    widths.query = widths.heads * getInteger(headDim, 1, kMaxHeadDim);
  else if (config.hiddenSize % widths.heads != 0)
    config.unevenHeads = widths.heads;
  auto ofKeys = [&](int64_t width) {
    return int64_t(
        llvm::divideCeil(width * widths.keyValueHeads, widths.heads));
  };
  widths.output = hasValue(valueHeadDim)
                      ? widths.heads * getInteger(valueHeadDim, 1, kMaxHeadDim)
                      : widths.query;
  widths.keyValue = ofKeys(widths.query);
  if (widths.output != widths.query)
    widths.value = ofKeys(widths.output);
  return widths;
}

void FamilyConfigReader::readAttention() {
  config.headsPlace = in.getPlace(family.heads.getKey(in));
  if (!getFlag(family.hasAttention) || !hasKey(family.heads))
    return;
  if (readLatentAttention(getInteger(family.heads, 1, kMaxHeads)))
    return;
  config.attention = readPlainAttention(family.heads, family.kvHeads,
                                        family.headDim, family.valueHeadDim);
}

/// Reads DeepSeek's attention if the config has it; its queries, keys and
/// values pass through narrower latent vectors.
bool FamilyConfigReader::readLatentAttention(int64_t heads) {
  // If `null` means a width of 0, the model has no such vector.
  auto has = [&](const ConfigTerm<int64_t> &term) {
    return hasKey(term) || term.getFallback(in).value_or(0) > 0;
  };
  if (!getFlag(family.isLatent) || !has(family.latent))
    return false;
  for (const ConfigTerm<int64_t> *term :
       {&family.nopeHeadDim, &family.rotaryHeadDim, &family.latentValueHeadDim,
        &family.queryLatent})
    for (const std::string &key : term->keys)
      in.markRead(key);
  int64_t nope = getInteger(family.nopeHeadDim, 1, kMaxPartDim);
  int64_t value = getInteger(family.latentValueHeadDim, 1, kMaxPartDim);
  AttentionWidths widths;
  widths.rotary = getInteger(family.rotaryHeadDim, 1, kMaxPartDim);
  widths.latent = getSize(family.latent);
  if (has(family.queryLatent))
    widths.queryLatent = getSize(family.queryLatent);
  widths.query = heads * (nope + widths.rotary);
  widths.keyValue = heads * (nope + value);
  widths.output = heads * value;
  widths.heads = widths.keyValueHeads = heads;
  config.attention = widths;
  // Some configs also have the sum of two of these widths.
  constexpr StringLiteral kSum = "qk_head_dim";
  if (in.has(kSum) && in.getInteger(kSum, 1, kMaxSize) != nope + widths.rotary)
    in.fail(kSum, "expected the " + Twine(nope + widths.rotary) +
                      " elements of " + family.nopeHeadDim.getKey(in) +
                      " and " + family.rotaryHeadDim.getKey(in) +
                      " together, got another number");
  return true;
}

/// Reads the dense parts of each layer, if the layers do not have the usual
/// ones.
void FamilyConfigReader::readParts() {
  auto attentions = int(getInteger(family.attentions, 0, 8));
  auto networks = int(getInteger(family.denseNetworks, 0, 8));
  std::vector<int64_t> sliding;
  if (config.attention)
    for (const std::string &key : family.slidingLayerFlags)
      if (in.has(key)) {
        sliding = in.getSetFlags(key, config.numLayers);
        break;
      }
  bool isUsual = attentions == 1 && networks == 0 && sliding.empty();
  if (!config.parts.empty() || !isUsual) {
    if (config.parts.empty())
      for (int64_t layer = 0; layer < config.numLayers; ++layer) {
        bool isMoE = llvm::is_contained(config.moeLayers, layer);
        config.parts.push_back({attentions, isMoE ? networks : 1, false});
      }
    for (int64_t layer : sliding)
      config.parts[layer].isSliding = true;
  }
  if (!sliding.empty())
    config.slidingAttention =
        readPlainAttention(family.slidingHeads, family.slidingKVHeads,
                           family.slidingHeadDim, family.slidingValueHeadDim);
}

LayerParts ModelConfig::getParts(int64_t layer) const {
  if (!parts.empty())
    return parts[layer];
  bool isMoE = std::binary_search(moeLayers.begin(), moeLayers.end(), layer);
  return {1, isMoE ? 0 : 1, false};
}

std::vector<LayerParts> ModelConfig::listPartsUpTo(int64_t moeLayer) const {
  std::vector<LayerParts> upTo;
  for (int64_t layer = moeLayer > 0 ? moeLayers[moeLayer - 1] + 1 : 0;
       layer <= moeLayers[moeLayer]; ++layer)
    upTo.push_back(getParts(layer));
  return upTo;
}

double ModelConfig::getAttentionWeights(const AttentionWidths &w) const {
  double hidden = double(hiddenSize), query = double(w.query);
  double weights = w.queryLatent > 0 ? (hidden + query) * double(w.queryLatent)
                                     : hidden * query;
  if (w.latent > 0)
    weights += hidden * double(w.latent + w.rotary) +
               double(w.latent) * double(w.keyValue);
  else
    weights += hidden * double(w.keyValue + w.getValue());
  return weights + double(w.output) * hidden;
}

AttentionWidths ModelConfig::getMeanAttention() const {
  AttentionWidths mean = *attention;
  if (parts.empty())
    return mean;
  for (int64_t AttentionWidths::*width :
       {&AttentionWidths::query, &AttentionWidths::keyValue,
        &AttentionWidths::output, &AttentionWidths::queryLatent,
        &AttentionWidths::latent, &AttentionWidths::rotary}) {
    double sum = 0;
    for (const LayerParts &layer : parts)
      sum += double(getAttention(layer).*width) * layer.attentions;
    mean.*width = int64_t(std::ceil(sum / double(parts.size())));
  }
  double values = 0;
  for (const LayerParts &layer : parts)
    values += double(getAttention(layer).getValue()) * layer.attentions;
  mean.value = int64_t(std::ceil(values / double(parts.size())));
  return mean;
}
