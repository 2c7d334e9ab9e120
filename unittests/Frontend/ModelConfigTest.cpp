// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing of configs into plain data.

#include "moe/Frontend/ModelConfig.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace moe;

namespace {

ModelConfig parseExample(StringRef name) {
  std::string path = (MOE_EXAMPLE_CONFIGS "/" + name + ".json").str();
  auto buffer = MemoryBuffer::getFile(path);
  EXPECT_TRUE(!!buffer) << path;
  Expected<ModelConfig> config = parseHFConfig((*buffer)->getBuffer(), path);
  if (!config) {
    ADD_FAILURE() << toString(config.takeError());
    return {};
  }
  EXPECT_FALSE(errorToBool(applyOverrides(*config, {})));
  return *config;
}

TEST(ModelConfigTest, Mixtral) {
  ModelConfig config = parseExample("mixtral-8x7b");
  EXPECT_EQ(config.hiddenSize, 4096);
  EXPECT_EQ(config.expertFFNSize, 14336);
  EXPECT_EQ(config.numExperts, 8);
  EXPECT_EQ(config.topK, 2);
  EXPECT_EQ(config.moeLayers.size(), 32u);
  EXPECT_EQ(config.scores, ScoreFunction::Softmax);
  EXPECT_TRUE(config.normalizesWeights());
  EXPECT_EQ(config.weightScale(), 1.0);
  EXPECT_EQ(config.sharedFFNSize, 0);
  // A top-1 model divides the only weight by itself.
  config.topK = 1;
  EXPECT_TRUE(config.normalizesWeights());
}

TEST(ModelConfigTest, QwenSharedExpertHasItsOwnSizeAndGate) {
  ModelConfig config = parseExample("qwen1.5-moe-a2.7b");
  EXPECT_EQ(config.expertFFNSize, 1408);
  EXPECT_EQ(config.sharedFFNSize, 5632);
  EXPECT_EQ(config.numSharedExperts, 0);
  EXPECT_TRUE(config.hasSharedGate);
  EXPECT_FALSE(config.normalizesWeights());
  EXPECT_EQ(parseExample("qwen3-30b-a3b").sharedFFNSize, 0);
}

TEST(ModelConfigTest, DeepSeekV2Lite) {
  ModelConfig config = parseExample("deepseek-v2-lite");
  EXPECT_EQ(config.moeLayers.front(), 1);
  EXPECT_EQ(config.moeLayers.size(), 26u);
  EXPECT_EQ(config.sharedFFNSize, 2 * 1408);
  EXPECT_FALSE(config.hasSharedGate);
  EXPECT_FALSE(config.groups.has_value());
  EXPECT_FALSE(config.hasSelectionBias);
}

TEST(ModelConfigTest, DeepSeekV3) {
  ModelConfig config = parseExample("deepseek-v3");
  EXPECT_EQ(config.moeLayers.front(), 3);
  EXPECT_EQ(config.moeLayers.back(), 60);
  EXPECT_EQ(config.scores, ScoreFunction::Sigmoid);
  EXPECT_TRUE(config.hasSelectionBias);
  ASSERT_TRUE(config.groups.has_value());
  EXPECT_EQ(config.groups->count, 8);
  EXPECT_EQ(config.groups->chosen, 4);
  EXPECT_TRUE(config.normalizesWeights());
  EXPECT_EQ(config.weightScale(), 2.5);
  config.topK = 1;
  EXPECT_FALSE(config.normalizesWeights());
  EXPECT_EQ(config.weightScale(), 2.5);
}

TEST(ModelConfigTest, TheV2FactorAppliesWhenNothingIsNormalised) {
  ModelConfig config = parseExample("deepseek-v2-lite");
  config.routedScale = 16;
  EXPECT_EQ(config.weightScale(), 16.0);
  config.normalizesTopK = true;
  EXPECT_EQ(config.weightScale(), 1.0);
  config.topK = 1;
  EXPECT_EQ(config.weightScale(), 16.0);
}

TEST(ModelConfigTest, SparseStepCountsFromOne) {
  Expected<ModelConfig> config = parseHFConfig(
      R"({"model_type": "qwen3_moe", "hidden_size": 8, "num_experts": 4,
          "num_experts_per_tok": 2, "moe_intermediate_size": 8,
          "num_hidden_layers": 10, "decoder_sparse_step": 3,
          "mlp_only_layers": [5]})",
      "config.json");
  ASSERT_TRUE(!!config);
  EXPECT_EQ(config->moeLayers, (std::vector<int64_t>{2, 8}));
}

