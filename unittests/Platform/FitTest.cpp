// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear fits of measurements.

#include "moe/Platform/Fit.h"
#include "moe/Cost/Collectives.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace moe::cost;
using namespace moe::platform;

namespace {

/// Returns times alpha + beta * size for sizes that double from 1 kB on, with
/// relative noise of at most `noise` in either direction.
std::vector<Sample> makeSamples(double alpha, double beta, double maxBytes,
                                double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> factor(1 - noise, 1 + noise);
  std::vector<Sample> samples;
  for (double size = 1024; size <= maxBytes; size *= 2)
    samples.push_back(
        {Bytes(size), Microseconds((alpha + beta * size) * factor(random))});
  return samples;
}

TEST(FitLineTest, ExactWithoutNoise) {
  Result<LineFit> fit = fitLine(makeSamples(40, 5e-5, 1e9, 0, 0));
  ASSERT_TRUE(bool(fit));
  EXPECT_NEAR(fit->alpha.value(), 40, 1e-9);
  EXPECT_NEAR(fit->beta.value(), 5e-5, 1e-15);
  EXPECT_NEAR(fit->rSquared, 1, 1e-12);
  EXPECT_NEAR(fit->worstError, 0, 1e-12);
  EXPECT_NEAR(fit->typicalError, 0, 1e-12);
  EXPECT_EQ(fit->minSize, Bytes(1024));
  EXPECT_EQ(fit->maxSize, Bytes(536870912));
}

TEST(FitLineTest, FivePercentNoiseWithinThreePercent) {
  // 3000 logs of about twenty sizes on fast and slow machines. The error of a
  // fit has no bound, so one in a hundred may be larger.
  int numLogs = 0, numFar = 0;
  for (auto [alpha, beta] :
       {std::pair(40.0, 5e-5), {12.0, 2.5e-6}, {500.0, 2e-3}}) {
    for (unsigned seed = 0; seed < 1000; ++seed) {
      Result<LineFit> fit =
          fitLine(makeSamples(alpha, beta, 1e3 * alpha / beta, 0.05, seed));
      ASSERT_TRUE(bool(fit));
      double error = std::max(std::abs(fit->alpha.value() / alpha - 1),
                              std::abs(fit->beta.value() / beta - 1));
      ++numLogs;
      numFar += error > 0.03;
      EXPECT_LT(error, 0.05);
      EXPECT_GT(fit->rSquared, 0.99);
    }
  }
  EXPECT_EQ(numLogs, 3000);
  EXPECT_LE(numFar, 30);
}

TEST(FitLineTest, NormalNoiseIsNotBiased) {
  // Noise has a standard deviation of 5 %; the mean of many fits recovers the
  // line.
  std::mt19937 random(5);
  std::normal_distribution<double> factor(1, 0.05);
  double alphas = 0, betas = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Sample> samples = makeSamples(40, 5e-5, 1e9, 0, 0);
    for (Sample &sample : samples)
      sample.time = sample.time * factor(random);
    Result<LineFit> fit = fitLine(samples);
    ASSERT_TRUE(bool(fit));
    alphas += fit->alpha.value() / kRounds;
    betas += fit->beta.value() / kRounds;
  }
  EXPECT_NEAR(alphas / 40, 1, 0.004);
  EXPECT_NEAR(betas / 5e-5, 1, 0.004);
}

TEST(FitLineTest, AlphaIsNotNegative) {
  // Times grow faster than the size.
  std::vector<Sample> samples;
  for (double size = 1e3; size < 1e9; size *= 4)
    samples.push_back({Bytes(size), Microseconds(size * size * 1e-9)});
  Result<LineFit> fit = fitLine(samples);
  ASSERT_TRUE(bool(fit));
  EXPECT_EQ(fit->alpha, Microseconds(0));
  EXPECT_GT(fit->beta, MicrosecondsPerByte(0));
  EXPECT_GT(fit->worstError, 0.5);
}

