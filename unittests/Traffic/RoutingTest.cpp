// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Traffic/Routing.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::traffic;
using Rows = cost::Matrix<double>;

namespace {

Routing readRouting(std::string_view text, std::optional<size_t> step = {}) {
  return Routing(std::make_shared<Trace>(*parseTrace(text, "f")), "f", step);
}

TEST(RoutingTest, Rows) {
  // Rank 0 has experts 0 and 1.
  Routing routing = readRouting(R"({"counts": [[1, 2, 3, 0], [0, 0, 4, 2]]})");
  RoutedLayer layer{"7", 2, 4};
  Rows rows = *routing.getRows(layer, 6);
  EXPECT_EQ(*routing.getScale(layer, 6), 1);
  EXPECT_EQ(rows, (Rows{{3, 3}, {0, 6}}));
  EXPECT_EQ(getMostReceived(rows), 9);
  // A run with other sizes scales the rows in proportion.
  EXPECT_EQ(*routing.getRows(layer, 12), (Rows{{6, 6}, {0, 12}}));
  EXPECT_EQ(*routing.getScale(layer, 12), 2);
}

TEST(RoutingTest, Limits) {
  Routing routing = readRouting(R"({"counts": [[1, 2, 3, 0], [0, 0, 4, 2]]})");
  RoutedLayer layer{"7", 2, 4};
  auto cut = [&](const Routing &of, const CopyLimits &limits, double rows) {
    return *of.getRows({"7", 2, std::nullopt}, rows, {limits});
  };
  // Limits per rank; a run with twice the assignments has twice the limits.
  CopyLimits ofRanks{6, {{3, 1}, {9, 4}}};
  EXPECT_EQ(cut(routing, ofRanks, 6), (Rows{{3, 1}, {0, 4}}));
  EXPECT_EQ(cut(routing, ofRanks, 12), (Rows{{6, 2}, {0, 8}}));
  // Limits per expert, the same for all ranks.
  EXPECT_EQ(cut(routing, {6, {{1, 1, 1, 1}}}, 6), (Rows{{2, 1}, {0, 2}}));
  // One limit for all, shared in proportion to their counts.
  EXPECT_EQ(cut(routing, {6, {{3}}}, 6), (Rows{{1.5, 1.5}, {0, 3}}));
  // Limits apply one after the other.
  EXPECT_EQ(*routing.getRows(layer, 6, {{6, {{1, 1, 1, 1}}}, ofRanks}),
            (Rows{{2, 1}, {0, 2}}));
  // Limits per expert with a trace that has no counts per expert.
  Routing ranks = readRouting(R"({"rank_counts": [[1, 3], [2, 2]]})");
  EXPECT_EQ(cut(ranks, {4, {{1, 0, 1, 1}}}, 4), (Rows{{1, 2}, {1, 2}}));
}

TEST(RoutingTest, EvenRowsWithinLimits) {
  // No limits, limits per rank, per expert and for all together: the even rows
  // equal the rows of balanced counts.
  Routing routing = readRouting(R"({"counts": [[2, 2, 2, 2], [2, 2, 2, 2]]})");
  for (const std::vector<CopyLimits> &limits :
       std::vector<std::vector<CopyLimits>>{
           {},
           {{8, {{4, 1}, {3, 9}}}},
           {{8, {{1, 2, 3, 0}}}},
           {{8, {{6}}}},
           {{8, {{1, 2, 3, 0}}}, {8, {{4, 1}, {3, 9}}}}})
    for (double rows : {8., 4.})
      EXPECT_EQ(getEvenRows(2, rows, limits),
                *routing.getRows({"7", 2, 4}, rows, limits));
  EXPECT_EQ(getEvenRows(2, 8, {{8, {{1, 2, 3, 0}}}}), (Rows{{3, 2}, {3, 2}}));
}

TEST(RoutingTest, OneRowStandsForEveryRank) {
  Routing routing = readRouting(R"({"counts": [6, 2]})");
  EXPECT_EQ(*routing.getRows({"0", 2, 2}, 4), (Rows{{3, 1}, {3, 1}}));
  EXPECT_EQ(*routing.getScale({"0", 2, 2}, 4), 1);
}

TEST(RoutingTest, Steps) {
  constexpr const char *kText = R"({"steps": [
    {"step": 3, "layers": [{"layer": "a", "counts": [[1, 1], [2, 0]]}]},
    {"step": 5, "layers": [{"layer": "a", "counts": [[0, 2], [2, 0]]}]}]})";
  RoutedLayer layer{"a", 2, 2};
  EXPECT_EQ(*readRouting(kText, 1).getRows(layer, 2), (Rows{{0, 2}, {2, 0}}));
  EXPECT_EQ(*readRouting(kText).getRows(layer, 4), (Rows{{1, 3}, {4, 0}}));
  EXPECT_EQ(readRouting(kText, 1).getRows({"b", 2, 2}, 2).getError(),
            "f: step 5: layer: expected counts of layer \"b\" of the program, "
            "got those of \"a\" (moe-plan traffic --layers=N generates "
            "layers 0 to N - 1)");
}

