// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples of numbers and of experts.

#include "moe/Interpreter/Sampling.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "moe/Interpreter/Hashing.h"
#include "moe/Interpreter/Rounding.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir;
using namespace moe;

namespace {

TEST(SamplingTest, FloatsAreExactAndInRange) {
  MLIRContext context;
  Builder builder(&context);
  for (FloatType type :
       {FloatType(builder.getBF16Type()), FloatType(builder.getF16Type()),
        FloatType(builder.getF32Type()),
        FloatType(Float8E4M3FNType::get(&context)),
        FloatType(Float8E5M2Type::get(&context)),
        FloatType(Float4E2M1FNType::get(&context)),
        FloatType(Float8E8M0FNUType::get(&context))}) {
    uint64_t hash = hashArgument(3, 1, 2);
    std::set<double> seen;
    for (uint64_t i = 0; i < 4000; ++i) {
      double value = drawFloat(hash, i, type);
      EXPECT_GE(value, -1.0);
      EXPECT_LT(value, 1.0);
      EXPECT_EQ(Rounder(type)(value), value);
      seen.insert(value);
    }
    // 2^8 different numbers or, with fewer bits, 2^4, 2^3 or 2^2; two scales.
    EXPECT_GE(seen.size(), isa<Float8E8M0FNUType>(type)  ? 2u
                           : isa<Float4E2M1FNType>(type) ? 4u
                                                         : 8u);
  }
}

TEST(SamplingTest, DrawsDependOnSeedArgumentHolderAndIndex) {
  std::set<uint64_t> hashes;
  for (uint64_t seed : {0, 1})
    for (unsigned argument : {0, 1})
      for (int64_t rank : {0, 1})
        hashes.insert(hashArgument(seed, argument, rank));
  EXPECT_EQ(hashes.size(), 8u);
}

TEST(SamplingTest, ChosenExpertsAreDistinctAndInTheirGroups) {
  GateLimits limits{12, 4, 2, 4};
  for (unsigned sample = 0; sample < 6; ++sample)
    for (uint64_t token = 0; token < 300; ++token) {
      SmallVector<int64_t> chosen =
          sampleExperts(scramble(token), 5, sample, limits);
      ASSERT_EQ(chosen.size(), 4u);
      std::set<int64_t> distinct(chosen.begin(), chosen.end()), groups;
      EXPECT_EQ(distinct.size(), 4u);
      for (int64_t expert : chosen) {
        EXPECT_TRUE(expert >= 0 && expert < 12);
        groups.insert(expert / 3);
      }
      EXPECT_LE(groups.size(), 2u);
    }
}

/// Returns the share of 4000 tokens that chose the most popular of 16 experts.
static double getTopShare(unsigned sample) {
  std::map<int64_t, int> counts;
  for (uint64_t token = 0; token < 4000; ++token)
    ++counts[sampleExperts(scramble(token), 9, sample, {16, 1}).front()];
  int top = 0;
  for (auto [expert, count] : counts)
    top = std::max(top, count);
  return top / 4000.0;
}

TEST(SamplingTest, KindsOfRoutingsDiffer) {
  EXPECT_EQ(getRoutingKind(0), RoutingKind::Uniform);
  EXPECT_LT(getTopShare(0), 0.09); // 1/16
  EXPECT_EQ(getRoutingKind(1), RoutingKind::Skewed);
  EXPECT_GT(getTopShare(1), 0.5);
  EXPECT_EQ(getRoutingKind(3), RoutingKind::Hot);
  EXPECT_GT(getTopShare(3), 0.95);
  EXPECT_EQ(getRoutingKind(5), RoutingKind::Unused);
  EXPECT_LT(getTopShare(5), 0.16); // 1/8
  EXPECT_EQ(getRoutingKind(7), RoutingKind::Ties);
  EXPECT_GT(getTopShare(7), 0.2); // expert 0 wins a quarter of the draws
}

TEST(SamplingTest, LaterSamplesDrawAgain) {
  std::set<SmallVector<int64_t>> routings;
  for (unsigned sample = 0; sample < 64; sample += 2) {
    EXPECT_LT(getTopShare(sample), 0.09);
    SmallVector<int64_t> routing;
    for (uint64_t token = 0; token < 16; ++token)
      routing.push_back(
          sampleExperts(scramble(token), 0, sample, {4, 1}).front());
    routings.insert(routing);
  }
  EXPECT_EQ(routings.size(), 32u);
}

TEST(SamplingTest, UnusedExpertsAreChosenIfTheOthersDoNotSuffice) {
  for (uint64_t token = 0; token < 100; ++token) {
    SmallVector<int64_t> chosen = sampleExperts(scramble(token), 1, 5, {4, 3});
    EXPECT_EQ(std::set<int64_t>(chosen.begin(), chosen.end()).size(), 3u);
  }
}

TEST(SamplingTest, BestScoresWinAndLowerNumbersOnTies) {
  EXPECT_EQ(chooseExperts({1, 3, 2, 3}, {4, 3}, false),
            (SmallVector<int64_t>{1, 3, 2}));
  // NaN loses in any position.
  EXPECT_EQ(chooseExperts({NAN, 3, NAN, -HUGE_VAL}, {4, 3}, false),
            (SmallVector<int64_t>{1, 3, 0}));
}

TEST(SamplingTest, GroupsAreScoredByTheirBestOrTheirTwoBest) {
  // Groups {9, 0, 0} and {6, 5, 0}: one has the best score, the other the best
  // sum.
  double scores[] = {9, 0, 0, 6, 5, 0};
  EXPECT_EQ(chooseExperts(scores, {6, 2, 1, 2}, false),
            (SmallVector<int64_t>{0, 1}));
  EXPECT_EQ(chooseExperts(scores, {6, 2, 1, 2}, true),
            (SmallVector<int64_t>{3, 4}));
}

} // namespace
