// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the hub's checks of the ranks' messages.

#include "net/Rendezvous.h"
#include "net/SizeDigest.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <random>

using namespace moert;

namespace {

using Guest = Rendezvous::Guest;

/// A job that all ranks have joined.
struct Job {
  explicit Job(int32_t worldSize, const char *token = "secret")
      : token(token), rendezvous(token, worldSize), ranks(worldSize) {
    for (int32_t rank = 0; rank < worldSize; ++rank) {
      ranks[rank] = std::make_unique<Guest>();
      say(*ranks[rank], hello(rank));
    }
    for (auto &rank : ranks)
      rank->toSend.clear();
  }

  std::string hello(int32_t rank) const {
    return MessageWriter()
        .number(kProtocolVersion)
        .number(ranks.size())
        .number(static_cast<uint64_t>(rank))
        .text(token)
        .finish(MessageType::Hello);
  }

  /// Handles bytes in the same way as bytes of a connection.
  void say(Guest &guest, const std::string &bytes) {
    MessageBuffer buffer;
    buffer.append(bytes.data(), bytes.size());
    say(guest, buffer);
  }
  void say(Guest &guest, MessageBuffer &buffer) {
    while (!guest.gone) {
      MessageType type;
      std::string body;
      int result = buffer.next(type, body,
                               guest.rank < 0 ? kLongestHello : kLongestBody);
      if (result == 0)
        return;
      if (result < 0)
        return rendezvous.violate(guest, "bytes that are no message");
      ++numHandled;
      rendezvous.handle(guest, type, MessageReader(std::move(body)));
    }
  }

  std::string meet(const std::string &name, std::vector<int32_t> members,
                   uint64_t position) const {
    return MessageWriter()
        .text(name)
        .ranks(members)
        .number(position)
        .text("data")
        .finish(MessageType::Meet);
  }

  static std::string call(uint64_t group, uint64_t position, uint64_t number,
                          const std::vector<int64_t> &digest = {}) {
    return MessageWriter()
        .number(group)
        .number(position)
        .number(number)
        .text("all_gather")
        .numbers(digest)
        .finish(MessageType::Call);
  }

  static std::string tellSizes(uint64_t group, uint64_t number,
                               const std::vector<int64_t> &sizes) {
    return MessageWriter().number(group).number(number).numbers(sizes).finish(
        MessageType::Sizes);
  }

  std::vector<int32_t> all() const {
    std::vector<int32_t> members;
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      members.push_back(static_cast<int32_t>(rank));
    return members;
  }

  /// Sets `type` to the type of the last message to `rank`; returns the text of
  /// a failure.
  std::string hear(int32_t rank, MessageType &type) {
    MessageBuffer buffer;
    std::string &bytes = ranks[rank]->toSend;
    buffer.append(bytes.data(), bytes.size());
    bytes.clear();
    std::string body, words;
    type = MessageType(0);
    while (buffer.next(type, body) == 1)
      if (type == MessageType::Fail) {
        MessageReader message(body);
        message.number();
        message.number();
        words = message.text();
      }
    EXPECT_TRUE(buffer.isBetweenMessages());
    return words;
  }

  /// Returns true if all ranks can still meet under a new name.
  bool works(const std::string &name) {
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      say(*ranks[rank], meet(name, all(), rank));
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      MessageType type;
      hear(static_cast<int32_t>(rank), type);
      if (type != MessageType::Met)
        return false;
    }
    return true;
  }

  std::string token;
  Rendezvous rendezvous;
  std::vector<std::unique_ptr<Guest>> ranks;
  uint64_t numHandled = 0;
};

/// The size of magic number, type and length.
constexpr size_t kHeadBytes = 12;

/// Returns a rank's hello in a job of two ranks that has no token.
MessageReader readHello(uint64_t rank) {
  return MessageReader(MessageWriter()
                           .number(kProtocolVersion)
                           .number(2)
                           .number(rank)
                           .text("")
                           .finish(MessageType::Hello)
                           .substr(kHeadBytes));
}

} // namespace

