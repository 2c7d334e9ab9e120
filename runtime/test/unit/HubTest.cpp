// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests ranks that meet over TCP, and unknown clients.

#include "FreeAddress.h"
#include "Ranks.h"
#include "net/Member.h"
#include "net/Message.h"
#include <atomic>
#include <cstring>
#include <future>
#include <numeric>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace moert;
using namespace moert::test;

namespace {

/// Ranks are threads here, and each test has its own port.
class HubTest : public ::testing::Test {
protected:
  void SetUp() override {
    address = findFreeAddress();
    ASSERT_NE(address, "") << "no port is free";
  }

  Status join(int32_t rank, int32_t worldSize, std::unique_ptr<Member> &member,
              const char *token = "secret", int64_t deadlineUs = 60000000) {
    moert_config config;
    moert_config_default(&config);
    config.rank = rank;
    config.world_size = worldSize;
    config.address = address.c_str();
    config.token = token;
    return Member::join(config, Deadline::inMicroseconds(deadlineUs), member);
  }

  /// Runs every rank of a job that all ranks join.
  template <typename Body> void runMembers(int32_t worldSize, Body body) {
    runThreads(worldSize, [&](int32_t rank) {
      std::unique_ptr<Member> member;
      Status status = join(rank, worldSize, member);
      ASSERT_TRUE(status.ok()) << status.getMessage();
      body(rank, *member);
    });
  }

  static std::vector<int32_t> allOf(int32_t worldSize) {
    std::vector<int32_t> ranks;
    for (int32_t rank = 0; rank < worldSize; ++rank)
      ranks.push_back(rank);
    return ranks;
  }

  /// Waits until this rank knows that the job has failed; returns its status.
  static Status waitForFailure(Member &member, int32_t rank) {
    for (int i = 0; i < 6000 && !member.getFailure().isRaised(); ++i)
      usleep(10000);
    return member.getFailure().getStatusOf(rank);
  }

  std::string address;
};

} // namespace

/// Returns the first message of rank 1 in a job of two ranks.
static std::string helloOfRankOne(const char *token = "secret") {
  return MessageWriter()
      .number(kProtocolVersion)
      .number(2)
      .number(1)
      .text(token)
      .finish(MessageType::Hello);
}

/// A deadline for events that only depend on the speed of the machine.
static Deadline soon() { return Deadline::inMicroseconds(60000000); }

/// Waits until all ranks of a job have called it. The hub has then received all
/// their earlier messages.
static void comeTogether(Member &member, int32_t rank, int32_t worldSize) {
  std::vector<int32_t> ranks(worldSize);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<std::string> all;
  uint64_t group = 0;
  EXPECT_TRUE(member.meet("here", ranks, rank, "", soon(), all, group).ok());
}

/// Reads the hub's messages to a client until some data arrives, or until the
/// hub closes the connection.
static void hear(const Socket &socket, bool untilTheEnd) {
  char bytes[256];
  pollfd entry{socket.get(), POLLIN, 0};
  do {
    ASSERT_EQ(poll(&entry, 1, 60000), 1);
  } while (recv(socket.get(), bytes, sizeof(bytes), 0) > 0 && untilTheEnd);
}

