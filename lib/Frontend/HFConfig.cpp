//===- HFConfig.cpp - Hugging Face config.json to ModelConfig ---*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One reader per `model_type`. A key has a fallback here only where the
// model's own code has one or fixes the matter without a key; see
// docs/Frontend.md.
//
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;

/// Most heads a model may state: a width of as many elements each fits.
static constexpr int64_t kMaxHeads = 1 << 15;

/// Reads the heads of plain or grouped attention, if the config states them. A
/// width per head is a key of its own or the hidden size over the heads.
static void readAttention(ConfigReader &in, ModelConfig &config) {
  config.headsPlace = in.getPlace("num_attention_heads");
  if (!in.has("num_attention_heads"))
    return;
  int64_t heads = in.getInteger("num_attention_heads", 1, kMaxHeads);
  int64_t kvHeads = in.getInteger("num_key_value_heads", 1, heads, heads);
  AttentionWidths widths;
  widths.query = config.hiddenSize;
  if (in.has("head_dim"))
    widths.query = heads * in.getInteger("head_dim", 1, kMaxSize / kMaxHeads);
  else if (config.hiddenSize % heads != 0)
    config.unevenHeads = heads;
  widths.output = widths.query;
  widths.keyValue = llvm::divideCeil(widths.query * kvHeads, heads);
  widths.heads = heads;
  config.attention = widths;
}

/// Reads DeepSeek's attention, whose queries, keys and values go through
/// narrower latent vectors.
static void readLatentAttention(ConfigReader &in, ModelConfig &config) {
  if (!in.has("num_attention_heads") || !in.has("kv_lora_rank"))
    return readAttention(in, config);
  constexpr int64_t kMaxWidth = kMaxSize / kMaxHeads / 2;
  int64_t heads = in.getInteger("num_attention_heads", 1, kMaxHeads);
  int64_t nope = in.getInteger("qk_nope_head_dim", 1, kMaxWidth);
  int64_t value = in.getInteger("v_head_dim", 1, kMaxWidth);
  AttentionWidths widths;
  widths.rotary = in.getInteger("qk_rope_head_dim", 1, kMaxWidth);
  widths.latent = in.getSize("kv_lora_rank");
  if (in.has("q_lora_rank"))
    widths.queryLatent = in.getSize("q_lora_rank");
  widths.query = heads * (nope + widths.rotary);
  widths.keyValue = heads * (nope + value);
  widths.output = heads * value;
  widths.heads = heads;
  config.attention = widths;
}

double ModelConfig::getAttentionWeights() const {
  const AttentionWidths &w = *attention;
  double hidden = double(hiddenSize), query = double(w.query);
  double weights = w.queryLatent > 0 ? (hidden + query) * double(w.queryLatent)
                                     : hidden * query;
  if (w.latent > 0)
    weights += hidden * double(w.latent + w.rotary) +
               double(w.latent) * double(w.keyValue);
  else
    weights += 2 * hidden * double(w.keyValue);
  return weights + double(w.output) * hidden;
}

/// Reads what all models state alike; returns the number of layers, dense ones
/// included.
static int64_t readCommon(ConfigReader &in, ModelConfig &config) {
  config.hiddenSize = in.getSize("hidden_size");
  config.topK = in.getSize("num_experts_per_tok");
  config.topKPlace = in.getPlace("num_experts_per_tok");
  // The experts of all supported models are three GEMMs around a SiLU; another
  // activation would need an expert kind the dialect has not got.
  std::string activation = in.getString("hidden_act", "silu");
  if (activation != "silu")
    in.fail("hidden_act", "expected 'silu', got '" + activation + "'");
  config.numLayers = in.getInteger("num_hidden_layers", 1, kMaxLayers);
  return config.numLayers;
}

static void addAllLayers(ModelConfig &config, int64_t numLayers) {
  for (int64_t i = 0; i < numLayers; ++i)
    config.moeLayers.push_back(i);
}

static void readMixtral(ConfigReader &in, ModelConfig &config) {
  addAllLayers(config, readCommon(in, config));
  readAttention(in, config);
  config.numExperts = in.getSize("num_local_experts");
  config.expertFFNSize = in.getSize("intermediate_size");
  config.normalizesTopK = true;
}

static void readOlmoe(ConfigReader &in, ModelConfig &config) {
  addAllLayers(config, readCommon(in, config));
  readAttention(in, config);
  config.numExperts = in.getSize("num_experts");
  config.expertFFNSize = in.getSize("intermediate_size");
  config.normalizesTopK = in.getBool("norm_topk_prob", false);
}

