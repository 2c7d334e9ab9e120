// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Traffic/Routing.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::traffic;

namespace {

Routing readRouting(std::string_view text, std::optional<size_t> step = {}) {
  return Routing(std::make_shared<Trace>(*parseTrace(text, "f")), "f", step);
}

TEST(RoutingTest, Rows) {
  // Experts 0 and 1 are rank 0's.
  Routing routing = readRouting(R"({"counts": [[1, 2, 3, 0], [0, 0, 4, 2]]})");
  RoutedLayer layer{"7", 2, 4};
  RowMatrix rows = *routing.getRows(layer, 6);
  EXPECT_EQ(*routing.getScale(layer, 6), 1);
  EXPECT_EQ(rows.rows, (std::vector<double>{3, 3, 0, 6}));
  EXPECT_EQ(rows.getMostReceived(), 9);
  // A run of other sizes: in proportion.
  EXPECT_EQ(routing.getRows(layer, 12)->rows,
            (std::vector<double>{6, 6, 0, 12}));
  EXPECT_EQ(*routing.getScale(layer, 12), 2);
}

TEST(RoutingTest, Limits) {
  Routing routing = readRouting(R"({"counts": [[1, 2, 3, 0], [0, 0, 4, 2]]})");
  RoutedLayer layer{"7", 2, 4};
  auto cut = [&](const Routing &of, const CopyLimits &limits, double rows) {
    return of.getRows({"7", 2, std::nullopt}, rows, {limits})->rows;
  };
  // Of ranks; a run of twice the copies has twice the limits.
  CopyLimits ofRanks{6, 2, {3, 1, 9, 4}};
  EXPECT_EQ(cut(routing, ofRanks, 6), (std::vector<double>{3, 1, 0, 4}));
  EXPECT_EQ(cut(routing, ofRanks, 12), (std::vector<double>{6, 2, 0, 8}));
  // Of experts, the same for all ranks.
  EXPECT_EQ(cut(routing, {6, 4, {1, 1, 1, 1}}, 6),
            (std::vector<double>{2, 1, 0, 2}));
  // One for all: shared by what they have.
  EXPECT_EQ(cut(routing, {6, 1, {3}}, 6),
            (std::vector<double>{1.5, 1.5, 0, 3}));
  // One after the other.
  EXPECT_EQ(routing.getRows(layer, 6, {{6, 4, {1, 1, 1, 1}}, ofRanks})->rows,
            (std::vector<double>{2, 1, 0, 2}));
  // Those of experts, where nobody counted by expert.
  Routing ranks = readRouting(R"({"rank_counts": [[1, 3], [2, 2]]})");
  EXPECT_EQ(cut(ranks, {4, 4, {1, 0, 1, 1}}, 4),
            (std::vector<double>{1, 2, 1, 2}));
}

TEST(RoutingTest, EvenRowsWithinLimits) {
  // Of no limits, of ranks, of experts, of all together; what balanced counts
  // make of them.
  Routing routing = readRouting(R"({"counts": [[2, 2, 2, 2], [2, 2, 2, 2]]})");
  for (const std::vector<CopyLimits> &limits :
       std::vector<std::vector<CopyLimits>>{
           {},
           {{8, 2, {4, 1, 3, 9}}},
           {{8, 4, {1, 2, 3, 0}}},
           {{8, 1, {6}}},
           {{8, 4, {1, 2, 3, 0}}, {8, 2, {4, 1, 3, 9}}}})
    for (double rows : {8., 4.})
      EXPECT_EQ(getEvenRows(2, rows, limits).rows,
                routing.getRows({"7", 2, 4}, rows, limits)->rows);
  EXPECT_EQ(getEvenRows(2, 8, {{8, 4, {1, 2, 3, 0}}}).rows,
            (std::vector<double>{3, 2, 3, 2}));
}

TEST(RoutingTest, OneRowStandsForEveryRank) {
  Routing routing = readRouting(R"({"counts": [6, 2]})");
  EXPECT_EQ(routing.getRows({"0", 2, 2}, 4)->rows,
            (std::vector<double>{3, 1, 3, 1}));
  EXPECT_EQ(*routing.getScale({"0", 2, 2}, 4), 1);
}

TEST(RoutingTest, Steps) {
  constexpr const char *kText = R"({"steps": [
    {"step": 3, "layers": [{"layer": "a", "counts": [[1, 1], [2, 0]]}]},
    {"step": 5, "layers": [{"layer": "a", "counts": [[0, 2], [2, 0]]}]}]})";
  RoutedLayer layer{"a", 2, 2};
  EXPECT_EQ(readRouting(kText, 1).getRows(layer, 2)->rows,
            (std::vector<double>{0, 2, 2, 0}));
  EXPECT_EQ(readRouting(kText).getRows(layer, 4)->rows,
            (std::vector<double>{1, 3, 4, 0}));
  EXPECT_EQ(readRouting(kText, 1).getRows({"b", 2, 2}, 2).getError(),
            "f: step 5: layer: expected counts of layer \"b\" of the program, "
            "got those of \"a\" (moe-plan traffic --layers=N generates "
            "layers 0 to N - 1)");
}

