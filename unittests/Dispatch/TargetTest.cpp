// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Dispatch/Target.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

using namespace moe;
using namespace moe::dispatch;

namespace {

Topology parseTopology(std::string_view text) { return *Topology::parse(text); }

/// Returns a link with the given bandwidth.
Link makeLink(double gigabytesPerSecond, double alphaUs = 0) {
  return {alphaUs, 1e-3 / gigabytesPerSecond};
}

/// TA-MoE's Table 1: [[0,1],[2,3]] with 128 MiB per device and tokens of 1 KiB.
constexpr double kTokenBytes = 1024;
constexpr Demand kTable1 = {131072, 1, kTokenBytes};
Links makeTable1() {
  return *Links::create(parseTopology("[2,2]"),
                        {makeLink(44.6), makeLink(5.95)}, makeLink(233));
}

TEST(TargetTest, SharesOfTable1) {
  Links links = makeTable1();
  double rows = kTable1.getRows();
  Matrix<double> included =
      getProportional(kTable1, links, LocalShare::Bandwidth);
  EXPECT_NEAR(included.at(0, 0) / rows, 0.805, 5e-4);
  EXPECT_NEAR(included.at(0, 1) / rows, 0.154, 5e-4);
  EXPECT_NEAR(included.at(0, 2) / rows, 0.0206, 5e-5);
  EXPECT_NEAR(included.at(0, 3) / rows, 0.0206, 5e-5);
  Matrix<double> pinned = getProportional(kTable1, links, LocalShare::Pinned);
  EXPECT_NEAR(pinned.at(3, 3) / rows, 0.250, 5e-4);
  EXPECT_NEAR(pinned.at(3, 2) / rows, 0.592, 5e-4);
  EXPECT_NEAR(pinned.at(3, 1) / rows, 0.0790, 5e-5);
  EXPECT_NEAR(pinned.at(3, 0) / rows, 0.0790, 5e-5);
}

TEST(TargetTest, TimesOfTable1) {
  Links links = makeTable1();
  for (auto [local, us] : {std::pair(LocalShare::Pinned, 1782.0),
                           std::pair(LocalShare::Bandwidth, 464.0)}) {
    cost::Result<DispatchPlan> plan =
        planDispatch(parseTopology("[2,2]"), links, kTable1, {local, 0});
    ASSERT_TRUE(plan);
    EXPECT_NEAR(plan->evenUs, 5639, 1);
    EXPECT_NEAR(plan->targetUs, us, 1);
    EXPECT_FALSE(plan->isEven);
    EXPECT_LT(plan->residual, 1e-9);
    std::optional<Optimum> best = getOptimum(kTable1, links, local);
    ASSERT_TRUE(best);
    EXPECT_NEAR(plan->targetUs / best->us, 1, 1e-6);
  }
  // The uneven pattern that the paper tried.
  Matrix<double> uneven(4);
  double shares[4] = {1 / 4.0, 1 / 2.0, 1 / 8.0, 1 / 8.0};
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 4; ++j)
      uneven.at(i, j) = shares[i ^ j] * kTable1.getRows();
  EXPECT_NEAR(getDispatchUs(uneven, links, kTokenBytes), 2820, 1);
}

TEST(TargetTest, GainOfOneLevel) {
  // SPEC TA-11: nodes of 8 in 32 ranks gain .75 + .25 rho.
  for (double ratio : {1.0, 4.0, 22.6}) {
    Links links =
        *Links::create(parseTopology("[8,8,8,8]"),
                       {makeLink(100), makeLink(100 / ratio)}, makeLink(100));
    cost::Result<DispatchPlan> plan =
        planDispatch(parseTopology("[8,8,8,8]"), links, {1 << 20, 2, 1024},
                     {LocalShare::Bandwidth, 0});
    ASSERT_TRUE(plan);
    EXPECT_NEAR(plan->evenUs / plan->targetUs, 0.75 + 0.25 * ratio, 1e-6);
  }
}

TEST(TargetTest, HomogeneousIsEven) {
  Links links =
      *Links::create(parseTopology("8"), {makeLink(100)}, makeLink(100));
  cost::Result<DispatchPlan> plan =
      planDispatch(parseTopology("8"), links, {100, 2, 1});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->isEven);
  EXPECT_DOUBLE_EQ(plan->target.at(3, 5), 25);
  EXPECT_DOUBLE_EQ(plan->leastFromOthers, 7 / 8.0);
}

