// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Configs to plain data.

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
  // Dividing the one weight by itself is what the model does.
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

/// The JSON parser has read past the character it refuses.
TEST(ModelConfigTest, MalformedJSONNamesLineAndColumn) {
  Expected<ModelConfig> config = parseHFConfig("{\n]", "config.json");
  ASSERT_FALSE(!!config);
  EXPECT_EQ(toString(config.takeError()),
            "config.json:2:2: expected JSON, got a syntax error while parsing "
            "object key - unexpected ']'; expected string literal");
}

/// Every prefix of a config is an error, and none of them is a crash.
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

/// A key's value replaced by values of other types: an error or a config, but
/// no crash; and an error for every size.
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

// Weights of the projections, counted from the models' own shapes.
TEST(ModelConfigTest, Attention) {
  // q and o of 4096 x 4096, k and v of 4096 x 1024.
  EXPECT_EQ(parseExample("mixtral-8x7b").getAttentionWeights(), 41943040);
  // A head_dim of its own: q and o of 2048 x 4096, k and v of 2048 x 512.
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

// What the configs of newer families say, by the models' own pages.
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

} // namespace
