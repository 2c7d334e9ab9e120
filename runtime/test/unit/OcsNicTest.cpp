// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests NICs and ports that fail during a job.

#include "OcsRegionFixture.h"

namespace {
using OcsNicTest = OcsRegionTest;
} // namespace

TEST_F(OcsNicTest, FailedNicsAreLeftOut) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  runJob("region-nics", [&](int32_t rank, moert_context *,
                            moert_ocs_region *region) {
    Matrix circuits;
    follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(moert_ocs_region_fail(region, 4, 0), MOERT_INVALID_ARGUMENT);
    if (rank == 1) {
      EXPECT_EQ(moert_ocs_region_fail(region, 0, 1), MOERT_OK);
    }
    moert_ocs_decision decision = follow(rank, region, 6e6, false, circuits);
    Matrix fewer = pairs;
    fewer[1] = fewer[4] = 1;
    EXPECT_EQ(circuits, fewer);
    EXPECT_DOUBLE_EQ(decision.time_us, 3000);
  });
}

// The switch denies a change of several circuits because of one port. The
// exchange uses packets once, then all circuits except that one. Later plans do
// not use the NICs at its ends.
TEST_F(OcsNicTest, ADeadPortIsFound) {
  EmulatedSwitchOptions options;
  options.deadPorts = {2};
  serve(options);
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  testing::internal::CaptureStderr();
  runJob("region-port", [&](int32_t rank, moert_context *,
                            moert_ocs_region *region) {
    Matrix circuits;
    moert_ocs_decision decision = follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_FALL_BACK);
    EXPECT_EQ(circuits, none);
    decision = follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
    Matrix fewer = pairs;
    fewer[1] = fewer[4] = 1;
    EXPECT_EQ(circuits, fewer);
    // From then on, servers 0 and 1 have one NIC each; one command suffices
    // again.
    decision = follow(rank, region, 6e6, true, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
    EXPECT_EQ(decision.fallbacks, 1);
    EXPECT_EQ(circuits[2], 1);
    EXPECT_EQ(circuits[7], 1);
    // Given circuits are reduced to the remaining NICs.
    moert_ocs_decision given = {};
    EXPECT_EQ(moert_ocs_region_set(region, pairs.data(), 0), MOERT_OK)
        << moert_last_error(nullptr);
    EXPECT_EQ(moert_ocs_settle(region, circuits.data(), &given), MOERT_OK);
    EXPECT_EQ(circuits, fewer);
  });
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("without the optical NICs 0:1 and 1:1 (server:NIC) from "
                      "decision 2 on: "),
            std::string::npos)
      << said;
}

// A switch that denies all commands gives no information about ports.
TEST_F(OcsNicTest, ASwitchThatDeniesAllLosesNoNic) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  device->setFaults({{SwitchFault::Kind::Deny, "ENT", 9}});
  testing::internal::CaptureStderr();
  runJob("region-all", [&](int32_t rank, moert_context *,
                           moert_ocs_region *region) {
    Matrix circuits;
    // One command with four circuits, then four with one, and four again.
    for (int32_t turn = 0; turn < 3; ++turn)
      EXPECT_EQ(follow(rank, region, 6e6, false, circuits).action,
                MOERT_OCS_FALL_BACK);
    EXPECT_EQ(follow(rank, region, 6e6, false, circuits).action,
              MOERT_OCS_CHANGE);
    EXPECT_EQ(circuits, pairs);
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("without"),
            std::string::npos);
}