/// After the start of a job, an invalid message ends it with an error that
/// names the rank.
TEST(RendezvousTest, NamesWhoSaysWhatNoRankSays) {
  struct Case {
    std::string bytes, words;
  };
  Job model(3);
  const Case cases[] = {
      {model.meet("g", {1, 2000000000}, 0),
       "got a group with rank 2000000000, of 3 ranks, from rank 1"},
      {model.meet("g", {1, -1}, 0), "got a group with rank -1, of 3 ranks,"},
      {model.meet("g", {1, 3}, 0), "got a group with rank 3, of 3 ranks,"},
      {model.meet("g", {1, 1}, 0), "got a group that has rank 1 twice"},
      {model.meet("g", {1, 0}, 1), "in which it is not at position 1"},
      {model.meet("g", {1, 0}, 99), "in which it is not at position 99"},
      {model.meet("g", {}, 0), "in which it is not at position 0"},
      {MessageWriter().text("g").finish(MessageType::Meet),
       "a meeting that cannot be read"},
      {model.call(0, 1, 1), "collective #1 of all where #0 is next"},
      {model.call(0, 1, UINT64_MAX), "where #0 is next"},
      {model.call(0, 2, 0), "of a group that it is no member of"},
      {model.call(7, 1, 0), "of a group that it is no member of"},
      {model.call(0, 1, 0, {1, 2}), "2 digests of a collective's sizes"},
      {model.tellSizes(7, 0, {}), "sizes that cannot be read"},
      {model.tellSizes(0, 0, {}), "sizes that the hub did not request"},
      {MessageWriter().number(99).ranks({}).text("x").finish(MessageType::Fail),
       "a failure that cannot be read"},
      {MessageWriter().number(0).ranks({}).text("x").finish(MessageType::Fail),
       "a failure that cannot be read"},
      {MessageWriter().text("").number(9).number(0).text("x").finish(
           MessageType::Stuck),
       "a wait in group 9, which there is not"},
      {model.hello(1), "a message of type 1"},
      {MessageWriter().finish(MessageType(77)), "a message of type 77"},
      {"GET / HTTP/1.1\r\n\r\n", "bytes that are no message"}};
  for (const Case &test : cases) {
    Job job(3);
    ASSERT_TRUE(job.works("all"));
    job.say(*job.ranks[1], test.bytes);
    EXPECT_TRUE(job.ranks[1]->gone);
    MessageType type;
    std::string words = job.hear(0, type);
    EXPECT_EQ(type, MessageType::Fail) << test.words;
    EXPECT_NE(words.find(test.words), std::string::npos) << words;
  }
}

/// Members send a digest of the sizes of a ragged collective. The hub requests
/// the sizes only if the digests do not match.
TEST(RendezvousTest, AsksForSizesThatDoNotFit) {
  auto callAll = [](Job &job, const std::vector<std::vector<int64_t>> &sizes) {
    ASSERT_TRUE(job.works("all"));
    for (size_t rank = 0; rank < sizes.size(); ++rank)
      job.say(*job.ranks[rank],
              job.call(0, rank, 0,
                       {static_cast<int64_t>(digestSizes(rank, sizes[rank]))}));
  };
  MessageType type;
  Job fitting(2);
  callAll(fitting, {{1, 2, 1, 4}, {4, 5, 2, 5}});
  fitting.hear(0, type);
  EXPECT_EQ(type, MessageType(0));

  std::vector<std::vector<int64_t>> sizes = {{1, 2, 1, 4}, {4, 5, 9, 5}};
  struct Case {
    std::vector<int64_t> answer;
    std::string words;
  };
  for (const Case &test :
       {Case{sizes[1], "rank 1 expects 9 rows from rank 0, which sends 2"},
        Case{{}, "which ranks is unknown"},
        Case{{1}, "1 sizes of a collective of 2 ranks"}}) {
    Job job(2);
    callAll(job, sizes);
    for (int32_t rank : {0, 1}) {
      job.hear(rank, type);
      EXPECT_EQ(type, MessageType::Sizes);
    }
    job.say(*job.ranks[0], job.tellSizes(0, 0, sizes[0]));
    job.say(*job.ranks[1], job.tellSizes(0, 0, test.answer));
    std::string words = job.hear(0, type);
    EXPECT_NE(words.find(test.words), std::string::npos) << words;
  }

  // A rank that leaves does not send its sizes.
  Job job(2);
  callAll(job, sizes);
  job.say(*job.ranks[0], job.tellSizes(0, 0, sizes[0]));
  job.say(*job.ranks[1], MessageWriter().finish(MessageType::Leave));
  std::string words = job.hear(0, type);
  EXPECT_NE(words.find("which ranks is unknown"), std::string::npos) << words;
}