/// What Qwen2-MoE and Qwen3-MoE share.
static void readQwen(ConfigReader &in, ModelConfig &config) {
  int64_t numLayers = readCommon(in, config);
  readAttention(in, config);
  if (in.has("intermediate_size"))
    config.denseFFNSize = in.getSize("intermediate_size");
  // Configs saved by transformers 5 spell the key like Mixtral's.
  config.numExperts =
      in.getSize(!in.has("num_experts") && in.has("num_local_experts")
                     ? "num_local_experts"
                     : "num_experts");
  config.expertFFNSize = in.getSize("moe_intermediate_size");
  config.normalizesTopK = in.getBool("norm_topk_prob", false);
  int64_t step = in.getInteger("decoder_sparse_step", 1, kMaxLayers, 1);
  std::vector<int64_t> dense = in.getIndices("mlp_only_layers", numLayers);
  std::vector<bool> isDense(numLayers, false);
  for (int64_t layer : dense)
    isDense[layer] = true;
  for (int64_t i = 0; i < numLayers; ++i)
    if ((i + 1) % step == 0 && !isDense[i])
      config.moeLayers.push_back(i);
}

static void readQwen2(ConfigReader &in, ModelConfig &config) {
  readQwen(in, config);
  config.sharedFFNSize = in.getSize("shared_expert_intermediate_size");
  config.hasSharedGate = true;
}

/// The routers DeepSeek's configs name. The dialect scores a group by its best
/// expert under softmax and by the sum of its two best under sigmoid, which is
/// what the two grouped methods do; the crossed pairs have no counterpart.
static void readDeepSeekRouter(ConfigReader &in, ModelConfig &config,
                               const char *defaultScores,
                               const char *defaultMethod) {
  std::string scores = in.getString("scoring_func", defaultScores);
  if (scores == "sigmoid")
    config.scores = ScoreFunction::Sigmoid;
  else if (scores != "softmax")
    in.fail("scoring_func",
            "expected 'softmax' or 'sigmoid', got '" + scores + "'");

  StringRef grouped = config.scores == ScoreFunction::Sigmoid
                          ? "noaux_tc"
                          : "group_limited_greedy";
  std::string method = in.getString("topk_method", defaultMethod);
  if (method != "greedy" && method != grouped)
    in.fail("topk_method", "expected 'greedy' or '" + grouped +
                               "' with scoring_func '" + scores + "', got '" +
                               method + "'");
  if (method == grouped) {
    ExpertGroups groups;
    groups.count = in.getSize("n_group");
    groups.chosen = in.getSize("topk_group");
    config.groups = groups;
    config.groupCountPlace = in.getPlace("n_group");
    config.chosenGroupsPlace = in.getPlace("topk_group");
    config.hasSelectionBias = config.scores == ScoreFunction::Sigmoid;
  }
  config.normalizesTopK = in.getBool("norm_topk_prob");
  config.normalizesSingle = false;
  config.routedScale = in.getPositive("routed_scaling_factor");
}

static void readDeepSeek(ConfigReader &in, ModelConfig &config) {
  int64_t numLayers = readCommon(in, config);
  readLatentAttention(in, config);
  if (in.has("intermediate_size"))
    config.denseFFNSize = in.getSize("intermediate_size");
  config.numExperts = in.getSize("n_routed_experts");
  config.expertFFNSize = in.getSize("moe_intermediate_size");
  config.numSharedExperts = in.getInteger("n_shared_experts", 0, kMaxSize, 0);
  if (MulOverflow(config.numSharedExperts, config.expertFFNSize,
                  config.sharedFFNSize) ||
      config.sharedFFNSize > kMaxSize)
    in.fail("n_shared_experts", "expected shared experts of at most " +
                                    Twine(kMaxSize) +
                                    " hidden elements together, got " +
                                    Twine(config.numSharedExperts) + " of " +
                                    Twine(config.expertFFNSize));
  int64_t firstMoE = in.getInteger("first_k_dense_replace", 0, kMaxLayers);
  int64_t step = in.getInteger("moe_layer_freq", 1, kMaxLayers, 1);
  for (int64_t i = firstMoE; i < numLayers; ++i)
    if (i % step == 0)
      config.moeLayers.push_back(i);
}

