//===- OcsTest.cpp - Optical switches and the emulated one ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedSwitch.h"
#include "moert.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

using Map = std::map<int32_t, int32_t>;
using Clock = std::chrono::steady_clock;

double getMs(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

std::string getError() { return moert_last_error(nullptr); }

/// A switch and a connection to it, both gone at the end.
class OcsTest : public testing::Test {
protected:
  ~OcsTest() override { close(); }

  void serve(EmulatedSwitchOptions options) {
    isCalient = options.isCalient;
    device = std::make_unique<EmulatedSwitch>(std::move(options));
    std::string reason;
    ASSERT_TRUE(device->start(reason)) << reason;
    address = "127.0.0.1:" + std::to_string(device->getPort());
  }

  moert_ocs_config makeConfig() {
    moert_ocs_config config;
    EXPECT_EQ(moert_ocs_config_default(&config), MOERT_OK);
    config.address = address.c_str();
    config.dialect = isCalient ? MOERT_OCS_CALIENT : MOERT_OCS_POLATIS;
    config.user = "admin";
    config.password = "root";
    config.all_ports = 1;
    return config;
  }

  moert_status open(const moert_ocs_config &config) {
    return moert_ocs_open(&config, &ocs);
  }

  void close() {
    if (ocs) {
      EXPECT_EQ(moert_ocs_close(ocs), MOERT_OK);
    }
    ocs = nullptr;
  }

  /// Changes and waits.
  moert_status configure(const Map &circuits,
                         moert_ocs_result *result = nullptr) {
    std::vector<moert_ocs_circuit> list;
    for (const auto &[in, out] : circuits)
      list.push_back({in, out});
    moert_ocs_change *change = nullptr;
    moert_status status = moert_ocs_configure(
        ocs, list.data(), static_cast<int32_t>(list.size()), &change);
    if (status != MOERT_OK)
      return status;
    status = moert_ocs_await(change, MOERT_DEADLINE_DEFAULT);
    std::string words = getError();
    if (result) {
      EXPECT_EQ(moert_ocs_change_result(change, result), MOERT_OK);
    }
    EXPECT_EQ(moert_ocs_change_destroy(change), MOERT_OK);
    lastError = words;
    return status;
  }

  Map getCircuits() {
    std::vector<moert_ocs_circuit> list(1000);
    int32_t count = -1;
    EXPECT_EQ(moert_ocs_circuits(ocs, list.data(), 1000, &count), MOERT_OK)
        << getError();
    Map circuits;
    for (int32_t i = 0; i < count; ++i)
      circuits[list[i].in] = list[i].out;
    return circuits;
  }

  void runJob(
      const char *address, int32_t ranks, int64_t deadlineUs,
      const std::function<void(int32_t, moert_context *, moert_ocs *)> &body);

  /// Listens for one who takes the test for a switch.
  void listen(int &listener) {
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&place), size), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    ASSERT_EQ(
        getsockname(listener, reinterpret_cast<sockaddr *>(&place), &size), 0);
    address = "127.0.0.1:" + std::to_string(ntohs(place.sin_port));
  }

  std::unique_ptr<EmulatedSwitch> device;
  bool isCalient = false;
  std::string address, lastError;
  moert_ocs *ocs = nullptr;
};

Map makeRandom(std::mt19937 &random, int32_t ports) {
  std::vector<int32_t> order(ports);
  for (int32_t i = 0; i < ports; ++i)
    order[i] = i + 1;
  std::shuffle(order.begin(), order.end(), random);
  Map circuits;
  for (size_t i = 0; i < random() % (ports / 2 + 1); ++i)
    circuits[order[2 * i]] = order[2 * i + 1];
  return circuits;
}

//===----------------------------------------------------------------------===//
// What works
//===----------------------------------------------------------------------===//

