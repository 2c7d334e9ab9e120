// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests circuits that follow demand.

#include "OcsRegionFixture.h"
#include <mutex>
#include <thread>

TEST_F(OcsRegionTest, CircuitsFollowDemand) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  runJob("region-follow", [&](int32_t rank, moert_context *,
                              moert_ocs_region *region) {
    Matrix circuits;
    moert_ocs_decision decision = follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(decision.epoch, 0);
    EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
    EXPECT_DOUBLE_EQ(decision.kept_us, 6000);
    EXPECT_DOUBLE_EQ(decision.time_us, 2000);
    EXPECT_EQ(decision.changed, 4);
    EXPECT_EQ(circuits, pairs);
    // The current circuits are the best.
    decision = follow(rank, region, 5e6, false, circuits);
    EXPECT_EQ(decision.epoch, 1);
    EXPECT_EQ(decision.action, MOERT_OCS_KEEP);
    EXPECT_EQ(circuits, pairs);
    if (rank == 1) {
      EXPECT_EQ(getCircuits(), pairMap);
    }
    decision = follow(rank, region, 5e6, true, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
    EXPECT_EQ(circuits, crossed);
    EXPECT_EQ(decision.fallbacks, 0);
  });
}

TEST_F(OcsRegionTest, AChangeHasToPay) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  runJob(
      "region-pay",
      [&](int32_t rank, moert_context *, moert_ocs_region *region) {
        Matrix circuits;
        // 4 exchanges gain 4 ms each, but the change takes 20 ms.
        moert_ocs_decision decision =
            follow(rank, region, 6e6, false, circuits);
        EXPECT_EQ(decision.action, MOERT_OCS_KEEP);
        EXPECT_DOUBLE_EQ(decision.time_us, 6000);
        EXPECT_EQ(circuits, none);
        // More exchanges, or work that overlaps the change.
        decision = follow(rank, region, 6e6, false, circuits, 6);
        EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
        EXPECT_DOUBLE_EQ(decision.change_us, 20000);
        decision = follow(rank, region, 6e6, true, circuits, 4, 10000);
        EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
        EXPECT_EQ(circuits, crossed);
      },
      [](moert_ocs_region_config &config) {
        config.reconfiguration_base_us = 16000;
        config.reconfiguration_per_pair_us = 1000;
      });
}

TEST_F(OcsRegionTest, WhatTheSwitchDeniesGoesOverPackets) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  device->setFaults({{SwitchFault::Kind::Deny, "ENT", 1}});
  testing::internal::CaptureStderr();
  runJob("region-denied", [&](int32_t rank, moert_context *,
                              moert_ocs_region *region) {
    Matrix circuits;
    moert_ocs_decision decision = follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_FALL_BACK);
    EXPECT_EQ(decision.status, MOERT_BACKEND_ERROR);
    EXPECT_NE(std::string(decision.why).find("it denies a command"),
              std::string::npos)
        << decision.why;
    EXPECT_EQ(decision.fallbacks, 1);
    EXPECT_EQ(circuits, none);
    // The switch works again.
    decision = follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
    EXPECT_EQ(decision.fallbacks, 1);
    EXPECT_EQ(circuits, pairs);
  });
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("moert: region of switch 'region': over packets from "
                      "decision 0 on"),
            0u)
      << said;
  EXPECT_EQ(said.find("moert:", 1), std::string::npos) << said;
  EXPECT_EQ(device->getCircuits(), pairMap);
}