TEST(TargetTest, OneDevice) {
  Links links =
      *Links::create(parseTopology("1"), {makeLink(1)}, makeLink(100));
  for (LocalShare local : {LocalShare::Pinned, LocalShare::Bandwidth}) {
    cost::Result<DispatchPlan> plan =
        planDispatch(parseTopology("1"), links, {3, 2, 1000}, {local, 1});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->tokens.at(0, 0), 6);
    EXPECT_NEAR(getOptimum({3, 2, 1000}, links, local)->us, 0.06, 1e-9);
  }
}

TEST(TargetTest, IsolationGuard) {
  Links links = makeTable1();
  cost::Result<DispatchPlan> plan = planDispatch(
      parseTopology("[2,2]"), links, kTable1, {LocalShare::Bandwidth, 0.5});
  ASSERT_TRUE(plan);
  EXPECT_NEAR(plan->leastFromOthers, 0.5 * 0.75, 1e-9);
  EXPECT_GT(plan->evenShare, 0);
  EXPECT_LE(plan->targetUs, plan->evenUs);
}

TEST(TargetTest, Errors) {
  Links links = makeTable1();
  auto getError = [&](const Topology &topology, const Demand &demand,
                      double leastShare = 0) {
    return planDispatch(topology, links, demand,
                        {LocalShare::Pinned, leastShare})
        .getError();
  };
  EXPECT_EQ(getError(parseTopology("[2,3]"), kTable1),
            "expected links between the 5 devices of topology [2,3], got such "
            "of 4");
  EXPECT_EQ(getError(parseTopology("4"), {0, 1, 1}),
            "expected at least 1 token, got 0");
  EXPECT_EQ(getError(parseTopology("4"), {1, 0, 1}),
            "expected a top-k of at least 1, got 0");
  EXPECT_NE(
      getError(parseTopology("4"), {int64_t(1) << 40, 1 << 20, 1}).find("2^53"),
      std::string::npos);
  EXPECT_NE(getError(parseTopology("4"), {1, 1, 0}).find("bytes per token"),
            std::string::npos);
  EXPECT_NE(getError(parseTopology("4"), kTable1, 1.5).find("[0, 1]"),
            std::string::npos);
  links.at(1, 2).betaUsPerByte = 0;
  EXPECT_NE(getError(parseTopology("4"), kTable1).find("from device 1 to 2"),
            std::string::npos);
}

TEST(TargetTest, SpreadOverExperts) {
  Matrix<int64_t> tokens(3, 0);
  std::mt19937 random(3);
  for (int64_t &value : tokens.getValues())
    value = random() % 50;
  for (int64_t experts : {1, 4, 7}) {
    auto spread = spreadOverExperts(tokens, experts);
    std::vector<int64_t> sums(3 * experts);
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 3; ++j) {
        int64_t sum = 0;
        for (int64_t e = 0; e < experts; ++e) {
          int64_t value = spread.at(i, j * experts + e);
          EXPECT_LE(std::abs(value * experts - tokens.at(i, j)), experts);
          sum += value;
          sums[j * experts + e] += value;
        }
        EXPECT_EQ(sum, tokens.at(i, j));
      }
    for (int64_t j = 0; j < 3; ++j) {
      auto [least, most] = std::minmax_element(
          sums.begin() + j * experts, sums.begin() + (j + 1) * experts);
      EXPECT_LE(*most - *least, 1);
    }
  }
}

//===----------------------------------------------------------------------===//
// Random topologies
//===----------------------------------------------------------------------===//

std::string drawTree(std::mt19937 &random, int depth) {
  auto upTo = [&](unsigned most) { return 1 + random() % most; };
  if (depth == 0 || random() % 4 == 0)
    return std::to_string(upTo(4));
  std::string text;
  for (unsigned i = upTo(3); i > 0; --i)
    text += (text.empty() ? "[" : ",") + drawTree(random, depth - 1);
  return text + "]";
}

