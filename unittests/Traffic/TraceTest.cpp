// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Traffic/Generate.h"
#include "moe/Traffic/Routing.h"
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::traffic;

namespace {

std::string getError(std::string_view text) {
  cost::Result<Trace> trace = parseTrace(text, "f");
  return trace ? "" : trace.getError();
}
std::string getLinesError(std::string_view text) {
  cost::Result<Trace> trace = parseTraceLines(text, "f");
  return trace ? "" : trace.getError();
}

TEST(TraceTest, Counts) {
  Trace trace = *parseTrace(R"({"counts": [[1, 2.0, 3], [0, 0, 9]]})", "f");
  EXPECT_EQ(trace.numRanks, 2);
  EXPECT_EQ(trace.numExperts, 3);
  EXPECT_EQ(trace.getTotal().at(1, 2), 9);
  Trace sums = *parseTrace(R"({"counts": [1099511627773, 2]})", "f");
  EXPECT_EQ(sums.numRanks, 1);
}

TEST(TraceTest, Steps) {
  Trace trace = *parseTrace(R"({"top_k": 2, "tokens": 3, "steps": [
    {"step": 0, "layers": [{"layer": "3", "counts": [[2, 4], [6, 0]]}]},
    {"step": 7, "layers": [{"layer": "3", "counts": [[1, 5], [3, 3]]},
                           {"layer": "4", "counts": [[6, 0], [6, 0]]}]}]})",
                            "f");
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[1].step, 7);
  EXPECT_EQ(trace.steps[1].layers[1].layer, "4");
  EXPECT_EQ(trace.getTotal().at(0, 0), 9);
  Trace again = *parseTrace(printTrace(trace), "f");
  EXPECT_EQ(printTrace(again), printTrace(trace));
}

TEST(TraceTest, RankToRank) {
  Trace trace = *parseTrace(R"({"steps": [{"step": 0, "layers": [
    {"layer": "3", "rank_counts": [[2, 4], [6, 0]]}]}]})",
                            "f");
  EXPECT_TRUE(trace.isRankToRank);
  EXPECT_EQ(trace.steps[0].layers[0].counts.at(0, 1), 4);
  EXPECT_TRUE(parseTrace(printTrace(trace), "f")->isRankToRank);
  EXPECT_EQ(printTrace(*parseTrace(printTrace(trace), "f")), printTrace(trace));
  EXPECT_EQ(getError(R"({"rank_counts": [[1, 2]]})"),
            "f:1:17: rank_counts: expected as many rows as columns, a row a "
            "rank and in it what goes to each rank, got 1 rows of 2");
  EXPECT_EQ(getError(R"({"rank_counts": [[1]], "counts": [1]})"),
            "f:1:34: counts: expected none beside \"rank_counts\"");
  EXPECT_NE(getError(R"({"steps": [{"step": 0, "layers": [
    {"layer": "0", "counts": [[1]]}, {"layer": "1", "rank_counts": [[1]]}]}]})")
                .find("layers[1].rank_counts: expected \"counts\", as before"),
            std::string::npos);
  EXPECT_NE(getError(R"({"top_k": 2, "steps": [{"step": 0, "layers": [
    {"layer": "0", "rank_counts": [[3]]}]}]})")
                .find("layers[0].rank_counts: expected row 0 to add up to"),
            std::string::npos);
}

TEST(TraceTest, Lines) {
  Trace trace = *parseTraceLines(
      R"({"experts": 4, "ranks": 2, "top_k": 2}
{"step": 0, "layer": "a", "rank": 1, "indices": [[0, 3], [3, 1]]}

{"step": 0, "layer": "a", "rank": 0, "indices": []}
{"step": 2, "layer": "a", "rank": 0, "indices": [[2, 1]]}
{"step": 2, "layer": "a", "rank": 1, "indices": [[0, 1]]})",
      "f");
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[0].layers[0].counts.at(1, 3), 2);
  EXPECT_EQ(trace.steps[1].layers[0].counts.at(0, 2), 1);
}