TEST_F(OcsRegionTest, ASwitchThatGoesAwayBetweenDeleteAndEnter) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  EmulatedSwitchOptions same;
  same.port = device->getPort();
  testing::internal::CaptureStderr();
  runJob("region-dies", [&](int32_t rank, moert_context *context,
                            moert_ocs_region *region) {
    Matrix circuits;
    moert_ocs_decision decision = follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(circuits, pairs);
    // The old circuits are removed, and the connection ends before the new ones
    // are added.
    if (rank == 1)
      device->setFaults({{SwitchFault::Kind::Disconnect, "DLT", 1}});
    decision = follow(rank, region, 6e6, true, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_FALL_BACK);
    EXPECT_EQ(circuits, none);
    if (rank == 1)
      device.reset();
    // The switch is not reachable.
    decision = follow(rank, region, 6e6, true, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_FALL_BACK);
    EXPECT_EQ(decision.status, MOERT_UNAVAILABLE) << decision.why;
    EXPECT_DOUBLE_EQ(decision.time_us, 6000);
    EXPECT_EQ(circuits, none);
    EXPECT_EQ(decision.fallbacks, 2);
    if (rank == 1)
      serve(same);
    // The circuits of the switch are read and changed to the planned ones.
    decision = follow(rank, region, 6e6, true, circuits);
    EXPECT_EQ(decision.action, MOERT_OCS_CHANGE);
    EXPECT_EQ(circuits, crossed);
    EXPECT_EQ(decision.fallbacks, 2);
  });
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("moert:", 1), std::string::npos) << said;
  EXPECT_EQ(device->getCircuits(), (Map{{1, 5}, {2, 6}, {3, 7}, {4, 8}}));
}

TEST_F(OcsRegionTest, EveryFaultOfEveryCommandLeavesTheTruth) {
  // After each fault, no circuits are used. Then the same demand must get the
  // right circuits, whatever state the switch is in.
  using Kind = SwitchFault::Kind;
  for (Kind kind : {Kind::Deny, Kind::Partial, Kind::Silence, Kind::Garbage,
                    Kind::Disconnect})
    for (const char *verb : {"RTRV", "DLT", "ENT"}) {
      serve({});
      moert_ocs_config config = makeConfig();
      config.deadline_us = 300000;
      ASSERT_EQ(open(config), MOERT_OK) << getError();
      testing::internal::CaptureStderr();
      runJob("region-faults",
             [&](int32_t rank, moert_context *, moert_ocs_region *region) {
               Matrix circuits;
               moert_ocs_decision decision =
                   follow(rank, region, 6e6, false, circuits);
               EXPECT_EQ(circuits, pairs);
               if (rank == 1)
                 device->setFaults({{kind, verb, 1}});
               decision = follow(rank, region, 6e6, true, circuits);
               // A partial fault only affects commands with several parts.
               bool isHarmless = kind == Kind::Partial && verb[0] == 'R';
               EXPECT_EQ(decision.action,
                         isHarmless ? MOERT_OCS_CHANGE : MOERT_OCS_FALL_BACK)
                   << int(kind) << " " << verb << ": " << decision.why;
               EXPECT_EQ(circuits, isHarmless ? crossed : none);
               decision = follow(rank, region, 6e6, true, circuits);
               EXPECT_EQ(circuits, crossed) << int(kind) << " " << verb;
             });
      (void)testing::internal::GetCapturedStderr();
      EXPECT_EQ(device->getCircuits(), (Map{{1, 5}, {2, 6}, {3, 7}, {4, 8}}));
      close();
      device.reset();
    }
}

TEST_F(OcsRegionTest, CircuitsThatOthersTookDownAreNotUsed) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  runJob("region-others", [&](int32_t rank, moert_context *,
                              moert_ocs_region *region) {
    Matrix circuits;
    follow(rank, region, 6e6, false, circuits);
    EXPECT_EQ(circuits, pairs);
    if (rank == 1)
      device->setCircuits({{1, 3}});
    // No exchange would gain from a change.
    moert_ocs_decision decision = follow(rank, region, 6e6, false, circuits, 0);
    EXPECT_EQ(decision.action, MOERT_OCS_KEEP);
    Matrix one = none;
    one[1] = one[4] = 1;
    EXPECT_EQ(circuits, one);
  });
}

