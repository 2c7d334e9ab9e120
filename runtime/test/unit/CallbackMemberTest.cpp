// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests ranks that meet through their caller's all-gather.

#include "Gatherer.h"
#include "Ranks.h"
#include "net/Member.h"

using namespace moert;
using namespace moert::test;

namespace {

constexpr int32_t kRanks = 3;

class CallbackMemberTest : public ::testing::Test {
protected:
  static Deadline inMs(int64_t ms) {
    return Deadline::inMicroseconds(ms * 1000);
  }
  static Deadline soon() { return Deadline::inMicroseconds(kPatienceUs); }

  Status join(int32_t rank, std::unique_ptr<Member> &member,
              Deadline deadline = soon()) {
    return Member::join(gatherer.getConfig(rank), deadline, member);
  }
  /// Runs `body` on every rank of a job that all ranks join.
  template <typename Body> void runMembers(Body body) {
    runThreads(kRanks, [&](int32_t rank) {
      std::unique_ptr<Member> member;
      Status status = join(rank, member);
      ASSERT_TRUE(status.ok()) << status.getMessage();
      body(rank, *member);
    });
  }
  static void expectError(const Status &status, moert_status code,
                          const std::string &part) {
    EXPECT_EQ(status.getCode(), code) << status.getMessage();
    EXPECT_NE(status.getMessage().find(part), std::string::npos)
        << status.getMessage();
  }
  static Status exchange(Member &member, const std::string &name = "a word",
                         Deadline deadline = soon()) {
    std::vector<std::string> all;
    return member.exchange(name, "x", deadline, all);
  }

  Gatherer gatherer{kRanks};
};

} // namespace

TEST_F(CallbackMemberTest, BringsBytesOfAnyLength) {
  runMembers([&](int32_t rank, Member &member) {
    for (size_t size : {0, 1, 256, 257, 992, 65536}) {
      std::vector<std::string> all;
      Status status = member.exchange(
          "bytes", std::string(size, char('a' + rank)), soon(), all);
      ASSERT_TRUE(status.ok()) << status.getMessage();
      for (int32_t from = 0; from < kRanks; ++from)
        EXPECT_EQ(all[from], std::string(size, char('a' + from)));
    }
    EXPECT_FALSE(member.getFailure().isRaised());
  });
  EXPECT_TRUE(gatherer.getReasons(0).empty());
}

/// Creating communicators takes one all-gather, for any number of groups.
TEST_F(CallbackMemberTest, MeetsEachRankInItsGroup) {
  runMembers([&](int32_t rank, Member &member) {
    int before = gatherer.getNumCalls(rank);
    std::vector<std::string> all;
    uint64_t group = 0;
    // In the order of the list: the first member of the pair is rank 2.
    std::vector<int32_t> ranks =
        rank == 1 ? std::vector<int32_t>{1} : std::vector<int32_t>{2, 0};
    std::string name = rank == 1 ? "group [1]" : "group [0, 2]";
    Status status = member.meet(name, ranks, rank == 0, std::to_string(rank),
                                soon(), all, group);
    ASSERT_TRUE(status.ok()) << status.getMessage();
    ASSERT_EQ(all.size(), ranks.size());
    for (size_t i = 0; i < ranks.size(); ++i)
      EXPECT_EQ(all[i], std::to_string(ranks[i]));
    EXPECT_EQ(gatherer.getNumCalls(rank) - before, 1);
    uint64_t other = 0;
    status =
        member.meet("group [0, 1, 2]", {0, 1, 2}, rank, "", soon(), all, other);
    ASSERT_TRUE(status.ok()) << status.getMessage();
    EXPECT_EQ(all, std::vector<std::string>(3));
    EXPECT_NE(other, group);
    member.reportStuck(other, 4, "barrier");
    expectError(member.getFailure().getStatusOf(rank), MOERT_DEADLINE_EXCEEDED,
                "barrier #4 of group [0, 1, 2] did not end before the "
                "deadline; who is missing");
  });
}

