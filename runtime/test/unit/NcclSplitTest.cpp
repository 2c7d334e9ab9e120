// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests communicators that are split from one of all ranks.

#include "NcclSpy.h"
#include "Ranks.h"
#include <atomic>
#include <cstring>
#include <latch>
#include <utility>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

constexpr int32_t kMembers = 4;

/// Partitions of all ranks into pairs, of which one is not in ascending order.
const std::vector<int32_t> kNeighbors = {0, 1, 2, 3}, kCrossed = {2, 0, 3, 1};

class NcclSplitTest : public Spy {
protected:
  void SetUp() override {
    Spy::SetUp();
    Hook<&nccl::Library::GetUniqueId>::answer = [&](nccl::UniqueId *id) {
      ++numRoots;
      return Hook<&nccl::Library::GetUniqueId>::original(id);
    };
    Hook<&nccl::Library::CommInitRankConfig>::answer =
        [&](nccl::Comm *comm, int size, nccl::UniqueId id, int rank,
            nccl::Config *config) {
          ++numStarts;
          return Hook<&nccl::Library::CommInitRankConfig>::original(
              comm, size, id, rank, config);
        };
    Hook<&nccl::Library::CommSplit>::answer = [&](nccl::Comm comm, int color,
                                                  int key, nccl::Comm *made,
                                                  nccl::Config *config) {
      ++numSplits;
      return Hook<&nccl::Library::CommSplit>::original(comm, color, key, made,
                                                       config);
    };
  }

  static moert_stream *getStream(moert_context *context) {
    moert_stream *stream = nullptr;
    EXPECT_EQ(moert_stream_get(context, "s", 0, &stream), MOERT_OK);
    return stream;
  }
  static moert_status split(moert_context *context,
                            const std::vector<int32_t> &ranks, int32_t size,
                            moert_comm **comm,
                            int64_t deadlineUs = MOERT_DEADLINE_DEFAULT) {
    return moert_comm_split(getStream(context), ranks.data(), size, deadlineUs,
                            comm);
  }
  /// Splits, and expects a group with the sum of 1 << rank.
  static void check(moert_context *context, const std::vector<int32_t> &ranks,
                    int32_t size, int32_t position, int32_t sum) {
    moert_comm *comm = nullptr;
    ASSERT_EQ(split(context, ranks, size, &comm), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(moert_comm_size(comm), size);
    EXPECT_EQ(moert_comm_rank(comm), position);
    expectSum(context, comm, sum);
  }
  static void expectSum(moert_context *context, moert_comm *comm, int32_t sum) {
    moert_stream *stream = getStream(context);
    moert_buffer *buffer = nullptr;
    int32_t own = 1 << moert_rank(context), result = -1;
    ASSERT_EQ(
        moert_buffer_create(context, sizeof(own), MOERT_MEMORY_DEVICE, &buffer),
        MOERT_OK);
    void *data = moert_buffer_data(buffer);
    EXPECT_EQ(moert_copy(stream, data, &own, sizeof(own)), MOERT_OK);
    EXPECT_EQ(moert_all_reduce(comm, data, data, 1, MOERT_I32, MOERT_SUM),
              MOERT_OK);
    EXPECT_EQ(moert_copy(stream, &result, data, sizeof(own)), MOERT_OK);
    EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(result, sum);
    EXPECT_EQ(moert_buffer_destroy(buffer), MOERT_OK);
  }
  /// Splits into neighbors, crossed pairs and all ranks, with sums.
  static void checkPairsAndAll(moert_context *context) {
    int32_t rank = moert_rank(context);
    for (int round = 0; round < 2; ++round) {
      check(context, kNeighbors, 2, rank % 2, rank < 2 ? 3 : 12);
      check(context, kCrossed, 2, rank < 2, rank % 2 ? 10 : 5);
      check(context, kNeighbors, kMembers, rank, 15);
    }
  }
  static void expectWords(moert_context *context, const char *part) {
    EXPECT_NE(std::strstr(moert_last_error(context), part), nullptr)
        << moert_last_error(context);
  }

  std::atomic<int> numRoots{0}, numStarts{0}, numSplits{0};
};

} // namespace

