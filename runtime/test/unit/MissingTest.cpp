// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that errors name the missing ranks.

#include "Ranks.h"
#include "core/WaitGraph.h"
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

using moert::describeBlame;
using moert::Whereabouts;
using moert::test::kPatienceUs;

namespace {

using Clock = std::chrono::steady_clock;

void sleepMs(int64_t ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

/// Runs `body` as every rank of a failing host job.
void runRanks(int32_t count, int64_t deadlineUs,
              const std::function<void(moert_context *)> &body,
              const std::string &address = "missing test") {
  moert::test::runThreads(count, [&](int32_t rank) {
    moert_config config;
    moert_config_default(&config);
    config.address = address.c_str();
    config.rank = rank;
    config.world_size = count;
    config.deadline_us = deadlineUs;
    moert_context *context = nullptr;
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
        << moert_last_error(nullptr);
    body(context);
  });
}

moert_comm *makeComm(moert_stream *stream, std::vector<int32_t> ranks) {
  moert_comm *comm = nullptr;
  EXPECT_EQ(moert_comm_create(stream, ranks.data(),
                              static_cast<int32_t>(ranks.size()), 1,
                              MOERT_DEADLINE_DEFAULT, &comm),
            MOERT_OK)
      << moert_last_error(nullptr);
  return comm;
}

/// Waits for a stream that cannot end; returns the error message.
std::string getError(moert_context *context, moert_stream *stream,
                     int64_t deadlineUs = MOERT_DEADLINE_DEFAULT) {
  EXPECT_NE(moert_stream_synchronize(stream, deadlineUs), MOERT_OK);
  return moert_last_error(context);
}

void expectPart(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "expected '" << part << "' in: " << text;
}

} // namespace

TEST(BlameTest, FollowsWaits) {
  auto find = [](int32_t rank) -> Whereabouts {
    switch (rank) {
    case 0:
      return {"waits in b for ranks [2]", {2}};
    case 1:
      return {"waits in a for ranks [0]", {0}};
    case 2:
      return {"is in no collective", {}};
    case 3:
      return {"waits in c for ranks [4]", {4}};
    default:
      return {"waits in d for ranks [3]", {3}};
    }
  };
  EXPECT_EQ(describeBlame({2}, find),
            "missing are ranks [2]; rank 2 is in no collective");
  EXPECT_EQ(describeBlame({1}, find),
            "missing are ranks [2], for which ranks [0, 1] wait as well; rank "
            "2 is in no collective; rank 0 waits in b for ranks [2]; rank 1 "
            "waits in a for ranks [0]");
  EXPECT_EQ(describeBlame({3}, find),
            "ranks [3, 4] wait for each other; rank 3 waits in c for ranks "
            "[4]; rank 4 waits in d for ranks [3]");
}

TEST(MissingTest, SynchronizeNamesWhoDidNotCome) {
  // The deadline of the wait is before, at and after the deadline of the work.
  // All jobs run concurrently, because each one takes seconds.
  std::vector<std::thread> jobs;
  for (int64_t deadlineUs : {1000000, 2000000, 2000000, 2000000, 3000000})
    jobs.emplace_back([deadlineUs, number = jobs.size()] {
      std::latch met(4), told(3);
      runRanks(
          4, 2000000,
          [&](moert_context *context) {
            moert_stream *stream = nullptr;
            ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
            moert_comm *comm = makeComm(stream, {0, 1, 2, 3});
            float own[4] = {}, all[16];
            met.arrive_and_wait();
            if (moert_rank(context) == 2) {
              told.wait();
            } else {
              (void)moert_all_gather(comm, own, all, 4, MOERT_F32);
              std::string text = getError(context, stream, deadlineUs);
              expectPart(text, "all_gather #0 of group [0, 1, 2, 3]");
              expectPart(text, "missing are ranks [2]");
              // Waits before the buffers go out of scope.
              (void)moert_stream_synchronize(stream, kPatienceUs);
              told.count_down();
            }
            (void)moert_finalize(context, kPatienceUs);
          },
          "missing test " + std::to_string(number));
    });
  for (std::thread &job : jobs)
    job.join();
}

TEST(MissingTest, FollowsWaitsToWhoeverWaitsForNobody) {
  std::latch met(3), told(2);
  runRanks(3, 2000000, [&](moert_context *context) {
    moert_stream *stream = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    int32_t rank = moert_rank(context);
    moert_comm *first = rank != 2 ? makeComm(stream, {0, 1}) : nullptr;
    moert_comm *second = rank != 0 ? makeComm(stream, {1, 2}) : nullptr;
    met.arrive_and_wait();
    // Rank 0 waits for rank 1, which waits for rank 2, which is in no
    // collective. The deadline of rank 0 expires first.
    if (rank == 0) {
      (void)moert_barrier(first);
    } else if (rank == 1) {
      sleepMs(500);
      (void)moert_barrier(second);
    }
    if (rank == 2) {
      told.wait();
    } else {
      std::string text = getError(context, stream);
      expectPart(text, "missing are ranks [2]");
      expectPart(text, "rank 2 is in no collective");
      told.count_down();
    }
    (void)moert_finalize(context, kPatienceUs);
  });
}

TEST(MissingTest, DoesNotWaitForWhoHasLeft) {
  // All ranks must know that the first barrier has ended before any rank
  // continues, because the rank that detects the absence of rank 2 ends the job
  // and all waits of the others.
  std::latch met(3);
  runRanks(3, kPatienceUs, [&](moert_context *context) {
    moert_stream *stream = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    moert_comm *comm = makeComm(stream, {0, 1, 2});
    (void)moert_barrier(comm);
    EXPECT_EQ(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT),
              MOERT_OK);
    met.arrive_and_wait();
    if (moert_rank(context) == 2) {
      EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
      return;
    }
    // Rank 0 waits before rank 2 leaves, rank 1 after it has left.
    if (moert_rank(context) == 1)
      sleepMs(200);
    (void)moert_barrier(comm);
    auto begin = Clock::now();
    std::string text = getError(context, stream);
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(30));
    expectPart(text, "barrier #1 of group [0, 1, 2]");
    expectPart(text, "missing are ranks [2]; rank 2 has left the job");
    (void)moert_finalize(context, kPatienceUs);
  });
}

