// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Traffic/Generate.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::traffic;

namespace {

GenerateOptions makeOptions(Pattern pattern) {
  GenerateOptions options;
  options.pattern = pattern;
  options.numRanks = 8;
  options.numExperts = 16;
  options.tokens = 4000;
  options.topK = 2;
  options.seed = 1;
  return options;
}

schedule::ExpertCounts getFirst(const GenerateOptions &options) {
  return generate(options)->steps[0].layers[0].counts;
}

/// Returns the tokens of each expert over all ranks.
std::vector<double> getLoads(const schedule::ExpertCounts &counts) {
  std::vector<double> loads(counts.getNumColumns());
  for (int64_t i = 0; i < counts.getNumRows(); ++i)
    for (int64_t e = 0; e < counts.getNumColumns(); ++e)
      loads[e] += counts.at(i, e);
  return loads;
}

TEST(GenerateTest, EveryTokenChoosesDifferentExperts) {
  for (Pattern pattern : {Pattern::Even, Pattern::Zipf, Pattern::Hot,
                          Pattern::Communities, Pattern::Drifting}) {
    GenerateOptions options = makeOptions(pattern);
    // If top_k equals the number of experts, each expert gets every token.
    options.topK = 16;
    options.tokens = 50;
    options.numSteps = 2;
    options.exponent = 20;
    options.share = 1;
    Trace trace = *generate(options);
    for (const StepTraffic &step : trace.steps)
      for (double tokens : step.layers[0].counts.getValues())
        EXPECT_EQ(tokens, 50) << getName(pattern);
  }
}

TEST(GenerateTest, Even) {
  // 8000 choices of 16 experts per rank: 500 each, with a deviation of about
  // 21.
  schedule::ExpertCounts counts = getFirst(makeOptions(Pattern::Even));
  for (int64_t i = 0; i < 8; ++i) {
    double sum = 0, chiSquared = 0;
    for (int64_t e = 0; e < 16; ++e) {
      sum += counts.at(i, e);
      chiSquared += std::pow(counts.at(i, e) - 500, 2) / 500;
    }
    EXPECT_EQ(sum, 8000);
    // With 15 degrees of freedom, 44 is exceeded once in ten thousand.
    EXPECT_LT(chiSquared, 44);
  }
}

TEST(GenerateTest, Zipf) {
  GenerateOptions options = makeOptions(Pattern::Zipf);
  options.topK = 1;
  options.tokens = 20000;
  std::vector<double> loads = getLoads(getFirst(options));
  std::sort(loads.rbegin(), loads.rend());
  double harmonic = 0;
  for (int p = 1; p <= 16; ++p)
    harmonic += 1.0 / p;
  for (int p = 1; p <= 16; ++p) {
    double expected = 160000 / (p * harmonic);
    EXPECT_NEAR(loads[p - 1], expected, 5 * std::sqrt(expected)) << p;
  }
}

TEST(GenerateTest, Hot) {
  GenerateOptions options = makeOptions(Pattern::Hot);
  options.topK = 1;
  options.share = 0.7;
  std::vector<double> loads = getLoads(getFirst(options));
  double most = 0;
  for (size_t rank = 0; rank < 8; ++rank)
    most = std::max(most, loads[2 * rank] + loads[2 * rank + 1]);
  EXPECT_NEAR(most / 32000, 0.7, 0.015);
}

TEST(GenerateTest, Communities) {
  GenerateOptions options = makeOptions(Pattern::Communities);
  options.topK = 1;
  options.share = 0.9;
  options.communities = 4;
  schedule::ExpertCounts counts = getFirst(options);
  double own = 0;
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t e = 0; e < 16; ++e)
      own += i / 2 == e / 4 ? counts.at(i, e) : 0;
  EXPECT_NEAR(own / 32000, 0.9, 0.01);
}

TEST(GenerateTest, Drifting) {
  GenerateOptions options = makeOptions(Pattern::Drifting);
  options.numSteps = 30;
  options.drift = 0.2;
  Trace trace = *generate(options);
  auto getDistance = [&](size_t a, size_t b) {
    std::vector<double> first = getLoads(trace.steps[a].layers[0].counts),
                        second = getLoads(trace.steps[b].layers[0].counts);
    double distance = 0;
    for (size_t e = 0; e < first.size(); ++e)
      distance += std::abs(first[e] - second[e]);
    return distance / 128000;
  };
  EXPECT_LT(getDistance(0, 1), getDistance(0, 29));
  EXPECT_GT(getDistance(0, 29), 0.15);
}

TEST(GenerateTest, SeedsTell) {
  GenerateOptions options = makeOptions(Pattern::Zipf);
  std::string first = printTrace(*generate(options));
  EXPECT_EQ(first, printTrace(*generate(options)));
  options.seed = 2;
  EXPECT_NE(first, printTrace(*generate(options)));
}

TEST(GenerateTest, Errors) {
  auto getError = [](auto change) {
    GenerateOptions options = makeOptions(Pattern::Communities);
    change(options);
    cost::Result<Trace> trace = generate(options);
    return trace ? "" : trace.getError();
  };
  EXPECT_EQ(getError([](GenerateOptions &o) { o.topK = 17; }),
            "top-k: expected at most the 16 experts, got 17");
  EXPECT_EQ(getError([](GenerateOptions &o) { o.communities = 3; }),
            "communities: expected a divisor of the 8 ranks and 16 experts, "
            "got 3");
  EXPECT_NE(getError([](GenerateOptions &o) { o.share = 2; }), "");
  EXPECT_NE(getError([](GenerateOptions &o) { o.drift = NAN; }), "");
  EXPECT_NE(getError([](GenerateOptions &o) { o.tokens = 0; }), "");
  EXPECT_NE(getError([](GenerateOptions &o) {
              o.tokens = o.numSteps = 1 << 30;
            }).find("2^32"),
            std::string::npos);
}

} // namespace