/// Differences must not cancel out in the sum.
TEST(RendezvousTest, DigestsOfSizesTellExchangedSizes) {
  constexpr int64_t kRanks = 5;
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<int64_t>> sizes(kRanks,
                                            std::vector<int64_t>(2 * kRanks));
    for (int64_t i = 0; i < kRanks; ++i)
      for (int64_t j = 0; j < kRanks; ++j)
        sizes[i][j] = sizes[j][kRanks + i] = random() % 8;
    auto add = [&] {
      uint64_t sum = 0;
      for (int64_t i = 0; i < kRanks; ++i)
        sum += digestSizes(i, sizes[i]);
      return sum;
    };
    EXPECT_EQ(add(), 0u);
    // Swaps the sizes that a member sends to two peers.
    std::vector<int64_t> &own = sizes[random() % kRanks];
    int64_t a = random() % kRanks, b = random() % kRanks;
    bool differs = own[a] != own[b];
    std::swap(own[a], own[b]);
    EXPECT_EQ(add() != 0, differs);
  }
}

/// Before all ranks have joined, a client that turns out to be no rank loses
/// its place, because any process on the machine may connect if there is no
/// token.
TEST(RendezvousTest, FreesThePlaceOfWhoIsNoRank) {
  Rendezvous rendezvous("", 2);
  Guest stranger, zero, one;
  rendezvous.handle(stranger, MessageType::Hello, readHello(1));
  rendezvous.handle(stranger, MessageType::Meet,
                    MessageReader(MessageWriter()
                                      .text("g")
                                      .ranks({1, 2000000000})
                                      .number(0)
                                      .text("")
                                      .finish(MessageType::Meet)
                                      .substr(kHeadBytes)));
  EXPECT_TRUE(stranger.gone);
  rendezvous.handle(one, MessageType::Hello, readHello(1));
  rendezvous.handle(zero, MessageType::Hello, readHello(0));
  EXPECT_FALSE(one.gone);
  EXPECT_EQ(one.toSend, MessageWriter().finish(MessageType::Welcome));
  EXPECT_EQ(zero.toSend, one.toSend);
}

/// A rank that joins after the job has ended gets the reason.
TEST(RendezvousTest, TellsLateRanksWhyItEnded) {
  Rendezvous rendezvous("", 2);
  Guest zero, one;
  rendezvous.handle(zero, MessageType::Hello, readHello(0));
  rendezvous.lose(zero, "ended without a word");
  rendezvous.handle(one, MessageType::Hello, readHello(1));
  EXPECT_NE(one.toSend.find("rank 0 is gone"), std::string::npos);
}

/// A rank that has left is not waited for at a meeting.
TEST(RendezvousTest, DoesNotMeetWhoHasLeft) {
  for (bool leavesFirst : {true, false}) {
    Job job(2);
    std::string leave = MessageWriter().finish(MessageType::Leave);
    if (leavesFirst)
      job.say(*job.ranks[1], leave);
    job.say(*job.ranks[0], job.meet("pair", job.all(), 0));
    if (!leavesFirst)
      job.say(*job.ranks[1], leave);
    MessageType type;
    std::string words = job.hear(0, type);
    EXPECT_NE(words.find("the communicator of pair: expected all members to "
                         "come, missing are ranks [1]; rank 1 has left"),
              std::string::npos)
        << words;
  }
}

/// A deadline that expires while the answer is being sent is not a failure.
TEST(RendezvousTest, AnswersThatAreUnderWayAreNoFailure) {
  Job job(2);
  auto stuck = [](const std::string &name) {
    return MessageWriter().text(name).number(0).number(0).text("").finish(
        MessageType::Stuck);
  };
  job.say(*job.ranks[1], stuck("join"));
  EXPECT_TRUE(job.works("pair"));
  job.say(*job.ranks[0], stuck("pair"));
  EXPECT_TRUE(job.works("again"));
}

//===----------------------------------------------------------------------===//
// Invalid messages
//===----------------------------------------------------------------------===//

