// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Schedule/ExpertSkew.h"
#include "FSMoECases.h"
#include "moe/Schedule/DegreePlanner.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace moe;
using namespace moe::schedule;

namespace {

ExpertSkew get(std::vector<double> tokens, int64_t numSources, int64_t ep,
               std::optional<double> capacity = std::nullopt) {
  int64_t numExperts = int64_t(tokens.size()) / numSources;
  auto counts = ExpertCounts::fromValues(numExperts, std::move(tokens));
  auto skew = getExpertSkew(counts, ep, capacity);
  EXPECT_TRUE(skew) << skew.getError();
  return skew ? *skew : ExpertSkew();
}

TEST(ExpertSkewTest, ByHand) {
  ExpertSkew even = get({5, 5, 5, 5}, 1, 2);
  EXPECT_DOUBLE_EQ(even.load, 1);
  EXPECT_DOUBLE_EQ(even.exchange, 1);
  // Ranks receive 12 and 4 of 16 tokens. Each rank would send half of its 8
  // tokens to the other if they were even, but 6 of them are for rank 0.
  ExpertSkew uneven = get({8, 4, 3, 1}, 1, 2);
  EXPECT_DOUBLE_EQ(uneven.load, 1.5);
  EXPECT_DOUBLE_EQ(uneven.exchange, 1.5);
  // An expert takes at most 1.25 * 4 tokens, so the ranks compute 9 and 4.
  ExpertSkew capped = get({8, 4, 3, 1}, 1, 2, 1.25);
  EXPECT_DOUBLE_EQ(capped.load, 9.0 / 8);
  EXPECT_DOUBLE_EQ(capped.exchange, 9.0 / 8);
  // All tokens stay on their source.
  ExpertSkew local = get({8, 0, 0, 8}, 2, 2);
  EXPECT_DOUBLE_EQ(local.load, 1);
  EXPECT_DOUBLE_EQ(local.exchange, 0);
  // One source sends 6 of its 8 tokens to the other and receives 2.
  ExpertSkew turned = get({2, 6, 2, 6}, 2, 2);
  EXPECT_DOUBLE_EQ(turned.load, 1.5);
  EXPECT_DOUBLE_EQ(turned.exchange, 1.5);
  EXPECT_DOUBLE_EQ(get({1, 9}, 1, 1).load, 1);
}

TEST(ExpertSkewTest, SaysWhatIsWrong) {
  auto getError = [](int64_t experts, std::vector<double> tokens, int64_t ep) {
    auto skew = getExpertSkew(
        ExpertCounts::fromValues(experts, std::move(tokens)), ep, 1.0);
    return skew ? std::string() : skew.getError();
  };
  EXPECT_EQ(getError(4, {1, 1, 1, 1}, 3),
            "expected a number of experts that divides by the 3 "
            "expert-parallel ranks, got 4");
  EXPECT_EQ(getError(4, {1, 1, 1, 1, 1, 1, 1, 1}, 4),
            "expected the counts of one source for all or of each of the 4 "
            "expert-parallel ranks, got 2");
  EXPECT_EQ(getError(2, {1, -1}, 2),
            "expected counts of tokens >= 0, got -1.000000 from source 0 to "
            "expert 1");
  EXPECT_EQ(getError(2, {0, 0}, 2),
            "expected counts whose sum is above 0, got zeros only");
}

/// Returns FSMoE's phase with the busiest rank's work instead of the mean.
LinearPhase multiply(LinearPhase phase, const ExpertSkew &skew) {
  phase.dispatch.slopeUs *= skew.exchange;
  phase.combine.slopeUs *= skew.exchange;
  phase.allGather.slopeUs *= skew.load;
  phase.experts.slopeUs *= skew.load;
  phase.reduceScatter.slopeUs *= skew.load;
  return phase;
}

/// Gain of degrees from real counts over degrees from the mean, both evaluated
/// under the real counts.
struct Gain {
  double sum = 0, most = 0;
  int64_t cases = 0, other = 0;