TEST_F(HubTest, BringsRanksTogether) {
  runMembers(5, [](int32_t rank, Member &member) {
    for (int round = 0; round < 20; ++round) {
      std::vector<std::string> all;
      uint64_t group = 0;
      Status status =
          member.meet("round " + std::to_string(round), {4, 3, 2, 1, 0},
                      4 - rank, std::to_string(rank * 7), soon(), all, group);
      ASSERT_TRUE(status.ok()) << status.getMessage();
      for (int32_t i = 0; i < 5; ++i)
        EXPECT_EQ(all[i], std::to_string((4 - i) * 7));
      for (uint64_t number = 0; number < 30; ++number)
        member.call(group, 4 - rank, number, "the same",
                    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    }
    EXPECT_FALSE(member.getFailure().isRaised());
  });
}

TEST_F(HubTest, FindsDifferentCalls) {
  runMembers(3, [](int32_t rank, Member &member) {
    std::vector<std::string> all;
    uint64_t group = 0;
    ASSERT_TRUE(
        member.meet("group", allOf(3), rank, "", soon(), all, group).ok());
    member.call(group, rank, 0, "all_gather");
    member.call(group, rank, 1, rank == 2 ? "barrier" : "all_gather");
    Status status = waitForFailure(member, rank);
    EXPECT_EQ(status.getCode(), MOERT_MISMATCH);
    EXPECT_NE(status.getMessage().find("collective #1 of group"),
              std::string::npos);
    EXPECT_NE(status.getMessage().find("barrier on rank 2"), std::string::npos);
  });
}

TEST_F(HubTest, FindsSizesThatDoNotFit) {
  runMembers(2, [](int32_t rank, Member &member) {
    std::vector<std::string> all;
    uint64_t group = 0;
    ASSERT_TRUE(
        member.meet("group", allOf(2), rank, "", soon(), all, group).ok());
    // Rank 1 expects 9 rows from rank 0, which sends 2.
    std::vector<int64_t> sizes[] = {{1, 2, 1, 4}, {4, 5, 9, 5}};
    member.call(group, rank, 0, "ragged", sizes[rank]);
    Status status = waitForFailure(member, rank);
    EXPECT_EQ(status.getCode(), MOERT_MISMATCH);
    EXPECT_NE(status.getMessage().find(
                  "rank 1 expects 9 rows from rank 0, which sends 2"),
              std::string::npos)
        << status.getMessage();
  });
}

TEST_F(HubTest, NamesWhoIsMissing) {
  runMembers(3, [](int32_t rank, Member &member) {
    std::vector<std::string> all;
    uint64_t group = 0;
    ASSERT_TRUE(
        member.meet("group", allOf(3), rank, "", soon(), all, group).ok());
    if (rank != 1)
      member.call(group, rank, 0, "all_gather");
    comeTogether(member, rank, 3);
    if (rank == 2)
      member.reportStuck(group, 0, "all_gather");
    Status status = waitForFailure(member, rank);
    EXPECT_EQ(status.getCode(), MOERT_DEADLINE_EXCEEDED);
    EXPECT_NE(status.getMessage().find("all_gather #0 of group"),
              std::string::npos);
    EXPECT_NE(status.getMessage().find("missing are ranks [1]"),
              std::string::npos);
  });
}

TEST_F(HubTest, FollowsWaits) {
  runMembers(3, [](int32_t rank, Member &member) {
    std::vector<std::string> all;
    uint64_t group = 0, pair = 0;
    ASSERT_TRUE(
        member.meet("all", allOf(3), rank, "", soon(), all, group).ok());
    if (rank < 2) {
      ASSERT_TRUE(
          member.meet("pair", {0, 1}, rank, "", soon(), all, pair).ok());
    }
    // Rank 0 waits for rank 1, which waits for rank 2 and is not the cause.
    if (rank == 0)
      member.call(pair, rank, 0, "barrier");
    if (rank == 1)
      member.call(group, rank, 0, "all_gather");
    comeTogether(member, rank, 3);
    if (rank == 0)
      member.reportStuck(pair, 0, "barrier");
    std::string text = waitForFailure(member, rank).getMessage();
    EXPECT_NE(text.find("missing are ranks [2], for which ranks [0, 1] wait"),
              std::string::npos)
        << text;
  });
}

TEST_F(HubTest, DoesNotWaitForWhoHasLeft) {
  for (bool leavesFirst : {true, false})
    runMembers(2, [&](int32_t rank, Member &member) {
      std::vector<std::string> all;
      uint64_t group = 0;
      ASSERT_TRUE(
          member.meet("group", allOf(2), rank, "", soon(), all, group).ok());
      usleep((rank == 1) == leavesFirst ? 0 : 100000);
      if (rank == 1)
        return;
      member.call(group, rank, 0, "all_gather");
      Status status = waitForFailure(member, rank);
      EXPECT_EQ(status.getCode(), MOERT_ABORTED);
      EXPECT_NE(status.getMessage().find(
                    "missing are ranks [1]; rank 1 has left the job"),
                std::string::npos)
          << status.getMessage();
    });
}

TEST_F(HubTest, NamesWhoDoesNotMeet) {
  runMembers(2, [](int32_t rank, Member &member) {
    std::vector<std::string> all;
    uint64_t group = 0;
    if (rank == 0) {
      EXPECT_EQ(member
                    .meet("group 7", allOf(2), rank, "",
                          Deadline::inMicroseconds(500000), all, group)
                    .getCode(),
                MOERT_DEADLINE_EXCEEDED);
    }
    Status status = waitForFailure(member, rank);
    EXPECT_NE(status.getMessage().find("group 7"), std::string::npos);
    EXPECT_NE(status.getMessage().find("missing are ranks [1]"),
              std::string::npos);
  });
}

TEST_F(HubTest, NamesWhoDoesNotJoin) {
  std::unique_ptr<Member> member;
  Status status = join(0, 3, member, "secret", 500000);
  EXPECT_EQ(status.getCode(), MOERT_DEADLINE_EXCEEDED);
  EXPECT_NE(status.getMessage().find("missing are ranks [1, 2]"),
            std::string::npos);
  // No process listens at the address.
  status = join(1, 3, member, "secret", 500000);
  EXPECT_EQ(status.getCode(), MOERT_DEADLINE_EXCEEDED);
  EXPECT_NE(status.getMessage().find("could not be reached at 127.0.0.1:"),
            std::string::npos);
}

TEST_F(HubTest, NamesWhoIsGone) {
  std::thread guest([&] {
    // A rank that joins and ends.
    Socket socket;
    ASSERT_TRUE(connectTo(address, soon(), socket).ok());
    sendAll(socket.get(), helloOfRankOne());
    hear(socket, /*untilTheEnd=*/false);
  });
  std::unique_ptr<Member> member;
  ASSERT_TRUE(join(0, 2, member).ok());
  Status status = waitForFailure(*member, 0);
  EXPECT_EQ(status.getCode(), MOERT_ABORTED);
  EXPECT_NE(status.getMessage().find("rank 1 is gone"), std::string::npos);
  guest.join();
}

TEST_F(HubTest, StrangersDoNotDisturb) {
  std::thread strangers([&] {
    std::unique_ptr<Member> refused;
    Status status = join(1, 2, refused, "guess");
    EXPECT_EQ(status.getCode(), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(status.getMessage().find("token"), std::string::npos);
    status = join(1, 3, refused);
    EXPECT_EQ(status.getCode(), MOERT_INVALID_ARGUMENT);
    // Garbage, an implausible length, an incomplete header, and silence.
    uint32_t huge[3] = {kMessageMagic, 1, 0xffffffff};
    std::string bad[] = {
        "GET / HTTP/1.1\r\n\r\n",
        std::string(reinterpret_cast<char *>(huge), sizeof(huge)),
        std::string(reinterpret_cast<char *>(huge), 5),
        "",
        MessageWriter().number(1).finish(MessageType::Hello),
        MessageWriter().text("x").finish(MessageType::Call)};
    std::vector<Socket> open;
    for (const std::string &bytes : bad) {
      Socket socket;
      ASSERT_TRUE(connectTo(address, soon(), socket).ok());
      sendAll(socket.get(), bytes);
      open.push_back(std::move(socket));
    }
    std::unique_ptr<Member> member;
    ASSERT_TRUE(join(1, 2, member).ok());
    // A second rank 1 is rejected, too.
    status = join(1, 2, refused);
    EXPECT_EQ(status.getCode(), MOERT_INVALID_ARGUMENT);
    std::vector<std::string> all;
    uint64_t group = 0;
    EXPECT_TRUE(member->meet("g", {0, 1}, 1, "", soon(), all, group).ok());
  });
  std::unique_ptr<Member> member;
  Status status = join(0, 2, member);
  ASSERT_TRUE(status.ok()) << status.getMessage();
  std::vector<std::string> all;
  uint64_t group = 0;
  EXPECT_TRUE(member->meet("g", {0, 1}, 0, "", soon(), all, group).ok());
  strangers.join();
}

/// Messages of unknown clients on many connections must not affect the job.
TEST_F(HubTest, CraftedMessagesDoNotEndTheJob) {
  runMembers(2, [&](int32_t rank, Member &member) {
    std::vector<std::string> all;
    uint64_t group = 0;
    if (rank == 0) {
      // A hello and a group with ranks out of range; also from a client that
      // knows the token, for another rank that has joined.
      for (const char *token : {"", "secret"})
        for (int times = 0; times < 50; ++times) {
          Socket socket;
          ASSERT_TRUE(connectTo(address, soon(), socket).ok());
          sendAll(socket.get(),
                  helloOfRankOne(token) + MessageWriter()
                                              .text("g")
                                              .ranks({1, 2000000000})
                                              .number(0)
                                              .text("")
                                              .finish(MessageType::Meet));
        }
    }
    Status status = member.meet("after", {0, 1}, rank, "", soon(), all, group);
    EXPECT_TRUE(status.ok()) << status.getMessage();
    EXPECT_FALSE(member.getFailure().isRaised());
  });
}

/// A rank of the job sends ranks that do not exist, and requests them.
TEST_F(HubTest, NamesWhoSaysWhatNoRankSays) {
  std::thread guest([&] {
    Socket socket;
    ASSERT_TRUE(connectTo(address, soon(), socket).ok());
    sendAll(socket.get(), helloOfRankOne());
    // Waits until the job has started.
    hear(socket, /*untilTheEnd=*/false);
    sendAll(socket.get(),
            MessageWriter()
                    .text("g")
                    .ranks({1, 2000000000})
                    .number(0)
                    .text("")
                    .finish(MessageType::Meet) +
                MessageWriter().text("g").number(0).number(0).text("").finish(
                    MessageType::Stuck));
    hear(socket, /*untilTheEnd=*/true);
  });
  std::unique_ptr<Member> member;
  ASSERT_TRUE(join(0, 2, member).ok());
  Status status = waitForFailure(*member, 0);
  EXPECT_NE(status.getMessage().find("a group with rank 2000000000, of 2 "
                                     "ranks, from rank 1"),
            std::string::npos)
      << status.getMessage();
  guest.join();
}

/// A connection that ends in the middle of a message has its own error.
TEST_F(HubTest, CountsHalfAMessage) {
  std::thread guest([&] {
    Socket socket;
    ASSERT_TRUE(connectTo(address, soon(), socket).ok());
    std::string meet =
        MessageWriter().text("g").ranks({0, 1}).finish(MessageType::Meet);
    sendAll(socket.get(), helloOfRankOne() + meet.substr(0, meet.size() - 3));
    hear(socket, /*untilTheEnd=*/false);
  });
  std::unique_ptr<Member> member;
  ASSERT_TRUE(join(0, 2, member).ok());
  Status status = waitForFailure(*member, 0);
  EXPECT_NE(status.getMessage().find("ended in the middle of a message"),
            std::string::npos)
      << status.getMessage();
  guest.join();
}

/// An unknown process that holds the address must not delay the rank beyond its
/// deadline.
TEST_F(HubTest, StrangersDoNotTakeTheDeadline) {
  enum Behaviour { Silent, Drips, Floods };
  for (Behaviour behaviour : {Silent, Drips, Floods}) {
    Socket listener;
    ASSERT_TRUE(listenAt(address, listener).ok());
    std::atomic<bool> stopping{false};
    std::thread stranger([&] {
      Socket guest;
      std::string flood(1 << 16, 'x');
      // A header with a large length, followed by single bytes.
      uint32_t head[3] = {kMessageMagic, 2, 1000};
      std::string drops(reinterpret_cast<char *>(head), sizeof(head));
      drops.resize(2000, 'x');
      size_t sent = 0;
      while (!stopping) {
        if (guest.get() < 0)
          guest = Socket(::accept(listener.get(), nullptr, nullptr));
        if (guest.get() >= 0 && behaviour == Drips)
          (void)::send(guest.get(), &drops[sent++ % drops.size()], 1,
                       MSG_NOSIGNAL | MSG_DONTWAIT);
        if (guest.get() >= 0 && behaviour == Floods)
          (void)::send(guest.get(), flood.data(), flood.size(),
                       MSG_NOSIGNAL | MSG_DONTWAIT);
        else
          usleep(5000);
      }
    });
    constexpr std::chrono::seconds kDeadline(4);
    auto begin = Deadline::Clock::now();
    // Measures the actual time of a sleep of this length.
    auto atBest = std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(kDeadline);
      return Deadline::Clock::now() - begin;
    });
    std::unique_ptr<Member> member;
    Status status = join(1, 2, member, "secret",
                         std::chrono::microseconds(kDeadline).count());
    auto took = Deadline::Clock::now() - begin;
    EXPECT_EQ(status.getCode(), behaviour == Floods ? MOERT_BACKEND_ERROR
                                                    : MOERT_DEADLINE_EXCEEDED)
        << status.getMessage();
    // It would take twice as long if each step had the whole deadline.
    EXPECT_LT(took, atBest.get() * 19 / 10) << behaviour;
    stopping = true;
    stranger.join();
  }
}