TEST_F(CallbackMemberTest, CallsOnThreadsOfItsOwn) {
  runMembers([&](int32_t rank, Member &member) {
    for (int times = 0; times < 3; ++times)
      EXPECT_TRUE(exchange(member).ok());
    for (int i = 0; i < 500 && gatherer.getThreads(rank, false).empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::vector<std::thread::id> gathering = gatherer.getThreads(rank, true),
                                 watching = gatherer.getThreads(rank, false);
    ASSERT_EQ(gathering.size(), 1u);
    ASSERT_EQ(watching.size(), 1u);
    EXPECT_NE(gathering[0], std::this_thread::get_id());
    EXPECT_NE(watching[0], std::this_thread::get_id());
    EXPECT_NE(watching[0], gathering[0]);
  });
}

//===----------------------------------------------------------------------===//
// Errors of the caller's all-gather
//===----------------------------------------------------------------------===//

TEST_F(CallbackMemberTest, TellsItsResult) {
  gatherer.spoil = [](int32_t rank, int call, char *, size_t) {
    if (rank == 1 && call == 1)
      throw std::runtime_error("no such thing");
    return call == 1 ? 40 + rank : 0;
  };
  runMembers([&](int32_t rank, Member &member) {
    Status status = exchange(member);
    expectError(status, MOERT_BACKEND_ERROR,
                "a word: expected the caller's all_gather to return 0, ");
    expectError(status, MOERT_BACKEND_ERROR,
                rank == 0   ? "got 40"
                : rank == 1 ? "it threw no such thing"
                            : "got 42");
    int calls = gatherer.getNumCalls(rank);
    expectError(exchange(member), MOERT_BACKEND_ERROR, "a word");
    EXPECT_EQ(gatherer.getNumCalls(rank), calls) << "the job is over";
  });
  for (int32_t rank = 0; rank < kRanks; ++rank)
    ASSERT_EQ(gatherer.getReasons(rank).size(), 1u) << "told once";
}

TEST_F(CallbackMemberTest, WaitsNoLongerThanTheDeadline) {
  double begin = nowMs();
  runThreads(2, [&](int32_t rank) {
    std::unique_ptr<Member> member;
    expectError(join(rank, member, inMs(200)), MOERT_DEADLINE_EXCEEDED,
                "the start of the job: expected all 3 ranks to come before "
                "the deadline, got no answer of the caller's all_gather");
    EXPECT_EQ(member, nullptr);
  });
  // The thread of the call is abandoned. The bound allows for a busy machine.
  EXPECT_LT(nowMs() - begin, 30000);
  EXPECT_NE(gatherer.getReasons(0).at(0).find("the start of the job"),
            std::string::npos);
}

/// A thread that waits for another thread's call has its own deadline.
TEST_F(CallbackMemberTest, WaitsForAnotherThreadNoLongerThanTheDeadline) {
  runMembers([&](int32_t rank, Member &member) {
    if (rank != 0) {
      while (!member.getFailure().isRaised() && !gatherer.hasToEnd)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return;
    }
    std::thread first([&] {
      EXPECT_EQ(exchange(member).getCode(), MOERT_DEADLINE_EXCEEDED);
    });
    while (gatherer.getNumCalls(0) < 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    expectError(exchange(member, "another", inMs(100)), MOERT_DEADLINE_EXCEEDED,
                "another: expected another thread's call of the caller's "
                "all_gather to end before the deadline");
    first.join();
    gatherer.hasToEnd = true;
    gatherer.release();
  });
}

TEST_F(CallbackMemberTest, RefusesBytesThatAreNotThoseOfTheRank) {
  struct Case {
    const char *words;
    std::function<void(char *all, size_t bytes)> spoil;
  };
  std::string stale;
  for (const Case &wrong : std::initializer_list<Case>{
           {"gave at place 1, got torn ones",
            [](char *all, size_t bytes) { all[bytes + 300] ^= 4; }},
           {"gave at place 1, got bytes that no rank gives",
            [](char *all, size_t bytes) {
              std::memset(all + bytes, 0, bytes);
            }},
           {"gave at place 0, got those of rank 1",
            [](char *all, size_t bytes) {
              std::swap_ranges(all, all + bytes, all + bytes);
            }},
           {"expected version 1 of what ranks tell each other, got version 7 "
            "of rank 2",
            [](char *all, size_t bytes) { all[2 * bytes + 4] = 7; }},
           {"gave at place 1, got those of its all_gather #0, the start of "
            "the job",
            [&](char *all, size_t bytes) {
              std::memcpy(all + bytes, stale.data(), bytes);
            }}}) {
    Gatherer own(kRanks);
    own.spoil = [&](int32_t rank, int call, char *all, size_t bytes) {
      if (rank == 0 && call == 0)
        stale.assign(all + bytes, bytes);
      else if (rank == 0 && call == 1)
        wrong.spoil(all, bytes);
      return 0;
    };
    runThreads(kRanks, [&](int32_t rank) {
      std::unique_ptr<Member> member;
      ASSERT_TRUE(Member::join(own.getConfig(rank), soon(), member).ok());
      Status status = exchange(*member);
      if (rank == 0)
        expectError(status, MOERT_BACKEND_ERROR, wrong.words);
      else
        EXPECT_TRUE(status.ok()) << status.getMessage();
    });
  }
}

TEST_F(CallbackMemberTest, FindsAnyByteThatChanged) {
  std::atomic<size_t> at{0}, length{0};
  do {
    Gatherer own(kRanks);
    own.spoil = [&](int32_t rank, int call, char *all, size_t bytes) {
      length = bytes;
      if (rank == 0 && call == 1)
        all[bytes + at] ^= char(1 << at % 8);
      return 0;
    };
    runThreads(kRanks, [&](int32_t rank) {
      std::unique_ptr<Member> member;
      ASSERT_TRUE(Member::join(own.getConfig(rank), soon(), member).ok());
      EXPECT_EQ(exchange(*member).getCode(),
                rank == 0 ? MOERT_BACKEND_ERROR : MOERT_OK)
          << "byte " << at;
    });
  } while ((at += 7) < length);
}

//===----------------------------------------------------------------------===//
// Differences between ranks
//===----------------------------------------------------------------------===//

TEST_F(CallbackMemberTest, ComparesConfigurations) {
  struct Case {
    const char *words;
    void (*change)(moert_config &config);
  };
  for (const Case &wrong : std::initializer_list<Case>{
           {"world_size 3 on all ranks, got 4 on rank 2",
            [](moert_config &config) { config.world_size = 4; }},
           {"expected one backend on all ranks, got 'nccl' on rank 0 and "
            "'host' on rank 2",
            [](moert_config &config) { config.backend = "host"; }},
           {"expected one token on all ranks, got another one on rank 2 than "
            "on rank 0",
            [](moert_config &config) { config.token = "guess"; }}}) {
    Gatherer own(kRanks);
    runThreads(kRanks, [&](int32_t rank) {
      moert_config config = own.getConfig(rank);
      if (rank == 2)
        wrong.change(config);
      std::unique_ptr<Member> member;
      Status status = Member::join(config, soon(), member);
      EXPECT_EQ(member, nullptr);
      if (rank == 0)
        expectError(status, MOERT_INVALID_ARGUMENT, wrong.words);
      // A rank with a greater number of ranks reads zeros.
      else
        EXPECT_FALSE(status.ok());
    });
  }
}

TEST_F(CallbackMemberTest, ComparesWhatRanksComeFor) {
  runMembers([&](int32_t rank, Member &member) {
    expectError(exchange(member, rank == 1 ? "plan B" : "plan A"),
                MOERT_MISMATCH,
                rank == 1 ? "expected all ranks to come to the same, got rank "
                            "1 in plan B and rank 0 in plan A"
                          : "in plan A and rank 1 in plan B");
  });
}

TEST_F(CallbackMemberTest, ComparesSizes) {
  runMembers([&](int32_t rank, Member &member) {
    std::vector<std::string> all;
    expectError(member.exchange("plan", std::string(rank == 2 ? 900 : 8, 'x'),
                                soon(), all),
                MOERT_MISMATCH,
                rank == 2 ? "plan: expected 900 bytes of every rank, got 8 of "
                            "rank 0"
                          : "plan: expected 8 bytes of every rank, got 900 of "
                            "rank 2");
  });
}

TEST_F(CallbackMemberTest, FindsOtherMembersAndOrders) {
  // Ranks 0 and 1 list their pair in different orders. Rank 2 also gets the
  // error.
  runMembers([&](int32_t rank, Member &member) {
    std::vector<std::string> all;
    uint64_t group = 0;
    Status status =
        rank == 2 ? member.meet("group [2]", {2}, 0, "", soon(), all, group)
                  : member.meet("group [0, 1]", {rank, 1 - rank}, 0, "", soon(),
                                all, group);
    if (rank == 2)
      expectError(status, MOERT_ABORTED,
                  "expected all 2 members to make the communicator of group "
                  "[0, 1] together and to list the same order, got 1 of them");
    else
      expectError(status, MOERT_MISMATCH,
                  "expected all members to make the communicator of group [0, "
                  "1] together and to list the same order, got rank " +
                      std::to_string(1 - rank) + " at place 0 of 2");
  });
}

//===----------------------------------------------------------------------===//
// The end of a job
//===----------------------------------------------------------------------===//

TEST_F(CallbackMemberTest, EndsWhenTheCallerSaysSo) {
  double begin = nowMs();
  runMembers([&](int32_t rank, Member &member) {
    if (rank == 0) {
      while (gatherer.getNumCalls(1) < 2)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      gatherer.hasToEnd = true;
    } else {
      // The other all-gather is still running.
      expectError(exchange(member), MOERT_ABORTED,
                  "must_abort of rank " + std::to_string(rank) +
                      "'s caller says that the job has to end");
    }
  });
  EXPECT_LT(nowMs() - begin, 30000);
}

/// A failure of one rank reaches the others if the caller propagates it.
TEST_F(CallbackMemberTest, TellsTheCallerWhy) {
  gatherer.carries = true;
  runMembers([&](int32_t rank, Member &member) {
    if (rank == 1)
      member.fail(Status(MOERT_BACKEND_ERROR, "a kernel went wrong"), {1});
    else
      expectError(exchange(member), MOERT_ABORTED, "must_abort of rank");
    member.fail(Status(MOERT_BACKEND_ERROR, "once more"), {rank});
  });
  EXPECT_EQ(gatherer.getReasons(1),
            std::vector<std::string>{"a kernel went wrong"});
}