TEST(ModelConfigTest, ErrorsCarryTheirPlace) {
  Expected<ModelConfig> config = parseHFConfig(
      "{\"model_type\": \"olmoe\",\n  \"hidden_size\": 0}", "a/config.json");
  ASSERT_FALSE(!!config);
  handleAllErrors(config.takeError(), [](const ImportError &error) {
    EXPECT_TRUE(error.hasPlace());
    EXPECT_EQ(error.getFile(), "a/config.json");
    EXPECT_EQ(error.getLine(), 2u);
    EXPECT_EQ(error.getColumn(), 3u);
    EXPECT_EQ(error.getMessage(), "'hidden_size': expected an integer in "
                                  "[1, 2147483647], got 0");
  });
}

/// The JSON parser has read past the character that it rejects.
TEST(ModelConfigTest, MalformedJSONNamesLineAndColumn) {
  Expected<ModelConfig> config = parseHFConfig("{\n]", "config.json");
  ASSERT_FALSE(!!config);
  EXPECT_EQ(toString(config.takeError()),
            "config.json:2:2: expected JSON, got a syntax error while parsing "
            "object key - unexpected ']'; expected string literal");
}

/// Every prefix of a config is an error and never crashes.
TEST(ModelConfigTest, TruncatedAnywhere) {
  auto buffer = MemoryBuffer::getFile(MOE_EXAMPLE_CONFIGS "/deepseek-v3.json");
  ASSERT_TRUE(!!buffer);
  StringRef text = (*buffer)->getBuffer().rtrim();
  for (size_t size = 0; size < text.size(); ++size) {
    Expected<ModelConfig> config =
        parseHFConfig(text.take_front(size), "config.json");
    EXPECT_TRUE(errorToBool(config.takeError())) << size;
  }
}

/// Replaces a key's value by values of other types. The result is an error or a
/// config, never a crash, and always an error for sizes.
TEST(ModelConfigTest, AnyValueForAnyKey) {
  StringRef keys[] = {"hidden_size", "num_hidden_layers", "n_routed_experts",
                      "moe_intermediate_size", "num_experts_per_tok"};
  StringRef values[] = {"null", "true", "\"1\"", "[]",
                        "{}",   "0",    "-1",    "1e400",
                        "1e30", "0.5",  "-0.0",  "9223372036854775808",
                        "\"\""};
  auto buffer = MemoryBuffer::getFile(MOE_EXAMPLE_CONFIGS "/deepseek-v3.json");
  ASSERT_TRUE(!!buffer);
  StringRef text = (*buffer)->getBuffer();
  for (StringRef key : keys)
    for (StringRef value : values) {
      std::string quoted = ("\"" + key + "\": ").str();
      size_t begin = text.find(quoted) + quoted.size();
      size_t end = text.find_first_of(",\n", begin);
      std::string changed =
          (text.take_front(begin) + value + text.drop_front(end)).str();
      Expected<ModelConfig> config = parseHFConfig(changed, "config.json");
      EXPECT_TRUE(errorToBool(config.takeError())) << changed;
    }
}

// Weights of the projections, computed from the models' own shapes.
TEST(ModelConfigTest, Attention) {
  // q and o of 4096 x 4096, k and v of 4096 x 1024.
  EXPECT_EQ(parseExample("mixtral-8x7b").getAttentionWeights(), 41943040);
  // With head_dim: q and o of 2048 x 4096, k and v of 2048 x 512.
  EXPECT_EQ(parseExample("qwen3-30b-a3b").getAttentionWeights(), 18874368);
  // q_a 7168 x 1536, q_b 1536 x 24576, kv_a 7168 x 576, kv_b 512 x 32768,
  // o 16384 x 7168.
  ModelConfig v3 = parseExample("deepseek-v3");
  EXPECT_EQ(v3.getAttentionWeights(), 187105280);
  EXPECT_EQ(v3.getAttentionGemms(), 5);
  EXPECT_EQ(v3.denseFFNSize, 18432);
  EXPECT_EQ(v3.numLayers, 61);
  // Without q_lora_rank: q 2048 x 3072, kv_a 2048 x 576, kv_b 512 x 4096,
  // o 2048 x 2048.
  ModelConfig lite = parseExample("deepseek-v2-lite");
  EXPECT_EQ(lite.getAttentionWeights(), 13762560);
  EXPECT_EQ(lite.getAttentionGemms(), 4);
}

