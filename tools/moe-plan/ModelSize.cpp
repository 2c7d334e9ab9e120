//===- ModelSize.cpp - How many parameters a model has --------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelSize.h"
#include "Command.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

namespace {

/// Optional integer keys of the config. The first error sticks.
class Keys {
public:
  Keys(const json::Object &object, StringRef file)
      : object(object), file(file) {}

  /// The value of a key in [1, kMaxSize], nothing when it is absent or null.
  std::optional<int64_t> get(StringRef key) {
    const json::Value *value = object.get(key);
    if (!value || value->kind() == json::Value::Null)
      return std::nullopt;
    std::optional<int64_t> integer = value->getAsInteger();
    if (integer && *integer >= 1 && *integer <= kMaxSize)
      return integer;
    if (problem.empty()) {
      raw_string_ostream os(problem);
      os << file << ": '" << key << "': expected an integer in [1, " << kMaxSize
         << "], got " << *value;
    }
    return std::nullopt;
  }

  std::string problem;

private:
  const json::Object &object;
  StringRef file;
};

} // namespace

/// Parameters are added up in floating point, exact up to 2^53, and checked
/// against that at the end.
static constexpr double kMaxParameters = 9007199254740992.0;

/// The matrices of multi-head latent attention (DeepSeek): queries directly or
/// through a compression, keys and values through one, and the output.
static std::optional<double> countLatentAttention(Keys &keys, double h,
                                                  double heads, double rank) {
  std::optional<int64_t> nope = keys.get("qk_nope_head_dim");
  std::optional<int64_t> rope = keys.get("qk_rope_head_dim");
  std::optional<int64_t> valueDim = keys.get("v_head_dim");
  if (!nope || !rope || !valueDim)
    return std::nullopt;
  double queryDim = double(*nope) + double(*rope);
  std::optional<int64_t> queryRank = keys.get("q_lora_rank");
  double queries = queryRank ? double(*queryRank) * (h + heads * queryDim)
                             : h * heads * queryDim;
  double keysAndValues = h * (rank + double(*rope)) +
                         rank * heads * (double(*nope) + double(*valueDim));
  return queries + keysAndValues + heads * double(*valueDim) * h;
}

/// The matrices of attention whose keys and values may have fewer heads.
static double countAttention(Keys &keys, int64_t h, int64_t heads) {
  int64_t keyHeads = keys.get("num_key_value_heads").value_or(heads);
  int64_t headDim =
      keys.get("head_dim").value_or(std::max<int64_t>(1, h / heads));
  return 2 * double(h) * double(headDim) * (double(heads) + double(keyHeads));
}

Expected<ModelSize> moe::plan::readModelSize(StringRef text, StringRef file) {
  Expected<ModelConfig> config = parseHFConfig(text, file);
  if (!config)
    return config.takeError();
  ModelSize size;
  size.config = std::move(*config);
  if (Error error = applyOverrides(size.config, SizeOverrides()))
    return std::move(error);

  Expected<json::Value> json = json::parse(text);
  if (!json)
    return json.takeError();
  const json::Object *object = json->getAsObject();
  Keys keys(*object, file);
  const ModelConfig &model = size.config;
  double h = double(model.hiddenSize), e = double(model.numExperts);
  double moeLayers = double(model.moeLayers.size());
  // parseHFConfig has read it.
  size.numLayers = *object->getInteger("num_hidden_layers");
  double total = 0;
  auto add = [&](StringRef name, double parameters) {
    total += parameters;
    if (parameters > 0 && total <= kMaxParameters)
      size.nonExpert.push_back({name.str(), int64_t(parameters)});
  };

  size.numHeads = keys.get("num_attention_heads");
  std::optional<double> attention;
  if (size.numHeads) {
    if (std::optional<int64_t> rank = keys.get("kv_lora_rank"))
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
    if (std::optional<int64_t> dense = keys.get("intermediate_size"))
      add("dense layers", 3 * h * double(*dense) * denseLayers);
    else
      size.notCounted.push_back(
          "dense layers: the config lacks intermediate_size");
  }
  if (std::optional<int64_t> vocabulary = keys.get("vocab_size")) {
    bool tied = object->getBoolean("tie_word_embeddings").value_or(false);
    add("embeddings", h * double(*vocabulary) * (tied ? 1 : 2));
  } else {
    size.notCounted.push_back("embeddings: the config lacks vocab_size");
  }
  if (!keys.problem.empty())
    return makeError(keys.problem);

  double experts = 3 * h * double(model.expertFFNSize) * e * moeLayers;
  if (total + experts > kMaxParameters)
    return makeError(file +
                     ": expected a model of at most 2^53 parameters, "
                     "got " +
                     fixed((total + experts) / kMaxParameters, 1) +
                     " times as many");
  size.expertParameters = int64_t(experts);
  return size;
}