TEST(RoutingTest, RankToRank) {
  Routing routing = readRouting(R"({"rank_counts": [[1, 3], [2, 2]]})");
  EXPECT_EQ(*routing.getRows({"0", 2, 64}, 8), (Rows{{2, 6}, {4, 4}}));
  EXPECT_EQ(routing.getRows({"0", 4, 64}, 8).getError(),
            "f: rank_counts: expected those of the 4 ranks of layer \"0\", got "
            "2");
}

TEST(RoutingTest, TokensOfNodes) {
  RoutedLayer layer{"0", 2, 4};
  // Both choices on one node, or one on each: only the choices show which.
  constexpr const char *kLines = R"({"experts": 4, "ranks": 2, "top_k": 2}
{"step": 0, "layer": "0", "rank": 0, "indices": [[0, 1], [2, 3]]}
{"step": 0, "layer": "0", "rank": 1, "indices": [[0, 2], [3, 1]]}
{"step": 1, "layer": "0", "rank": 0, "indices": [[0, 1], [1, 0]]}
{"step": 1, "layer": "0", "rank": 1, "indices": [[2, 3], [0, 3]]}
)";
  auto trace = std::make_shared<Trace>(*parseTraceLines(kLines, "f.jsonl"));
  Routing first(trace, "f.jsonl", 0), all(trace, "f.jsonl", std::nullopt);
  EXPECT_EQ(*first.getNodeTokens(layer, 4, 2, 2), (Rows{{1, 1}, {2, 2}}));
  EXPECT_EQ(*all.getNodeTokens(layer, 8, 2, 2), (Rows{{3, 1}, {3, 4}}));
  EXPECT_EQ(*all.getNodeTokens(layer, 16, 2, 2), (Rows{{6, 2}, {6, 8}}));
  EXPECT_EQ(*first.getNodeTokens(layer, 4, 2, 1), (Rows{{2}, {2}}));
  // From counts alone: 2 (1 - C(2, 2) / C(4, 2)) tokens for each of two nodes.
  Rows even =
      *readRouting(R"({"counts": [2, 2, 2, 2]})").getNodeTokens(layer, 4, 2, 2);
  Rows ranks = *readRouting(R"({"rank_counts": [[2, 2], [2, 2]]})")
                    .getNodeTokens(layer, 4, 2, 2);
  ASSERT_EQ(even.getValues().size(), 4u);
  ASSERT_EQ(ranks.getValues().size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(even.getValues()[i], 2 * (1 - 1 / 6.0), 1e-12);
    EXPECT_NEAR(ranks.getValues()[i], 2 * (1 - 1 / 6.0), 1e-12);
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
  EXPECT_EQ(*routing.getRows({"0", 2, {}}, 10), (Rows{{2, 4}, {6, 8}}));
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
