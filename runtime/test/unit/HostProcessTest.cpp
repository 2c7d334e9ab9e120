// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests ranks of the backend 'host' that meet through their caller's
// all-gather, as processes do. Here they are threads, with the same
// connections.

#include "Gatherer.h"
#include "Ranks.h"
#include <cstring>
#include <numeric>

using namespace moert::test;

namespace {

constexpr int32_t kProcesses = 3;

class HostProcessTest : public testing::Test {
protected:
  void runJob(const std::function<void(int32_t, moert_context *)> &body,
              bool isWell = true) {
    runThreads(kProcesses, [&](int32_t rank) {
      moert_config config = gatherer.getConfig(rank, "host");
      moert_context *context = nullptr;
      ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
          << moert_last_error(nullptr);
      body(rank, context);
      EXPECT_EQ(moert_finalize(context, kPatienceUs) == MOERT_OK, isWell)
          << moert_last_error(nullptr);
    });
  }
  static moert_stream *getStream(moert_context *context, const char *name) {
    moert_stream *stream = nullptr;
    EXPECT_EQ(moert_stream_get(context, name, 0, &stream), MOERT_OK);
    return stream;
  }
  static moert_comm *getComm(moert_stream *stream) {
    std::vector<int32_t> ranks(kProcesses);
    std::iota(ranks.begin(), ranks.end(), 0);
    moert_comm *comm = nullptr;
    EXPECT_EQ(moert_comm_get(stream, ranks.data(), kProcesses,
                             MOERT_DEADLINE_DEFAULT, &comm),
              MOERT_OK)
        << moert_last_error(nullptr);
    return comm;
  }
  static std::string getWords(moert_context *context) {
    return moert_last_error(context);
  }

  Gatherer gatherer{kProcesses};
};

} // namespace

/// Exchanges blocks that do not fit in a socket's buffer, on two streams
/// concurrently.
TEST_F(HostProcessTest, ExchangesLargeBlocks) {
  constexpr int64_t kBlock = 300007;
  runJob([&](int32_t rank, moert_context *context) {
    moert_stream *streams[] = {getStream(context, "a"),
                               getStream(context, "b")};
    std::vector<int32_t> send(kBlock * kProcesses), receive[2];
    for (size_t i = 0; i < send.size(); ++i)
      send[i] = rank * 7 + static_cast<int32_t>(i);
    for (int i : {0, 1})
      receive[i].assign(send.size(), -1);
    moert_comm *comms[] = {getComm(streams[0]), getComm(streams[1])};
    for (int i : {0, 1})
      ASSERT_EQ(moert_all_to_all(comms[i], send.data(), receive[i].data(),
                                 kBlock, MOERT_I32),
                MOERT_OK);
    for (int i : {0, 1}) {
      ASSERT_EQ(moert_stream_synchronize(streams[i], kPatienceUs), MOERT_OK)
          << getWords(context);
      for (int32_t from = 0; from < kProcesses; ++from)
        for (int64_t k : {int64_t(0), kBlock - 1})
          EXPECT_EQ(receive[i][from * kBlock + k],
                    from * 7 + rank * kBlock + k);
    }
  });
  EXPECT_TRUE(gatherer.getReasons(0).empty());
}

/// A failing rank ends the job for all ranks, and each caller gets the reason.
TEST_F(HostProcessTest, AbortsOnAllRanks) {
  runJob(
      [&](int32_t rank, moert_context *context) {
        moert_stream *stream = getStream(context, "a");
        moert_comm *comm = getComm(stream);
        int32_t sum = 1;
        if (rank == 1)
          EXPECT_EQ(moert_abort(context, "it is late"), MOERT_OK);
        else
          moert_all_reduce(comm, &sum, &sum, 1, MOERT_I32, MOERT_SUM);
        EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_ABORTED);
        EXPECT_NE(getWords(context).find("it is late"), std::string::npos)
            << getWords(context);
      },
      /*isWell=*/false);
  for (int32_t rank = 0; rank < kProcesses; ++rank) {
    ASSERT_EQ(gatherer.getReasons(rank).size(), 1u);
    EXPECT_NE(gatherer.getReasons(rank)[0].find("it is late"),
              std::string::npos);
  }
}

TEST_F(HostProcessTest, EndsWhenItsCallerSaysSo) {
  runJob(
      [&](int32_t, moert_context *context) {
        moert_stream *stream = getStream(context, "a");
        moert_comm *comm = getComm(stream);
        gatherer.hasToEnd = true;
        moert_status status = MOERT_OK;
        for (int32_t sum = 1; status == MOERT_OK;) {
          moert_all_reduce(comm, &sum, &sum, 1, MOERT_I32, MOERT_SUM);
          status = moert_stream_synchronize(stream, kPatienceUs);
        }
        EXPECT_EQ(status, MOERT_ABORTED) << getWords(context);
      },
      /*isWell=*/false);
}

/// Starts another job after one that failed. Unlike processes of mpirun, these
/// ranks may continue.
TEST_F(HostProcessTest, JoinsAnotherJob) {
  runJob([&](int32_t,
             moert_context *context) { moert_abort(context, "the first one"); },
         /*isWell=*/false);
  Gatherer again{kProcesses};
  runThreads(kProcesses, [&](int32_t rank) {
    moert_config config = again.getConfig(rank, "host");
    moert_context *context = nullptr;
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
        << moert_last_error(nullptr);
    moert_stream *stream = getStream(context, "a");
    int32_t sum = rank + 1;
    moert_all_reduce(getComm(stream), &sum, &sum, 1, MOERT_I32, MOERT_SUM);
    EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
    EXPECT_EQ(sum, 6);
    EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
  });
}

TEST_F(HostProcessTest, RefusesEmulatedLinks) {
  moert_config config = gatherer.getConfig(0, "host");
  moert_link link{kProcesses, 1.0, 1.0};
  config.links = &link;
  config.num_links = 1;
  moert_context *context = nullptr;
  EXPECT_EQ(moert_init(&config, &context), MOERT_INVALID_ARGUMENT);
  EXPECT_NE(getWords(nullptr).find("expected no emulated links with an "
                                   "all_gather"),
            std::string::npos)
      << getWords(nullptr);
}
