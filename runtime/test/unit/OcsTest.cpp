// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests optical switches, and the emulated one.

#include "OcsFixture.h"
#include <algorithm>
#include <random>
#include <thread>

namespace {

std::map<int32_t, int32_t> makeRandom(std::mt19937 &random, int32_t ports) {
  std::vector<int32_t> order(ports);
  for (int32_t i = 0; i < ports; ++i)
    order[i] = i + 1;
  std::shuffle(order.begin(), order.end(), random);
  std::map<int32_t, int32_t> circuits;
  for (size_t i = 0; i < random() % (ports / 2 + 1); ++i)
    circuits[order[2 * i]] = order[2 * i + 1];
  return circuits;
}

} // namespace

TEST_F(OcsTest, RandomChangesOnAnySwitch) {
  // Whole answers; single bytes between unsolicited messages and echoes; lists
  // in many messages; both vendors.
  for (int kind = 0; kind < 4; ++kind) {
    SCOPED_TRACE(kind);
    EmulatedSwitchOptions options;
    options.numPorts = 12;
    options.isCalient = kind % 2;
    options.isTalkative = options.hasEcho = kind >= 2;
    options.fragment = kind == 2 ? 5 : 0;
    options.rowsPerMessage = kind >= 2 ? 2 : 0;
    serve(options);
    ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
    std::mt19937 random(kind);
    for (int round = 0; round < (kind == 2 ? 5 : 40); ++round) {
      Map before = device->getCircuits(), wanted = makeRandom(random, 12);
      moert_ocs_result result;
      ASSERT_EQ(configure(wanted, &result), MOERT_OK) << lastError;
      EXPECT_EQ(device->getCircuits(), wanted);
      EXPECT_EQ(getCircuits(), wanted);
      int32_t common = 0;
      for (const auto &[in, out] : before)
        common += wanted.count(in) && wanted.at(in) == out;
      EXPECT_EQ(result.removed, static_cast<int32_t>(before.size()) - common);
      EXPECT_EQ(result.added, static_cast<int32_t>(wanted.size()) - common);
    }
    close();
  }
}

TEST_F(OcsTest, OnlyTheDifferenceIsSentInOneBatch) {
  serve({});
  device->setCircuits({{1, 9}, {2, 10}, {3, 11}});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  ASSERT_EQ(configure({{1, 9}, {2, 11}, {4, 12}}), MOERT_OK) << lastError;
  EXPECT_EQ(device->getLog(),
            (std::vector<std::string>{"RTRV-PATCH:::2:", "DLT-PATCH::2&3:3:",
                                      "ENT-PATCH::2&4,11&12:4:"}));
  // Without a difference, the client only queries the switch.
  ASSERT_EQ(configure({{1, 9}, {2, 11}, {4, 12}}), MOERT_OK) << lastError;
  EXPECT_EQ(device->getLog().size(), 4u);
  ASSERT_EQ(configure({}), MOERT_OK) << lastError;
  EXPECT_EQ(device->getLog().back(), "DLT-PATCH::1&2&4:7:");
  EXPECT_TRUE(device->getCircuits().empty());
}

TEST_F(OcsTest, WhatOthersChangedIsSeen) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  ASSERT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
  device->setCircuits({{1, 3}});
  ASSERT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
  EXPECT_EQ(device->getCircuits(), (Map{{1, 2}}));
}

TEST_F(OcsTest, CircuitsOfOtherPortsStay) {
  serve({});
  device->setCircuits({{5, 6}, {1, 2}});
  moert_ocs_config config = makeConfig();
  int32_t ports[] = {1, 2, 3, 4};
  config.ports = ports;
  config.num_ports = 4;
  config.all_ports = 0;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  ASSERT_EQ(configure({{1, 3}}), MOERT_OK) << lastError;
  EXPECT_EQ(device->getCircuits(), (Map{{1, 3}, {5, 6}}));
  EXPECT_EQ(configure({{1, 6}}), MOERT_INVALID_ARGUMENT);
}