/// Writes messages of all kinds that are almost correct.
class Scribbler {
public:
  explicit Scribbler(uint64_t seed) : random(seed) {}

  uint64_t below(uint64_t bound) { return random() % bound; }

  uint64_t number() {
    static const uint64_t kOdd[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    UINT64_MAX,
                                    uint64_t(1) << 31,
                                    uint64_t(1) << 32,
                                    uint64_t(1) << 61,
                                    uint64_t(1) << 63};
    return below(8) ? below(4) : kOdd[below(std::size(kOdd))];
  }

  std::string write(const std::string &token) {
    static const char *const kNames[] = {"a", "b", "", "join", "all"};
    MessageWriter body;
    auto type = static_cast<MessageType>(below(11));
    auto words = [&] { return std::string(kNames[below(5)]); };
    auto ranks = [&] {
      std::vector<int32_t> values(below(5));
      for (int32_t &value : values)
        value = static_cast<int32_t>(number());
      if (below(2))
        values = {0, 1, 2};
      return values;
    };
    switch (type) {
    case MessageType::Hello:
      body.number(below(8) ? kProtocolVersion : number())
          .number(below(8) ? 3 : number())
          .number(number())
          .text(token);
      break;
    case MessageType::Meet:
      body.text(words()).ranks(ranks()).number(number()).text(words());
      break;
    case MessageType::Call:
      body.number(number()).number(number()).number(number()).text(words());
      body.numbers(std::vector<int64_t>(below(2) ? 0 : below(8),
                                        static_cast<int64_t>(number())));
      break;
    case MessageType::Stuck:
      body.text(words()).number(number()).number(number()).text(words());
      break;
    case MessageType::Fail:
      body.number(number()).ranks(ranks()).text(words());
      break;
    default:
      break;
    }
    std::string bytes = body.finish(type);
    // Changes some bytes, or the length.
    while (below(4) == 0)
      bytes[below(bytes.size())] = static_cast<char>(random());
    if (below(16) == 0)
      bytes.resize(below(bytes.size() + 1));
    return bytes;
  }

private:
  std::mt19937_64 random;
};

static uint64_t getNumMessages() {
  const char *count = std::getenv("MOERT_FUZZ_MESSAGES");
  return count ? std::strtoull(count, nullptr, 10) : 1000000;
}

/// A client that has not sent the token must not affect the job, whatever it
/// sends.
TEST(RendezvousTest, StrangersDisturbNothing) {
  Scribbler scribbler(1);
  Job job(3);
  std::string guess = "guess";
  for (uint64_t i = 0; i < getNumMessages() / 2; ++i) {
    Guest stranger;
    MessageBuffer buffer;
    for (uint64_t part = 0; part < 3 && !stranger.gone; ++part) {
      std::string bytes = scribbler.write(guess);
      buffer.append(bytes.data(), bytes.size());
      job.say(stranger, buffer);
    }
    EXPECT_EQ(stranger.rank, -1);
    for (const auto &rank : job.ranks)
      ASSERT_TRUE(rank->toSend.empty()) << "message " << i;
  }
  EXPECT_TRUE(job.works("all"));
}

/// Messages of ranks may end the job, but never the process. The sanitizers
/// detect errors, and every answer must be readable.
TEST(RendezvousTest, RanksMaySayAnything) {
  Scribbler scribbler(2);
  uint64_t numHandled = 0, numJobs = 0, numMeetings = 0;
  while (numHandled < getNumMessages()) {
    Job job(3);
    ++numJobs;
    bool over = false;
    for (int turn = 0; turn < 200 && !over; ++turn) {
      int32_t rank = static_cast<int32_t>(scribbler.below(3));
      if (job.ranks[rank]->gone)
        break;
      if (scribbler.below(64) == 0)
        numMeetings += job.works("round " + std::to_string(turn));
      job.say(*job.ranks[rank], scribbler.write("secret"));
      for (int32_t other = 0; other < 3; ++other) {
        MessageType type;
        job.hear(other, type);
        over |= type == MessageType::Fail;
      }
    }
    numHandled += job.numHandled;
  }
  // Many messages must have passed the first check.
  EXPECT_GT(numMeetings, 0u);
  EXPECT_GT(numHandled / numJobs, 3u);
}
