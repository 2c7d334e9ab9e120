// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests communicators of the caller.

#include "NcclSpy.h"
#include "Ranks.h"
#include <cstring>
#include <latch>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

/// A job of two ranks with a communicator of the caller. A collective of rank 0
/// is running on it when the job fails, because rank 1 does not call it.
class NcclAdoptTest : public Spy {
protected:
  void SetUp() override {
    Spy::SetUp();
    Hook<&nccl::Library::CommAbort>::answer = [&](nccl::Comm comm) {
      ++ends;
      return Hook<&nccl::Library::CommAbort>::original(comm);
    };
    Hook<&nccl::Library::CommFinalize>::answer = [&](nccl::Comm comm) {
      ++ends;
      return Hook<&nccl::Library::CommFinalize>::original(comm);
    };
    Hook<&nccl::Library::CommDestroy>::answer = [&](nccl::Comm comm) {
      ++ends;
      return Hook<&nccl::Library::CommDestroy>::original(comm);
    };
  }

  /// Runs `fail` on rank 0 with the stream that is still running, and the
  /// caller's communicator.
  void runJob(int64_t deadlineUs,
              const std::function<void(moert_context *, moert_stream *,
                                       nccl::Comm)> &fail) {
    nccl::UniqueId id{};
    runThreads(2, [&](int32_t rank) {
      moert_config config = getConfig();
      config.rank = rank;
      config.world_size = 2;
      config.deadline_us = deadlineUs;
      moert_context *context = nullptr;
      ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
          << moert_last_error(nullptr);
      // The caller's code: moert_init has made the device current.
      cuda::Device device = 0;
      cuda::Context own = nullptr;
      ASSERT_EQ(spy::driver().DeviceGet(&device, rank), 0);
      ASSERT_EQ(spy::driver().DevicePrimaryCtxRetain(&own, device), 0);
      ASSERT_EQ(spy::driver().CtxSetCurrent(own), 0);
      if (rank == 0)
        library().GetUniqueId(&id);
      met.arrive_and_wait();
      nccl::Comm comm = nullptr;
      nccl::Config how;
      nccl::Result result =
          library().CommInitRankConfig(&comm, 2, id, rank, &how);
      while (result == nccl::kInProgress)
        library().CommGetAsyncError(comm, &result);
      ASSERT_EQ(result, 0);
      int32_t both[] = {0, 1};
      moert_stream *stream = nullptr;
      moert_comm *adopted = nullptr;
      moert_buffer *buffer = nullptr;
      ASSERT_EQ(moert_comm_adopt(context, both, 2, comm), MOERT_OK);
      ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
      ASSERT_EQ(moert_comm_create(stream, both, 2, 7, MOERT_DEADLINE_DEFAULT,
                                  &adopted),
                MOERT_OK)
          << moert_last_error(context);
      ASSERT_EQ(moert_buffer_create(context, 64, MOERT_MEMORY_DEVICE, &buffer),
                MOERT_OK);
      if (rank == 0) {
        void *data = moert_buffer_data(buffer);
        EXPECT_EQ(
            moert_all_reduce(adopted, data, data, 16, MOERT_F32, MOERT_SUM),
            MOERT_OK);
        fail(context, stream, comm);
      }
      over.arrive_and_wait();
      if (rank == 1) {
        EXPECT_NE(moert_finalize(context, MOERT_DEADLINE_DEFAULT), MOERT_OK);
        EXPECT_EQ(Hook<&nccl::Library::CommDestroy>::original(comm), 0);
      }
    });
    EXPECT_EQ(ends, 0) << "the caller's are the caller's to end";
  }
  static void expectWords(moert_context *context) {
    EXPECT_NE(std::strstr(moert_last_error(context),
                          "; communicators of the caller's are left alone: "
                          "what is under way on them ends when the caller "
                          "aborts them"),
              nullptr)
        << moert_last_error(context);
  }

  std::atomic<int> ends{0};
  std::latch met{2}, over{2};
};

} // namespace

/// The deadline of a collective ends the job. The caller aborts the collective,
/// and the rest is destroyed normally.
TEST_F(NcclAdoptTest, EndsWhenTheCallerAborts) {
  runJob(3000000, [&](moert_context *context, moert_stream *stream,
                      nccl::Comm comm) {
    EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs),
              MOERT_DEADLINE_EXCEEDED);
    expectWords(context);
    EXPECT_NE(std::strstr(moert_last_error(context), "missing are ranks [1]"),
              nullptr)
        << moert_last_error(context);
    // Later work fails with the same message.
    EXPECT_EQ(moert_delay(stream, 1), MOERT_DEADLINE_EXCEEDED);
    expectWords(context);
    EXPECT_EQ(Hook<&nccl::Library::CommAbort>::original(comm), 0);
    double begin = nowMs();
    EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT),
              MOERT_DEADLINE_EXCEEDED);
    EXPECT_LT(nowMs() - begin, 30000) << "nothing is under way any more";
  });
}

/// If the caller does not abort the collective, the job only waits a short time
/// instead of the deadline.
TEST_F(NcclAdoptTest, DoesNotWaitForWhatNobodyEnds) {
  runJob(60000000, [&](moert_context *context, moert_stream *stream,
                       nccl::Comm comm) {
    EXPECT_EQ(moert_abort(context, "enough"), MOERT_OK);
    double begin = nowMs();
    EXPECT_EQ(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT),
              MOERT_ABORTED);
    expectWords(context);
    EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT), MOERT_ABORTED);
    EXPECT_LT(nowMs() - begin, 30000);
    EXPECT_EQ(Hook<&nccl::Library::CommAbort>::original(comm), 0);
  });
}