TEST(ModelConfigTest, AttentionFollowsTheHiddenSize) {
  ModelConfig config = parseExample("deepseek-v3");
  SizeOverrides overrides;
  overrides.hiddenSize = 448; // a sixteenth
  EXPECT_FALSE(errorToBool(applyOverrides(config, overrides)));
  EXPECT_EQ(config.getAttentionWeights(), 187105280 / 256);
  EXPECT_EQ(config.denseFFNSize, 1152);
  overrides.hiddenSize = 1;
  EXPECT_FALSE(errorToBool(applyOverrides(config, overrides)));
  EXPECT_EQ(config.attention->latent, 1);
}

TEST(ModelConfigTest, GPT2MoE) {
  ModelConfig config = parseExample("gpt2-xl-moe");
  EXPECT_EQ(config.hiddenSize, 1600);
  EXPECT_EQ(config.expertFFNSize, 6400);
  EXPECT_EQ(config.moeLayers.size(), 48u);
  EXPECT_EQ(config.network, ExpertNetwork::GPTGelu);
  EXPECT_TRUE(config.normalizesWeights());
  EXPECT_EQ(config.getAttentionWeights(), 4 * 1600 * 1600);
  Expected<ModelConfig> sparse = parseHFConfig(
      R"({"model_type": "gpt2_moe", "n_embd": 16, "n_layer": 5, "n_inner": 24,
          "moe_layer_freq": 2, "activation_function": "relu",
          "norm_topk_prob": false, "num_experts": 4,
          "num_experts_per_tok": 2})",
      "sparse.json");
  ASSERT_TRUE(!!sparse);
  EXPECT_EQ(sparse->moeLayers, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(sparse->expertFFNSize, 24);
  EXPECT_EQ(sparse->network, ExpertNetwork::GPTRelu);
  EXPECT_FALSE(sparse->normalizesWeights());
  EXPECT_FALSE(sparse->attention.has_value());
}

// The configs of newer families, compared with the models' own pages.
TEST(ModelConfigTest, Families) {
  struct Row {
    StringRef name;
    int64_t hidden, ffn, experts, topK, shared, layers, first;
    bool bias, normalizes;
    ExpertNetwork network = ExpertNetwork::SwiGLU;
  };
  const Row rows[] = {
      {"gpt-oss-120b", 2880, 2880, 128, 4, 0, 36, 0, false, true,
       ExpertNetwork::ClampedSwiGLU},
      {"llama4-scout-17b-16e", 5120, 8192, 16, 1, 8192, 48, 0, false, false},
      {"llama4-maverick-17b-128e", 5120, 8192, 128, 1, 8192, 24, 1, false,
       false},
      {"kimi-k2", 7168, 2048, 384, 8, 2048, 60, 1, true, true},
      {"deepseek-v3.2", 7168, 2048, 256, 8, 2048, 58, 3, true, true},
      {"glm-4.5", 5120, 1536, 160, 8, 1536, 89, 3, true, true},
      {"qwen3-next-80b-a3b", 2048, 512, 512, 10, 512, 48, 0, false, true},
      {"ernie-4.5-21b-a3b", 2560, 1536, 64, 6, 3072, 27, 1, true, true},
      {"minimax-m2", 3072, 1536, 256, 8, 0, 62, 0, true, true},
      {"minimax-text-01", 6144, 9216, 32, 2, 0, 80, 0, false, true},
      {"phi-3.5-moe", 4096, 6400, 16, 2, 0, 32, 0, false, false},
      {"dbrx", 6144, 10752, 16, 4, 0, 40, 0, false, true},
      {"jamba-v0.1", 4096, 14336, 16, 2, 0, 16, 1, false, false},
      {"granite-3.0-3b-a800m", 1536, 512, 40, 8, 0, 32, 0, false, true},
      {"hunyuan-a13b", 4096, 3072, 64, 8, 3072, 32, 0, false, true},
      {"grok-1", 6144, 32768, 8, 2, 0, 64, 0, false, false,
       ExpertNetwork::GeGLU}};
  for (const Row &row : rows) {
    SCOPED_TRACE(row.name.str());
    ModelConfig config = parseExample(row.name);
    EXPECT_EQ(config.hiddenSize, row.hidden);
    EXPECT_EQ(config.expertFFNSize, row.ffn);
    EXPECT_EQ(config.numExperts, row.experts);
    EXPECT_EQ(config.topK, row.topK);
    EXPECT_EQ(config.sharedFFNSize, row.shared);
    EXPECT_EQ(int64_t(config.moeLayers.size()), row.layers);
    ASSERT_FALSE(config.moeLayers.empty());
    EXPECT_EQ(config.moeLayers.front(), row.first);
    EXPECT_EQ(config.hasSelectionBias, row.bias);
    EXPECT_EQ(config.normalizesWeights(), row.normalizes);
    EXPECT_EQ(config.network, row.network);
    EXPECT_EQ(config.hasRouterBias, row.name.starts_with("gpt-oss"));
    EXPECT_EQ(config.hasExpertBiases, row.name.starts_with("gpt-oss"));
    EXPECT_EQ(config.weighsInputs, row.name.starts_with("llama4"));
    EXPECT_TRUE(config.attention.has_value());
  }
}

