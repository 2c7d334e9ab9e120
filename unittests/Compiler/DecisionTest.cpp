// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions as text and as JSON.

#include "moe/Compiler/Decision.h"
#include "moe/Support/Fields.h"
#include "gtest/gtest.h"

using namespace moe;

namespace {

Decision makeDecision() {
  Decision decision;
  decision.layers = {{"0", "fwd"}, {"1", "fwd"}};
  auto add = [&](const std::string &name, double us, int64_t bytes) {
    Candidate candidate;
    candidate.name = name;
    candidate.us = us;
    candidate.peakBytes = bytes;
    decision.candidates.push_back(candidate);
  };
  add("o1", 2, 1000000);
  add("o2", 3, 1000000);
  add("baseline", 4, 2000000);
  decision.candidates.back().isBaseline = true;
  add("o3", 5, 1000000);
  decision.candidates.back().isExtrapolated = true;
  decision.refused = {{"1dh", "one rank per node; nothing to do"}};
  decision.changes = {"o2 would be chosen with ib at 3 GB/s instead of 2"};
  decision.notes = {"3 candidates simulated"};
  decision.terms = {{"o1", "slice, all-to-all, all-gather"}};
  return decision;
}

TEST(DecisionTest, TextHasAllCandidates) {
  EXPECT_EQ(formatDecision(makeDecision()),
            "layers 0-1 fwd: o1, 2.0 us, 1.0 MB; runner-up: o2, 3.0 us, 1.0 "
            "MB; baseline: 4.0 us, 2.0 MB; o3, 5.0 us (extrapolated), 1.0 MB; "
            "no 1dh: one rank per node; nothing to do; o2 would be chosen with "
            "ib at 3 GB/s instead of 2; 3 candidates simulated");
}

TEST(DecisionTest, SummaryCountsWhatLost) {
  std::vector<std::string> lines = {
      "layers 0-1 fwd: o1, 2.0 us, 1.0 MB",
      "runner-up: o2, 3.0 us, 1.0 MB",
      "baseline: 4.0 us, 2.0 MB",
      "o2 would be chosen with ib at 3 GB/s instead of 2",
      "3 candidates simulated",
      "1 more compared: --remarks-full prints them",
      "1 could not be tried: --remarks-full prints them"};
  EXPECT_EQ(summarizeDecision(makeDecision()), lines);
}

TEST(DecisionTest, JsonKeepsAllFields) {
  std::string json = support::formatFields(makeDecision());
  auto read = parseDecision(json, "remark");
  ASSERT_TRUE(read) << read.getError();
  EXPECT_EQ(support::formatFields(*read), json);
  EXPECT_EQ(formatDecision(*read), formatDecision(makeDecision()));
  EXPECT_EQ(*read->candidates[3].peakBytes, 1000000);
  EXPECT_TRUE(read->candidates[3].isExtrapolated);
  EXPECT_EQ(read->layers[1].str(), "1 fwd");
  EXPECT_EQ(read->terms[0].name, "o1");
}

TEST(DecisionTest, JsonWithAnotherFieldIsRefused) {
  auto read = parseDecision(R"({"candidates": [{"time_us": 1, "us": 2}]})", "r");
  ASSERT_FALSE(read);
  EXPECT_NE(read.getError().find("us"), std::string::npos) << read.getError();
}

TEST(DecisionTest, AnExcludedCandidateIsNoRunnerUp) {
  Decision decision = makeDecision();
  decision.candidates[1].isExcluded = true;
  EXPECT_EQ(decision.getRunnerUp()->name, "baseline");
}

TEST(DecisionTest, LayersInARowAreARange) {
  EXPECT_EQ(formatLayers({{"0"}, {"1"}, {"2"}, {"7"}}), "0-2, 7");
  EXPECT_EQ(formatLayers({{"0", "fwd"}, {"1", "fwd"}, {"1", "bwd"}}),
            "0-1 fwd, 1 bwd");
  EXPECT_EQ(formatLayers({{"3", "bwd"}, {"2", "bwd"}, {"1", "bwd"}}),
            "3-1 bwd");
  EXPECT_EQ(formatLayers({{"1"}, {"2"}, {"1"}, {"0"}}), "1-2, 1-0");
  EXPECT_EQ(formatLayers({{"encoder"}, {"1"}, {"1"}}), "encoder, 1, 1");
  EXPECT_EQ(formatLayers({{"a b"}, {"18446744073709551615"}, {"0"}}),
            "a b, 18446744073709551615, 0");
}

} // namespace
