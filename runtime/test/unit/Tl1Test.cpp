// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests messages of TL1.

#include "ocs/Tl1.h"
#include "ocs/Circuits.h"
#include "ocs/Commands.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

using namespace moert;
using Kind = Tl1Message::Kind;

namespace {

/// All kinds of messages that a switch may send.
const char kTalk[] =
    "IP 7\r\n<"
    "\r\n\n   SWITCH 26-01-01 00:00:00\r\nA  12 REPT EVT PORT\r\n"
    "   \"1:up;<now>\"\r\n;"
    "\r\n\n   SWITCH 26-01-01 00:00:01\r\nM  7 COMPLD\r\n"
    "   \"1,9\"\r\n   \"2,10\"\r\n>"
    "\r\n\n   SWITCH 26-01-01 00:00:01\r\nM  7 COMPLD\r\n"
    "   \"3,11:a \\\" b;\"\r\n   /* end; of it */\r\n;"
    "\r\n\n   SWITCH 26-01-01 00:00:02\r\n*C 13 REPT ALM ENV\r\n;"
    "\r\n\n   SWITCH 26-01-01 00:00:02\r\nM  8 DENY\r\n   PLNA\r\n;"
    "M 9 PRTL;"
    "HTTP/1.1 400 Bad Request\r\n\r\n;"
    "RTRV-PATCH:::7:;";

std::vector<Tl1Message> readAll(Tl1Reader &reader) {
  std::vector<Tl1Message> messages;
  for (Tl1Message message; reader.next(message);)
    messages.push_back(message);
  return messages;
}

void expectTalk(const std::vector<Tl1Message> &messages) {
  ASSERT_EQ(messages.size(), 9u);
  EXPECT_EQ(messages[0].kind, Kind::Acknowledgment);
  EXPECT_EQ(messages[0].code, "IP");
  EXPECT_EQ(messages[0].tag, "7");
  EXPECT_EQ(messages[1].kind, Kind::Autonomous);
  EXPECT_EQ(messages[1].tag, "12");
  EXPECT_EQ(messages[2].kind, Kind::Response);
  EXPECT_TRUE(messages[2].isContinued);
  EXPECT_EQ(messages[2].lines,
            (std::vector<std::string>{"\"1,9\"", "\"2,10\""}));
  EXPECT_FALSE(messages[3].isContinued);
  EXPECT_EQ(messages[3].tag, "7");
  EXPECT_EQ(messages[3].code, "COMPLD");
  EXPECT_EQ(messages[3].lines, (std::vector<std::string>{"\"3,11:a \\\" b;\"",
                                                         "/* end; of it */"}));
  EXPECT_EQ(messages[4].kind, Kind::Autonomous);
  EXPECT_EQ(messages[4].code, "*C");
  EXPECT_EQ(messages[5].code, "DENY");
  EXPECT_EQ(messages[5].lines, std::vector<std::string>{"PLNA"});
  EXPECT_EQ(messages[6].code, "PRTL");
  EXPECT_EQ(messages[6].tag, "9");
  EXPECT_EQ(messages[7].kind, Kind::Unknown);
  EXPECT_EQ(messages[8].kind, Kind::Unknown);
  EXPECT_EQ(messages[8].text, "RTRV-PATCH:::7:;");
}

TEST(Tl1Test, ManyMessagesInOneRead) {
  Tl1Reader reader;
  reader.feed(kTalk);
  expectTalk(readAll(reader));
  EXPECT_EQ(reader.getRest(), "");
}

TEST(Tl1Test, OneMessageInManyReads) {
  for (size_t step : {1, 2, 3, 7, 64}) {
    SCOPED_TRACE(step);
    Tl1Reader reader;
    std::vector<Tl1Message> messages;
    std::string_view talk = kTalk;
    for (size_t i = 0; i < talk.size(); i += step) {
      reader.feed(talk.substr(i, step));
      for (Tl1Message &message : readAll(reader))
        messages.push_back(std::move(message));
    }
    expectTalk(messages);
  }
}

TEST(Tl1Test, RandomBytesEndOrAreKept) {
  std::mt19937 random(1);
  constexpr std::string_view kBytes = "M A*CIP17;><\"\\/*\r\n \0x";
  for (int round = 0; round < 2000; ++round) {
    Tl1Reader reader;
    size_t size = 0, seen = 0;
    for (int i = 0; i < 40; ++i) {
      char c = kBytes[random() % kBytes.size()];
      reader.feed(std::string_view(&c, 1));
      ++size;
      for (const Tl1Message &message : readAll(reader))
        seen += message.text.size();
    }
    EXPECT_LE(seen + reader.getRest().size(), size);
  }
}

/// Messages with changed, missing or repeated bytes, in pieces of any size.
/// Only blanks may be lost, no byte may be repeated, and lists must be parsed
/// or rejected.
TEST(Tl1Test, TalkThatIsNearlyRight) {
  const char *count = std::getenv("MOERT_FUZZ_MESSAGES");
  uint64_t left = count ? std::strtoull(count, nullptr, 10) : 1000000;
  std::mt19937 random(4);
  auto isInk = [](char c) { return !std::strchr(" \t\r\n", c) || c == '\0'; };
  while (left > 0) {
    std::string talk(kTalk);
    for (unsigned i = 0; i < random() % 8; ++i) {
      size_t at = random() % talk.size();
      switch (random() % 3) {
      case 0:
        talk[at] = static_cast<char>(1 + random() % 255);
        break;
      case 1:
        talk.erase(at, random() % 4);
        break;
      case 2:
        talk.insert(at, talk.substr(random() % talk.size(), random() % 16));
        break;
      }
    }
    Tl1Reader reader;
    std::string seen;
    uint64_t numMessages = 0;
    for (size_t at = 0; at < talk.size();) {
      size_t step = 1 + random() % talk.size();
      reader.feed(std::string_view(talk).substr(at, step));
      at += step;
      for (const Tl1Message &message : readAll(reader)) {
        ++numMessages;
        seen += message.text;
        for (const std::string &line : message.lines) {
          Circuit circuit;
          if (SwitchCommands::parseCircuit(line, circuit).ok()) {
            ASSERT_GE(std::min(circuit.in, circuit.out), 1);
          }
        }
      }
    }
    seen += reader.getRest();
    std::erase_if(seen, [&](char c) { return !isInk(c); });
    std::erase_if(talk, [&](char c) { return !isInk(c); });
    ASSERT_EQ(seen, talk);
    left -= std::min(left, std::max<uint64_t>(numMessages, 1));
  }
}

TEST(Tl1Test, AMessageWithoutEndIsTooLong) {
  Tl1Reader reader;
  reader.feed("M  1 COMPLD\r\n   \"");
  std::string much(Tl1Reader::kMostBytes, ';');
  EXPECT_FALSE(reader.isTooLong());
  reader.feed(much);
  Tl1Message message;
  EXPECT_FALSE(reader.next(message));
  EXPECT_TRUE(reader.isTooLong());
}

TEST(Tl1Test, WireIsPrintedOnOneLine) {
  EXPECT_EQ(printWire(""), "nothing");
  EXPECT_EQ(printWire("M  1\r\n\x01"), "'M  1\\r\\n\\x01'");
  std::string text = printWire(std::string(1000, 'x'));
  EXPECT_LT(text.size(), 300u);
  EXPECT_NE(text.find("' ... '"), std::string::npos);
}

TEST(Tl1Test, Commands) {
  SwitchCommands polatis(MOERT_OCS_POLATIS), calient(MOERT_OCS_CALIENT);
  Tl1Command login = polatis.login("admin", "root");
  EXPECT_EQ(login.print("1"), "ACT-USER::admin:1::root;");
  EXPECT_EQ(login.show("1"), "ACT-USER::admin:1::***;");
  EXPECT_EQ(polatis.retrieve().print("2"), "RTRV-PATCH:::2:;");
  EXPECT_EQ(calient.retrieve().print("2"), "RTRV-CRS:::2:;");
  EXPECT_EQ(polatis.add({{1, 9}}).at(0).print("3"), "ENT-PATCH::1,9:3:;");
  EXPECT_EQ(polatis.add({{1, 9}, {2, 10}}).at(0).print("3"),
            "ENT-PATCH::1&2,9&10:3:;");
  EXPECT_EQ(polatis.remove({{1, 9}, {2, 10}}).at(0).print("4"),
            "DLT-PATCH::1&2:4:;");
  EXPECT_EQ(calient.add({{1, 9}, {2, 10}}).at(1).print("3"),
            "ENT-CRS::2,10:3::moe,2WAY;");
  EXPECT_EQ(calient.remove({{1, 9}}).at(0).print("4"), "DLT-CRS::1,9:4:;");
  EXPECT_TRUE(polatis.add({}).empty());
  EXPECT_TRUE(calient.remove({}).empty());
}

TEST(Tl1Test, CircuitsOfAList) {
  Circuit circuit;
  EXPECT_TRUE(SwitchCommands::parseCircuit("\"1,9\"", circuit).ok());
  EXPECT_EQ(circuit, (Circuit{1, 9}));
  EXPECT_TRUE(SwitchCommands::parseCircuit("\"12,34:moe:2WAY\"", circuit).ok());
  EXPECT_EQ(circuit, (Circuit{12, 34}));
  for (const char *line : {"", "\"", "1,9", "\"1,9", "\"0,9\"", "\"1;9\"",
                           "\"1,9x\"", "\"1,\"", "\"99999999999,1\""})
    EXPECT_FALSE(SwitchCommands::parseCircuit(line, circuit).ok()) << line;
}

TEST(Tl1Test, WordsThatWouldBreakACommandAreRefused) {
  EXPECT_TRUE(isPlainWord("admin"));
  for (const char *word : {"", "a:b", "a;b", "a b", "a\"", "a\n", "a,b", "a&b"})
    EXPECT_FALSE(isPlainWord(word)) << word;
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

std::vector<Circuit> makeRandom(std::mt19937 &random, int32_t ports) {
  std::vector<int32_t> order(ports);
  for (int32_t i = 0; i < ports; ++i)
    order[i] = i + 1;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Circuit> circuits;
  for (size_t i = 0; i < random() % (ports / 2 + 1); ++i)
    circuits.push_back({order[2 * i], order[2 * i + 1]});
  return circuits;
}

/// Applies a difference as a switch would: it removes existing circuits, and
/// adds circuits between free ports.
void applyTo(const CircuitDifference &difference, std::set<Circuit> &circuits) {
  for (const Circuit &circuit : difference.removed)
    ASSERT_EQ(circuits.erase(circuit), 1u);
  std::set<int32_t> used;
  for (const Circuit &circuit : circuits)
    used.insert({circuit.in, circuit.out});
  for (const Circuit &circuit : difference.added) {
    ASSERT_TRUE(used.insert(circuit.in).second);
    ASSERT_TRUE(used.insert(circuit.out).second);
    circuits.insert(circuit);
  }
}

TEST(CircuitsTest, DifferencesLeadThereAndAreLeast) {
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    int32_t ports = 2 + static_cast<int32_t>(random() % 12);
    std::vector<Circuit> present = makeRandom(random, ports);
    std::vector<Circuit> wanted = makeRandom(random, ports);
    ASSERT_TRUE(verifyCircuits(wanted, {}).ok());
    CircuitDifference difference;
    ASSERT_TRUE(computeDifference(present, wanted, {{}, true}, difference).ok());
    std::set<Circuit> circuits(present.begin(), present.end());
    applyTo(difference, circuits);
    EXPECT_EQ(circuits, std::set<Circuit>(wanted.begin(), wanted.end()));
    // Every circuit that only one side has must be changed exactly once, and no
    // others. The expected number is counted pair by pair.
    size_t common = 0;
    for (const Circuit &a : present)
      for (const Circuit &b : wanted)
        common += a.in == b.in && a.out == b.out;
    EXPECT_EQ(difference.removed.size(), present.size() - common);
    EXPECT_EQ(difference.added.size(), wanted.size() - common);
  }
}

TEST(CircuitsTest, ForeignPortsAreLeftAlone) {
  CircuitDifference difference;
  OwnedPorts owned{{1, 2, 3, 4}, false};
  ASSERT_TRUE(
      computeDifference({{1, 2}, {7, 8}}, {{1, 3}}, owned, difference).ok());
  EXPECT_EQ(difference.removed, (std::vector<Circuit>{{1, 2}}));
  EXPECT_EQ(difference.added, (std::vector<Circuit>{{1, 3}}));
  Status status = computeDifference({{4, 8}}, {}, owned, difference);
  EXPECT_EQ(status.getCode(), MOERT_BACKEND_ERROR);
  EXPECT_NE(status.getMessage().find("found 4,8"), std::string::npos);
}

TEST(CircuitsTest, BadRequests) {
  EXPECT_NE(verifyCircuits({{1, 0}}, {})
                .getMessage()
                .find("circuit 1,0: expected ports from 1 on, got 0"),
            std::string::npos);
  EXPECT_NE(verifyCircuits({{1, 2}, {3, 1}}, {})
                .getMessage()
                .find("got port 1 a second time"),
            std::string::npos);
  EXPECT_FALSE(verifyCircuits({{5, 5}}, {}).ok());
  EXPECT_NE(
      verifyCircuits({{1, 2}}, {{1, 3}, false}).getMessage().find("got 2"),
      std::string::npos);
}

} // namespace
