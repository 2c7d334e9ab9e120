// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests stream capture.

#include "Capture.h"
#include "Loaded.h"
#include <thread>

using namespace loaded;
using cuda::Graph;
using cuda::GraphExec;

namespace {

constexpr int kGlobal = 0, kThreadLocal = 1, kRelaxed = 2;

int beginCapture(const Stream &stream, int mode) {
  return find<int(cuda::Stream, int)>("cuStreamBeginCapture_v2")(stream.handle,
                                                                 mode);
}
int endCapture(const Stream &stream, Graph &graph) {
  return find<int(cuda::Stream, Graph *)>("cuStreamEndCapture")(stream.handle,
                                                                &graph);
}
int getStatus(const Stream &stream) {
  int status = -1;
  EXPECT_EQ(find<int(cuda::Stream, int *)>("cuStreamIsCapturing")(stream.handle,
                                                                  &status),
            0);
  return status;
}
int exchangeMode(int mode) {
  EXPECT_EQ(find<int(int *)>("cuThreadExchangeStreamCaptureMode")(&mode), 0);
  return mode;
}

class CaptureTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(driver().EventCreate(&fork, 2), 0);
    ASSERT_EQ(driver().EventCreate(&join, 2), 0);
  }
  void TearDown() override {
    EXPECT_EQ(driver().EventDestroy(fork), 0);
    EXPECT_EQ(driver().EventDestroy(join), 0);
  }
  /// Sets a byte of the array on a stream.
  void set(const Stream &on, size_t at, int value) {
    EXPECT_EQ(driver().MemsetD8Async(array.address + at,
                                     static_cast<unsigned char>(value), 1,
                                     on.handle),
              0);
  }
  void record(cuda::Event event, const Stream &on) {
    EXPECT_EQ(driver().EventRecord(event, on.handle), 0);
  }
  void wait(const Stream &on, cuda::Event event) {
    EXPECT_EQ(driver().StreamWaitEvent(on.handle, event, 0), 0);
  }

  Device device;
  Stream stream, other;
  Array<char> array{std::vector<char>(4, 0)};
  cuda::Event fork = nullptr, join = nullptr;
};

} // namespace

TEST_F(CaptureTest, WhatIsRecordedRunsWhenItIsLaunched) {
  ASSERT_EQ(beginCapture(stream, kGlobal), 0);
  EXPECT_EQ(getStatus(stream), 1);
  set(stream, 0, 1);
  record(fork, stream);
  wait(other, fork);
  EXPECT_EQ(getStatus(other), 1);
  set(other, 1, 2);
  record(join, other);
  wait(stream, join);
  // Memory that a graph allocates and frees.
  cuda::Pointer scratch = 0;
  EXPECT_EQ(driver().MemAllocAsync(&scratch, 1, stream.handle), 0);
  EXPECT_EQ(driver().MemsetD8Async(scratch, 3, 1, stream.handle), 0);
  EXPECT_EQ(driver().MemcpyAsync(array.address + 2, scratch, 1, stream.handle),
            0);
  EXPECT_EQ(driver().MemFreeAsync(scratch, stream.handle), 0);
  Graph graph = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(endCapture(stream, graph), 0);
  EXPECT_EQ(getStatus(stream), 0);
  EXPECT_EQ(getStatus(other), 0);
  EXPECT_EQ(array.read(), std::vector<char>({0, 0, 0, 0})) << "nothing ran";
  ASSERT_EQ(find<int(GraphExec *, Graph, unsigned long long)>(
                "cuGraphInstantiateWithFlags")(&executable, graph, 0),
            0);
  EXPECT_EQ(find<int(Graph)>("cuGraphDestroy")(graph), 0);
  for (int run = 0; run < 3; ++run) {
    for (size_t i = 0; i < 4; ++i)
      set(stream, i, 9);
    ASSERT_EQ(find<int(GraphExec, cuda::Stream)>("cuGraphLaunch")(
                  executable, stream.handle),
              0);
    EXPECT_EQ(stream.wait(), 0);
    EXPECT_EQ(array.read(), std::vector<char>({1, 2, 3, 9}));
  }
  EXPECT_EQ(find<int(GraphExec)>("cuGraphExecDestroy")(executable), 0);
}

