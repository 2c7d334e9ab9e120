// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests memory that is registered with communicators.

#include "Capture.h"
#include "Loaded.h"
#include "nccl/NcclLibrary.h"
#include <atomic>
#include <thread>

using namespace loaded;
using namespace moert;

namespace {

const nccl::Library &library() {
  (void)driver();
  std::string reason;
  return *nccl::loadNccl(reason);
}

/// Creates a blocking communicator of one rank.
nccl::Comm makeComm() {
  nccl::UniqueId id;
  nccl::Comm comm = nullptr;
  EXPECT_EQ(library().GetUniqueId(&id), 0);
  EXPECT_EQ((find<int(nccl::Comm *, int, nccl::UniqueId, int)>(
                "ncclCommInitRank")(&comm, 1, id, 0)),
            0);
  return comm;
}

} // namespace

TEST(CommMemoryTest, HandlesAreOfOneCommunicator) {
  Device device;
  nccl::Comm first = makeComm(), second = makeComm();
  void *data = nullptr, *handle = nullptr;
  ASSERT_EQ(library().MemAlloc(&data, 64), 0);
  EXPECT_EQ(library().CommRegister(first, data, 64, &handle), 0);
  EXPECT_NE(library().CommDeregister(second, handle), 0);
  EXPECT_EQ(library().CommDeregister(first, handle), 0);
  EXPECT_NE(library().CommDeregister(first, handle), 0) << "twice";
  int onHost = 0;
  EXPECT_NE(library().CommRegister(first, &onHost, sizeof(onHost), &handle), 0);
  // Aborting a communicator removes its registrations.
  EXPECT_EQ(library().CommRegister(second, data, 64, &handle), 0);
  EXPECT_EQ(library().CommAbort(second), 0);
  EXPECT_EQ(library().MemFree(data), 0);
  EXPECT_EQ(library().CommDestroy(first), 0);
}

TEST(CommMemoryDeathTest, RegistrationsThatAreForgottenAreFound) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto registerWith = [](void *&data) {
    void *handle = nullptr;
    nccl::Comm comm = makeComm();
    library().MemAlloc(&data, 64);
    library().CommRegister(comm, data, 64, &handle);
    return comm;
  };
  EXPECT_DEATH(
      {
        Device device;
        void *data = nullptr;
        library().CommDestroy(registerWith(data));
      },
      "is registered with a communicator that is destroyed");
  EXPECT_DEATH(
      {
        Device device;
        void *data = nullptr;
        registerWith(data);
        library().MemFree(data);
      },
      "is freed while a communicator has it registered");
}

/// As with NCCL, destroying a communicator waits for the graphs that contain
/// it.
TEST(CommMemoryTest, GraphsHoldTheirCommunicators) {
  Device device;
  Stream stream;
  Array<float> data({3});
  nccl::Comm comm = makeComm();
  cuda::Graph graph = nullptr;
  cuda::GraphExec executable = nullptr;
  ASSERT_EQ(driver().StreamBeginCapture(stream.handle, 2), 0);
  EXPECT_EQ(library().AllReduce(data.data(), data.data(), 1, 7, 0, comm,
                                stream.handle),
            0);
  ASSERT_EQ(driver().StreamEndCapture(stream.handle, &graph), 0);
  ASSERT_EQ(driver().GraphInstantiate(&executable, graph, 0), 0);
  EXPECT_EQ(driver().GraphDestroy(graph), 0);
  EXPECT_EQ(driver().GraphLaunch(executable, stream.handle), 0);
  std::atomic<bool> isGone{false};
  std::thread ends([&] {
    device.enter();
    EXPECT_EQ(library().CommDestroy(comm), 0);
    isGone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(isGone);
  EXPECT_EQ(driver().GraphExecDestroy(executable), 0);
  ends.join();
}