TEST_F(OcsTest, RandomChangesOnAnySwitch) {
  // Whole answers; pieces of one byte among unasked messages and echoes; lists
  // of many messages; both makers.
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
  // Nothing to change: nothing but a look.
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
  // What is asked for stays, and more may come.
  ASSERT_EQ(configure({{1, 2}, {5, 6}}), MOERT_OK) << lastError;
  EXPECT_EQ(device->getCircuits(), (Map{{1, 2}, {5, 6}}));
}

TEST_F(OcsTest, ChangesTakeTheirTimeAndTheCallerDoesNot) {
  EmulatedSwitchOptions options;
  options.baseUs = 100000;
  options.perPairUs = 20000;
  serve(options);
  moert_ocs_config config = makeConfig();
  config.link_up_us = 100000;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  moert_ocs_circuit circuits[] = {{1, 2}, {3, 4}};
  moert_ocs_change *first, *second;
  auto start = Clock::now();
  ASSERT_EQ(moert_ocs_configure(ocs, circuits, 2, &first), MOERT_OK);
  ASSERT_EQ(moert_ocs_configure(ocs, circuits, 1, &second), MOERT_OK);
  EXPECT_LT(getMs(start), 90);
  int done = -1;
  ASSERT_EQ(moert_ocs_query(first, &done), MOERT_OK);
  EXPECT_EQ(done, 0);
  // A wait that gives up leaves the change alone.
  EXPECT_EQ(moert_ocs_await(first, 1000), MOERT_DEADLINE_EXCEEDED);
  moert_ocs_result result;
  EXPECT_EQ(moert_ocs_change_result(first, &result), MOERT_INVALID_ARGUMENT);
  ASSERT_EQ(moert_ocs_await(first, MOERT_DEADLINE_DEFAULT), MOERT_OK)
      << getError();
  // 100 + 2 * 20 of the switch and 100 of the links.
  EXPECT_GE(getMs(start), 240);
  ASSERT_EQ(moert_ocs_change_result(first, &result), MOERT_OK);
  EXPECT_EQ(result.added, 2);
  EXPECT_GE(result.elapsed_us, 240000);
  // The second takes one down only: no waiting for links.
  ASSERT_EQ(moert_ocs_await(second, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  ASSERT_EQ(moert_ocs_query(second, &done), MOERT_OK);
  EXPECT_EQ(done, 1);
  ASSERT_EQ(moert_ocs_change_result(second, &result), MOERT_OK);
  EXPECT_EQ(result.removed, 1);
  EXPECT_LT(result.elapsed_us, 95000);
  // Whether they are forgotten or not, all is gone with the connection.
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

//===----------------------------------------------------------------------===//
// What goes wrong
//===----------------------------------------------------------------------===//

TEST_F(OcsTest, FaultsAreToldAndDoNotLast) {
  struct Case {
    SwitchFault::Kind kind;
    const char *verb;
    moert_status status;
    const char *words;
  } cases[] = {
      {SwitchFault::Kind::Deny, "ENT", MOERT_BACKEND_ERROR,
       "it denies a command; sent 'ENT-PATCH::1&3,2&4:"},
      {SwitchFault::Kind::Deny, "RTRV", MOERT_BACKEND_ERROR,
       "it denies a command; sent 'RTRV-PATCH:::"},
      {SwitchFault::Kind::Partial, "ENT", MOERT_BACKEND_ERROR,
       "it has done a part of a command only; sent 'ENT-PATCH::1&3,2&4:"},
      {SwitchFault::Kind::Silence, "ENT", MOERT_DEADLINE_EXCEEDED,
       "no complete answer before the deadline; sent 'DLT-PATCH::1:"},
      {SwitchFault::Kind::Garbage, "ENT", MOERT_BACKEND_ERROR,
       "expected messages of TL1; sent 'DLT-PATCH::1:"},
      {SwitchFault::Kind::Disconnect, "ENT", MOERT_BACKEND_ERROR,
       "it hung up before it had answered; sent 'DLT-PATCH::1:"},
      {SwitchFault::Kind::Disconnect, "RTRV", MOERT_BACKEND_ERROR,
       "received '\\r\\n\\n   EMUL"},
  };
  for (const Case &test : cases) {
    SCOPED_TRACE(test.words);
    serve({});
    device->setCircuits({{1, 5}});
    moert_ocs_config config = makeConfig();
    config.deadline_us = 300000;
    ASSERT_EQ(open(config), MOERT_OK) << getError();
    device->setFaults({{test.kind, test.verb, 1}});
    auto start = Clock::now();
    EXPECT_EQ(configure({{1, 2}, {3, 4}}), test.status);
    EXPECT_NE(lastError.find(test.words), std::string::npos) << lastError;
    EXPECT_NE(lastError.find(address), std::string::npos) << lastError;
    EXPECT_LT(getMs(start), 3000);
    // Whatever it has done of it: the next change finds out.
    EXPECT_EQ(configure({{1, 2}, {3, 4}}), MOERT_OK) << lastError;
    EXPECT_EQ(device->getCircuits(), (Map{{1, 2}, {3, 4}}));
    close();
  }
}

TEST_F(OcsTest, ThePasswordIsNotTold) {
  serve({});
  moert_ocs_config config = makeConfig();
  config.password = "secret";
  EXPECT_EQ(open(config), MOERT_BACKEND_ERROR);
  std::string words = getError();
  EXPECT_NE(words.find("sent 'ACT-USER::admin:1::***;'"), std::string::npos)
      << words;
  EXPECT_NE(words.find("PIUI"), std::string::npos) << words;
  EXPECT_EQ(words.find("secret"), std::string::npos) << words;
  // Nor by a switch that repeats what it is told and then fails.
  EmulatedSwitchOptions options;
  options.hasEcho = true;
  options.faults = {{SwitchFault::Kind::Disconnect, "ACT", 1}};
  serve(options);
  config = makeConfig();
  config.password = "secret";
  EXPECT_EQ(open(config), MOERT_BACKEND_ERROR);
  words = getError();
  EXPECT_NE(words.find("ACT-USER"), std::string::npos) << words;
  EXPECT_EQ(words.find("secret"), std::string::npos) << words;
}

TEST_F(OcsTest, ASwitchThatDoesNotAnswerALogin) {
  EmulatedSwitchOptions options;
  options.faults = {{SwitchFault::Kind::Silence, "ACT", -1}};
  serve(options);
  moert_ocs_config config = makeConfig();
  config.deadline_us = 100000;
  auto start = Clock::now();
  EXPECT_EQ(open(config), MOERT_DEADLINE_EXCEEDED);
  EXPECT_NE(getError().find("received nothing"), std::string::npos);
  EXPECT_LT(getMs(start), 2000);
}

TEST_F(OcsTest, WithoutALoginCommandsAreDenied) {
  serve({});
  moert_ocs_config config = makeConfig();
  config.user = config.password = nullptr;
  ASSERT_EQ(open(config), MOERT_OK);
  int32_t count;
  EXPECT_EQ(moert_ocs_circuits(ocs, nullptr, 0, &count), MOERT_BACKEND_ERROR);
  EXPECT_NE(getError().find("PLNA"), std::string::npos) << getError();
}

TEST_F(OcsTest, TheWrongDialectIsDenied) {
  serve({});
  isCalient = true;
  ASSERT_EQ(open(makeConfig()), MOERT_OK);
  EXPECT_EQ(configure({{1, 2}}), MOERT_BACKEND_ERROR);
  EXPECT_NE(lastError.find("ICNV"), std::string::npos) << lastError;
}

TEST_F(OcsTest, ARandomStrangerEndsWithinTheDeadline) {
  // Listens, says anything at all, and either hangs up or falls silent.
  int listener = -1;
  listen(listener);
  constexpr int kRounds = 100;
  std::thread stranger([&] {
    std::mt19937 random(3);
    const std::string words[] = {
        "M  1 ", "COMPLD", "DENY",    "\r\n",
        ";",     ">",      "<",       "\"",
        "IP 1",  "A  2 ",  "\"1,2\"", "PRTL",
        "/*",    "M  2 ",  "DELAY",   "M  1 COMPLD\r\n;"};
    std::vector<int> silent;
    for (int round = 0; round < kRounds; ++round) {
      int fd = accept(listener, nullptr, nullptr);
      std::string talk;
      for (size_t i = 0; i < random() % 30; ++i)
        talk += random() % 8 ? words[random() % std::size(words)]
                             : std::string(1, static_cast<char>(random()));
      ssize_t sent = send(fd, talk.data(), talk.size(), MSG_NOSIGNAL);
      EXPECT_EQ(sent, static_cast<ssize_t>(talk.size()));
      if (random() % 4)
        ::close(fd);
      else
        silent.push_back(fd);
    }
    for (int fd : silent)
      ::close(fd);
  });
  moert_ocs_config config = makeConfig();
  config.deadline_us = 50000;
  int refused = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto start = Clock::now();
    moert_status status = open(config);
    EXPECT_LT(getMs(start), 2000);
    // It may say by chance what lets one in.
    refused += status != MOERT_OK;
    if (status != MOERT_OK) {
      EXPECT_FALSE(getError().empty());
    }
    close();
  }
  stranger.join();
  ::close(listener);
  EXPECT_GT(refused, kRounds / 2);
}

/// An answer that goes on for ever, and unasked messages that do, end.
TEST_F(OcsTest, EndlessTalkEnds) {
  struct Case {
    const char *talk;
    moert_status expected;
    const char *words;
  };
  const Case cases[] = {{"M  1 COMPLD\r\n   \"1,9\"\r\n>", MOERT_BACKEND_ERROR,
                         "its answer has no end"},
                        {"A  2 REPT EVT PORT\r\n;", MOERT_DEADLINE_EXCEEDED,
                         "no complete answer before the deadline"}};
  for (const Case &test : cases) {
    int listener = -1;
    listen(listener);
    std::thread talker([&] {
      int fd = accept(listener, nullptr, nullptr);
      std::string talk;
      while (talk.size() < 30000)
        talk += test.talk;
      while (send(fd, talk.data(), talk.size(), MSG_NOSIGNAL) > 0)
        ;
      ::close(fd);
    });
    moert_ocs_config config = makeConfig();
    config.deadline_us = 1500000;
    auto start = Clock::now();
    EXPECT_EQ(open(config), test.expected) << getError();
    EXPECT_NE(getError().find(test.words), std::string::npos) << getError();
    EXPECT_LT(getMs(start), 20000);
    close();
    talker.join();
    ::close(listener);
  }
}

TEST_F(OcsTest, NobodyThere) {
  serve({});
  device.reset();
  EXPECT_EQ(open(makeConfig()), MOERT_UNAVAILABLE);
  EXPECT_NE(getError().find("cannot connect to the switch at " + address),
            std::string::npos)
      << getError();
  address = "switch.example:3082";
  EXPECT_EQ(open(makeConfig()), MOERT_INVALID_ARGUMENT);
}

TEST_F(OcsTest, ASwitchThatGoesAwayAndComesBack) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  EmulatedSwitchOptions same;
  same.port = device->getPort();
  device.reset();
  EXPECT_NE(configure({{1, 2}}), MOERT_OK);
  serve(same);
  EXPECT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
}

TEST_F(OcsTest, ASwitchThatHasEndedAnIdleConnection) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  EmulatedSwitchOptions same;
  same.port = device->getPort();
  device.reset();
  serve(same);
  EXPECT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
}

