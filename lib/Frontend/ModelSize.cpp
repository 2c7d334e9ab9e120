//===- ModelSize.cpp - How many parameters a model has --------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Frontend/ModelSize.h"
#include "ConfigReader.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace moe;

/// The value of a key in [1, kMaxSize], nothing when it is absent or null.
static std::optional<int64_t> findSize(ConfigReader &config, StringRef key) {
  if (!config.has(key))
    return std::nullopt;
  return config.getSize(key);
}

/// Parameters are added up in floating point, exact up to 2^53, and checked
/// against that at the end.
static constexpr double kMaxParameters = 9007199254740992.0;

/// The matrices of multi-head latent attention (DeepSeek): queries directly or
/// through a compression, keys and values through one, and the output.
static std::optional<double> countLatentAttention(ConfigReader &keys, double h,
                                                  double heads, double rank) {
  std::optional<int64_t> nope = findSize(keys, "qk_nope_head_dim");
  std::optional<int64_t> rope = findSize(keys, "qk_rope_head_dim");
  std::optional<int64_t> valueDim = findSize(keys, "v_head_dim");
  if (!nope || !rope || !valueDim)
    return std::nullopt;
  double queryDim = double(*nope) + double(*rope);
  std::optional<int64_t> queryRank = findSize(keys, "q_lora_rank");
  double queries = queryRank ? double(*queryRank) * (h + heads * queryDim)
                             : h * heads * queryDim;
  double keysAndValues = h * (rank + double(*rope)) +
                         rank * heads * (double(*nope) + double(*valueDim));
  return queries + keysAndValues + heads * double(*valueDim) * h;
}

/// The matrices of attention whose keys and values may have fewer heads.
static double countAttention(ConfigReader &keys, int64_t h, int64_t heads) {
  int64_t keyHeads = findSize(keys, "num_key_value_heads").value_or(heads);
  int64_t headDim =
      findSize(keys, "head_dim").value_or(std::max<int64_t>(1, h / heads));
  return 2 * double(h) * double(headDim) * (double(heads) + double(keyHeads));
}

Expected<ModelSize> moe::readModelSize(StringRef text, StringRef file) {
  Expected<ModelConfig> config = parseHFConfig(text, file);
  if (!config)
    return config.takeError();
  ModelSize size;
  size.config = std::move(*config);
  if (Error error = applyOverrides(size.config, SizeOverrides()))
    return std::move(error);

  Expected<ConfigReader> read = ConfigReader::parse(text, file);
  if (!read)
    return read.takeError();
  ConfigReader &keys = *read;
  const ModelConfig &model = size.config;
  double h = double(model.hiddenSize), e = double(model.numExperts);
  double moeLayers = double(model.moeLayers.size());
  size.numLayers = model.numLayers;
  double total = 0;
  auto add = [&](StringRef name, double parameters) {
    total += parameters;
    if (parameters > 0 && total <= kMaxParameters)
      size.nonExpert.push_back({name.str(), int64_t(parameters)});
  };

  size.numHeads = findSize(keys, "num_attention_heads");
  std::optional<double> attention;
  if (size.numHeads) {
    if (std::optional<int64_t> rank = findSize(keys, "kv_lora_rank"))
      attention =
          countLatentAttention(keys, h, double(*size.numHeads), double(*rank));
    else
      attention = countAttention(keys, model.hiddenSize, *size.numHeads);
  }
  if (attention)
    add("attention", *attention * double(size.numLayers));
  else
    size.notCounted.push_back(
        "attention: the config lacks num_attention_heads, or the head sizes "
        "of its latent attention");

  add("router", h * e * moeLayers);
  add("shared experts",
      (3 * h * double(model.sharedFFNSize) + (model.hasSharedGate ? h : 0)) *
          moeLayers);
  if (double denseLayers = double(size.numLayers) - moeLayers;
      denseLayers > 0) {
    if (std::optional<int64_t> dense = findSize(keys, "intermediate_size"))
      add("dense layers", 3 * h * double(*dense) * denseLayers);
    else
      size.notCounted.push_back(
          "dense layers: the config lacks intermediate_size");
  }
  if (std::optional<int64_t> vocabulary = findSize(keys, "vocab_size")) {
    bool tied = keys.getBool("tie_word_embeddings", false);
    add("embeddings", h * double(*vocabulary) * (tied ? 1 : 2));
  } else {
    size.notCounted.push_back("embeddings: the config lacks vocab_size");
  }
  if (Error error = keys.takeError())
    return std::move(error);

  double experts = 3 * h * double(model.expertFFNSize) * e * moeLayers;
  if (total + experts > kMaxParameters)
    return makeImportError(
        file + formatv(": expected a model of at most 2^53 parameters, got "
                       "{0:f1} times as many",
                       (total + experts) / kMaxParameters));
  size.expertParameters = int64_t(experts);
  return size;
}