Links drawLinks(std::mt19937 &random, const Topology &topology, bool noisy,
                bool hasLatency) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Link> levels;
  double bandwidth = 300;
  for (int64_t l = 0; l < topology.getNumLevels(); ++l) {
    bandwidth *= 0.1 + 0.9 * uniform(random);
    levels.push_back(
        makeLink(bandwidth, hasLatency ? 10 * uniform(random) : 0));
  }
  Links links = *Links::create(topology, levels, makeLink(1000));
  for (int64_t i = 0; noisy && i < links.getNumDevices(); ++i)
    for (int64_t j = 0; j < links.getNumDevices(); ++j)
      links.at(i, j).betaUsPerByte *= 0.5 + uniform(random);
  return links;
}

void expectSums(const Matrix<int64_t> &tokens, int64_t rows) {
  for (int64_t i = 0; i < tokens.getSize(); ++i) {
    int64_t row = 0, column = 0;
    for (int64_t j = 0; j < tokens.getSize(); ++j) {
      EXPECT_GE(tokens.at(i, j), 0);
      row += tokens.at(i, j);
      column += tokens.at(j, i);
    }
    EXPECT_EQ(row, rows);
    EXPECT_EQ(column, rows);
  }
}

TEST(TargetTest, NeverSlowerThanEven) {
  std::mt19937 random(7);
  int better = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    Topology topology = parseTopology(drawTree(random, 3));
    Links links =
        drawLinks(random, topology, /*noisy=*/trial % 2, trial % 3 == 0);
    Demand demand = {1 + int64_t(random() % 5000), 1 + int64_t(random() % 8),
                     1024};
    LocalShare local =
        random() % 2 ? LocalShare::Pinned : LocalShare::Bandwidth;
    cost::Result<DispatchPlan> plan =
        planDispatch(topology, links, demand, {local, 0});
    ASSERT_TRUE(plan) << plan.getError();
    EXPECT_LE(plan->targetUs, plan->evenUs * (1 + 1e-12));
    EXPECT_LE(plan->tokensUs, plan->evenTokensUs * (1 + 1e-12));
    expectSums(plan->tokens, demand.getRows());
    for (size_t i = 0; i < plan->target.getValues().size(); ++i)
      EXPECT_LT(std::abs(plan->target.getValues()[i] -
                         static_cast<double>(plan->tokens.getValues()[i])),
                1 + 1e-6);
    better += !plan->isEven;
    if (HasFailure())
      FAIL() << topology.print() << " in trial " << trial;
  }
  EXPECT_GT(better, 1000);
}

TEST(TargetTest, SymmetricTreesAreOptimal) {
  std::mt19937 random(11);
  for (const char *text : {"[2,2]", "[4,4,4]", "[[2,2],[2,2]]", "8",
                           "[[[2,2],[2,2]],[[2,2],[2,2]]]"})
    for (LocalShare local : {LocalShare::Pinned, LocalShare::Bandwidth})
      for (int trial = 0; trial < 10; ++trial) {
        Topology topology = parseTopology(text);
        Links links = drawLinks(random, topology, false, false);
        Demand demand = {4096, 2, 1024};
        cost::Result<DispatchPlan> plan =
            planDispatch(topology, links, demand, {local, 0});
        std::optional<Optimum> best = getOptimum(demand, links, local);
        ASSERT_TRUE(plan && best);
        EXPECT_NEAR(plan->targetUs / best->us, 1, 1e-6) << text;
      }
}