/// Parses the text of a config.
ModelConfig parseText(const std::string &text) {
  Expected<ModelConfig> config = parseHFConfig(text, "config.json");
  if (!config) {
    ADD_FAILURE() << toString(config.takeError()) << "\n" << text;
    return {};
  }
  EXPECT_FALSE(errorToBool(applyOverrides(*config, {})));
  return *config;
}

std::string getConfigError(const std::string &text) {
  Expected<ModelConfig> config = parseHFConfig(text, "config.json");
  return config ? "" : toString(config.takeError());
}

constexpr char kDeepSeekSizes[] =
    R"("hidden_size": 32, "num_hidden_layers": 6, "n_routed_experts": 16,
       "num_experts_per_tok": 2, "moe_intermediate_size": 8,
       "num_attention_heads": 4)";

// The defaults of DeepseekV2Config and DeepseekV3Config in transformers.
TEST(ModelConfigTest, DefaultsAreThoseOfTheConfigClass) {
  ModelConfig v2 = parseText(R"({"model_type": "deepseek_v2", )" +
                             std::string(kDeepSeekSizes) + "}");
  EXPECT_EQ(v2.moeLayers.front(), 0);
  EXPECT_EQ(v2.scores, ScoreFunction::Softmax);
  EXPECT_FALSE(v2.groups || v2.hasSelectionBias || v2.normalizesWeights());
  EXPECT_EQ(v2.weightScale(), 1);
  EXPECT_EQ(v2.sharedFFNSize, 2 * 8);
  ASSERT_TRUE(v2.attention.has_value());
  EXPECT_EQ(v2.attention->latent, 512);
  EXPECT_EQ(v2.attention->queryLatent, 1536);
  EXPECT_EQ(v2.attention->query, 4 * (128 + 64));
  EXPECT_EQ(v2.attention->output, 4 * 128);

  ModelConfig v3 = parseText(R"({"model_type": "deepseek_v3", )" +
                             std::string(kDeepSeekSizes) + "}");
  EXPECT_EQ(v3.moeLayers.front(), 3);
  EXPECT_EQ(v3.scores, ScoreFunction::Sigmoid);
  ASSERT_TRUE(v3.groups.has_value());
  EXPECT_EQ(v3.groups->count, 8);
  EXPECT_EQ(v3.groups->chosen, 4);
  EXPECT_TRUE(v3.hasSelectionBias && v3.normalizesWeights());
  EXPECT_EQ(v3.weightScale(), 2.5);
  EXPECT_EQ(v3.sharedFFNSize, 8);

  // `null` sets None in the config class, which is not its default.
  ModelConfig plain = parseText(
      R"({"model_type": "deepseek_v2", "kv_lora_rank": null, "v_head_dim": 0,
          "qk_nope_head_dim": 0, "use_mla": false, "n_shared_experts": null, )" +
      std::string(kDeepSeekSizes) + "}");
  EXPECT_EQ(plain.sharedFFNSize, 0);
  ASSERT_TRUE(plain.attention.has_value());
  EXPECT_EQ(plain.attention->latent, 0);
  EXPECT_EQ(plain.getAttentionWeights(), 4 * 32 * 32);
  EXPECT_EQ(parseText(R"({"model_type": "deepseek_v2", "q_lora_rank": null, )" +
                      std::string(kDeepSeekSizes) + "}")
                .attention->queryLatent,
            0);
}