/// Three communicators per rank need one root, one communicator of all ranks,
/// and one split each.
TEST_F(NcclSplitTest, StartsNcclOncePerJob) {
  runRanks(kMembers, getConfig(), checkPairsAndAll);
  EXPECT_EQ(numRoots, 1);
  EXPECT_EQ(numStarts, kMembers);
  EXPECT_EQ(numSplits, 3 * kMembers);
}

/// NCCL before 2.18 cannot split.
TEST_F(NcclSplitTest, StartsNcclPerGroupWhereItMust) {
  auto split = std::exchange(library().CommSplit, nullptr);
  runRanks(kMembers, getConfig(), checkPairsAndAll);
  library().CommSplit = split;
  EXPECT_EQ(numRoots, 2 + 2 + 1);
  EXPECT_EQ(numStarts, 3 * kMembers);
}

/// A communicator of the group alone does not replace the one of the partition,
/// because ranks of other groups would wait for its members.
TEST_F(NcclSplitTest, DoesNotMixWithCommunicatorsOfMembersAlone) {
  runRanks(kMembers, getConfig(), [](moert_context *context) {
    int32_t rank = moert_rank(context), pair[] = {0, 1};
    moert_comm *alone = nullptr, *part = nullptr;
    if (rank < 2) {
      ASSERT_EQ(moert_comm_get(getStream(context), pair, 2,
                               MOERT_DEADLINE_DEFAULT, &alone),
                MOERT_OK)
          << moert_last_error(context);
    }
    ASSERT_EQ(split(context, kNeighbors, 2, &part), MOERT_OK)
        << moert_last_error(context);
    EXPECT_NE(alone, part);
    expectSum(context, part, rank < 2 ? 3 : 12);
  });
}

/// Ranks 0 and 1 have communicators of their own for their pair; the others
/// split.
TEST_F(NcclSplitTest, LeavesOutRanksThatAdopt) {
  nccl::UniqueId id{};
  Hook<&nccl::Library::GetUniqueId>::original(&id);
  runRanks(kMembers, getConfig(), [&](moert_context *context) {
    int32_t rank = moert_rank(context), pair[] = {0, 1};
    nccl::Comm own = nullptr;
    if (rank < 2) {
      cuda::Device device = 0;
      cuda::Context current = nullptr;
      ASSERT_EQ(spy::driver().DeviceGet(&device, rank), cuda::kSuccess);
      ASSERT_EQ(spy::driver().DevicePrimaryCtxRetain(&current, device),
                cuda::kSuccess);
      ASSERT_EQ(spy::driver().CtxSetCurrent(current), cuda::kSuccess);
      nccl::Config config;
      nccl::Result result = Hook<&nccl::Library::CommInitRankConfig>::original(
          &own, 2, id, rank, &config);
      while (result == nccl::kInProgress)
        library().CommGetAsyncError(own, &result);
      ASSERT_EQ(result, nccl::kSuccess);
      ASSERT_EQ(moert_comm_adopt(context, pair, 2, own), MOERT_OK);
    }
    check(context, kNeighbors, 2, rank % 2, rank < 2 ? 3 : 12);
    check(context, kCrossed, 2, rank < 2, rank % 2 ? 10 : 5);
  });
  EXPECT_EQ(numRoots, 1);
  EXPECT_EQ(numStarts, kMembers);
  EXPECT_EQ(numSplits, 2 * kMembers);
}