TEST(TargetTest, NothingBeatsTheOptimum) {
  std::mt19937 random(13);
  for (int trial = 0; trial < 300; ++trial) {
    Topology topology = parseTopology(drawTree(random, 2));
    Links links = drawLinks(random, topology, true, trial % 2);
    Demand demand = {512, 2, 4096};
    for (LocalShare local : {LocalShare::Pinned, LocalShare::Bandwidth}) {
      cost::Result<DispatchPlan> plan =
          planDispatch(topology, links, demand, {local, 0});
      std::optional<Optimum> best = getOptimum(demand, links, local);
      ASSERT_TRUE(plan && best);
      EXPECT_GE(plan->targetUs, best->us * (1 - 1e-9));
      cost::Result<DispatchPlan> exact =
          planDispatch(topology, links, demand, {local, 0, Planner::Exact});
      ASSERT_TRUE(exact);
      EXPECT_LT(exact->residual, 1e-9);
      EXPECT_NEAR(exact->targetUs / best->us, 1, 1e-8);
      if (!exact->isEven)
        expectSums(exact->tokens, demand.getRows());
      // Any doubly stochastic matrix is a dispatch.
      Matrix<double> other(topology.getNumDevices());
      for (double &value : other.getValues())
        value = 0.01 + static_cast<double>(random() % 100);
      for (int64_t i = 0; i < other.getSize(); ++i)
        other.at(i, i) = static_cast<double>(demand.getRows()) /
                         static_cast<double>(other.getSize());
      if (balance(other, demand.getRows(), local) < 1e-9) {
        EXPECT_GE(getDispatchUs(other, links, demand.bytesPerToken),
                  best->us * (1 - 1e-8));
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Whole tokens of an exact target
//===----------------------------------------------------------------------===//

DispatchPlan planWith(Planner planner, const Topology &topology,
                      const Links &links, const Demand &demand,
                      TargetOptions options = {}) {
  options.planner = planner;
  cost::Result<DispatchPlan> plan =
      planDispatch(topology, links, demand, options);
  EXPECT_TRUE(plan) << plan.getError();
  return *plan;
}

/// No planner may beat the exact one, which keeps sums and own shares.
void expectFastest(const DispatchPlan &exact, const DispatchPlan &other,
                   const Demand &demand, const TargetOptions &options) {
  constexpr double kRounding = 1 + 1e-9;
  EXPECT_LE(exact.targetUs, other.targetUs * kRounding);
  EXPECT_LE(exact.tokensUs, other.tokensUs);
  EXPECT_LE(exact.targetUs, exact.evenUs);
  EXPECT_LE(exact.tokensUs, exact.evenTokensUs);
  expectSums(exact.tokens, demand.getRows());
  auto n = static_cast<double>(exact.tokens.getSize());
  double rows = demand.getRows(), even = rows / n;
  EXPECT_GE(exact.leastFromOthers,
            options.leastShare * (1 - 1 / n) * (1 - 1e-9));
  for (int64_t i = 0; i < exact.tokens.getSize(); ++i) {
    auto own = static_cast<double>(exact.tokens.at(i, i));
    EXPECT_LT(own, rows - options.leastShare * (rows - even) + 1);
    if (options.local == LocalShare::Pinned) {
      EXPECT_LT(std::abs(own - even), 1);
    }
  }
}

TEST(TargetTest, ExactInWholeTokens) {
  // Rounding the optimum of 8 tokens is slower than even tokens; rounding that
  // of 64 is slower than rounding proportional shares.
  Topology topology = parseTopology("[[2,2],[2,2]]");
  Links links =
      *Links::create(topology, {makeLink(2, 2), makeLink(1, 4), makeLink(1, 4)},
                     makeLink(500));
  for (auto [tokens, targetUs, tokensUs] :
       {std::tuple<int64_t, double, double>{8, 10.7, 12.2}, {64, 60.8, 61.3}}) {
    Demand demand = {tokens, 1, 8192};
    DispatchPlan exact = planWith(Planner::Exact, topology, links, demand);
    EXPECT_FALSE(exact.isEven);
    EXPECT_NEAR(exact.targetUs, targetUs, 0.05);
    EXPECT_NEAR(exact.tokensUs, tokensUs, 0.05);
    expectFastest(exact,
                  planWith(Planner::Proportional, topology, links, demand),
                  demand, {});
  }
}

TEST(TargetTest, ExactWhereEvenRoundsBadly) {
  // Own shares are even and slow, so no shares are faster than even ones. Whole
  // tokens are faster if devices send the remaining tokens and keep none of
  // them.
  Links links =
      *Links::create(parseTopology("8"), {makeLink(1)}, makeLink(0.5));
  DispatchPlan exact =
      planWith(Planner::Exact, parseTopology("8"), links, {25, 1, 1000});
  EXPECT_FALSE(exact.isEven);
  EXPECT_DOUBLE_EQ(exact.targetUs, exact.evenUs);
  EXPECT_DOUBLE_EQ(exact.tokensUs, 6);
  EXPECT_DOUBLE_EQ(exact.evenTokensUs, 8);
}

TEST(TargetTest, NoPlannerBeatsTheExactOne) {
  std::mt19937 random(17);
  int fasterTokens = 0, guarded = 0, kept = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Topology topology = parseTopology(drawTree(random, 2));
    Links links = drawLinks(random, topology, trial % 2, trial % 3);
    Demand demand = {1 + int64_t(random() % 60), 1 + int64_t(random() % 3),
                     8192};
    TargetOptions options;
    options.local = random() % 2 ? LocalShare::Pinned : LocalShare::Bandwidth;
    options.leastShare = random() % 2 ? (random() % 11) / 10.0 : 0;
    DispatchPlan exact =
        planWith(Planner::Exact, topology, links, demand, options);
    DispatchPlan other =
        planWith(Planner::Proportional, topology, links, demand, options);
    expectFastest(exact, other, demand, options);
    // Whole tokens equal the target's rounding if that is as fast.
    Matrix<int64_t> rounded = roundKeepingSums(exact.target);
    if (!exact.isEven &&
        getDispatchUs(rounded, links, demand.bytesPerToken) <= exact.tokensUs) {
      EXPECT_EQ(exact.tokens, rounded);
      ++kept;
    }
    fasterTokens += exact.tokensUs < other.tokensUs;
    guarded += !other.isEven && other.evenShare > 0;
    if (HasFailure())
      FAIL() << topology.print() << " in trial " << trial;
  }
  EXPECT_GT(fasterTokens, 100);
  EXPECT_GT(guarded, 30);
  EXPECT_GT(kept, 100);
}

/// The least time of all whole-token dispatches that keep sums and own shares.
class EveryDispatch {
public:
  EveryDispatch(const Links &links, const Demand &demand,
                const TargetOptions &options)
      : links(links), demand(demand), tokens(links.getNumDevices()),
        columns(static_cast<size_t>(tokens.getSize()), demand.getRows()) {
    double rows = demand.getRows(), even = rows / tokens.getSize();
    bool isPinned = options.local == LocalShare::Pinned;
    double most = rows - options.leastShare * (rows - even);
    leastOwn = isPinned ? std::floor(even) : 0;
    mostOwn = std::ceil((isPinned ? even : most) - 1e-9);
  }

  double getLeastUs() {
    fill(0, 0, demand.getRows());
    return leastUs;
  }

private:
  /// Fills the entries from (i, j) on, with `left` tokens remaining for the
  /// row.
  void fill(int64_t i, int64_t j, int64_t left) {
    if (i == tokens.getSize()) {
      leastUs =
          std::min(leastUs, getDispatchUs(tokens, links, demand.bytesPerToken));
      return;
    }
    bool isOwn = i == j, isLast = j + 1 == tokens.getSize();
    int64_t &room = columns[static_cast<size_t>(j)];
    int64_t most = std::min(left, room);
    for (int64_t some = isLast ? left : 0; some <= most; ++some) {
      if (isOwn && (some < leastOwn || some > mostOwn))
        continue;
      tokens.at(i, j) = some;
      room -= some;
      if (isLast)
        fill(i + 1, 0, demand.getRows());
      else
        fill(i, j + 1, left - some);
      room += some;
    }
  }

  const Links &links;
  const Demand &demand;
  Matrix<int64_t> tokens;
  /// Tokens that each column can still take.
  std::vector<int64_t> columns;
  int64_t leastOwn = 0, mostOwn = 0;
  double leastUs = INFINITY;
};

TEST(TargetTest, NoWholeTokensBeatTheExactOnes) {
  std::mt19937 random(19);
  for (auto [text, mostRows] : {std::pair("2", 40),
                                {"[1,1]", 40},
                                {"[2,1]", 12},
                                {"ring:3", 12},
                                {"[2,2]", 5},
                                {"[[1,2],1]", 5}})
    for (int trial = 0; trial < 40; ++trial) {
      Topology topology = parseTopology(text);
      Links links = drawLinks(random, topology, trial % 2, trial % 3);
      Demand demand = {1 + int64_t(random() % mostRows), 1, 65536};
      TargetOptions options;
      options.local = random() % 2 ? LocalShare::Pinned : LocalShare::Bandwidth;
      options.leastShare = (random() % 5) / 4.0;
      DispatchPlan exact =
          planWith(Planner::Exact, topology, links, demand, options);
      EXPECT_DOUBLE_EQ(exact.tokensUs,
                       EveryDispatch(links, demand, options).getLeastUs())
          << text << " in trial " << trial;
    }
}

} // namespace