TEST(FitLineTest, Errors) {
  auto getError = [](std::vector<Sample> samples) {
    return fitLine(samples).getError();
  };
  EXPECT_EQ(getError({}), "expected at least 3 sizes to fit a line to, got 0");
  Sample one{Bytes(1), Microseconds(1)}, two{Bytes(2), Microseconds(2)};
  EXPECT_EQ(getError({one, two, one, two}),
            "expected at least 3 sizes to fit a line to, got 2");
  EXPECT_EQ(getError({one, two, {Bytes(3), Microseconds(0)}}),
            "expected sizes and times > 0, got 3 bytes in 0 us");
  std::string falling = getError({{Bytes(1), Microseconds(30)},
                                  {Bytes(2), Microseconds(20)},
                                  {Bytes(3), Microseconds(10)}});
  EXPECT_EQ(falling.find("expected times that grow with the size"), 0u)
      << falling;
}

//===----------------------------------------------------------------------===//
// Platforms
//===----------------------------------------------------------------------===//

NcclLog makeLog(CollectiveKind kind, int64_t ranks, int64_t hosts, double alpha,
                double beta) {
  NcclLog log;
  log.file = "log";
  log.kind = kind;
  log.numRanks = ranks;
  log.numHosts = hosts;
  log.samples = makeSamples(alpha, beta, 1e9, 0, 0);
  return log;
}

TEST(FitPlatformTest, TheModelSaysWhatWasMeasured) {
  // The platform must predict every measured collective, with either model.
  std::vector<NcclLog> logs = {
      makeLog(CollectiveKind::AllGather, 8, 1, 20, 6e-6),
      makeLog(CollectiveKind::AllToAll, 16, 2, 90, 1e-4)};
  for (FitModel model : {FitModel::AlphaBeta, FitModel::Efficiency}) {
    FitOptions options;
    options.model = model;
    Result<FitResult> result = fitPlatform(logs, nullptr, options);
    ASSERT_TRUE(bool(result)) << result.getError();
    EXPECT_TRUE(result->warnings.empty());
    const Machine &machine = result->platform.machine;
    ASSERT_EQ(machine.levels.size(), 2u);
    for (const NcclLog &log : logs) {
      std::vector<int64_t> shape = {log.numRanks};
      std::vector<unsigned> axes = {0};
      auto plan = CollectivePlan::create(
          machine, *RankGroups::fromMesh(shape, axes), *log.kind);
      for (const Sample &sample : log.samples)
        EXPECT_NEAR(plan->getTime(sample.size) / sample.time, 1, 1e-6);
    }
  }
}

TEST(FitPlatformTest, GroupsOfAnotherSize) {
  // The slope follows the bytes that a rank sends: 15/16 in the measurement,
  // 1/2 in the query.
  std::vector<NcclLog> logs = {
      makeLog(CollectiveKind::AllToAll, 16, 16, 90, 1e-4)};
  Result<FitResult> result = fitPlatform(logs, nullptr, {});
  ASSERT_TRUE(bool(result)) << result.getError();
  std::vector<int64_t> shape = {8, 2};
  std::vector<unsigned> axes = {1};
  auto plan = CollectivePlan::create(result->platform.machine,
                                     *RankGroups::fromMesh(shape, axes),
                                     CollectiveKind::AllToAll);
  EXPECT_NEAR(plan->getTime(Bytes(1e6)).value(), 90 + 100 * 8 / 15.0, 1e-6);
  // Only groups of 16 were measured.
  EXPECT_TRUE(plan->explain(Bytes(1e6)).isExtrapolated);
  shape = {16};
  axes = {0};
  plan = CollectivePlan::create(result->platform.machine,
                                *RankGroups::fromMesh(shape, axes),
                                CollectiveKind::AllToAll);
  EXPECT_FALSE(plan->explain(Bytes(1e6)).isExtrapolated);
  EXPECT_TRUE(plan->explain(Bytes(1e10)).isExtrapolated);
}

/// Returns the plan of a collective among the first `ranks` ranks.
CollectivePlan makePlan(const Machine &machine, int64_t ranks,
                        CollectiveKind kind) {
  std::vector<int64_t> shape = {ranks};
  std::vector<unsigned> axes = {0};
  auto plan =
      CollectivePlan::create(machine, *RankGroups::fromMesh(shape, axes), kind);
  EXPECT_TRUE(bool(plan)) << plan.getError();
  return *plan;
}

