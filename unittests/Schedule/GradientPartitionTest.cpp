// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomNetworks.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace moe::schedule;

namespace {

using Layers = std::vector<GeneralizedLayer>;
using Pieces = std::vector<GradientBucket>;

GradientPartition partition(const Layers &layers, const LinearTime &allReduce,
                            const PartitionLimits &limits = {}) {
  auto result = partitionGradients(layers, allReduce, limits);
  EXPECT_TRUE(bool(result)) << result.getError();
  EXPECT_EQ(checkPartition(layers, result->pieces), "");
  return *result;
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

/// An all-reduce of x elements takes 1 + x us.
constexpr LinearTime kOneAndOne = {1, 1};
constexpr OverlapWindow kDense = OverlapWindow::Dense,
                        kMoE = OverlapWindow::MoE,
                        kAfter = OverlapWindow::After;

TEST(GradientPartitionTest, WorkedExample) {
  Layers layers = {{10, 5, {{1, 10, 6}}}, {10, 5, {{1, 10, 6}}}};
  GradientPartition plan = partition(layers, kOneAndOne);
  // An MoE part hides 10 - 6 us including an alpha of 1 us; a dense part hides
  // 5.
  EXPECT_EQ(plan.pieces, (Pieces{{1, kMoE, 1, 3},
                                 {0, kDense, 1, 4},
                                 {0, kMoE, 1, 3},
                                 {0, kMoE, 0, 10}}));
  EXPECT_DOUBLE_EQ(plan.time.denseUs, 10);
  EXPECT_DOUBLE_EQ(plan.time.moeUs, 10 + 6 + 1 + 13);
  EXPECT_EQ(plan.time.afterUs, 0);
  EXPECT_EQ(plan.gapUs, 0);
}

/// With degree 1 a layer is slower by 4 us and carries 7 elements, which would
/// take 7 us in addition to degree 2.
TEST(GradientPartitionTest, AnotherDegreeCarriesMore) {
  Layers layers = {{0, 0, {{1, 12, 4}, {2, 8, 7}}},
                   {7, 0, {{1, 12, 4}, {2, 8, 7}}}};
  GradientPartition plan = partition(layers, kOneAndOne);
  EXPECT_EQ(plan.pieces, (Pieces{{0, kMoE, 1, 7}}));
  EXPECT_DOUBLE_EQ(plan.time.getUs(), 8 + 12);
  EXPECT_EQ(plan.time.degrees, (std::vector<int64_t>{1, 2}));
  EXPECT_DOUBLE_EQ(hideGradients(layers, kOneAndOne)->time.getUs(), 8 + 12);
  // A single element is better sent with degree 2.
  layers[1].gradientElements = 1;
  EXPECT_DOUBLE_EQ(partition(layers, kOneAndOne).time.getUs(), 8 + 9);
}

/// A slot cannot carry a gradient that does not exist yet, even if it would
/// pay.
TEST(GradientPartitionTest, NothingIsSentBeforeItExists) {
  Layers layers = {{8, 0, {{1, 1, 1}}}, {0, 100, {{1, 100, 1}}}};
  GradientPartition plan = partition(layers, kOneAndOne);
  EXPECT_EQ(plan.pieces, (Pieces{{0, kMoE, 0, 8}}));
  EXPECT_DOUBLE_EQ(plan.time.getUs(), 100 + 100 + 1 + 9);
}

/// The gradient of the first layer is sent last if that layer has no MoE part.
TEST(GradientPartitionTest, AfterTheBackwardPass) {
  Layers layers = {{8, 4, {}}, {8, 4, {}}};
  GradientPartition plan = partition(layers, kOneAndOne);
  EXPECT_EQ(
      plan.pieces,
      (Pieces{{0, kDense, 1, 3}, {-1, kAfter, 1, 5}, {-1, kAfter, 0, 8}}));
  EXPECT_DOUBLE_EQ(plan.time.getUs(), 4 + 4 + 14);
}

TEST(GradientPartitionTest, NoGradientNoLayerNoCost) {
  EXPECT_TRUE(partition({}, kOneAndOne).pieces.empty());
  EXPECT_EQ(partition({}, kOneAndOne).time.getUs(), 0);
  Layers silent = {{0, 3, {{1, 5, 2}}}, {0, 0, {}}};
  EXPECT_TRUE(partition(silent, kOneAndOne).pieces.empty());
  EXPECT_EQ(partition(silent, kOneAndOne).time.getUs(), 8);
  // Tests an all-reduce that takes no time, and one that takes only alpha.
  Layers layers = {{int64_t(1) << 52, 3, {{1, 5, 2}}}, {7, 0, {}}};
  EXPECT_EQ(partition(layers, {0, 0}).time.getUs(), 8);
  EXPECT_EQ(partition(layers, {3, 0}).time.getUs(), 8);
  EXPECT_EQ(partition(layers, {4, 0}).time.getUs(), 9);
}

TEST(GradientPartitionTest, LayersThatAreNone) {
  auto problemOf = [](Layers layers, LinearTime allReduce = kOneAndOne) {
    auto result = partitionGradients(layers, allReduce);
    return result ? std::string() : result.getError();
  };
  EXPECT_EQ(problemOf({{-1, 0, {}}}),
            "layer 0: expected gradient elements >= 0, got -1");
  EXPECT_EQ(problemOf({{int64_t(1) << 53, 0, {}}, {1, 0, {}}}),
            "layer 1: expected at most 2^53 gradient elements in all layers, "
            "got more");
  EXPECT_EQ(problemOf({{1, -2, {}}}),
            "layer 0: expected a dense time in [0, 1e15] us, got -2");
  EXPECT_EQ(problemOf({{1, std::nan(""), {}}}),
            "layer 0: expected a dense time in [0, 1e15] us, got nan");
  EXPECT_EQ(problemOf({{1, 0, {{0, 1, 1}}}}),
            "layer 0: expected a degree >= 1, got 0");
  EXPECT_EQ(problemOf({{1, 0, {{1, 1e16, 1}}}}),
            "layer 0: expected an MoE time in [0, 1e15] us, got 1e+16");
  EXPECT_EQ(problemOf({{1, 0, {{1, 1, 2}}}}),
            "layer 0: expected a chain through the all-reduce in [0, 1] us, "
            "got 2");
  EXPECT_EQ(problemOf({}, {-1, 0}),
            "all-reduce: expected a time in [0, 1e15] us, got -1");
}

TEST(GradientPartitionTest, PartitionsThatAreNone) {
  Layers layers = {{5, 1, {{1, 1, 1}}}, {5, 1, {}}};
  EXPECT_EQ(checkPartition(layers, {{0, kDense, 1, 5}, {0, kMoE, 0, 5}}), "");
  EXPECT_EQ(checkPartition(layers, {{0, kDense, 1, 4}, {0, kMoE, 0, 5}}),
            "layer 1: expected its gradient of 5 elements to be sent, got 4 "
            "sent");
  EXPECT_EQ(checkPartition(layers, {{0, kDense, 1, 6}}),
            "piece 0: expected at most the 5 elements that are left of the "
            "gradient of layer 1, got 6");
  EXPECT_EQ(checkPartition(layers, {{0, kDense, 0, 5}}),
            "piece 0: expected to be sent after the gradient of layer 0 "
            "exists, got the dense part of layer 0");
  EXPECT_EQ(checkPartition(layers, {{1, kDense, 0, 5}}),
            "piece 0: expected to be sent after the gradient of layer 0 "
            "exists, got the dense part of layer 1");
  EXPECT_EQ(checkPartition(layers, {{1, kMoE, 1, 5}}),
            "piece 0: expected a layer with an MoE part, got layer 1");
  EXPECT_EQ(checkPartition(layers, {{0, kMoE, 1, -5}}),
            "piece 0: expected at least 1 element, got -5");
  EXPECT_EQ(checkPartition(layers, {{2, kMoE, 1, 5}}),
            "piece 0: expected to be sent in one of 2 layers, got layer 2");
  EXPECT_EQ(checkPartition(layers, {{0, kMoE, 2, 5}}),
            "piece 0: expected the gradient of one of 2 layers, got that of "
            "layer 2");
  EXPECT_EQ(checkPartition(layers, {{0, kAfter, 1, 5}}),
            "piece 0: expected layer -1 after the backward pass, got layer 0");
}

//===----------------------------------------------------------------------===//
// Random networks
//===----------------------------------------------------------------------===//

int64_t getTotal(const Layers &layers) {
  int64_t total = 0;
  for (const GeneralizedLayer &layer : layers)
    total += layer.gradientElements;
  return total;
}

/// Returns f_moe of SPEC FS-7, computed only with the simulation of FS-3.
double getMoEUs(const LinearPhase &phase, double gradientUs) {
  double bestUs = std::numeric_limits<double>::infinity();
  for (int64_t degree = 1; degree <= 16; ++degree)
    bestUs =
        std::min(bestUs, getFixedOrderUs(phase.getTimes(1.0 / double(degree)),
                                         degree, gradientUs));
  return bestUs;
}

/// Returns the least time if each slot carries a multiple of 1/`parts` of all
/// gradients, by trying every distribution of the parts over the slots.
double getBruteForceUs(const Network &network, int64_t parts) {
  const LinearTime &allReduce = network.allReduce;
  double total = double(getTotal(network.layers));
  auto getAllReduceUs = [&](int64_t n) {
    return n == 0 ? 0.0 : allReduce.getUs(double(n) / double(parts) * total);
  };
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<double> bestUs(size_t(parts) + 1, kNever);
  bestUs[0] = 0;
  double produced = 0;
  auto addSlot = [&](auto getUs) {
    std::vector<double> slotUs, nextUs(bestUs.size(), kNever);
    for (int64_t n = 0; n <= parts; ++n)
      slotUs.push_back(getUs(getAllReduceUs(n)));
    for (int64_t sent = 0; sent <= parts; ++sent)
      for (int64_t n = 0; n <= sent; ++n)
        if (n == 0 || double(sent) * total <= (produced + 1e-9) * double(parts))
          nextUs[size_t(sent)] =
              std::min(nextUs[size_t(sent)],
                       bestUs[size_t(sent - n)] + slotUs[size_t(n)]);
    bestUs = std::move(nextUs);
  };
  for (size_t i = network.layers.size(); i-- > 0;) {
    addSlot([&](double us) { return std::max(network.layers[i].denseUs, us); });
    produced += double(network.layers[i].gradientElements);
    if (!network.layers[i].moe.empty())
      addSlot([&](double us) {
        if (network.phases[i])
          return getMoEUs(*network.phases[i], us);
        double choiceUs = kNever;
        for (const BackwardChoice &choice : network.layers[i].moe)
          choiceUs = std::min(choiceUs, choice.getUs(us));
        return choiceUs;
      });
  }
  addSlot([](double us) { return us; });
  return bestUs.back();
}

TEST(GradientPartitionTest, ChoicesAreTheSimulation) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    LinearPhase phase = makePhase(random, i % 2);
    for (const BackwardChoice &choice : getBackwardChoices(phase, 16))
      for (double gradientUs : {0., 100., 1e3, 1e4, 1e5}) {
        double us = getFixedOrderUs(phase.getTimes(1.0 / double(choice.degree)),
                                    choice.degree, gradientUs);
        EXPECT_NEAR(choice.getUs(gradientUs), us, 1e-9 * us);
      }
  }
}