TEST(RoutingTest, RankToRank) {
  Routing routing = readRouting(R"({"rank_counts": [[1, 3], [2, 2]]})");
  EXPECT_EQ(routing.getRows({"0", 2, 64}, 8)->rows,
            (std::vector<double>{2, 6, 4, 4}));
  EXPECT_EQ(routing.getRows({"0", 4, 64}, 8).getError(),
            "f: rank_counts: expected those of the 4 ranks of layer \"0\", got "
            "2");
}

TEST(RoutingTest, TokensOfNodes) {
  RoutedLayer layer{"0", 2, 4};
  // Both choices on one node, or one on each: only the choices tell.
  constexpr const char *kLines = R"({"experts": 4, "ranks": 2, "top_k": 2}
{"step": 0, "layer": "0", "rank": 0, "indices": [[0, 1], [2, 3]]}
{"step": 0, "layer": "0", "rank": 1, "indices": [[0, 2], [3, 1]]}
{"step": 1, "layer": "0", "rank": 0, "indices": [[0, 1], [1, 0]]}
{"step": 1, "layer": "0", "rank": 1, "indices": [[2, 3], [0, 3]]}
)";
  auto trace = std::make_shared<Trace>(*parseTraceLines(kLines, "f.jsonl"));
  using Tokens = std::vector<double>;
  Routing first(trace, "f.jsonl", 0), all(trace, "f.jsonl", std::nullopt);
  EXPECT_EQ(first.getNodeTokens(layer, 4, 2, 2)->tokens, (Tokens{1, 1, 2, 2}));
  EXPECT_EQ(all.getNodeTokens(layer, 8, 2, 2)->tokens, (Tokens{3, 1, 3, 4}));
  EXPECT_EQ(all.getNodeTokens(layer, 16, 2, 2)->tokens, (Tokens{6, 2, 6, 8}));
  EXPECT_EQ(first.getNodeTokens(layer, 4, 2, 1)->tokens, (Tokens{2, 2}));
  // Counts alone: 2 (1 - C(2, 2) / C(4, 2)) tokens for each of two nodes.
  NodeTokens even =
      *readRouting(R"({"counts": [2, 2, 2, 2]})").getNodeTokens(layer, 4, 2, 2);
  NodeTokens ranks = *readRouting(R"({"rank_counts": [[2, 2], [2, 2]]})")
                          .getNodeTokens(layer, 4, 2, 2);
  ASSERT_EQ(even.tokens.size(), 4u);
  ASSERT_EQ(ranks.tokens.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(even.tokens[i], 2 * (1 - 1 / 6.0), 1e-12);
    EXPECT_NEAR(ranks.tokens[i], 2 * (1 - 1 / 6.0), 1e-12);
  }
  EXPECT_EQ(
      readRouting(R"({"counts": [1, 2]})").getNodeTokens(layer, 4, 2, 2).getError(),
      "f: counts: expected those of the 4 experts of layer \"0\", got 2");
}

TEST(RoutingTest, Errors) {
  Routing routing = readRouting(R"({"counts": [[1, 2], [3, 4]]})");
  EXPECT_EQ(routing.getRows({"0", 2, 4}, 1).getError(),
            "f: counts: expected those of the 4 experts of layer \"0\", got 2");
  EXPECT_EQ(routing.getRows({"0", 1, 2}, 1).getError(),
            "f: counts: expected one row for all ranks or one of each of the "
            "1 ranks of layer \"0\", got 2 rows");
  EXPECT_EQ(routing.getRows({"0", 2, {}}, 10)->rows,
            (std::vector<double>{2, 4, 6, 8}));
  EXPECT_EQ(routing.getRows({"0", 4, {}}, 1).getError(),
            "f: counts: expected experts that divide by the 4 ranks of layer "
            "\"0\", got 2");
}

TEST(RoutingTest, Spread) {
  std::vector<double> values;
  for (int i = 100; i > 0; --i)
    values.push_back(i);
  Spread spread = Spread::of(values);
  EXPECT_NEAR(spread.mean, 50.5, 1e-9);
  EXPECT_EQ(spread.p95, 95);
  EXPECT_EQ(spread.worst, 100);
  EXPECT_EQ(Spread::of({7}).p95, 7);
}

} // namespace
