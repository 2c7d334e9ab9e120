// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Traffic/Generate.h"
#include "moe/Traffic/Routing.h"
#include <gtest/gtest.h>
#include <set>

using namespace moe;
using namespace moe::traffic;

namespace {

using Choices = std::vector<std::vector<int32_t>>;

/// Returns how often each expert is chosen; fails if a token chooses one twice.
std::vector<double> count(const std::vector<int32_t> &choices, int64_t topK,
                          int64_t numExperts) {
  std::vector<double> counts(static_cast<size_t>(numExperts));
  for (size_t token = 0; token < choices.size(); token += size_t(topK)) {
    std::set<int32_t> experts(choices.begin() + long(token),
                              choices.begin() + long(token) + topK);
    EXPECT_EQ(experts.size(), size_t(topK));
    for (int32_t expert : experts)
      ++counts[static_cast<size_t>(expert)];
  }
  return counts;
}

/// All patterns reproduce the counts of every rank, and the same choices each
/// time.
TEST(ChoicesTest, CountsAreExact) {
  uint64_t seed = 0;
  for (Pattern pattern : {Pattern::Even, Pattern::Zipf, Pattern::Hot,
                          Pattern::Communities, Pattern::Drifting})
    for (auto [topK, tokens] : {std::pair(1, 1), std::pair(2, 37),
                                std::pair(3, 64), std::pair(8, 5)}) {
      GenerateOptions options;
      options.pattern = pattern;
      options.numRanks = 4;
      options.numExperts = 8;
      options.topK = topK;
      options.tokens = tokens;
      options.numLayers = options.numSteps = 3;
      options.seed = ++seed;
      auto trace = std::make_shared<Trace>(*generate(options));
      for (size_t step = 0; step < 3; ++step)
        for (const LayerTraffic &layer : trace->steps[step].layers) {
          Routing routing(trace, "f", step);
          Choices choices =
              *routing.getChoices({layer.layer, 4, 8}, tokens, topK);
          ASSERT_EQ(choices.size(), 4u);
          for (size_t rank = 0; rank < 4; ++rank) {
            ASSERT_EQ(choices[rank].size(), size_t(tokens * topK));
            std::vector<double> counts = count(choices[rank], topK, 8);
            for (int64_t e = 0; e < 8; ++e)
              EXPECT_EQ(counts[size_t(e)], layer.counts.at(int64_t(rank), e));
          }
          EXPECT_EQ(choices,
                    *routing.getChoices({layer.layer, 4, 8}, tokens, topK));
        }
    }
}

/// The combination of a token's experts is random. On average tokens are sent
/// to as many nodes as their counts imply.
TEST(ChoicesTest, TokensGoToNodesAsExpected) {
  GenerateOptions options;
  options.pattern = Pattern::Zipf;
  options.numRanks = 4;
  options.numExperts = 32;
  options.topK = 4;
  options.tokens = 4000;
  options.numLayers = options.numSteps = 1;
  options.seed = 3;
  auto trace = std::make_shared<Trace>(*generate(options));
  Routing routing(trace, "f", 0);
  RoutedLayer layer{trace->steps[0].layers[0].layer, 4, 32};
  Choices choices = *routing.getChoices(layer, 4000, 4);
  cost::Matrix<double> expected = *routing.getNodeTokens(layer, 16000, 4, 4);
  for (size_t rank = 0; rank < 4; ++rank) {
    std::vector<double> tokens(4);
    for (size_t token = 0; token < 4000; ++token) {
      std::set<int32_t> nodes;
      for (size_t i = 0; i < 4; ++i)
        nodes.insert(choices[rank][4 * token + i] / 8);
      for (int32_t node : nodes)
        ++tokens[static_cast<size_t>(node)];
    }
    for (int64_t node = 0; node < 4; ++node)
      EXPECT_NEAR(expected.at(int64_t(rank), node) /
                      tokens[static_cast<size_t>(node)],
                  1, 0.03);
  }
}

Routing read(std::string_view text, const char *name = "f") {
  cost::Result<Trace> trace = std::string_view(name).ends_with("jsonl")
                                  ? parseTraceLines(text, name)
                                  : parseTrace(text, name);
  return Routing(std::make_shared<Trace>(*trace), name, 0);
}

TEST(ChoicesTest, OneRowIsDealtOut) {
  Choices choices =
      *read(R"({"counts": [8, 5, 2, 1]})").getChoices({"0", 4, 4}, 2, 2);
  ASSERT_EQ(choices.size(), 4u);
  std::vector<double> sum(4);
  for (const std::vector<int32_t> &own : choices) {
    std::vector<double> counts = count(own, 2, 4);
    EXPECT_EQ(counts[0], 2);
    EXPECT_NEAR(counts[1], 1.25, 0.75);
    for (size_t e = 0; e < 4; ++e)
      sum[e] += counts[e];
  }
  EXPECT_EQ(sum, (std::vector<double>{8, 5, 2, 1}));
}

TEST(ChoicesTest, ExpertsOfARankGetEqualParts) {
  Choices choices = *read(R"({"rank_counts": [[5, 1], [0, 6]]})")
                         .getChoices({"0", 2, 6}, 3, 2);
  EXPECT_EQ(count(choices[0], 2, 6), (std::vector<double>{2, 2, 1, 1, 0, 0}));
  EXPECT_EQ(count(choices[1], 2, 6), (std::vector<double>{0, 0, 0, 2, 2, 2}));
}

constexpr const char *kLines = R"({"experts": 4, "ranks": 1, "top_k": 2}
{"step": 7, "layer": "x", "rank": 0, "indices": [[3, 1], [0, 2], [1, 0], [2, 3]]}
)";

TEST(ChoicesTest, TheVeryOnesOfLines) {
  Routing routing = read(kLines, "f.jsonl");
  EXPECT_EQ(*routing.getChoices({"x", 1, 4}, 4, 2),
            (Choices{{3, 1, 0, 2, 1, 0, 2, 3}}));
  EXPECT_EQ(*routing.getChoices({"x", 2, 4}, 2, 2),
            (Choices{{3, 1, 0, 2}, {1, 0, 2, 3}}));
  EXPECT_EQ(routing.getChoices({"x", 1, 4}, 3, 2).getError(),
            "f.jsonl: indices: expected top-k 2 times the 3 tokens of all "
            "ranks together of layer \"x\", got 8 choices");
}

} // namespace