  void add(const FSMoECase &each, const ExpertSkew &skew) {
    DegreePlanner planner;
    // Neither variant pads real tokens to a capacity.
    LayerShape unpadded = each.shape;
    unpadded.capacityFactor.reset();
    LinearPhase mean = makePhase(*each.testbed, unpadded, each.which);
    int64_t fromMean = planner.plan(mean, 16, each.gradientUs).degree;
    LinearPhase real = multiply(mean, skew);
    DegreePlan plan = planner.plan(real, 16, each.gradientUs);
    double meanUs = plan.get(fromMean).timeUs;
    ASSERT_LE(plan.timeUs, meanUs);
    double gain = meanUs / plan.timeUs - 1;
    sum += gain;
    most = std::max(most, gain);
    other += plan.degree != fromMean;
    ++cases;
  }
  void print(const char *what) const {
    std::printf("%s: another degree in %ld of %ld cases, gain %.3f %% on "
                "average, %.2f %% at most\n",
                what, long(other), long(cases), 100 * sum / double(cases),
                100 * most);
  }
};

TEST(ExpertSkewTest, DegreesFromZipfLoadsAreNeverWorseThanFromTheMean) {
  std::mt19937_64 random(13);
  for (double exponent : {0.25, 0.5, 1.0, 1.5}) {
    Gain gain;
    forEachFSMoECase([&](const FSMoECase &each) {
      int64_t ep = each.testbed->name[0] == 'A' ? 6 : 8;
      std::vector<double> tokens;
      for (int64_t i = 0; i < 8 * ep; ++i)
        tokens.push_back(std::pow(double(i + 1), -exponent));
      std::shuffle(tokens.begin(), tokens.end(), random);
      gain.add(each, get(std::move(tokens), 1, ep, each.shape.capacityFactor));
    });
    gain.print(("Zipf " + std::to_string(exponent)).c_str());
    EXPECT_GT(gain.other, 0);
  }
}

/// Returns the lists of numbers under the keys "expert_counts" of a JSON text,
/// i.e. the tokens per expert of a layer.
std::vector<std::vector<double>> findCounts(const std::string &text) {
  const std::string key = "\"expert_counts\"";
  std::vector<std::vector<double>> lists;
  for (size_t at = text.find(key); at != std::string::npos;
       at = text.find(key, at)) {
    // The key's object contains no other, so it ends at the first brace.
    size_t end = text.find('}', at);
    while ((at = text.find('[', at)) < end) {
      size_t close = text.find_first_of("[]", ++at);
      if (close == std::string::npos || text[close] == '[')
        continue;
      std::string inside = text.substr(at, close - at);
      std::replace(inside.begin(), inside.end(), ',', ' ');
      std::istringstream numbers(inside);
      lists.emplace_back();
      for (double number; numbers >> number;)
        lists.back().push_back(number);
    }
    at = end;
  }
  return lists;
}

TEST(ExpertSkewTest, DegreesFromMeasuredLoadsAreNeverWorseThanFromTheMean) {
  const char *given = std::getenv("MOE_ROUTING_COUNTS");
  std::ifstream file(given ? given : MOE_ROUTING_COUNTS_DEFAULT);
  if (!file)
    GTEST_SKIP() << "no routing counts at "
                 << (given ? given : MOE_ROUTING_COUNTS_DEFAULT)
                 << "; MOE_ROUTING_COUNTS names another file";
  std::stringstream text;
  text << file.rdbuf();
  std::vector<std::vector<double>> lists = findCounts(text.str());
  ASSERT_FALSE(lists.empty());
  for (size_t numExperts : {8, 64}) {
    Gain gain;
    for (const std::vector<double> &list : lists) {
      if (list.size() != numExperts)
        continue;
      for (std::optional<double> capacity :
           {std::optional<double>(1.2), std::optional<double>()}) {
        ExpertSkew skew = get(list, 1, 8, capacity);
        forEachFSMoECase([&](const FSMoECase &each) {
          // Uses eight nodes and a sample of the shapes.
          if (each.testbed->name[0] == 'B' && each.gradientUs == 0 &&
              each.shape.capacityFactor == capacity)
            gain.add(each, skew);
        });
      }
    }
    ASSERT_GT(gain.cases, 0);
    gain.print((std::to_string(numExperts) + " experts, measured").c_str());
  }
}

} // namespace
