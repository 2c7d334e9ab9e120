// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests optical switches with faults.

#include "OcsFixture.h"
#include <arpa/inet.h>
#include <iterator>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

class OcsFaultTest : public OcsTest {
protected:
  /// Listens for a client that expects a switch.
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
};

} // namespace

TEST_F(OcsFaultTest, FaultsAreToldAndDoNotLast) {
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
    // Only one of the faults waits until the deadline.
    moert_ocs_config config = makeConfig();
    if (test.status == MOERT_DEADLINE_EXCEEDED)
      config.deadline_us = 1500000;
    ASSERT_EQ(open(config), MOERT_OK) << getError();
    device->setFaults({{test.kind, test.verb, 1}});
    auto start = Clock::now();
    EXPECT_EQ(configure({{1, 2}, {3, 4}}), test.status);
    EXPECT_NE(lastError.find(test.words), std::string::npos) << lastError;
    EXPECT_NE(lastError.find(address), std::string::npos) << lastError;
    EXPECT_LT(getMs(start), 9000);
    // The next change must succeed, whatever part of this one was done.
    EXPECT_EQ(configure({{1, 2}, {3, 4}}), MOERT_OK) << lastError;
    EXPECT_EQ(device->getCircuits(), (Map{{1, 2}, {3, 4}}));
    close();
  }
}

TEST_F(OcsFaultTest, ThePasswordIsNotTold) {
  serve({});
  moert_ocs_config config = makeConfig();
  config.password = "secret";
  EXPECT_EQ(open(config), MOERT_BACKEND_ERROR);
  std::string words = getError();
  EXPECT_NE(words.find("sent 'ACT-USER::admin:1::***;'"), std::string::npos)
      << words;
  EXPECT_NE(words.find("PIUI"), std::string::npos) << words;
  EXPECT_EQ(words.find("secret"), std::string::npos) << words;
  // Nor may the error contain the password if the switch echoes commands and
  // then fails.
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

TEST_F(OcsFaultTest, ASwitchThatDoesNotAnswerALogin) {
  EmulatedSwitchOptions options;
  options.faults = {{SwitchFault::Kind::Silence, "ACT", -1}};
  serve(options);
  moert_ocs_config config = makeConfig();
  config.deadline_us = 500000;
  auto start = Clock::now();
  EXPECT_EQ(open(config), MOERT_DEADLINE_EXCEEDED);
  EXPECT_NE(getError().find("received nothing"), std::string::npos);
  EXPECT_LT(getMs(start), 9000);
}

TEST_F(OcsFaultTest, WithoutALoginCommandsAreDenied) {
  serve({});
  moert_ocs_config config = makeConfig();
  config.user = config.password = nullptr;
  ASSERT_EQ(open(config), MOERT_OK);
  int32_t count;
  EXPECT_EQ(moert_ocs_circuits(ocs, nullptr, 0, &count), MOERT_BACKEND_ERROR);
  EXPECT_NE(getError().find("PLNA"), std::string::npos) << getError();
}

TEST_F(OcsFaultTest, TheWrongDialectIsDenied) {
  serve({});
  isCalient = true;
  ASSERT_EQ(open(makeConfig()), MOERT_OK);
  EXPECT_EQ(configure({{1, 2}}), MOERT_BACKEND_ERROR);
  EXPECT_NE(lastError.find("ICNV"), std::string::npos) << lastError;
}

TEST_F(OcsFaultTest, ARandomStrangerEndsWithinTheDeadline) {
  // A server that sends random data, and then closes the connection or stops
  // sending.
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
    EXPECT_LT(getMs(start), 9000);
    // The random data may accept the login by chance.
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

/// An endless answer, an endless message in an answer, and endless unsolicited
/// messages must end.
TEST_F(OcsFaultTest, EndlessTalkEnds) {
  struct Case {
    const char *talk;
    moert_status expected;
    const char *words;
    int64_t deadlineUs;
  };
  const Case cases[] = {{"M  1 COMPLD\r\n   \"1,9\"\r\n>", MOERT_BACKEND_ERROR,
                         "its answer has no end", 60000000},
                        {"M  1 COMPLD\r\n   1,9\r\n", MOERT_BACKEND_ERROR,
                         "its message has no end", 60000000},
                        {"A  2 REPT EVT PORT\r\n;", MOERT_DEADLINE_EXCEEDED,
                         "no complete answer before the deadline", 1500000}};
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
    config.deadline_us = test.deadlineUs;
    auto start = Clock::now();
    EXPECT_EQ(open(config), test.expected) << getError();
    EXPECT_NE(getError().find(test.words), std::string::npos) << getError();
    EXPECT_LT(getMs(start), 20000);
    close();
    talker.join();
    ::close(listener);
  }
}

TEST_F(OcsFaultTest, NobodyThere) {
  serve({});
  device.reset();
  EXPECT_EQ(open(makeConfig()), MOERT_UNAVAILABLE);
  EXPECT_NE(getError().find("cannot connect to the switch at " + address),
            std::string::npos)
      << getError();
  address = "switch.example:3082";
  EXPECT_EQ(open(makeConfig()), MOERT_INVALID_ARGUMENT);
}

TEST_F(OcsFaultTest, ASwitchThatGoesAwayAndComesBack) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  EmulatedSwitchOptions same;
  same.port = device->getPort();
  device.reset();
  EXPECT_NE(configure({{1, 2}}), MOERT_OK);
  serve(same);
  EXPECT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
}

TEST_F(OcsFaultTest, ASwitchThatHasEndedAnIdleConnection) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  EmulatedSwitchOptions same;
  same.port = device->getPort();
  device.reset();
  serve(same);
  EXPECT_EQ(configure({{1, 2}}), MOERT_OK) << lastError;
}

TEST_F(OcsFaultTest, ClosingEndsWhatIsUnderWay) {
  EmulatedSwitchOptions options;
  options.faults = {{SwitchFault::Kind::Silence, "RTRV", -1}};
  serve(options);
  moert_ocs_config config = makeConfig();
  config.deadline_us = 60000000;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  moert_ocs_circuit circuit = {1, 2};
  moert_ocs_change *change;
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(moert_ocs_configure(ocs, &circuit, 1, &change), MOERT_OK);
  auto start = Clock::now();
  close();
  EXPECT_LT(getMs(start), 20000);
}
