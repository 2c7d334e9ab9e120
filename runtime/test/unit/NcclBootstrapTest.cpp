// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests jobs on devices without a hub.

#include "Gatherer.h"
#include "NcclSpy.h"
#include "Ranks.h"
#include "moert_extend.h"
#include <cstring>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

constexpr int32_t kRanks = 3;

class NcclBootstrapTest : public Spy {
protected:
  /// Runs `body` as every rank; `change` may change its configuration.
  void runJob(const std::function<void(int32_t, moert_context *)> &body,
              bool isWell = true,
              const std::function<void(moert_config &)> &change = nullptr) {
    runThreads(kRanks, [&](int32_t rank) {
      moert_config config = gatherer.getConfig(rank);
      // The address is not used.
      config.address = "nowhere";
      if (change)
        change(config);
      moert_context *context = nullptr;
      ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
          << moert_last_error(nullptr);
      body(rank, context);
      EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT) == MOERT_OK,
                isWell)
          << moert_last_error(nullptr);
    });
  }
  static moert_comm *makeComm(moert_context *context, const char *name,
                              std::vector<int32_t> ranks) {
    moert_stream *stream = nullptr;
    moert_comm *comm = nullptr;
    EXPECT_EQ(moert_stream_get(context, name, 0, &stream), MOERT_OK);
    EXPECT_EQ(moert_comm_get(stream, ranks.data(),
                             static_cast<int32_t>(ranks.size()),
                             MOERT_DEADLINE_DEFAULT, &comm),
              MOERT_OK)
        << moert_last_error(context);
    return comm;
  }
  /// Returns the sum of a number over the members, computed on the device; -1
  /// for an error.
  static int32_t sum(moert_context *context, const char *name, moert_comm *comm,
                     int32_t own) {
    moert_stream *stream = nullptr;
    moert_buffer *buffer = nullptr;
    int32_t result = -1;
    moert_stream_get(context, name, 0, &stream);
    moert_buffer_create(context, sizeof(own), MOERT_MEMORY_DEVICE, &buffer);
    void *data = moert_buffer_data(buffer);
    if (moert_copy(stream, data, &own, sizeof(own)) != MOERT_OK ||
        moert_all_reduce(comm, data, data, 1, MOERT_I32, MOERT_SUM) !=
            MOERT_OK ||
        moert_copy(stream, &result, data, sizeof(own)) != MOERT_OK ||
        moert_stream_synchronize(stream, kPatienceUs) != MOERT_OK)
      return -1;
    return result;
  }
  static void expectWords(moert_context *context, const char *part) {
    EXPECT_NE(std::strstr(moert_last_error(context), part), nullptr)
        << moert_last_error(context);
  }

  Gatherer gatherer{kRanks};
};

} // namespace

/// Two groups concurrently, then one group of all ranks, and exchanges on the
/// host.
TEST_F(NcclBootstrapTest, RunsAJob) {
  runJob([&](int32_t rank, moert_context *context) {
    EXPECT_EQ(gatherer.getNumCalls(rank), 1);
    moert_comm *pair = makeComm(context, "a",
                                rank == 1 ? std::vector<int32_t>{1}
                                          : std::vector<int32_t>{2, 0});
    moert_comm *all = makeComm(context, "b", {0, 1, 2});
    EXPECT_EQ(makeComm(context, "b", {0, 1, 2}), all);
    EXPECT_EQ(gatherer.getNumCalls(rank), 3) << "one for each communicator";
    EXPECT_EQ(sum(context, "a", pair, 1 << rank), rank == 1 ? 2 : 5);
    EXPECT_EQ(sum(context, "b", all, 1 << rank), 7);
    char own[1000] = "", everyones[kRanks * sizeof(own)];
    own[999] = char('a' + rank);
    EXPECT_EQ(moert_exchange(context, "letters", own, sizeof(own), everyones,
                             MOERT_DEADLINE_DEFAULT),
              MOERT_OK)
        << moert_last_error(context);
    for (int32_t from = 0; from < kRanks; ++from)
      EXPECT_EQ(everyones[1000 * from + 999], 'a' + from);
  });
  for (int32_t rank = 0; rank < kRanks; ++rank)
    EXPECT_TRUE(gatherer.getReasons(rank).empty());
}