static void readDeepSeekV2(ConfigReader &in, ModelConfig &config) {
  readDeepSeek(in, config);
  readDeepSeekRouter(in, config, "softmax", "greedy");
  config.scalesNormalized = false;
}

static void readDeepSeekV3(ConfigReader &in, ModelConfig &config) {
  readDeepSeek(in, config);
  readDeepSeekRouter(in, config, "sigmoid", "noaux_tc");
}

/// GPT-2 with MoE layers in the place of feed-forward ones, as papers on MoE
/// training take it: no such model is published, so the keys are GPT-2's and
/// those of the routers above.
static void readGPT2MoE(ConfigReader &in, ModelConfig &config) {
  config.hiddenSize = in.getSize("n_embd");
  config.numLayers = in.getInteger("n_layer", 1, kMaxLayers);
  config.topK = in.getSize("num_experts_per_tok");
  config.topKPlace = in.getPlace("num_experts_per_tok");
  config.numExperts = in.getSize("num_experts");
  int64_t ffn = in.getInteger("n_inner", 1, kMaxSize,
                              std::min(4 * config.hiddenSize, kMaxSize));
  config.expertFFNSize = config.denseFFNSize = ffn;
  std::string activation = in.getString("activation_function", "gelu_new");
  if (activation == "gelu_new")
    config.network = ExpertNetwork::GPTGelu;
  else if (activation == "relu")
    config.network = ExpertNetwork::GPTRelu;
  else
    in.fail("activation_function",
            "expected 'gelu_new' or 'relu', got '" + activation + "'");
  config.headsPlace = in.getPlace("n_head");
  if (in.has("n_head")) {
    int64_t heads = in.getInteger("n_head", 1, kMaxHeads);
    if (config.hiddenSize % heads != 0)
      config.unevenHeads = heads;
    config.attention = AttentionWidths{config.hiddenSize, config.hiddenSize,
                                       config.hiddenSize};
    config.attention->heads = heads;
  }
  config.normalizesTopK = in.getBool("norm_topk_prob", true);
  int64_t step = in.getInteger("moe_layer_freq", 1, kMaxLayers, 1);
  for (int64_t i = step - 1; i < config.numLayers; i += step)
    config.moeLayers.push_back(i);
}

namespace {
struct ModelReader {
  StringRef modelType;
  void (*read)(ConfigReader &, ModelConfig &);
};
} // namespace

static constexpr ModelReader kReaders[] = {
    {"deepseek_v2", readDeepSeekV2},
    {"deepseek_v3", readDeepSeekV3},
    {"gpt2_moe", readGPT2MoE},
    {"mixtral", readMixtral},
    {"olmoe", readOlmoe},
    {"qwen2_moe", readQwen2},
    {"qwen3_moe", readQwen},
};

ArrayRef<StringRef> moe::getSupportedModelTypes() {
  static const SmallVector<StringRef> types = llvm::to_vector(
      llvm::map_range(kReaders, [](auto &entry) { return entry.modelType; }));
  return types;
}

Expected<ModelConfig> moe::parseHFConfig(StringRef text, StringRef file) {
  Expected<ConfigReader> in = ConfigReader::parse(text, file);
  if (!in)
    return in.takeError();
  ModelConfig config;
  config.modelType = in->getString("model_type");
  if (Error error = in->takeError())
    return error;
  const ModelReader *reader = llvm::find_if(kReaders, [&](auto &entry) {
    return entry.modelType == config.modelType;
  });
  if (reader == std::end(kReaders)) {
    in->fail("model_type", "expected one of " +
                               llvm::join(getSupportedModelTypes(), ", ") +
                               ", got '" + config.modelType + "'");
    return in->takeError();
  }
  reader->read(*in, config);
  if (config.moeLayers.empty())
    in->fail("model_type", "expected a model with an MoE layer, got one whose "
                           "layers are all dense");
  if (Error error = in->takeError())
    return error;
  return config;
}

//===----------------------------------------------------------------------===//
// Overrides
//===----------------------------------------------------------------------===//