TEST(TraceTest, Errors) {
  EXPECT_EQ(getError(R"({"counts": [1, -2]})"),
            "f:1:16: counts[1]: expected a whole number in [0, 2^40 - 1], got "
            "-2");
  EXPECT_EQ(getError(R"({"counts": [1099511627776]})"),
            "f:1:13: counts[0]: expected a whole number in [0, 2^40 - 1], got "
            "1099511627776");
  EXPECT_EQ(getError(R"({"counts": [1099511627775, 1]})"),
            "f:1:13: counts: expected numbers that add up to at most 2^40 - 1, "
            "got 1099511627776");
  EXPECT_EQ(
      getError("{\n  \"counts\": [[0, 0], [0, 0]]}"),
      "f:2:13: counts: expected counts of which one is above 0, got zeros "
      "only");
  EXPECT_NE(getError(R"({"counts": [1, 2.5]})").find("got 2.5"),
            std::string::npos);
  EXPECT_NE(getError(R"({"counts": [[1, 2], [3]]})").find("array of 2 numbers"),
            std::string::npos);
  auto steps = [&](std::string_view rest) {
    return getError(R"({"steps": [{"step": 0, "layers": [)" +
                    std::string(rest));
  };
  EXPECT_EQ(steps(R"({"layer": "0", "counts": [1099511627776]}]}]})"),
            "f:1:61: steps[0].layers[0].counts[0]: expected a whole number in "
            "[0, 2147483647], got 1099511627776");
  EXPECT_NE(steps(R"({"layer": "0", "counts": [2147483647, 2147483647]}]}]})")
                .find("add up to at most 2147483647"),
            std::string::npos);
  EXPECT_NE(
      steps(
          R"({"layer": "0", "counts": [1]}, {"layer": "0", "counts": [1]}]}]})")
          .find("each layer of a step once"),
      std::string::npos);
  EXPECT_NE(
      steps(
          R"({"layer": "0", "counts": [1]}, {"layer": "1", "counts": [1, 2]}]}]})")
          .find("expected 1 rows of 1 experts, as before, got 1 of 2"),
      std::string::npos);
  EXPECT_NE(steps("]}]}").find("at least one layer"), std::string::npos);
  EXPECT_NE(getError(R"({"steps": []})").find("at least one step"),
            std::string::npos);
  EXPECT_NE(getError(R"({"tokens": 2, "steps": []})").find("\"top_k\" beside"),
            std::string::npos);
  EXPECT_NE(getError(R"({"top_k": 2, "steps": [{"step": 0, "layers": [
    {"layer": "0", "counts": [[1, 2]]}]}]})")
                .find("row 0 to add up to a multiple of top_k 2, got 3"),
            std::string::npos);
  EXPECT_EQ(getError("").rfind("f:", 0), 0u);
}

TEST(TraceTest, LinesErrors) {
  constexpr const char *kHeader = R"({"experts": 4, "ranks": 2, "top_k": 2})"
                                  "\n";
  auto after = [&](std::string_view rest) {
    return getLinesError(kHeader + std::string(rest));
  };
  EXPECT_EQ(getLinesError(""),
            "f:1:1: experts: expected a first line {\"experts\": E, \"ranks\": "
            "R, \"top_k\": k}, got an empty file");
  EXPECT_NE(after("").find("lines of at least one step"), std::string::npos);
  EXPECT_EQ(
      after(R"({"step": 0, "layer": "a", "rank": 0, "indices": [[1, 2]]})"),
      "f:2:1: rank: expected all 2 ranks of layer \"a\" at step 0 before here, "
      "got none of rank 1");
  EXPECT_EQ(after(R"({"step": 3, "layer": "a", "rank": 1, "indices": []}
{"step": 3, "layer": "a", "rank": 0, "indices": []})"),
            "f:2:1: indices: expected a token on one of the ranks of layer "
            "\"a\" at step 3, got none on any");
  // The last line is cut off.
  EXPECT_NE(after(R"({"step": 0, "layer": "a", "rank": 0, "indi)").find("f:2:"),
            std::string::npos);
  EXPECT_NE(after(R"({"step": 0, "layer": "a", "rank": 2, "indices": []})")
                .find("integer in [0, 1]"),
            std::string::npos);
  EXPECT_EQ(
      after(R"({"step": 0, "layer": "a", "rank": 0, "indices": [[1, 4]]})"),
      "f:2:54: indices[0][1]: expected an expert in [0, 4), got 4");
  EXPECT_NE(
      after(R"({"step": 0, "layer": "a", "rank": 0, "indices": [[1, 1]]})")
          .find("different experts"),
      std::string::npos);
  EXPECT_NE(after(R"({"step": 0, "layer": "a", "rank": 0, "indices": [[1]]})")
                .find("an array of 2 experts, got one of 1"),
            std::string::npos);
  EXPECT_NE(getLinesError(R"({"experts": 16777216, "ranks": 16777216, )"
                          R"("top_k": 1})")
                .find("2^24 counts"),
            std::string::npos);
  std::string line = R"({"step": 1, "layer": "a", "rank": 0, "indices": []})"
                     "\n";
  EXPECT_NE(after(line + line).find("once, got 0 again"), std::string::npos);
}