TEST(MissingTest, DoesNotMakeCommunicatorsWithWhoHasLeft) {
  runRanks(2, kPatienceUs, [](moert_context *context) {
    moert_stream *stream = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    if (moert_rank(context) == 1) {
      sleepMs(100);
      EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
      return;
    }
    auto begin = Clock::now();
    int32_t ranks[2] = {0, 1};
    moert_comm *comm = nullptr;
    EXPECT_EQ(
        moert_comm_create(stream, ranks, 2, 7, MOERT_DEADLINE_DEFAULT, &comm),
        MOERT_ABORTED);
    expectPart(moert_last_error(context),
               "missing are ranks [1]; rank 1 has left the job");
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(30));
    (void)moert_finalize(context, kPatienceUs);
  });
}

TEST(MissingTest, NamesTheFunctionThatHangs) {
  runRanks(1, kPatienceUs, [](moert_context *context) {
    moert_stream *stream = nullptr, *behind = nullptr;
    moert_event *event = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(moert_stream_create(context, "behind", 0, &behind), MOERT_OK);
    ASSERT_EQ(moert_event_create(context, &event), MOERT_OK);
    static std::atomic<bool> hasBegun, mayReturn;
    hasBegun = mayReturn = false;
    ASSERT_EQ(moert_launch(
                  stream, "forever",
                  [](void *) {
                    hasBegun = true;
                    while (!mayReturn)
                      sleepMs(1);
                    return 0;
                  },
                  nullptr),
              MOERT_OK);
    ASSERT_EQ(moert_event_record(event, stream), MOERT_OK);
    ASSERT_EQ(moert_stream_wait_event(behind, event), MOERT_OK);
    while (!hasBegun)
      sleepMs(1);
    expectPart(getError(context, stream, 10000),
               "the function 'forever' has not returned");
    // The thread needs some time to reach the event.
    std::string text;
    for (int i = 0; i < 6000 && text.find("it waits") == text.npos; ++i)
      text = getError(context, behind, 10000);
    expectPart(text, "it waits for an event of stream 's', where the function "
                     "'forever' has not returned");
    EXPECT_EQ(moert_event_synchronize(event, 10000), MOERT_DEADLINE_EXCEEDED);
    expectPart(moert_last_error(context),
               "on its stream 's' the function 'forever' has not returned");
    mayReturn = true;
    EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
  });
}

TEST(MissingTest, FinalizeNamesTheFunctionThatHangs) {
#if defined(__SANITIZE_THREAD__)
#define HAS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_TSAN 1
#endif
#endif
#ifdef HAS_TSAN
  GTEST_SKIP() << "it leaves a thread behind, which this sanitizer reports";
#endif
  // The thread and the context are abandoned; the thread ends with the process.
  static moert_context *leftBehind;
  runRanks(1, kPatienceUs, [](moert_context *context) {
    moert_stream *stream = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    static std::atomic<bool> hasBegun, mayReturn;
    ASSERT_EQ(moert_launch(
                  stream, "forever",
                  [](void *) {
                    hasBegun = true;
                    while (!mayReturn)
                      sleepMs(1);
                    return 0;
                  },
                  nullptr),
              MOERT_OK);
    while (!hasBegun)
      sleepMs(1);
    EXPECT_EQ(moert_finalize(context, 50000), MOERT_DEADLINE_EXCEEDED);
    expectPart(moert_last_error(nullptr),
               "stream 's' did not end before the deadline: the function "
               "'forever' has not returned");
    leftBehind = context;
    mayReturn = true;
    sleepMs(100);
  });
  EXPECT_NE(leftBehind, nullptr);
}