TEST_F(OcsRegionTest, WithoutASwitchAllGoesOverPackets) {
  testing::internal::CaptureStderr();
  runJob("region-none", [&](int32_t rank, moert_context *,
                            moert_ocs_region *region) {
    Matrix circuits;
    for (int32_t turn = 0; turn < 3; ++turn) {
      moert_ocs_decision decision = follow(rank, region, 6e6, false, circuits);
      EXPECT_EQ(decision.action, MOERT_OCS_FALL_BACK);
      EXPECT_EQ(decision.status, MOERT_UNAVAILABLE);
      EXPECT_EQ(decision.fallbacks, turn + 1);
      EXPECT_EQ(circuits, none);
    }
  });
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("moert:", 1), std::string::npos) << said;
}

TEST_F(OcsRegionTest, Errors) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  runJob("region-errors", [&](int32_t rank, moert_context *context,
                              moert_ocs_region *region) {
    moert_ocs_decision decision;
    Matrix circuits(kServers * kServers);
    EXPECT_EQ(moert_ocs_settle(region, circuits.data(), &decision),
              MOERT_INVALID_ARGUMENT);
    // The demand of one rank is invalid. All ranks get the error and continue.
    double row[kServers] = {0, 0, 0, rank == 2 ? -1.0 : 1.0};
    EXPECT_EQ(moert_ocs_decide(region, row, 1, 0, &decision),
              MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(moert_last_error(context))
                  .find("expected a finite demand of at least 0 at [2, 3]"),
              std::string::npos)
        << moert_last_error(context);
    EXPECT_EQ(moert_ocs_decide(region, nullptr, 1, 0, &decision), MOERT_OK);
    EXPECT_EQ(decision.action, MOERT_OCS_KEEP);
    EXPECT_EQ(moert_ocs_decide(region, nullptr, 1, 0, &decision),
              MOERT_INVALID_ARGUMENT);
    EXPECT_EQ(moert_ocs_settle(region, circuits.data(), &decision), MOERT_OK);
    moert_ocs_region_config config;
    ASSERT_EQ(moert_ocs_region_config_default(&config), MOERT_OK);
    auto expectRefused = [&](const char *words) {
      moert_ocs_region *made = nullptr;
      EXPECT_EQ(moert_ocs_region_create(context, &config, &made),
                MOERT_INVALID_ARGUMENT);
      EXPECT_NE(std::string(moert_last_error(context)).find(words),
                std::string::npos)
          << moert_last_error(context);
    };
    expectRefused("expected the name of a switch");
    config.name = "region";
    expectRefused("expected num_servers in [1, 1024], got 0");
    config.num_servers = 2;
    expectRefused("expected a finite nic_bytes_per_us above 0, got 0");
    config.nic_bytes_per_us = 1;
    config.optical_degree = 1;
    expectRefused("expected the ports of NICs");
    int32_t ports[] = {3, 3};
    config.ports = ports;
    expectRefused("expected ports from 1 on, each of one NIC, or 0 for none, "
                  "got 3 of NIC 0 of server 1");
    config.struct_size = 8;
    expectRefused("expected a moert_ocs_region_config of ");
  });
}