TEST_F(CaptureTest, QuestionsSpoilIt) {
  Graph graph = nullptr;
  for (int question = 0; question < 3; ++question) {
    ASSERT_EQ(beginCapture(stream, kRelaxed), 0);
    record(fork, stream);
    if (question == 0) {
      EXPECT_EQ(driver().StreamQuery(stream.handle), 900);
    } else if (question == 1) {
      EXPECT_EQ(stream.wait(), 900);
    } else {
      EXPECT_EQ(driver().EventQuery(fork), 907);
    }
    EXPECT_EQ(getStatus(stream), 2);
    EXPECT_EQ(driver().MemsetD8Async(array.address, 1, 1, stream.handle), 901);
    EXPECT_EQ(endCapture(stream, graph), 901);
    EXPECT_EQ(graph, nullptr);
  }
  EXPECT_EQ(driver().EventQuery(fork), 907) << "recorded in a capture";
  record(fork, stream);
  EXPECT_EQ(stream.wait(), 0);
  EXPECT_EQ(driver().EventQuery(fork), 0);
}

/// A query on another thread invalidates a global capture, unless this thread
/// has a relaxed mode.
TEST_F(CaptureTest, OtherThreadsSpoilAGlobalOne) {
  Graph graph = nullptr;
  record(join, other);
  ASSERT_EQ(other.wait(), 0);
  auto ask = [&](bool isCareful) {
    int result = -1;
    std::thread([&] {
      device.enter();
      if (isCareful) {
        EXPECT_EQ(exchangeMode(kRelaxed), kGlobal);
      }
      result = driver().EventQuery(join);
    }).join();
    return result;
  };
  ASSERT_EQ(beginCapture(stream, kGlobal), 0);
  EXPECT_EQ(ask(true), 0);
  EXPECT_EQ(getStatus(stream), 1);
  EXPECT_EQ(ask(false), 900);
  EXPECT_EQ(endCapture(stream, graph), 901);

  ASSERT_EQ(beginCapture(stream, kThreadLocal), 0);
  EXPECT_EQ(ask(false), 0);
  EXPECT_EQ(endCapture(stream, graph), 0);
  EXPECT_EQ(find<int(Graph)>("cuGraphDestroy")(graph), 0);

  // The capturing thread must not allocate memory unless its mode is relaxed.
  cuda::Pointer pointer = 0;
  ASSERT_EQ(beginCapture(stream, kThreadLocal), 0);
  EXPECT_EQ(driver().MemAlloc(&pointer, 8), 900);
  EXPECT_EQ(endCapture(stream, graph), 901);
  ASSERT_EQ(beginCapture(stream, kRelaxed), 0);
  EXPECT_EQ(driver().MemAlloc(&pointer, 8), 0);
  EXPECT_EQ(driver().MemFreeAsync(pointer, stream.handle), 1)
      << "not the graph's";
  EXPECT_EQ(endCapture(stream, graph), 0);
  EXPECT_EQ(find<int(Graph)>("cuGraphDestroy")(graph), 0);
  EXPECT_EQ(driver().MemFree(pointer), 0);
}

TEST_F(CaptureTest, StreamsJoinAndHaveToComeBack) {
  Graph graph = nullptr;
  ASSERT_EQ(beginCapture(stream, kRelaxed), 0);
  set(stream, 0, 1);
  record(fork, stream);
  wait(other, fork);
  set(other, 1, 1);
  EXPECT_EQ(endCapture(other, graph), 903) << "not the first one";
  EXPECT_EQ(endCapture(stream, graph), 901);

  ASSERT_EQ(beginCapture(stream, kRelaxed), 0);
  record(fork, stream);
  wait(other, fork);
  set(other, 1, 1);
  EXPECT_EQ(endCapture(stream, graph), 904) << "the other has not come back";

  // Captured work cannot wait for work outside of the graph.
  record(join, other);
  ASSERT_EQ(beginCapture(stream, kRelaxed), 0);
  EXPECT_EQ(driver().StreamWaitEvent(stream.handle, join, 0), 905);
  EXPECT_EQ(endCapture(stream, graph), 901);

  ASSERT_EQ(beginCapture(stream, kThreadLocal), 0);
  std::thread([&] {
    device.enter();
    EXPECT_EQ(endCapture(stream, graph), 908);
  }).join();
  EXPECT_EQ(endCapture(stream, graph), 0);
  EXPECT_EQ(find<int(Graph)>("cuGraphDestroy")(graph), 0);
  EXPECT_EQ(endCapture(stream, graph), 1) << "none is captured";
}