/// The identity of the communicator of all ranks is exchanged with the first
/// split.
TEST_F(NcclBootstrapTest, SplitsOneCommunicator) {
  runJob([&](int32_t rank, moert_context *context) {
    const std::vector<int32_t> order = {2, 0, 1};
    moert_stream *stream = nullptr;
    moert_comm *all = nullptr, *own = nullptr;
    EXPECT_EQ(moert_stream_get(context, "a", 0, &stream), MOERT_OK);
    auto split = [&](int32_t size, moert_comm **comm) {
      EXPECT_EQ(moert_comm_split(stream, order.data(), size,
                                 MOERT_DEADLINE_DEFAULT, comm),
                MOERT_OK)
          << moert_last_error(context);
    };
    split(kRanks, &all);
    EXPECT_EQ(gatherer.getNumCalls(rank), 3) << "two for each communicator";
    split(1, &own);
    split(kRanks, &all);
    EXPECT_EQ(gatherer.getNumCalls(rank), 5);
    EXPECT_EQ(moert_comm_rank(all), (rank + 1) % kRanks);
    EXPECT_EQ(sum(context, "a", all, 1 << rank), 7);
    EXPECT_EQ(sum(context, "a", own, 1 << rank), 1 << rank);
  });
}

/// A rank does not call a collective. The error cannot name it, but all ranks
/// end, because their caller propagates the failure.
TEST_F(NcclBootstrapTest, EndsByTheDeadlineAndTheCallersWord) {
  gatherer.carries = true;
  double begin = nowMs();
  runJob(
      [&](int32_t rank, moert_context *context) {
        moert_comm *all = makeComm(context, "s", {0, 1, 2});
        if (rank == 2) {
          while (gatherer.getReasons(rank).empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          expectWords(context, "the job was aborted: must_abort of rank 2");
          return;
        }
        EXPECT_EQ(sum(context, "s", all, 1), -1);
        if (rank == 0) {
          expectWords(context, "of group [0, 1, 2]");
          expectWords(context, "who is missing, or calls something else, is "
                               "not known");
        } else {
          // The deadline of this rank is much later.
          expectWords(context, "the job was aborted: must_abort of rank 1");
        }
      },
      /*isWell=*/false,
      [](moert_config &config) {
        if (config.rank == 0)
          config.deadline_us = 3000000;
      });
  EXPECT_LT(nowMs() - begin, 30000);
  for (int32_t rank = 0; rank < kRanks; ++rank)
    EXPECT_EQ(gatherer.getReasons(rank).size(), 1u);
}

/// A rank that is not in a group and does not call moert_comm_create delays the
/// others until the deadline.
TEST_F(NcclBootstrapTest, AllRanksMakeCommunicatorsTogether) {
  runJob(
      [&](int32_t rank, moert_context *context) {
        int32_t pair[] = {0, 1};
        moert_stream *stream = nullptr;
        moert_comm *comm = nullptr;
        EXPECT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
        if (rank < 2) {
          EXPECT_EQ(moert_comm_create(stream, pair, 2, 0, 200000, &comm),
                    MOERT_DEADLINE_EXCEEDED);
          expectWords(context, "the communicator of group [0, 1] key 0: "
                               "expected all 3 ranks to come before the "
                               "deadline");
        } else {
          while (gatherer.getReasons(0).empty() ||
                 gatherer.getReasons(1).empty())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          EXPECT_EQ(moert_abort(context, "the others are over"), MOERT_OK);
        }
      },
      /*isWell=*/false);
  EXPECT_NE(gatherer.getReasons(2).at(0).find("the others are over"),
            std::string::npos);
}

TEST_F(NcclBootstrapTest, RefusesHalfABootstrap) {
  moert_context *context = nullptr;
  auto expectRefused = [&](const moert_config &config, const char *part) {
    EXPECT_EQ(moert_init(&config, &context), MOERT_INVALID_ARGUMENT);
    expectWords(nullptr, part);
  };
  moert_config config = gatherer.getConfig(0);
  config.all_gather = nullptr;
  expectRefused(config, "expected an all_gather beside must_abort, got NULL");
  config.must_abort = nullptr;
  expectRefused(config, "expected an all_gather beside aborted, got NULL");
  config = gatherer.getConfig(0, "mpi");
  expectRefused(config, "expected no all_gather on the backend 'mpi'");
  // A configuration of an earlier interface has none of these members.
  config = gatherer.getConfig(0);
  config.struct_size = offsetof(moert_config, all_gather);
  config.address = "nowhere";
  expectRefused(config, "expected an address like");
}