TEST(GradientPartitionTest, ConservesEveryElement) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    Network network = makeNetwork(random, 12);
    // Checks conservation, causality and that no bucket is empty.
    GradientPartition plan = partition(network.layers, network.allReduce);
    EXPECT_EQ(plan.gapUs, 0);
    auto step1 = hideGradients(network.layers, network.allReduce);
    ASSERT_TRUE(bool(step1));
    EXPECT_EQ(checkPartition(network.layers, step1->pieces), "");
    EXPECT_LE(plan.time.getUs(), step1->time.getUs() + getRoundingUs(network));
    // No partition is faster than having no gradients.
    EXPECT_GE(plan.time.getUs() * (1 + 1e-12),
              getBackwardTime(network.layers, network.allReduce, {}).getUs());
  }
}

TEST(GradientPartitionTest, NotBeatenByBruteForce) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    Network network = makeNetwork(random, 4);
    double us = partition(network.layers, network.allReduce).time.getUs();
    EXPECT_LE(us, getBruteForceUs(network, 64) + getRoundingUs(network));
  }
}

/// On a grid of single elements brute force is exact, so both must agree.
TEST(GradientPartitionTest, EqualsBruteForceElementByElement) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    Network network = makeNetwork(random, 4);
    int64_t total = 0;
    for (GeneralizedLayer &layer : network.layers) {
      layer.gradientElements /= 100000;
      total += layer.gradientElements;
    }
    network.allReduce.slopeUs *= 100000;
    if (total == 0)
      continue;
    double us = partition(network.layers, network.allReduce).time.getUs();
    double bestUs = getBruteForceUs(network, total);
    EXPECT_LE(us, bestUs + getRoundingUs(network));
    EXPECT_GE(us, bestUs - 1e-6);
  }
}

