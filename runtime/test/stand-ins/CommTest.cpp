// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the emulated NCCL.

#include "Loaded.h"
#include <atomic>
#include <chrono>
#include <thread>

using namespace loaded;
using namespace moert;

namespace {

const nccl::Library &ncclLibrary() {
  (void)driver();
  std::string reason;
  const nccl::Library *found = nccl::loadNccl(reason);
  if (!found) {
    ADD_FAILURE() << reason;
    std::abort();
  }
  return *found;
}

void settle(nccl::Comm comm, int result) {
  while (result == nccl::kInProgress)
    ASSERT_EQ(ncclLibrary().CommGetAsyncError(comm, &result), 0);
  ASSERT_EQ(result, 0);
}

/// One member of a communicator of two ranks.
struct Comm {
  Comm(const nccl::UniqueId &id, int rank) {
    nccl::Config config;
    int result = ncclLibrary().CommInitRankConfig(&handle, 2, id, rank, &config);
    settle(handle, result);
  }
  /// Enqueues a collective on a stream.
  void start(const Stream &stream, float *data) {
    settle(handle,
           ncclLibrary().AllReduce(data, data, 1, 7, 0, handle, stream.handle));
  }
  nccl::Comm handle = nullptr;
};

nccl::UniqueId getId() {
  nccl::UniqueId id;
  EXPECT_EQ(ncclLibrary().GetUniqueId(&id), 0);
  return id;
}

void sleepMs(int ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

/// Two communicators of one device, each with a collective that the other rank
/// never calls.
class WaitingTest : public testing::Test {
protected:
  void SetUp() override {
    for (int i = 0; i < 2; ++i)
      comms[i].start(streams[i], data.data() + i);
  }
  Device device;
  Stream streams[2];
  Array<float> data{std::vector<float>(2)};
  Comm comms[2] = {{getId(), 0}, {getId(), 0}};
};

} // namespace

/// As on devices, destroying one communicator waits for the kernel of the other
/// one, so aborting one after the other never ends.
TEST_F(WaitingTest, AbortWaitsForTheOtherKernel) {
  std::atomic<bool> isFirstDone{false};
  std::thread first([&] {
    device.enter();
    EXPECT_EQ(ncclLibrary().CommAbort(comms[0].handle), 0);
    isFirstDone = true;
  });
  // The kernel of this communicator has ended.
  while (driver().StreamQuery(streams[0].handle) == 600)
    sleepMs(1);
  EXPECT_EQ(driver().StreamQuery(streams[0].handle), 0);
  sleepMs(100);
  EXPECT_FALSE(isFirstDone);
  EXPECT_EQ(driver().StreamQuery(streams[1].handle), 600);
  // Aborting each communicator on its own thread works.
  EXPECT_EQ(ncclLibrary().CommAbort(comms[1].handle), 0);
  first.join();
}

TEST_F(WaitingTest, AGroupOfAbortsDoesNotWaitForItself) {
  EXPECT_EQ(ncclLibrary().GroupStart(), 0);
  EXPECT_EQ(ncclLibrary().CommAbort(comms[0].handle), 0);
  EXPECT_EQ(ncclLibrary().CommAbort(comms[1].handle), 0);
  EXPECT_EQ(ncclLibrary().GroupEnd(), 0);
}

TEST_F(WaitingTest, FreeingMemoryWaitsForCollectives) {
  std::atomic<bool> isFreed{false};
  cuda::Pointer pointer = 0;
  ASSERT_EQ(driver().MemAlloc(&pointer, 8), 0);
  std::thread frees([&] {
    device.enter();
    EXPECT_EQ(driver().MemFree(pointer), 0);
    isFreed = true;
  });
  sleepMs(100);
  EXPECT_FALSE(isFreed);
  EXPECT_EQ(ncclLibrary().GroupStart(), 0);
  EXPECT_EQ(ncclLibrary().CommAbort(comms[0].handle), 0);
  EXPECT_EQ(ncclLibrary().CommAbort(comms[1].handle), 0);
  EXPECT_EQ(ncclLibrary().GroupEnd(), 0);
  frees.join();
}

TEST(CommTest, CallsAreInProgressForAsLongAsItShall) {
  Device device;
  Variable variable("MOERT_STAND_IN_NCCL_PENDING", "5");
  nccl::Comm comm = nullptr;
  nccl::Config config;
  EXPECT_EQ(ncclLibrary().CommInitRankConfig(&comm, 1, getId(), 0, &config),
            nccl::kInProgress);
  int result = 0, polls = 0;
  do
    ASSERT_EQ(ncclLibrary().CommGetAsyncError(comm, &result), 0);
  while (result == nccl::kInProgress && ++polls);
  EXPECT_EQ(polls, 5);
  EXPECT_EQ(ncclLibrary().CommDestroy(comm), 0);
}

/// Ranks with one color form a communicator, in the order of their keys, when
/// all ranks have called; a rank without a color gets none.
TEST(CommTest, ASplitWaitsForAllRanks) {
  Device device;
  nccl::UniqueId id = getId();
  nccl::Comm parents[4], parts[4];
  nccl::Config config;
  for (int rank = 0; rank < 4; ++rank) {
    int result = ncclLibrary().CommInitRankConfig(&parents[rank], 4, id, rank,
                                                  &config);
    settle(parents[rank], result);
  }
  const int colors[] = {5, 5, -1, 5}, keys[] = {2, 0, 0, 1};
  auto split = [&](int rank) {
    EXPECT_EQ(ncclLibrary().CommSplit(parents[rank], colors[rank], keys[rank],
                                      &parts[rank], &config),
              0);
  };
  for (int rank = 0; rank < 3; ++rank)
    split(rank);
  int result = 0;
  for (int poll = 0; poll < 100; ++poll) {
    ASSERT_EQ(ncclLibrary().CommGetAsyncError(parents[0], &result), 0);
    EXPECT_EQ(result, nccl::kInProgress);
    EXPECT_EQ(parts[0], nullptr);
  }
  split(3);
  for (nccl::Comm parent : parents)
    settle(parent, nccl::kInProgress);
  EXPECT_EQ(parts[2], nullptr);
  const int expected[] = {2, 0, -1, 1};
  for (int rank : {0, 1, 3}) {
    int size = 0, position = -1;
    EXPECT_EQ(ncclLibrary().CommCount(parts[rank], &size), 0);
    EXPECT_EQ(ncclLibrary().CommUserRank(parts[rank], &position), 0);
    EXPECT_EQ(size, 3);
    EXPECT_EQ(position, expected[rank]);
    EXPECT_EQ(ncclLibrary().CommDestroy(parts[rank]), 0);
  }
  for (nccl::Comm parent : parents)
    EXPECT_EQ(ncclLibrary().CommDestroy(parent), 0);
}

TEST(CommTest, ASplitNeedsAnIdleCommunicator) {
  Device device;
  Stream stream;
  Array<float> data({1});
  Comm first(getId(), 0);
  first.start(stream, data.data());
  nccl::Config config;
  nccl::Comm made = nullptr;
  constexpr int kInvalidUsage = 5;
  EXPECT_EQ(ncclLibrary().CommSplit(first.handle, 0, 0, &made, &config),
            kInvalidUsage)
      << "the other rank has not called the collective";
  EXPECT_EQ(ncclLibrary().CommAbort(first.handle), 0);
}

TEST(CommTest, ARankIsToldOfAnErrorThatCameLater) {
  Device device;
  Stream stream;
  Array<float> data({1});
  nccl::UniqueId id = getId();
  Comm first(id, 0), second(id, 1);
  Variable variable("MOERT_STAND_IN_NCCL_ERROR", "1=6");
  Stream other;
  Array<float> more({2});
  first.start(stream, data.data());
  int result = 0;
  EXPECT_EQ(ncclLibrary().CommGetAsyncError(second.handle, &result), 0);
  EXPECT_EQ(result, 0) << "it has called nothing";
  (void)ncclLibrary().AllReduce(more.data(), more.data(), 1, 7, 0, second.handle,
                            other.handle);
  do
    EXPECT_EQ(ncclLibrary().CommGetAsyncError(second.handle, &result), 0);
  while (result == nccl::kInProgress);
  EXPECT_EQ(result, 6);
  EXPECT_EQ(ncclLibrary().CommGetAsyncError(first.handle, &result), 0);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(stream.wait(), 0);
  EXPECT_EQ(other.wait(), 0);
  EXPECT_EQ(data.read(), std::vector<float>{3});
  EXPECT_EQ(ncclLibrary().CommDestroy(first.handle), 0);
  EXPECT_EQ(ncclLibrary().CommDestroy(second.handle), 0);
}

/// The collective of an aborted rank is withdrawn: a later rank waits for it
/// and does not read its freed buffers.
TEST(CommTest, NobodyReadsWhatARankTookAlong) {
  Device device;
  nccl::UniqueId id = getId();
  Comm first(id, 0), second(id, 1);
  Stream left, waiting;
  Array<float> data({2});
  {
    Array<float> other({1});
    first.start(left, other.data());
    EXPECT_EQ(ncclLibrary().CommAbort(first.handle), 0);
  }
  second.start(waiting, data.data());
  sleepMs(100);
  EXPECT_EQ(driver().StreamQuery(waiting.handle), 600) << "it waits";
  EXPECT_EQ(ncclLibrary().CommAbort(second.handle), 0);
  EXPECT_EQ(waiting.wait(), 0);
  EXPECT_EQ(data.read(), std::vector<float>{2});
}

TEST(CommTest, AnAllToAllSendsABlockToEach) {
  Device device;
  auto *allToAll =
      find<int(const void *, void *, size_t, int, nccl::Comm, cuda::Stream)>(
          "ncclAlltoAll");
  nccl::UniqueId id = getId();
  Comm first(id, 0), second(id, 1);
  Stream streams[2];
  Array<float> sent[2] = {Array<float>({1, 2, 3, 4}),
                          Array<float>({5, 6, 7, 8})};
  Array<float> received[2] = {Array<float>({0, 0, 0, 0}),
                              Array<float>({0, 0, 0, 0})};
  nccl::Comm comms[2] = {first.handle, second.handle};
  for (int i = 0; i < 2; ++i)
    settle(comms[i], allToAll(sent[i].data(), received[i].data(), 2, 7,
                              comms[i], streams[i].handle));
  for (const Stream &stream : streams)
    EXPECT_EQ(stream.wait(), 0);
  EXPECT_EQ(received[0].read(), (std::vector<float>{1, 2, 5, 6}));
  EXPECT_EQ(received[1].read(), (std::vector<float>{3, 4, 7, 8}));
  for (nccl::Comm comm : comms)
    EXPECT_EQ(ncclLibrary().CommDestroy(comm), 0);
}