TEST(FitPlatformTest, ManyGroupSizes) {
  // 40 machines whose alphas and slopes grow with the logarithm of the ranks.
  // Each has five logs with noise of 2 %: one of a node, four of 2 to 32 nodes.
  std::mt19937 random(7);
  auto draw = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  int numLogs = 0, numTimes = 0;
  for (unsigned machine = 0; machine < 40; ++machine) {
    double alpha = draw(10, 60), alphaMore = draw(1, 20);
    double slope = draw(2e-5, 2e-4), slopeMore = slope * draw(0, 0.2);
    auto getTruth = [&](int64_t ranks, double size) {
      double power = std::log2(double(ranks) / 16);
      return alpha + power * alphaMore +
             size * (slope + power * slopeMore) * double(ranks - 1) /
                 double(ranks);
    };
    std::vector<NcclLog> logs = {
        makeLog(CollectiveKind::AllToAll, 8, 1, 12, 4e-6)};
    for (int64_t hosts : {2, 4, 16, 32}) {
      NcclLog log = makeLog(CollectiveKind::AllToAll, 8 * hosts, hosts, 1, 1);
      for (Sample &sample : log.samples)
        sample.time = Microseconds(getTruth(8 * hosts, sample.size.value()) *
                                   draw(0.98, 1.02));
      logs.push_back(std::move(log));
    }
    numLogs += int(logs.size());
    // The order of the files does not matter.
    std::shuffle(logs.begin(), logs.end(), random);
    Result<FitResult> result = fitPlatform(logs, nullptr, {});
    ASSERT_TRUE(bool(result)) << result.getError();
    // Writes the platform and reads it back.
    Result<Platform> loaded =
        parsePlatform(formatPlatform(result->platform), "fitted.json");
    ASSERT_TRUE(bool(loaded)) << loaded.getError();
    // Checks the measured sizes, and 8 nodes, which is between two of them.
    for (int64_t hosts : {2, 4, 8, 16, 32}) {
      CollectivePlan plan =
          makePlan(loaded->machine, 8 * hosts, CollectiveKind::AllToAll);
      for (const Sample &sample : logs.front().samples) {
        EXPECT_NEAR(plan.getTime(sample.size).value() /
                        getTruth(8 * hosts, sample.size.value()),
                    1, 0.05)
            << hosts << " nodes, " << sample.size.value() << " bytes";
        EXPECT_FALSE(plan.isExtrapolated(sample.size));
        ++numTimes;
      }
      EXPECT_TRUE(plan.isExtrapolated(Bytes(1e10)));
      EXPECT_TRUE(plan.isExtrapolated(Bytes(10)));
    }
  }
  EXPECT_EQ(numLogs, 200);
  EXPECT_EQ(numTimes, 4000);
}

TEST(FitPlatformTest, GroupsOutsideOfThoseMeasured) {
  std::vector<NcclLog> logs = {
      makeLog(CollectiveKind::AllToAll, 8, 1, 12, 4e-6),
      makeLog(CollectiveKind::AllToAll, 32, 4, 60, 1e-4),
      makeLog(CollectiveKind::AllToAll, 128, 16, 140, 2e-4)};
  Result<FitResult> result = fitPlatform(logs, nullptr, {});
  ASSERT_TRUE(bool(result)) << result.getError();
  const Machine &machine = result->platform.machine;
  // Fewer than four nodes use the nearest line. Its slope is scaled by the part
  // of the buffer that leaves a node: half instead of three quarters.
  CollectivePlan two = makePlan(machine, 16, CollectiveKind::AllToAll);
  EXPECT_TRUE(two.isExtrapolated(Bytes(1e6)));
  EXPECT_NEAR(two.getTime(Bytes(1e6)).value(),
              60 + 100 * (8 / 16.0) / (24 / 32.0), 1e-6);
  EXPECT_FALSE(makePlan(machine, 64, CollectiveKind::AllToAll)
                   .isExtrapolated(Bytes(1e6)));
}

/// Returns the plan of a collective among `ranks` ranks, `stride` apart.
CollectivePlan makeStridedPlan(const Machine &machine, int64_t ranks,
                               int64_t stride, CollectiveKind kind) {
  std::vector<int64_t> shape = {ranks, stride};
  std::vector<unsigned> axes = {0};
  auto plan =
      CollectivePlan::create(machine, *RankGroups::fromMesh(shape, axes), kind);
  EXPECT_TRUE(bool(plan)) << plan.getError();
  return *plan;
}