TEST_F(OcsTest, NothingIsTakenDownWithoutPorts) {
  serve({});
  device->setCircuits({{5, 6}});
  moert_ocs_config config = makeConfig();
  config.all_ports = 0;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  for (const Map &wanted : {Map{}, Map{{1, 2}}, Map{{5, 7}}}) {
    EXPECT_EQ(configure(wanted), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(lastError.find("expected the ports that circuits may be taken "
                             "down at, a list or all of them, before circuit "
                             "5,6 goes"),
              std::string::npos)
        << lastError;
    EXPECT_EQ(device->getCircuits(), (Map{{5, 6}}));
  }
  // The requested circuit stays, and others may be added.
  ASSERT_EQ(configure({{1, 2}, {5, 6}}), MOERT_OK) << lastError;
  EXPECT_EQ(device->getCircuits(), (Map{{1, 2}, {5, 6}}));
}

TEST_F(OcsTest, ChangesTakeTheirTimeAndTheCallerDoesNot) {
  EmulatedSwitchOptions options;
  options.baseUs = 100000;
  options.perPairUs = 20000;
  serve(options);
  moert_ocs_config config = makeConfig();
  config.link_up_us = 1000000;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  moert_ocs_circuit circuits[] = {{1, 2}, {3, 4}};
  moert_ocs_change *first, *second;
  // If these calls waited for the switch, the test would never release the
  // answers.
  device->holdAnswers(true);
  auto start = Clock::now();
  ASSERT_EQ(moert_ocs_configure(ocs, circuits, 2, &first), MOERT_OK);
  ASSERT_EQ(moert_ocs_configure(ocs, circuits, 1, &second), MOERT_OK);
  int done = -1;
  ASSERT_EQ(moert_ocs_query(first, &done), MOERT_OK);
  EXPECT_EQ(done, 0);
  // An expired wait must not affect the change.
  EXPECT_EQ(moert_ocs_await(first, 1000), MOERT_DEADLINE_EXCEEDED);
  moert_ocs_result result;
  EXPECT_EQ(moert_ocs_change_result(first, &result), MOERT_INVALID_ARGUMENT);
  device->holdAnswers(false);
  ASSERT_EQ(moert_ocs_await(first, MOERT_DEADLINE_DEFAULT), MOERT_OK)
      << getError();
  // 100 + 2 * 20 ms of the switch and 1000 ms of the links.
  EXPECT_GE(getMs(start), 1140);
  ASSERT_EQ(moert_ocs_change_result(first, &result), MOERT_OK);
  EXPECT_EQ(result.added, 2);
  EXPECT_GE(result.elapsed_us, 1140000);
  // The second change only removes a circuit, so it does not wait for links.
  ASSERT_EQ(moert_ocs_await(second, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  ASSERT_EQ(moert_ocs_query(second, &done), MOERT_OK);
  EXPECT_EQ(done, 1);
  ASSERT_EQ(moert_ocs_change_result(second, &result), MOERT_OK);
  EXPECT_EQ(result.removed, 1);
  EXPECT_LT(result.elapsed_us, config.link_up_us);
  // The other change is not destroyed, because closing the connection must do
  // that.
  EXPECT_EQ(moert_ocs_change_destroy(first), MOERT_OK);
}

TEST_F(OcsTest, ADelayedAnswerIsWaitedFor) {
  EmulatedSwitchOptions options;
  options.baseUs = 50000;
  options.faults = {{SwitchFault::Kind::Delay, "ENT", -1}};
  serve(options);
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  EXPECT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
}

TEST_F(OcsTest, UnaskedMessagesBetweenRequestsArePassedOver) {
  EmulatedSwitchOptions options;
  options.linkUpUs = 1000;
  serve(options);
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  ASSERT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(getCircuits(), (Map{{1, 2}}));
}

TEST_F(OcsTest, ManyThreadsAsk) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  std::vector<std::thread> threads;
  for (int32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        moert_ocs_circuit circuit = {t + 1, 20 + i};
        moert_ocs_change *change;
        ASSERT_EQ(moert_ocs_configure(ocs, &circuit, 1, &change), MOERT_OK);
        int32_t count;
        ASSERT_EQ(moert_ocs_circuits(ocs, nullptr, 0, &count), MOERT_OK);
        EXPECT_EQ(count, 1);
        ASSERT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), MOERT_OK);
        ASSERT_EQ(moert_ocs_change_destroy(change), MOERT_OK);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(device->getCircuits().size(), 1u);
}

TEST_F(OcsTest, BadArguments) {
  serve({});
  moert_ocs_config config = makeConfig();
  auto expectRefused = [&](const char *words) {
    EXPECT_EQ(open(config), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(getError().find(words), std::string::npos) << getError();
    config = makeConfig();
  };
  config.struct_size = 1;
  expectRefused("expected a moert_ocs_config of ");
  config.dialect = static_cast<moert_ocs_dialect>(7);
  expectRefused("expected a dialect, got 7");
  config.password = nullptr;
  expectRefused("both a user and a password");
  config.user = "a;DLT-PATCH";
  expectRefused("without blanks");
  config.deadline_us = 0;
  expectRefused("expected a deadline greater than 0 us, got 0");
  config.link_up_us = -1;
  expectRefused("expected links to come up in");
  int32_t ports[] = {1, 1};
  config.all_ports = 2;
  expectRefused("expected all_ports of 0 or 1, got 2");
  config.ports = ports;
  config.num_ports = 2;
  expectRefused("expected a list of ports or all_ports, got both");
  config.all_ports = 0;
  config.ports = ports;
  config.num_ports = 2;
  expectRefused("expected different ports from 1 on, got 1");
  config.address = nullptr;
  expectRefused("expected an address, got NULL");

  ASSERT_EQ(open(makeConfig()), MOERT_OK);
  EXPECT_EQ(configure({{1, 2}, {3, 2}}), MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(configure({{0, 2}}), MOERT_INVALID_ARGUMENT);
  moert_ocs_change *change;
  EXPECT_EQ(moert_ocs_configure(ocs, nullptr, 1, &change),
            MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(moert_ocs_configure(nullptr, nullptr, 0, &change),
            MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(moert_ocs_await(nullptr, 0), MOERT_INVALID_ARGUMENT);
  EXPECT_EQ(moert_ocs_close(nullptr), MOERT_INVALID_ARGUMENT);
  // Rejected requests must not be sent.
  EXPECT_TRUE(device->getLog().empty());
  // A port that the switch does not have.
  EXPECT_EQ(configure({{1, 1000}}), MOERT_BACKEND_ERROR);
  EXPECT_NE(lastError.find("IDNV"), std::string::npos) << lastError;
}