/// Checks what the router's verifier would. An error is the config's own when
/// nothing the router reads was replaced, and else names the option that helps.
static Error checkRouter(const ModelConfig &config,
                         const SizeOverrides &overrides) {
  bool isOwn = !overrides.numExperts && !overrides.topK &&
               !overrides.numGroups && !overrides.topGroups;
  auto fail = [&](const ConfigPlace &place, StringRef option,
                  const Twine &message) -> Error {
    if (isOwn && !place.file.empty())
      return make_error<ImportError>(place, message);
    return makeImportError(option + ": " + message);
  };
  auto failTopK = [&](const Twine &message) {
    return fail(config.topKPlace, "--top-k", message);
  };
  auto failCount = [&](const Twine &message) {
    return fail(config.groupCountPlace, "--num-groups", message);
  };
  auto failChosen = [&](const Twine &message) {
    return fail(config.chosenGroupsPlace, "--top-groups", message);
  };
  if (config.topK > config.numExperts)
    return failTopK("expected at most the " + Twine(config.numExperts) +
                    " experts, got " + Twine(config.topK));
  if (config.getGate() == GateModule::Switch && config.topK != 1)
    return makeImportError("--gate=switch: expected one expert for each token, "
                           "got " +
                           Twine(config.topK) + "; --top-k=1 makes it one");
  if (!config.groups)
    return Error::success();
  auto [count, chosen] = *config.groups;
  if (config.getGate() > GateModule::Sigmoid && count > 1)
    return makeImportError(
        "--gate=" + getGateName(config.getGate()) +
        ": expected experts that form no groups, got " + Twine(count) +
        " groups of which " + Twine(chosen) +
        " are chosen from, as only softmax and sigmoid gates do; "
        "--num-groups=1 --top-groups=1 makes it one");
  if (config.numExperts % count != 0)
    return failCount("expected a divisor of the " + Twine(config.numExperts) +
                     " experts, got " + Twine(count));
  if (chosen > count)
    return failChosen("expected at most the " + Twine(count) +
                      " groups of experts, got " + Twine(chosen));
  int64_t groupSize = config.numExperts / count;
  if (chosen * groupSize < config.topK)
    return failChosen("expected groups that hold the top-k of " +
                      Twine(config.topK) + " experts, got " + Twine(chosen) +
                      " groups of " + Twine(groupSize));
  if (config.scores == ScoreFunction::Sigmoid && count > 1 && groupSize < 2)
    return failCount("expected groups of at least 2 experts, which a group's "
                     "score is the sum of, got " +
                     Twine(count) + " groups of 1");
  return Error::success();
}

Error moe::applyOverrides(ModelConfig &config, const SizeOverrides &overrides) {
  if (overrides.sharedFFNSize && config.sharedFFNSize == 0)
    return makeImportError("--shared-ffn-size: expected a model with a shared "
                           "expert, got " +
                           config.modelType + " without one");
  if ((overrides.numGroups || overrides.topGroups) && !config.groups)
    return makeImportError(
        Twine(overrides.numGroups ? "--num-groups" : "--top-groups") +
        ": expected a model that chooses experts by groups, got " +
        config.modelType + " that does not");

  auto replace = [](int64_t &size, std::optional<int64_t> by) {
    if (by)
      size = *by;
  };
  if (overrides.hiddenSize) {
    int64_t before = config.hiddenSize;
    auto follow = [&](int64_t &width) {
      // Below 2^31 both, so that the product fits.
      width = std::min<int64_t>(
          llvm::divideCeil(width * *overrides.hiddenSize, before), kMaxSize);
    };
    if (AttentionWidths *widths =
            config.attention ? &*config.attention : nullptr)
      for (int64_t *width :
           {&widths->query, &widths->keyValue, &widths->output,
            &widths->queryLatent, &widths->latent, &widths->rotary})
        follow(*width);
    follow(config.denseFFNSize);
  }
  replace(config.hiddenSize, overrides.hiddenSize);
  replace(config.expertFFNSize, overrides.expertFFNSize);
  replace(config.numExperts, overrides.numExperts);
  replace(config.topK, overrides.topK);
  if (config.groups) {
    replace(config.groups->count, overrides.numGroups);
    replace(config.groups->chosen, overrides.topGroups);
  }
  if (overrides.sharedFFNSize) {
    config.sharedFFNSize = *overrides.sharedFFNSize;
  } else if (overrides.expertFFNSize && config.numSharedExperts > 0) {
    if (MulOverflow(config.numSharedExperts, config.expertFFNSize,
                    config.sharedFFNSize) ||
        config.sharedFFNSize > kMaxSize)
      return makeImportError(
          "--expert-ffn-size: expected shared experts of at most " +
          Twine(kMaxSize) + " hidden elements together, got " +
          Twine(config.numSharedExperts) + " of " +
          Twine(config.expertFFNSize));
  }
  return checkRouter(config, overrides);
}