/// Returns logs of one, two and sixteen nodes of eight ranks, with 400 GB/s per
/// rank inside a node and a network of 50 GB/s per rank.
std::vector<NcclLog> makeNodeLogs(CollectiveKind kind) {
  double passes = kind == CollectiveKind::AllReduce ? 2 : 1;
  // The slower level determines the slope: the node, except for all-to-alls.
  auto slope = [&](int64_t hosts) {
    double inside = kind == CollectiveKind::AllToAll ? 1.0 / double(hosts) : 1;
    double outside = kind == CollectiveKind::AllToAll
                         ? double(hosts - 1) / double(hosts)
                         : double(hosts - 1) / double(8 * hosts);
    return passes * std::max(inside * 7 / 8 / 400e3, outside / 50e3);
  };
  return {makeLog(kind, 8, 1, 12, slope(1)), makeLog(kind, 16, 2, 31, slope(2)),
          makeLog(kind, 128, 16, 95, slope(16))};
}

TEST(FitPlatformTest, GroupsThatLieOtherwise) {
  // Sixteen ranks on different nodes send all but 1/16 through NICs of 50 GB/s,
  // so no line measured on two nodes of eight may predict less.
  const double buffer = 5e8;
  for (CollectiveKind kind :
       {CollectiveKind::AllToAll, CollectiveKind::AllGather,
        CollectiveKind::ReduceScatter, CollectiveKind::AllReduce}) {
    SCOPED_TRACE(std::string(getName(kind)));
    double passes = kind == CollectiveKind::AllReduce ? 2 : 1;
    std::vector<NcclLog> logs = makeNodeLogs(kind);
    // The rates of links come from the log of all-to-alls or of a ring.
    auto base = fitPlatform(makeNodeLogs(CollectiveKind::AllGather), nullptr, {});
    ASSERT_TRUE(bool(base)) << base.getError();
    base->platform.stated.levels[0].bandwidth = GBps(400);
    base->platform.stated.levels[1].bandwidth = GBps(50);
    for (Level &level : base->platform.stated.levels)
      level.fits = {};
    auto result = fitPlatform(logs, &base->platform, {});
    ASSERT_TRUE(bool(result)) << result.getError();
    const Machine &machine = result->platform.machine;
    for (int64_t ranks : {2, 4, 16}) {
      CollectivePlan plan = makeStridedPlan(machine, ranks, 8, kind);
      double least = passes * double(ranks - 1) / double(ranks) * buffer / 50e3;
      double time = plan.getTime(Bytes(buffer)).value();
      EXPECT_GT(time, least) << ranks;
      EXPECT_LT(time, 1.01 * least) << ranks;
      EXPECT_TRUE(plan.isExtrapolated(Bytes(buffer))) << ranks;
    }
    // Groups placed as in the measurement keep their lines.
    CollectivePlan same = makePlan(machine, 16, kind);
    EXPECT_NEAR(same.getTime(logs[1].samples.back().size) /
                    logs[1].samples.back().time,
                1, 1e-6);
    EXPECT_FALSE(same.isExtrapolated(Bytes(buffer)));
  }
}

TEST(FitPlatformTest, LinesOfGroupsOfOnePlaceEach) {
  // Measured on two nodes of eight and on sixteen nodes with one rank each; the
  // latter are slower than their links allow.
  std::vector<NcclLog> logs = makeNodeLogs(CollectiveKind::AllToAll);
  logs.push_back(makeLog(CollectiveKind::AllToAll, 16, 16, 40, 3e-5));
  auto result = fitPlatform(logs, nullptr, {});
  ASSERT_TRUE(bool(result)) << result.getError();
  auto loaded = parsePlatform(formatPlatform(result->platform), "fitted.json");
  ASSERT_TRUE(bool(loaded)) << loaded.getError();
  const Machine &machine = loaded->machine;
  EXPECT_EQ(machine.getNumRanks(), 128);
  CollectivePlan strided =
      makeStridedPlan(machine, 16, 8, CollectiveKind::AllToAll);
  EXPECT_NEAR(strided.getTime(Bytes(1e8)).value(), 40 + 3000, 1e-3);
  EXPECT_FALSE(strided.isExtrapolated(Bytes(1e8)));
  CollectivePlan full = makePlan(machine, 16, CollectiveKind::AllToAll);
  EXPECT_NEAR(full.getTime(Bytes(1e8)).value(), 31 + 1000, 1e-3);
  // If ranks share a NIC, concurrent groups share it, too.
  Machine shared = machine;
  shared.levels[1].ranksPerNic = 8;
  EXPECT_NEAR(makeStridedPlan(shared, 16, 8, CollectiveKind::AllToAll)
                  .getTime(Bytes(1e8))
                  .value(),
              40 + 8 * 3000, 1e-3);
}