TEST_F(OcsTest, ClosingEndsWhatIsUnderWay) {
  EmulatedSwitchOptions options;
  options.faults = {{SwitchFault::Kind::Silence, "RTRV", -1}};
  serve(options);
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  moert_ocs_circuit circuit = {1, 2};
  moert_ocs_change *change;
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(moert_ocs_configure(ocs, &circuit, 1, &change), MOERT_OK);
  auto start = Clock::now();
  close();
  EXPECT_LT(getMs(start), 2000);
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
  expectRefused("expected struct_size");
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
  // What was refused was not sent.
  EXPECT_TRUE(device->getLog().empty());
  // Ports that the switch lacks.
  EXPECT_EQ(configure({{1, 1000}}), MOERT_BACKEND_ERROR);
  EXPECT_NE(lastError.find("IDNV"), std::string::npos) << lastError;
}

//===----------------------------------------------------------------------===//
// Switches of a job
//===----------------------------------------------------------------------===//

TEST_F(OcsTest, RanksFindTheSwitchThatOneControls) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  auto runRank = [&](int32_t rank) {
    moert_config config;
    ASSERT_EQ(moert_config_default(&config), MOERT_OK);
    config.rank = rank;
    config.world_size = 2;
    config.address = "ocs-ranks";
    moert_context *context;
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
    moert_ocs *found = nullptr;
    if (rank == 1) {
      EXPECT_EQ(moert_ocs_find(context, "region", 1, &found),
                MOERT_UNAVAILABLE);
      EXPECT_NE(std::string(moert_last_error(context))
                    .find("attached as 'region', found none"),
                std::string::npos)
          << moert_last_error(context);
      ASSERT_EQ(moert_ocs_attach(context, "region", ocs), MOERT_OK);
    }
    EXPECT_EQ(moert_ocs_find(context, "region", 2, &found),
              MOERT_INVALID_ARGUMENT);
    ASSERT_EQ(moert_ocs_find(context, "region", 1, &found), MOERT_OK);
    int32_t count = -1;
    EXPECT_EQ(moert_ocs_circuits(found, nullptr, 0, &count),
              rank == 1 ? MOERT_OK : MOERT_INVALID_ARGUMENT);
    moert_ocs_circuit circuit = {1, 2};
    moert_ocs_change *change;
    ASSERT_EQ(moert_ocs_configure(found, &circuit, 1, &change), MOERT_OK);
    ASSERT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), MOERT_OK);
    moert_ocs_result result;
    ASSERT_EQ(moert_ocs_change_result(change, &result), MOERT_OK);
    EXPECT_EQ(result.added, 1);
    int done = 0;
    ASSERT_EQ(moert_ocs_query(change, &done), MOERT_OK);
    EXPECT_EQ(done, 1);
    ASSERT_EQ(moert_ocs_change_destroy(change), MOERT_OK);
    if (rank == 1) {
      ASSERT_EQ(moert_ocs_attach(context, "region", nullptr), MOERT_OK);
      EXPECT_EQ(moert_ocs_find(context, "region", 1, &found),
                MOERT_UNAVAILABLE);
    }
    EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  };
  std::thread other(runRank, 1);
  runRank(0);
  other.join();
  EXPECT_EQ(device->getCircuits(), (Map{{1, 2}}));
}