TEST(GradientPartitionTest, EqualsBruteForceWhereChoicesAreMany) {
  std::mt19937_64 random(6);
  int better = 0;
  for (int i = 0; i < 1000; ++i) {
    Network network = makeHardNetwork(random, 4);
    int64_t total = getTotal(network.layers);
    if (total == 0)
      continue;
    double us = partition(network.layers, network.allReduce).time.getUs();
    double bestUs = getBruteForceUs(network, total);
    EXPECT_LE(us, bestUs + getRoundingUs(network));
    EXPECT_GE(us, bestUs - 1e-6);
    auto step1 = hideGradients(network.layers, network.allReduce);
    better += us < step1->time.getUs() - getRoundingUs(network);
  }
  // Step 2 must have an effect.
  EXPECT_GT(better, 200);
}

/// The gap is a bound. A network with too many layers for an exact search
/// within the candidate limit is still close to the optimum.
TEST(GradientPartitionTest, GapBoundsWhatIsLeftOut) {
  std::mt19937_64 random(4);
  double gapUs = 0, lossUs = 0;
  for (int i = 0; i < 300; ++i) {
    Network network = makeHardNetwork(random, 24);
    GradientPartition best = partition(network.layers, network.allReduce);
    GradientPartition coarse =
        partition(network.layers, network.allReduce, {/*maxCandidates=*/4});
    double loss = coarse.time.getUs() - best.time.getUs();
    EXPECT_LE(loss, coarse.gapUs + getRoundingUs(network));
    EXPECT_GE(loss, -best.gapUs - getRoundingUs(network));
    gapUs += coarse.gapUs;
    lossUs += loss;
  }
  // Candidates were left out, and the loss shows.
  EXPECT_GT(gapUs, 0);
  EXPECT_GT(lossUs, 0);
}

} // namespace