/// Small changes to good files never crash and give messages that name the
/// file.
TEST(TraceTest, Mutations) {
  const char *given = std::getenv("MOE_FUZZ_TRAFFIC");
  int numInputs = given ? std::atoi(given) : 20000;
  const std::string good[] = {
      R"({"counts": [[1, 2, 3], [4, 5, 6]]})",
      R"({"top_k": 2, "tokens": 3, "steps": [{"step": 0, "layers": [
        {"layer": "3", "counts": [[2, 4], [6, 0]]}]}]})",
      R"({"experts": 4, "ranks": 1, "top_k": 2}
{"step": 0, "layer": "a", "rank": 0, "indices": [[0, 3], [3, 1]]}
{"step": 2, "layer": "a", "rank": 0, "indices": [[2, 1]]})",
      R"({"rank_counts": [[1, 2], [4, 5]]})",
      R"({"steps": [{"step": 0, "layers": [
        {"layer": "3", "rank_counts": [[2, 4], [6, 0]]},
        {"layer": "4", "rank_counts": [[2, 4], [6, 0]]}]}]})"};
  constexpr std::string_view kPieces[] = {
      "-1", "1e300", "1099511627776", "0.5", "null", "[",   "]", "{", "}",
      ",",  "\"",    "\\u0000",       "\n",  ":",    "true"};
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < numInputs; ++i) {
    size_t which = random() % std::size(good);
    std::string text = good[which];
    for (unsigned change = 1 + random() % 4; change > 0; --change) {
      size_t at = random() % (text.size() + 1);
      switch (random() % 4) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.insert(at, kPieces[random() % std::size(kPieces)]);
        break;
      case 2:
        text.erase(at, 1 + random() % 8);
        break;
      default:
        if (at < text.size())
          text[at] = static_cast<char>(random());
      }
    }
    cost::Result<Trace> trace =
        which == 2 ? parseTraceLines(text, "f") : parseTrace(text, "f");
    if (!trace) {
      EXPECT_EQ(trace.getError().rfind("f:", 0), 0u) << text;
      ++refused;
      continue;
    }
    EXPECT_GE(trace->steps.size(), 1u) << text;
    EXPECT_EQ(trace->getTotal().getValues().size(),
              size_t(trace->numRanks * trace->numExperts));
    EXPECT_TRUE(!trace->isRankToRank || trace->numRanks == trace->numExperts);
    // Every query of a program returns an answer or a message.
    auto all = std::make_shared<Trace>(std::move(*trace));
    for (std::optional<size_t> step : {std::optional<size_t>(0), {}}) {
      Routing routing(all, "f", step);
      auto rows = routing.getRows({"3", 2, 4}, 6);
      if (!rows)
        EXPECT_EQ(rows.getError().rfind("f: ", 0), 0u) << text;
      else
        EXPECT_TRUE(std::isfinite(getMostReceived(*rows))) << text;
    }
    for (const RoutedLayer &layer : {RoutedLayer{"3", 2, 2}, {"a", 1, 4}}) {
      auto choices = Routing(all, "f", 0).getChoices(layer, 3, 2);
      if (!choices)
        EXPECT_EQ(choices.getError().rfind("f: ", 0), 0u) << text;
      else
        for (const std::vector<int32_t> &own : *choices)
          for (int32_t expert : own)
            EXPECT_TRUE(expert >= 0 && expert < *layer.numExperts) << text;
    }
  }
  EXPECT_GT(refused, numInputs / 4);
}

} // namespace