/// What `ranks` ranks of a host job, of which 1 controls the switch 'region',
/// do.
void OcsTest::runJob(
    const char *address, int32_t ranks, int64_t deadlineUs,
    const std::function<void(int32_t, moert_context *, moert_ocs *)> &body) {
  auto runRank = [&](int32_t rank) {
    moert_config config;
    ASSERT_EQ(moert_config_default(&config), MOERT_OK);
    config.rank = rank;
    config.world_size = ranks;
    config.address = address;
    config.deadline_us = deadlineUs;
    moert_context *context;
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
    if (rank == 1) {
      ASSERT_EQ(moert_ocs_attach(context, "region", ocs), MOERT_OK);
    }
    moert_ocs *found = nullptr;
    ASSERT_EQ(moert_ocs_find(context, "region", 1, &found), MOERT_OK);
    body(rank, context, found);
    (void)moert_finalize(context, MOERT_DEADLINE_DEFAULT);
  };
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back(runRank, rank);
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(OcsTest, AllRanksWaitForLinks) {
  serve({});
  moert_ocs_config config = makeConfig();
  config.link_up_us = 600000;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  // Links may take longer than the job waits for its ranks.
  runJob("ocs-links", 3, 400000,
         [&](int32_t rank, moert_context *context, moert_ocs *found) {
           auto start = Clock::now();
           moert_ocs_circuit circuit = {1, 2};
           moert_ocs_change *change;
           ASSERT_EQ(moert_ocs_configure(found, &circuit, 1, &change),
                     MOERT_OK);
           EXPECT_LT(getMs(start), 500);
           moert_ocs_result result;
           if (rank != 1) {
             int done = -1;
             EXPECT_EQ(moert_ocs_query(change, &done), MOERT_OK);
             EXPECT_EQ(done, 0);
             EXPECT_EQ(moert_ocs_change_result(change, &result),
                       MOERT_INVALID_ARGUMENT);
           }
           // A wait that gives up does so on all ranks, and may come again.
           EXPECT_EQ(moert_ocs_await(change, 1000), MOERT_DEADLINE_EXCEEDED);
           ASSERT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), MOERT_OK)
               << moert_last_error(context);
           EXPECT_GE(getMs(start), 600);
           EXPECT_EQ(device->getCircuits(), (Map{{1, 2}}));
           ASSERT_EQ(moert_ocs_change_result(change, &result), MOERT_OK);
           EXPECT_EQ(result.added, 1);
           EXPECT_GE(result.elapsed_us, 600000);
           EXPECT_EQ(moert_ocs_await(change, 0), MOERT_OK);
           EXPECT_EQ(moert_ocs_change_destroy(change), MOERT_OK);
         });
}

