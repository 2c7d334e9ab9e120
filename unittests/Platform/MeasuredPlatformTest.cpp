// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platforms built from measurements.

#include "moe/Platform/MeasuredPlatform.h"
#include "gtest/gtest.h"

using namespace moe;
using namespace moe::platform;
using cost::CollectiveKind;

namespace {

/// Returns times on a line, from 4 KiB to 4 MiB.
std::vector<Sample> makeLine(double alphaUs, double usPerByte) {
  std::vector<Sample> samples;
  for (double bytes = 4096; bytes < 5e6; bytes *= 2)
    samples.push_back(
        {cost::Bytes(bytes), cost::Microseconds(alphaUs + bytes * usPerByte)});
  return samples;
}

NcclLog makeMeasuredLog(CollectiveKind kind, int64_t ranks, int64_t nodes,
                double alphaUs, double usPerByte) {
  NcclLog log;
  log.file = "this run";
  log.kind = kind;
  log.numRanks = ranks;
  log.numHosts = nodes;
  log.samples = makeLine(alphaUs, usPerByte);
  return log;
}

/// Returns measurements of two nodes of four ranks.
Measurements makeMeasurements() {
  Measurements all;
  all.nodes = {8, 2};
  for (auto [ranks, nodes] : {std::pair(4, 1), std::pair(8, 2)})
    for (CollectiveKind kind :
         {CollectiveKind::AllToAll, CollectiveKind::AllGather,
          CollectiveKind::ReduceScatter, CollectiveKind::AllReduce})
      all.collectives.push_back(
          makeMeasuredLog(kind, ranks, nodes, 10.0 * nodes, 1e-4 * nodes));
  all.portUsPerByte = {1e-4, 2e-4};
  all.copies = makeLine(2, 1e-5);
  all.gemms = makeLine(4, 1e-6);
  all.contention = {{cost::Resource::Intra, cost::Resource::Compute, 1.5, ""},
                    {cost::Resource::Compute, cost::Resource::Intra, 1.02, ""}};
  all.stallUs = 7;
  all.repeatError = 0.02;
  all.pipelineError = 0.05;
  return all;
}

TEST(MeasuredPlatform, TwoNodes) {
  auto result = makePlatform(makeMeasurements(), "mpi", "mine");
  ASSERT_TRUE(bool(result)) << result.getError();
  EXPECT_TRUE(result->warnings.empty());
  const cost::Machine &machine = result->platform.stated;
  EXPECT_EQ(machine.name, "mine");
  ASSERT_EQ(machine.levels.size(), 2u);
  EXPECT_EQ(machine.levels[0].ranks, 4);
  EXPECT_EQ(machine.levels[1].ranks, 8);
  // The ranks of a node share the link out of it.
  EXPECT_EQ(machine.levels[1].ranksPerNic, 4);
  EXPECT_NEAR(machine.levels[0].latency.value(), 10, 1e-6);
  EXPECT_NEAR(machine.levels[1].latency.value(), 20, 1e-6);
  EXPECT_NEAR(machine.levels[0].portRate->value(), 10, 1e-6);
  EXPECT_NEAR(machine.levels[1].portRate->value(), 5, 1e-6);
  // All-to-alls have curves; each other collective has its line.
  for (const cost::Level &level : machine.levels) {
    EXPECT_FALSE(level.efficiency.isEmpty());
    EXPECT_FALSE(level.fits[unsigned(CollectiveKind::AllToAll)]);
    EXPECT_TRUE(level.fits[unsigned(CollectiveKind::AllReduce)]);
  }
  EXPECT_NEAR(machine.levels[1]
                  .fits[unsigned(CollectiveKind::AllGather)]
                  ->alpha.value(),
              20, 1e-6);
  // Each sample times two GEMMs.
  EXPECT_NEAR(machine.gemm->alpha.value(), 2, 1e-6);
  EXPECT_NEAR(machine.gemm->beta.value(), 1e-6, 1e-12);
  EXPECT_EQ(machine.minimumMessage.value.value(), 4096);
  EXPECT_DOUBLE_EQ(machine.uncertainty.value, 0.05);
  // A factor smaller than the spread of repetitions is no contention.
  ASSERT_EQ(machine.contention.size(), 1u);
  EXPECT_EQ(machine.contention[0].factor, 1.5);
  EXPECT_EQ(result->platform.fitted.pipelineStall->value.value(), 7);
  EXPECT_EQ(result->platform.machine.pipelineStall.value.value(), 7);
  // The written platform reads back.
  auto read = parsePlatform(formatPlatform(result->platform), "mine.json");
  ASSERT_TRUE(bool(read)) << read.getError();
  EXPECT_EQ(formatPlatform(*read), formatPlatform(result->platform));
}

TEST(MeasuredPlatform, UncertaintyIsBounded) {
  Measurements all = makeMeasurements();
  all.pipelineError = 0.9;
  auto result = makePlatform(all, "host", "");
  ASSERT_TRUE(bool(result)) << result.getError();
  EXPECT_EQ(result->platform.stated.name, "measured-host");
  EXPECT_EQ(result->platform.stated.uncertainty.value, 0.5);
  ASSERT_EQ(result->warnings.size(), 1u);
  EXPECT_EQ(result->warnings[0],
            "predictions would be wrong by 90 %, an uncertainty of 0.5 is "
            "written: measure again when the machine does nothing else");
}

TEST(MeasuredPlatform, TimesThatFall) {
  // A collective with falling times gets no fit; an all-to-all has a curve
  // instead.
  Measurements all = makeMeasurements();
  all.collectives[1].samples = makeLine(1000, -1e-4);
  auto result = makePlatform(all, "host", "");
  ASSERT_TRUE(bool(result)) << result.getError();
  ASSERT_EQ(result->warnings.size(), 1u);
  EXPECT_EQ(result->warnings[0].find(
                "all_gather of 4 ranks on one node gets no line of its own: "),
            0u);
  // A port without a positive slope gets no rate, either.
  all.portUsPerByte[1] = 0;
  result = makePlatform(all, "host", "");
  ASSERT_TRUE(bool(result)) << result.getError();
  EXPECT_FALSE(result->platform.stated.levels[1].portRate);
  ASSERT_EQ(result->warnings.size(), 2u);
  EXPECT_EQ(result->warnings[1],
            "level 'network' gets no port rate: four times the bytes took one "
            "endpoint no longer");
  all.collectives[4].samples = makeLine(1000, -1e-4);
  result = makePlatform(all, "host", "");
  ASSERT_TRUE(bool(result)) << result.getError();
  ASSERT_EQ(result->warnings.size(), 3u);
  EXPECT_EQ(result->warnings[1].find("the curve of all_to_all of 8 ranks at "
                                     "level 'network' falls where a size is "
                                     "slow: 4096 bytes took "),
            0u)
      << result->warnings[1];
  EXPECT_FALSE(result->reports[1].line);
  // A curve needs its two smallest sizes for the latency.
  all.collectives[4].samples.resize(1);
  result = makePlatform(all, "host", "");
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(result.getError().find("all_to_all of 8 ranks on 2 nodes: "), 0u);
}

} // namespace
