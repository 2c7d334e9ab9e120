// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Curves, levels and times of a machine.

#include "moe/Cost/Machine.h"
#include "Machines.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace moe::cost;

namespace {

//===----------------------------------------------------------------------===//
// Curves (SPEC CC-3)
//===----------------------------------------------------------------------===//

TEST(CurveTest, EmptyIsOne) {
  EXPECT_EQ(EfficiencyCurve().at(Bytes(17)), 1.0);
  EXPECT_FALSE(EfficiencyCurve().isExtrapolatedAt(Bytes(17)));
}

TEST(CurveTest, LinearInTheLogarithm) {
  EfficiencyCurve curve({{1e3, 0.2}, {1e5, 0.6}, {1e6, 0.9}});
  EXPECT_NEAR(curve.at(Bytes(1e4)), 0.4, 1e-12);
  EXPECT_NEAR(curve.at(Bytes(std::sqrt(1e11))), 0.75, 1e-12);
  // The interpolation is not linear in the bytes.
  EXPECT_GT(curve.at(Bytes(5e4)), 0.39);
}

TEST(CurveTest, PointsAreExact) {
  EfficiencyCurve curve({{8e6, 0.427}, {32e6, 0.632}, {256e6, 0.741}});
  EXPECT_EQ(curve.at(Bytes(8e6)), 0.427);
  EXPECT_EQ(curve.at(Bytes(32e6)), 0.632);
  EXPECT_EQ(curve.at(Bytes(256e6)), 0.741);
}

TEST(CurveTest, FlatOutside) {
  EfficiencyCurve curve({{1e3, 0.2}, {1e5, 0.6}});
  EXPECT_EQ(curve.at(Bytes(0)), 0.2);
  EXPECT_EQ(curve.at(Bytes(1)), 0.2);
  EXPECT_EQ(curve.at(Bytes(1e12)), 0.6);
  EXPECT_TRUE(curve.isExtrapolatedAt(Bytes(999)));
  EXPECT_FALSE(curve.isExtrapolatedAt(Bytes(1e3)));
  EXPECT_FALSE(curve.isExtrapolatedAt(Bytes(1e5)));
  EXPECT_TRUE(curve.isExtrapolatedAt(Bytes(100001)));
}

TEST(CurveTest, OnePointIsFlat) {
  EfficiencyCurve curve({{64e6, 0.8}});
  for (double bytes : {1.0, 64e6, 1e10})
    EXPECT_EQ(curve.at(Bytes(bytes)), 0.8);
}

TEST(CurveTest, LatencyRemainsBelowTheFirstPoint) {
  // 10 us at 1000 bytes.
  EfficiencyCurve curve({{1e3, 0.1}, {1e4, 10.0 / 19}});
  auto getUs = [&](double bytes, std::optional<double> containedUs) {
    std::optional<Microseconds> contained;
    if (containedUs)
      contained = Microseconds(*containedUs);
    return curve.getTime(Bytes(bytes), 1, GBps(1), contained).value();
  };
  EXPECT_NEAR(getUs(1e4, 0), 19, 1e-9);
  EXPECT_NEAR(getUs(1e3, 0), 10, 1e-9);
  // The platform's latency bounds the time from below, and the first point
  // bounds it from above.
  EXPECT_NEAR(getUs(500, 0), 5, 1e-9);
  EXPECT_NEAR(getUs(500, 4), 5, 1e-9);
  EXPECT_NEAR(getUs(0, 4), 4, 1e-9);
  EXPECT_NEAR(getUs(500, 9.8), 9.8, 1e-9);
  EXPECT_NEAR(getUs(500, 50), 10, 1e-9);
  EXPECT_NEAR(getUs(1e3, 50), 10, 1e-9);
  // A curve without latency has none to keep.
  EXPECT_NEAR(getUs(500, std::nullopt), 5, 1e-9);
}

TEST(CurveTest, OnePointKeepsTheLatencyToo) {
  EfficiencyCurve point({{1e3, 0.1}});
  EXPECT_NEAR(point.getTime(Bytes(64), 1, GBps(1), Microseconds(0)).value(),
              0.64, 1e-9);
  EXPECT_NEAR(point.getTime(Bytes(64), 1, GBps(1), Microseconds(4)).value(), 4,
              1e-9);
  EXPECT_FALSE(point.isExtrapolatedAt(Bytes(64)));
}

TEST(CurveTest, ChecksPoints) {
  auto getProblem = [](std::vector<CurvePoint> points) {
    auto problem = EfficiencyCurve::check(points);
    return problem ? std::to_string(problem->first) + ": " + problem->second
                   : std::string();
  };
  EXPECT_EQ(getProblem({{1, 0.1}, {2, 1.0}}), "");
  EXPECT_EQ(getProblem({{0, 0.1}}), "0: expected bytes > 0, got 0");
  EXPECT_EQ(getProblem({{1, 0.1}, {2, 1.5}}),
            "1: expected an efficiency above 0 and at most 1, got 1.5");
  EXPECT_EQ(getProblem({{1, 0}}),
            "0: expected an efficiency above 0 and at most 1, got 0");
  EXPECT_EQ(getProblem({{2, 0.1}, {2, 0.2}}),
            "1: expected more bytes than the point before, 2, got 2");
  EXPECT_EQ(getProblem({{1, NAN}}),
            "0: expected an efficiency above 0 and at most 1, got nan");
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

std::string getProblem(const std::vector<Level> &levels) {
  auto problem = checkLevels(levels);
  if (!problem)
    return "";
  return (problem->level ? std::to_string(*problem->level) : "none") + "." +
         problem->key + ": " + problem->reason;
}

TEST(LevelTest, Checks) {
  EXPECT_EQ(getProblem({makeLevel("a", 8, 200), makeLevel("b", 16, 25, 4)}),
            "");
  EXPECT_EQ(getProblem({}), "none.: expected at least one level");
  EXPECT_EQ(getProblem({makeLevel("a", 16, 1), makeLevel("b", 8, 1)}),
            "1.ranks: expected levels from the innermost outward, each of a "
            "multiple of the ranks before it (16), got 8");
  EXPECT_EQ(getProblem({makeLevel("a", 8, 1), makeLevel("b", 12, 1)}),
            "1.ranks: expected levels from the innermost outward, each of a "
            "multiple of the ranks before it (8), got 12");
  EXPECT_EQ(getProblem({makeLevel("a", 1, 1)}),
            "0.ranks: expected levels from the innermost outward, each of a "
            "multiple of the ranks before it (1), got 1");
  EXPECT_EQ(getProblem({makeLevel("a", 8, 1, 2)}),
            "0.ranks_per_nic: expected a divisor of the ranks of the level "
            "before (1), got 2");
  EXPECT_EQ(getProblem({makeLevel("a", 8, 1), makeLevel("b", 16, 1, 3)}),
            "1.ranks_per_nic: expected a divisor of the ranks of the level "
            "before (8), got 3");
  EXPECT_EQ(getProblem({makeLevel("a", 8, -1)}),
            "0.bandwidth_GBps: expected a number > 0, got -1");
  EXPECT_EQ(getProblem({makeLevel("a", 2, 1), makeLevel("a", 4, 1)}),
            "1.name: expected a name of its own, got 'a' as levels[0]");
}

TEST(LevelTest, CurvesContainLatency) {
  Level level = makeLevel("a", 8, 200);
  level.latency = Microseconds(5);
  EXPECT_EQ(level.getCountedLatency(), Microseconds(5));
  level.efficiency = EfficiencyCurve({{1e6, 0.5}});
  EXPECT_EQ(level.getCountedLatency(), Microseconds(0));
  level.isCurveLatencyFree = true;
  EXPECT_EQ(level.getCountedLatency(), Microseconds(5));
}

//===----------------------------------------------------------------------===//
// Copies, GEMMs, contention
//===----------------------------------------------------------------------===//

TEST(MachineTest, CopyTime) {
  // SPEC MO-8: 64e6 bytes at 1600 GB/s and 80 % take 0.05 ms.
  CopyEngine copy;
  copy.bandwidth = GBps(1600);
  copy.latency = Microseconds(3);
  EXPECT_DOUBLE_EQ(getCopyTime(copy, Bytes(64e6)).value(), 43);
  copy.efficiency = EfficiencyCurve({{64e6, 0.8}});
  EXPECT_DOUBLE_EQ(getCopyTime(copy, Bytes(64e6)).value(), 50);
}

TEST(MachineTest, GemmTime) {
  GemmCost gemm{Microseconds(42.6), MicrosecondsPerMac(6.534e-8), ""};
  EXPECT_DOUBLE_EQ(getGemmTime(gemm, Macs(1e9)).value(), 42.6 + 65.34);
  EXPECT_DOUBLE_EQ(getGemmTime(gemm, Macs(1e9), 3).value(), 3 * 42.6 + 65.34);
}

TEST(MachineTest, ContentionMultiplies) {
  Machine machine;
  EXPECT_EQ(machine.getContention(Resource::Intra, Resource::Copy), 1);
  machine.contention = {{Resource::Intra, Resource::Copy, 1.5, ""},
                        {Resource::Intra, Resource::Copy, 2, ""},
                        {Resource::Copy, Resource::Intra, 1.2, ""}};
  EXPECT_EQ(machine.getContention(Resource::Intra, Resource::Copy), 3);
  EXPECT_EQ(machine.getContention(Resource::Copy, Resource::Intra), 1.2);
}

TEST(MachineTest, NamesParse) {
  for (unsigned i = 0; i < kNumCollectiveKinds; ++i)
    EXPECT_EQ(parseCollectiveKind(getName(CollectiveKind(i))),
              CollectiveKind(i));
  for (unsigned i = 0; i < kNumResources; ++i)
    EXPECT_EQ(parseResource(getName(Resource(i))), Resource(i));
  EXPECT_FALSE(parseCollectiveKind("broadcast"));
  EXPECT_FALSE(parseResource("network"));
}

} // namespace
