// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests jobs with threads as ranks.

#include "Ranks.h"
#include <atomic>
#include <cstring>

using namespace moert::test;

TEST(HostTest, KeptCommunicatorsMeetOnce) {
  moert_config config;
  moert_config_default(&config);
  config.address = "kept";
  std::atomic<int> numLeft{0};
  runRanks(3, config, [&](moert_context *context) {
    moert_stream *stream;
    moert_comm *all, *pair = nullptr;
    int32_t everyone[] = {0, 1, 2}, two[] = {2, 0};
    ASSERT_EQ(moert_stream_get(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(moert_comm_get(stream, everyone, 3, 5000000, &all), MOERT_OK);
    bool isMember = moert_rank(context) != 1;
    if (isMember) {
      ASSERT_EQ(moert_comm_get(stream, two, 2, 5000000, &pair), MOERT_OK);
    }
    for (int call = 0; call < 1000; ++call) {
      moert_comm *again;
      ASSERT_EQ(moert_comm_get(stream, everyone, 3, 0, &again), MOERT_OK);
      ASSERT_EQ(again, all);
      if (isMember) {
        ASSERT_EQ(moert_comm_get(stream, two, 2, 0, &again), MOERT_OK);
        ASSERT_EQ(again, pair);
      }
    }
    int32_t send[3] = {1, 2, 3}, receive[3] = {};
    ASSERT_EQ(moert_all_to_all(all, send, receive, 1, MOERT_I32), MOERT_OK);
    ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    for (int32_t value : receive)
      EXPECT_EQ(value, moert_rank(context) + 1);
    ++numLeft;
  });
  EXPECT_EQ(numLeft, 3);
}

TEST(HostTest, NamesTheRanksThatDoNotJoin) {
  moert_config config;
  moert_config_default(&config);
  config.address = "lonely";
  config.world_size = 4;
  config.rank = 2;
  config.deadline_us = 50000;
  moert_context *context = nullptr;
  EXPECT_EQ(moert_init(&config, &context), MOERT_DEADLINE_EXCEEDED);
  EXPECT_NE(std::strstr(moert_last_error(nullptr), "missing are ranks [0, 1, "
                                                   "3]"),
            nullptr)
      << moert_last_error(nullptr);
}

TEST(HostTest, TurnsStrangersAwayAndGoesOn) {
  moert_config config;
  moert_config_default(&config);
  config.address = "guarded";
  config.token = "secret";
  config.world_size = 2;
  std::atomic<bool> isThere{false};
  std::thread first([&] {
    moert_context *context = nullptr;
    moert_status status = MOERT_OK;
    // If the other client joins first, the address belongs to its job, so this
    // rank tries again.
    do
      status = moert_init(&config, &context);
    while (status == MOERT_INVALID_ARGUMENT && !isThere);
    ASSERT_EQ(status, MOERT_OK);
    EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
  });
  moert_config stranger = config;
  stranger.rank = 1;
  stranger.token = "guess";
  stranger.deadline_us = 1000;
  moert_context *context = nullptr;
  moert_status status = MOERT_OK;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    status = moert_init(&stranger, &context);
  } while (status == MOERT_DEADLINE_EXCEEDED);
  isThere = true;
  EXPECT_EQ(status, MOERT_INVALID_ARGUMENT);
  stranger.deadline_us = config.deadline_us;
  EXPECT_NE(std::strstr(moert_last_error(nullptr), "token"), nullptr);
  stranger.token = "secret";
  stranger.world_size = 3;
  EXPECT_EQ(moert_init(&stranger, &context), MOERT_INVALID_ARGUMENT);
  stranger.world_size = 2;
  stranger.rank = 0;
  EXPECT_EQ(moert_init(&stranger, &context), MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(moert_last_error(nullptr), "second one"), nullptr);
  stranger.rank = 1;
  EXPECT_EQ(moert_init(&stranger, &context), MOERT_OK);
  EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
  first.join();
}

TEST(HostTest, StreamsOverlap) {
  moert_config config;
  moert_config_default(&config);
  config.address = "overlap";
  runRanks(3, config, [](moert_context *context) {
    moert_stream *streams[4];
    double start = nowMs();
    for (moert_stream *&stream : streams) {
      ASSERT_EQ(moert_stream_create(context, "delay", 0, &stream), MOERT_OK);
      for (int i = 0; i < 3; ++i)
        ASSERT_EQ(moert_delay(stream, 200000), MOERT_OK);
    }
    for (moert_stream *stream : streams)
      ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    double took = nowMs() - start;
    EXPECT_GE(took, 600);
    // In sequence, they would take 2400 ms.
    EXPECT_LT(took, 2300);
  });
}

TEST(HostTest, EmulatedLinksTakeTheirTime) {
  moert_link links[] = {{2, 1.0, 0}, {4, 0.01, 10000}};
  moert_config config;
  moert_config_default(&config);
  config.address = "links";
  config.links = links;
  config.num_links = 2;
  runRanks(4, config, [](moert_context *context) {
    moert_stream *stream = nullptr;
    moert_comm *comm = nullptr;
    ASSERT_EQ(moert_stream_create(context, "links", 0, &stream), MOERT_OK);
    int32_t ranks[] = {0, 1, 2, 3};
    ASSERT_EQ(moert_comm_create(stream, ranks, 4, 0, -1, &comm), MOERT_OK);
    std::vector<char> from(4 << 20), to(4 << 20);
    moert_event *begin, *end;
    ASSERT_EQ(moert_event_create_timed(context, &begin), MOERT_OK);
    ASSERT_EQ(moert_event_create_timed(context, &end), MOERT_OK);
    ASSERT_EQ(moert_barrier(comm), MOERT_OK);
    ASSERT_EQ(moert_event_record(begin, stream), MOERT_OK);
    ASSERT_EQ(moert_all_to_all(comm, from.data(), to.data(), 1 << 20, MOERT_I8),
              MOERT_OK);
    ASSERT_EQ(moert_event_record(end, stream), MOERT_OK);
    ASSERT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    // 2 MiB to the other node at 0.01 GB/s, and a latency of 10 ms.
    double elapsed = 0;
    ASSERT_EQ(moert_event_elapsed(begin, end, &elapsed), MOERT_OK);
    EXPECT_GE(elapsed, 219000);
    EXPECT_LT(elapsed, 2000000);
  });
}

TEST(HostTest, OtherOrdersOfOneGroupAreAMismatch) {
  moert_config config;
  moert_config_default(&config);
  config.address = "orders";
  config.world_size = 2;
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < 2; ++rank)
    threads.emplace_back([=] {
      moert_config own = config;
      own.rank = rank;
      moert_context *context = nullptr;
      ASSERT_EQ(moert_init(&own, &context), MOERT_OK);
      moert_stream *stream = nullptr;
      moert_comm *comm = nullptr;
      ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
      int32_t ranks[] = {rank, 1 - rank};
      EXPECT_EQ(moert_comm_create(stream, ranks, 2, 0, kPatienceUs, &comm),
                MOERT_MISMATCH);
      EXPECT_NE(std::strstr(moert_last_error(context), "same order"), nullptr);
      EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_MISMATCH);
    });
  for (std::thread &thread : threads)
    thread.join();
}