TEST_F(OcsRegionTest, RegionsOfCompiledPrograms) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  testing::internal::CaptureStderr();
  runJob("region-programs", [&](int32_t rank, moert_context *context,
                                moert_ocs_region *) {
    // Two regions of two servers; the second region has no switch.
    int32_t members[] = {rank / 2 * 2, rank / 2 * 2 + 1};
    auto find = [&](double bytesPerUs, moert_ocs_region *&found) {
      return moert_ocs_region_find(context, "pod", members, 2, 1, 2, 2,
                                   rank / 2, 2, 1, 0, bytesPerUs, 0, 0, 0,
                                   &found);
    };
    if (rank == 1) {
      ASSERT_EQ(moert_ocs_attach(context, "pod.0", ocs), MOERT_OK);
    }
    moert_ocs_region *region = nullptr, *again = nullptr;
    ASSERT_EQ(find(1, region), MOERT_OK) << moert_last_error(context);
    ASSERT_EQ(find(1, again), MOERT_OK);
    EXPECT_EQ(again, region);
    EXPECT_EQ(find(2, again), MOERT_INVALID_ARGUMENT);
    int64_t demand[] = {0, 50, 70, 0};
    EXPECT_EQ(moert_ocs_region_plan(region, demand, MOERT_F32, 1, 0),
              MOERT_INVALID_ARGUMENT);
    ASSERT_EQ(moert_ocs_region_plan(region, demand, MOERT_I64, 1, 0), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(moert_ocs_region_plan(region, demand, MOERT_I64, 1, 0),
              MOERT_INVALID_ARGUMENT);
    ASSERT_EQ(moert_ocs_region_wait(region), MOERT_OK);
    if (rank == 1) {
      EXPECT_EQ(getCircuits(), (Map{{1, 3}, {2, 4}}));
    }
    // The second of two matrices.
    int32_t circuits[] = {9, 9, 9, 9, 0, 1, 1, 0};
    ASSERT_EQ(moert_ocs_region_set(region, circuits, 1), MOERT_OK)
        << moert_last_error(context);
    ASSERT_EQ(moert_ocs_region_wait(region), MOERT_OK);
    if (rank == 1) {
      EXPECT_EQ(getCircuits(), (Map{{1, 3}}));
    }
    // Circuits that one region does not have are an error on all ranks.
    EXPECT_EQ(moert_ocs_region_set(region, circuits, 0),
              MOERT_INVALID_ARGUMENT);
    int32_t many[] = {0, 3, 3, 0};
    EXPECT_EQ(moert_ocs_region_set(region, many, 0), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(moert_last_error(context))
                  .find("expected at most 2 circuits at server 0"),
              std::string::npos)
        << moert_last_error(context);
    ASSERT_EQ(moert_ocs_region_set(region, circuits, 1), MOERT_OK);
    ASSERT_EQ(moert_ocs_region_wait(region), MOERT_OK);
    // The first prediction has no data; the second one uses the noted demand.
    auto predict = [&] {
      ASSERT_EQ(moert_ocs_region_predict(region, "0", circuits, 1, 1, 0),
                MOERT_OK)
          << moert_last_error(context);
      ASSERT_EQ(moert_ocs_region_wait(region), MOERT_OK);
    };
    predict();
    if (rank == 1) {
      EXPECT_EQ(getCircuits(), (Map{{1, 3}}));
    }
    EXPECT_EQ(moert_ocs_region_note(region, "", demand, MOERT_I64),
              MOERT_INVALID_ARGUMENT);
    EXPECT_EQ(moert_ocs_region_note(region, "0", nullptr, MOERT_I64),
              MOERT_INVALID_ARGUMENT);
    EXPECT_EQ(moert_ocs_region_note(region, "0", demand, MOERT_F32),
              MOERT_INVALID_ARGUMENT);
    // The missing part of the demand is extrapolated from the known part.
    int64_t sum[4] = {};
    auto recall = [&](int64_t times) {
      return moert_ocs_region_recall(region, "0", demand, MOERT_I64, times,
                                     sum);
    };
    ASSERT_EQ(recall(3), MOERT_OK);
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(sum[k], 3 * demand[k]);
    ASSERT_EQ(moert_ocs_region_note(region, "0", demand, MOERT_I64), MOERT_OK);
    ASSERT_EQ(recall(3), MOERT_OK);
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(sum[k], 2 * demand[k]);
    EXPECT_EQ(recall(0), MOERT_INVALID_ARGUMENT);
    EXPECT_EQ(moert_ocs_region_recall(region, "", demand, MOERT_I64, 1, sum),
              MOERT_INVALID_ARGUMENT);
    EXPECT_EQ(
        moert_ocs_region_recall(region, "0", demand, MOERT_I64, 1, nullptr),
        MOERT_INVALID_ARGUMENT);
    predict();
    if (rank == 1) {
      EXPECT_EQ(getCircuits(), (Map{{1, 3}, {2, 4}}));
    }
  });
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("region of switch 'pod.1': over packets from decision 0"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("region of switch 'pod.1': 5 of 7 decisions took packets "
                      "alone"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("'pod.0'"), std::string::npos) << said;
}