TEST_F(OcsTest, AllRanksHearWhatTheSwitchDenied) {
  serve({});
  moert_ocs_config config = makeConfig();
  int32_t ports[] = {1, 2};
  config.ports = ports;
  config.num_ports = 2;
  config.all_ports = 0;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  device->setFaults({{SwitchFault::Kind::Deny, "ENT", 1}});
  auto await = [](int32_t rank, moert_context *context, moert_ocs *found,
                  moert_ocs_circuit circuit, moert_status expected,
                  const char *words) {
    moert_ocs_change *change;
    ASSERT_EQ(moert_ocs_configure(found, &circuit, 1, &change), MOERT_OK);
    EXPECT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), expected);
    std::string text = moert_last_error(context);
    EXPECT_NE(text.find(words), std::string::npos) << text;
    if (expected != MOERT_OK) {
      EXPECT_EQ(
          text.find("rank 1, which controls the optical switch 'region'") ==
              std::string::npos,
          rank == 1)
          << text;
    }
  };
  runJob("ocs-denied", 3, 5000000,
         [&](int32_t rank, moert_context *context, moert_ocs *found) {
           await(rank, context, found, {1, 2}, MOERT_BACKEND_ERROR,
                 "it denies a command; sent 'ENT-PATCH::1,2:");
           // What only the rank that controls it can know.
           await(rank, context, found, {1, 3}, MOERT_INVALID_ARGUMENT,
                 "expected ports that the configuration lists, got 3");
           // The job goes on.
           await(rank, context, found, {1, 2}, MOERT_OK, "");
         });
  EXPECT_EQ(device->getCircuits(), (Map{{1, 2}}));
}

TEST_F(OcsTest, RanksThatDoNotComeAreNamed) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  runJob("ocs-absent", 3, 5000000,
         [&](int32_t rank, moert_context *context, moert_ocs *found) {
           if (rank == 1)
             return;
           moert_ocs_change *change;
           ASSERT_EQ(moert_ocs_configure(found, nullptr, 0, &change), MOERT_OK);
           EXPECT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT),
                     MOERT_ABORTED);
           std::string text = moert_last_error(context);
           EXPECT_NE(text.find("the wait for change #0 of the optical switch "
                               "'region'"),
                     std::string::npos)
               << text;
           EXPECT_NE(text.find("rank 1 has left"), std::string::npos) << text;
         });
}

} // namespace