TEST(FitPlatformTest, UncertaintyIsThatOfTheWorstLine) {
  std::vector<NcclLog> logs = {
      makeLog(CollectiveKind::AllGather, 8, 1, 20, 6e-6),
      makeLog(CollectiveKind::AllToAll, 16, 2, 90, 1e-4)};
  for (unsigned of : {0u, 1u})
    logs[of].samples = makeSamples(50, 1e-5, 1e9, of == 0 ? 0.02 : 0.1, 3);
  Result<FitResult> result = fitPlatform(logs, nullptr, FitOptions());
  ASSERT_TRUE(bool(result)) << result.getError();
  const FitReport &worst = result->reports[1];
  double squares = 0;
  for (const Sample &sample : worst.samples) {
    double error =
        (worst.line->alpha + sample.size * worst.line->beta) / sample.time - 1;
    squares += error * error;
  }
  double expected = std::sqrt(squares / double(worst.samples.size()));
  EXPECT_GT(expected, 0.03);
  EXPECT_NEAR(result->platform.machine.uncertainty.value, expected, 1e-4);
  // A curve passes through the measurements, so it has no uncertainty.
  FitOptions curve;
  curve.model = FitModel::Efficiency;
  result = fitPlatform(logs, nullptr, curve);
  ASSERT_TRUE(bool(result)) << result.getError();
  EXPECT_EQ(result->platform.machine.uncertainty.value, 0);
}

TEST(FitPlatformTest, OneMeasurementCountsOnce) {
  std::vector<NcclLog> logs(
      2, makeLog(CollectiveKind::AllGather, 8, 1, 20, 6e-6));
  logs[1].file = "copy";
  EXPECT_EQ(fitPlatform(logs, nullptr, FitOptions()).getError(),
            "copy: expected another measurement than that of log, got the same "
            "times");
}

TEST(FitPlatformTest, HostsOfOneRankAreUnclear) {
  // The logs do not show how many ranks a host has: two hosts or one node?
  std::vector<NcclLog> logs = makeNodeLogs(CollectiveKind::AllToAll);
  auto base = fitPlatform(logs, nullptr, {});
  ASSERT_TRUE(bool(base)) << base.getError();
  std::vector<NcclLog> two = {makeLog(CollectiveKind::AllToAll, 2, 2, 9, 1e-4)};
  auto result = fitPlatform(two, &base->platform, {});
  EXPECT_NE(result.getError().find("got 2 ranks on 2 hosts: say which level"),
            std::string::npos)
      << result.getError();
  FitOptions options;
  options.level = "network";
  result = fitPlatform(two, &base->platform, options);
  ASSERT_TRUE(bool(result)) << result.getError();
  EXPECT_EQ(result->reports.front().ranksTogether, 1);
}

TEST(FitPlatformTest, AllReducesSayNothingOfLinks) {
  // In-switch reduction: 450 GB/s over links of 400 GB/s in each direction.
  std::vector<NcclLog> logs = {
      makeLog(CollectiveKind::AllGather, 8, 1, 20, 0.875 / 400e3),
      makeLog(CollectiveKind::AllReduce, 8, 1, 20, 1.75 / 800e3)};
  Result<FitResult> result = fitPlatform(logs, nullptr, {});
  ASSERT_TRUE(bool(result)) << result.getError();
  EXPECT_LT(result->platform.machine.levels[0].bandwidth.value(), 401);
  EXPECT_TRUE(result->warnings.empty());
  // The all-reduce is used if there is no other log, with a warning.
  result = fitPlatform(std::span(logs).subspan(1), nullptr, {});
  ASSERT_TRUE(bool(result)) << result.getError();
  ASSERT_EQ(result->warnings.size(), 1u);
  EXPECT_NE(result->warnings[0].find("NVLS"), std::string::npos);
}

TEST(FitPlatformTest, Errors) {
  EXPECT_EQ(fitPlatform({}, nullptr, {}).getError(),
            "expected at least one log, got none");
}

} // namespace
