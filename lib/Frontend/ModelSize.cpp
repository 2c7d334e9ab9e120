// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameter counts of models.

#include "moe/Frontend/ModelSize.h"
#include "ModelFamily.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;
using namespace moe;

/// Returns the value of a key in [1, kMaxSize]; nullopt if absent or null.
static std::optional<int64_t> findSize(ConfigReader &config, StringRef key) {
  if (!config.has(key))
    return std::nullopt;
  return config.getSize(key);
}

/// Parameters are summed in floating point, which is exact up to 2^53; the sum
/// is checked against this limit at the end.
static constexpr double kMaxParameters = 9007199254740992.0;

Expected<ModelSize> moe::readModelSize(StringRef text, StringRef file,
                                       const ConfigMap *map,
                                       ArrayRef<std::string> ignoredKeys) {
  Expected<ConfigReader> read = ConfigReader::parse(text, file);
  if (!read)
    return read.takeError();
  ConfigReader &keys = *read;
  Expected<ModelConfig> config = readModel(keys, {map, ignoredKeys});
  if (!config)
    return config.takeError();
  ModelSize size;
  size.config = std::move(*config);
  if (Error error = applyOverrides(size.config, SizeOverrides()))
    return std::move(error);

  const ModelConfig &model = size.config;
  double h = double(model.hiddenSize), e = double(model.numExperts);
  double moeLayers = double(model.moeLayers.size());
  double matrices = double(model.getNumMatrices());
  size.numLayers = model.numLayers;
  double total = 0;
  auto add = [&](StringRef name, double parameters) {
    total += parameters;
    if (parameters > 0 && total <= kMaxParameters)
      size.nonExpert.push_back({name.str(), int64_t(parameters)});
  };

  double attentions = 0, denseLayers = 0, beside = 0;
  for (int64_t layer = 0; layer < size.numLayers; ++layer) {
    LayerParts parts = model.getParts(layer);
    if (model.attention)
      attentions += parts.attentions *
                    model.getAttentionWeights(model.getAttention(parts));
    bool isMoE = std::binary_search(model.moeLayers.begin(),
                                    model.moeLayers.end(), layer);
    (isMoE ? beside : denseLayers) += parts.denseFFNs;
  }
  if (model.attention)
    add("attention", attentions);
  else
    size.notCounted.push_back(
        "attention: the config lacks num_attention_heads, or the head sizes "
        "of its latent attention");

  add("router", (h + (model.hasRouterBias ? 1 : 0)) *
                    double(model.getScoredExperts()) * moeLayers);
  if (model.expertWidth > 0)
    add("latent projections", 2 * h * double(model.expertWidth) * moeLayers);
  add("shared experts", (matrices * h * double(model.sharedFFNSize) +
                         (model.hasSharedGate ? h : 0)) *
                            moeLayers);
  double ofDense = matrices * h * double(model.denseFFNSize);
  add("dense networks with experts", ofDense * beside);
  if (denseLayers + beside > 0) {
    if (model.denseFFNSize > 0)
      add("dense layers", ofDense * denseLayers);
    else
      size.notCounted.push_back(
          "dense layers: the config lacks intermediate_size");
  }
  if (std::optional<int64_t> vocabulary = findSize(keys, "vocab_size")) {
    size.vocabulary = *vocabulary;
    bool tied = keys.getBool("tie_word_embeddings", false);
    add("embeddings", h * double(*vocabulary) * (tied ? 1 : 2));
  } else {
    size.notCounted.push_back("embeddings: the config lacks vocab_size");
  }
  constexpr StringLiteral kFurther = "num_nextn_predict_layers";
  constexpr int64_t kMostFurther = 64;
  if (keys.has(kFurther))
    size.furtherTokenLayers = keys.getInteger(kFurther, 0, kMostFurther);
  if (Error error = keys.takeError())
    return std::move(error);

  double ffn = double(model.expertFFNSize);
  double width = double(model.getExpertWidth());
  double biases = model.hasExpertBiases ? (matrices - 1) * ffn + width : 0;
  double experts = (matrices * width * ffn + biases) * e * moeLayers;
  if (total + experts > kMaxParameters)
    return makeImportError(
        file + formatv(": expected a model of at most 2^53 parameters, got "
                       "{0:f1} times as many",
                       (total + experts) / kMaxParameters));
  size.expertParameters = int64_t(experts);
  return size;
}