/// Full layers and layers with a sliding window have different heads: queries
/// and keys of 6 elements, values of 4.
TEST(ModelConfigTest, LayersMayHaveOtherHeads) {
  ModelConfig config = parseText(
      R"({"model_type": "mimo_v2_flash", "hidden_size": 16,
          "num_hidden_layers": 4, "n_routed_experts": 8,
          "num_experts_per_tok": 2, "moe_intermediate_size": 8,
          "intermediate_size": 24, "num_attention_heads": 4,
          "num_key_value_heads": 1, "head_dim": 6, "v_head_dim": 4,
          "swa_num_attention_heads": 4, "swa_num_key_value_heads": 2,
          "swa_head_dim": 6, "swa_v_head_dim": 4,
          "hybrid_layer_pattern": [0, 1, 1, 0], "moe_layer_freq": [0, 1, 1, 1]})");
  double full = 16 * (24 + 6 + 4 + 16), sliding = 16 * (24 + 12 + 8 + 16);
  for (int64_t layer : {0, 1, 2, 3})
    EXPECT_EQ(
        config.getAttentionWeights(config.getAttention(config.getParts(layer))),
        layer == 1 || layer == 2 ? sliding : full);
  EXPECT_EQ(config.getAttentionWeights(config.getMeanAttention()),
            (full + sliding) / 2);
  EXPECT_EQ(config.getParts(0).denseFFNs, 1);
  EXPECT_EQ(config.getParts(1).denseFFNs, 0);
}

/// Letters select Mamba, attention, dense and expert layers.
TEST(ModelConfigTest, LayersByAPattern) {
  std::string sizes =
      R"({"model_type": "nemotron_h", "hidden_size": 16, "n_routed_experts": 8,
          "num_experts_per_tok": 2, "moe_intermediate_size": 12,
          "moe_shared_expert_intermediate_size": 20, "intermediate_size": 24,
          "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4,
          "mlp_hidden_act": "relu2", "routed_scaling_factor": 2.5)";
  ModelConfig config =
      parseText(sizes + R"(, "hybrid_override_pattern": "ME*-EM"})");
  EXPECT_EQ(config.numLayers, 6);
  EXPECT_EQ(config.moeLayers, (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(config.network, ExpertNetwork::GPTRelu2);
  EXPECT_EQ(config.sharedFFNSize, 20);
  EXPECT_TRUE(config.hasSelectionBias && config.normalizesWeights());
  int attentions[] = {0, 0, 1, 0, 0, 0}, networks[] = {0, 0, 0, 1, 0, 0};
  for (int64_t layer = 0; layer < 6; ++layer) {
    EXPECT_EQ(config.getParts(layer).attentions, attentions[layer]);
    EXPECT_EQ(config.getParts(layer).denseFFNs, networks[layer]);
  }
  EXPECT_EQ(parseText(sizes + R"(, "moe_latent_size": 4,
      "layers_block_type": ["mamba", "moe", "attention"]})")
                .getExpertWidth(),
            4);
  EXPECT_EQ(getConfigError(sizes + R"(, "hybrid_override_pattern": "ME?"})"),
            "config.json:5:68: 'hybrid_override_pattern': expected layer 2 to "
            "be one of 'E', 'moe', '-', 'mlp', '*', 'attention', "
            "'full_attention', 'M', 'mamba', 'linear_attention', got '?'");
  EXPECT_NE(getConfigError(sizes + R"(, "num_hidden_layers": 3,
                                       "hybrid_override_pattern": "ME"})"),
            "");
  EXPECT_NE(getConfigError(sizes + "}"), "");
}

/// Layers with two attentions and two dense FFNs each, and zero-computation
/// experts that return their tokens.
TEST(ModelConfigTest, ExpertsThatGiveTokensBack) {
  ModelConfig config = parseText(
      R"({"model_type": "longcat_flash", "hidden_size": 16, "num_layers": 2,
          "n_routed_experts": 8, "zero_expert_num": 4, "moe_topk": 3,
          "expert_ffn_hidden_size": 8, "ffn_hidden_size": 24,
          "num_attention_heads": 2, "q_lora_rank": 6, "kv_lora_rank": 4,
          "qk_nope_head_dim": 4, "qk_rope_head_dim": 2, "v_head_dim": 4})");
  EXPECT_EQ(config.numExperts, 8);
  EXPECT_EQ(config.getScoredExperts(), 12);
  EXPECT_EQ(config.getSentTopK(), 2);
  EXPECT_EQ(config.getParts(1).attentions, 2);
  EXPECT_EQ(config.getParts(1).denseFFNs, 2);
  EXPECT_EQ(config.weightScale(), 6);
  EXPECT_FALSE(config.normalizesWeights());
}

} // namespace