TEST_F(NcclSplitTest, NamesARankThatDoesNotCome) {
  std::latch isOver(kMembers - 1);
  double begin = nowMs();
  runRanks(
      kMembers, getConfig(),
      [&](moert_context *context) {
        if (moert_rank(context) == 2)
          return isOver.wait();
        // Rank 3 waits for it; ranks 0 and 1 are a group of their own.
        moert_comm *comm = nullptr;
        moert_status status = split(context, kNeighbors, 2, &comm, 500000);
        EXPECT_EQ(status, MOERT_DEADLINE_EXCEEDED) << moert_last_error(context);
        EXPECT_EQ(comm, nullptr);
        expectWords(context,
                    "expected all members to come to the communicators "
                    "of all ranks before the deadline, missing are "
                    "ranks [2]");
        isOver.count_down();
      },
      /*isWell=*/false);
  EXPECT_LT(nowMs() - begin, 30000);
  EXPECT_EQ(numStarts, 0) << "NCCL would wait";
}

TEST_F(NcclSplitTest, FindsOtherGroups) {
  runRanks(
      kMembers, getConfig(),
      [](moert_context *context) {
        moert_comm *comm = nullptr;
        bool isOther = moert_rank(context) == 1;
        EXPECT_NE(split(context, isOther ? kCrossed : kNeighbors, 2, &comm),
                  MOERT_OK);
        expectWords(context,
                    "to create communicators of the same groups on the "
                    "same stream, got others on rank");
      },
      /*isWell=*/false);
}

/// A rank fails while the others split; the watcher ends their calls.
TEST_F(NcclSplitTest, EndsSplitsOfAFailedJob) {
  Hook<&nccl::Library::CommSplit>::answer = [&](nccl::Comm comm, int color,
                                                int key, nccl::Comm *made,
                                                nccl::Config *config) {
    constexpr nccl::Result kSystemError = 2;
    int rank = -1;
    library().CommUserRank(comm, &rank);
    return rank == 1 ? kSystemError
                     : Hook<&nccl::Library::CommSplit>::original(
                           comm, color, key, made, config);
  };
  double begin = nowMs();
  runRanks(
      kMembers, getConfig(),
      [](moert_context *context) {
        moert_comm *comm = nullptr;
        moert_status status = split(context, kNeighbors, 2, &comm);
        EXPECT_EQ(status, moert_rank(context) == 1 ? MOERT_BACKEND_ERROR
                                                   : MOERT_ABORTED);
        expectWords(context, "rank 1: ncclCommSplit: NCCL error 2");
      },
      /*isWell=*/false);
  EXPECT_LT(nowMs() - begin, 30000);
}

/// A rank hangs in NCCL, so the splits of the others end at their deadline.
TEST_F(NcclSplitTest, EndsASplitAtTheDeadline) {
  std::latch isOver(kMembers - 1);
  Hook<&nccl::Library::CommSplit>::answer = [&](nccl::Comm comm, int color,
                                                int key, nccl::Comm *made,
                                                nccl::Config *config) {
    int rank = -1;
    library().CommUserRank(comm, &rank);
    if (rank == 3)
      isOver.wait();
    return Hook<&nccl::Library::CommSplit>::original(comm, color, key, made,
                                                     config);
  };
  std::atomic<int> numLate{0};
  double begin = nowMs();
  runRanks(
      kMembers, getConfig(),
      [&](moert_context *context) {
        moert_comm *comm = nullptr;
        moert_status status = split(context, kNeighbors, 2, &comm, 500000);
        EXPECT_TRUE(status == MOERT_DEADLINE_EXCEEDED ||
                    status == MOERT_ABORTED)
            << moert_last_error(context);
        EXPECT_EQ(comm, nullptr);
        expectWords(context, "ncclCommSplit did not end before the deadline");
        numLate += status == MOERT_DEADLINE_EXCEEDED;
        if (moert_rank(context) != 3)
          isOver.count_down();
      },
      /*isWell=*/false);
  EXPECT_GE(numLate, 1);
  EXPECT_LT(nowMs() - begin, 30000);
}
