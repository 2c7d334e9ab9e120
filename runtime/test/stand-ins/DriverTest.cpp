// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the emulated driver.

#include "Loaded.h"
#include "moert_cpu_image.h"
#include "nccl/GateArgs.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace loaded;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

TEST(DriverTest, EveryThreadHasItsContext) {
  Device first(0), second(1);
  ASSERT_NE(first.context, second.context);
  auto getCurrent = [] {
    cuda::Context current = nullptr;
    EXPECT_EQ(find<int(cuda::Context *)>("cuCtxGetCurrent")(&current), 0);
    return current;
  };
  EXPECT_EQ(getCurrent(), second.context);
  std::thread([&] {
    cuda::Pointer pointer = 0;
    EXPECT_EQ(getCurrent(), nullptr);
    EXPECT_EQ(driver().MemAlloc(&pointer, 64), 201) << "no context";
    first.enter();
    EXPECT_EQ(driver().MemAlloc(&pointer, 64), 0);
    EXPECT_EQ(driver().MemFree(pointer), 0);
  }).join();
  EXPECT_EQ(getCurrent(), second.context);
  // A library pushes its context on top of the caller's.
  EXPECT_EQ(find<int(cuda::Context)>("cuCtxPushCurrent_v2")(first.context), 0);
  EXPECT_EQ(getCurrent(), first.context);
  cuda::Context popped = nullptr;
  EXPECT_EQ(find<int(cuda::Context *)>("cuCtxPopCurrent_v2")(&popped), 0);
  EXPECT_EQ(popped, first.context);
  EXPECT_EQ(getCurrent(), second.context);
}

TEST(DriverTest, WhatBelongsToAnotherContextIsRefused) {
  Device first(0);
  Stream stream;
  cuda::Event event = nullptr;
  ASSERT_EQ(driver().EventCreate(&event, 0), 0);
  {
    Device second(1);
    Stream other;
    cuda::Pointer pointer = 0;
    EXPECT_EQ(driver().MemAllocAsync(&pointer, 8, stream.handle), 400);
    EXPECT_EQ(driver().EventRecord(event, other.handle), 400)
        << "an event and a stream of two contexts";
    // Events must work across devices.
    EXPECT_EQ(driver().EventRecord(event, stream.handle), 0);
    EXPECT_EQ(driver().StreamWaitEvent(other.handle, event, 0), 0);
    EXPECT_EQ(other.wait(), 0);
  }
  first.enter();
  EXPECT_EQ(driver().EventDestroy(event), 0);
}

TEST(DriverTest, AContextThatWasReleasedIsNone) {
  cuda::Context context = nullptr;
  {
    Device device(3);
    context = device.context;
  }
  ASSERT_EQ(driver().CtxSetCurrent(context), 0);
  cuda::Pointer pointer = 0;
  EXPECT_EQ(driver().MemAlloc(&pointer, 8), 201);
  ASSERT_EQ(driver().CtxSetCurrent(nullptr), 0);
  EXPECT_EQ(driver().DevicePrimaryCtxRetain(&context, 64), 101);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(DriverDeathTest, TheHostCannotReachDeviceMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Device device;
        cuda::Pointer pointer = 0;
        driver().MemAlloc(&pointer, 64);
        *reinterpret_cast<volatile char *>(pointer) = 1;
      },
      "");
}

TEST(DriverDeathTest, WorkBehindAPieceOfMemoryIsFound) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Device device;
        Stream stream;
        cuda::Pointer pointer = 0;
        driver().MemAlloc(&pointer, 64);
        driver().MemsetD8Async(pointer, 0, 65, stream.handle);
        stream.wait();
      },
      "expected work within 64 bytes of device memory, got 65 bytes at 0");
}

//===----------------------------------------------------------------------===//
// Kernels of programs
//===----------------------------------------------------------------------===//

namespace {

/// Each thread adds a number to its element.
void addNumber(void **arguments, const uint32_t ids[12]) {
  auto *data = *static_cast<int64_t **>(arguments[0]);
  int64_t number = *static_cast<int64_t *>(arguments[1]);
  data[(ids[0] * ids[9] + ids[3]) +
       ids[6] * ids[9] * (ids[1] * ids[10] + ids[4])] += number;
}

/// Each thread writes its index in the order of execution.
std::atomic<int64_t> order{0};
void writeOrder(void **arguments, const uint32_t ids[12]) {
  (*static_cast<int64_t **>(arguments[0]))[ids[3]] = order++;
}

struct Image {
  moert_cpu_image head{MOERT_CPU_IMAGE_MAGIC, 2};
  moert_cpu_kernel kernels[2] = {{"add_number", addNumber, 2},
                                 {"write_order", writeOrder, 1}};
};

const Image image;

class ModuleTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(driver().ModuleLoadData(&module, &image), 0);
  }
  void TearDown() override { EXPECT_EQ(driver().ModuleUnload(module), 0); }
  cuda::Function get(const char *name) {
    cuda::Function function = nullptr;
    EXPECT_EQ(driver().ModuleGetFunction(&function, module, name), 0);
    return function;
  }
  int launch(const char *name, unsigned grid, unsigned block,
             std::vector<void *> arguments, unsigned sharedBytes = 0) {
    return driver().LaunchKernel(get(name), grid, 1, 1, block, 1, 1,
                                 sharedBytes, stream.handle, arguments.data(),
                                 nullptr);
  }

  Device device;
  Stream stream;
  cuda::Module module = nullptr;
};

} // namespace

TEST_F(ModuleTest, RunsEveryThreadWithPointersOfTheDevice) {
  std::vector<int64_t> numbers(7 * 33 * 4);
  std::iota(numbers.begin(), numbers.end(), 0);
  Array<int64_t> array(numbers);
  int64_t *data = array.data(), number = 1000;
  void *arguments[] = {&data, &number};
  uint64_t before = getCalls("add_number");
  ASSERT_EQ(driver().LaunchKernel(get("add_number"), 7, 2, 1, 33, 2, 1, 0,
                                  stream.handle, arguments, nullptr),
            0);
  // The launch must have copied the arguments.
  data = nullptr;
  number = 0;
  ASSERT_EQ(stream.wait(), 0);
  for (int64_t &expected : numbers)
    expected += 1000;
  EXPECT_EQ(array.read(), numbers);
  EXPECT_EQ(getCalls("add_number"), before + 1);
}

/// A kernel's parameters have ints before padding. The padding may contain the
/// upper half of an address, but the word must not be treated as an address,
/// wherever device memory is.
TEST_F(ModuleTest, AnIntBesideHalfAnAddressIsNoPointer) {
  // The next allocation of the process crosses a multiple of 4 GiB.
  constexpr size_t kHalf = 16 << 20;
  auto take = [](size_t bytes) {
    void *taken = mmap(nullptr, bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(taken, MAP_FAILED);
    return taken;
  };
  void *above = take(2 * kHalf), *between = nullptr;
  size_t distance = reinterpret_cast<uintptr_t>(above) & 0xffffffff;
  if (distance > kHalf)
    between = take(distance - kHalf);
  cuda::Pointer memory = 0;
  ASSERT_EQ(driver().MemAlloc(&memory, 2 * kHalf), 0);
  ASSERT_EQ(driver().MemsetD8Async(memory, 0, 8, stream.handle), 0);
  auto *data = reinterpret_cast<int64_t *>(memory);
  auto half = static_cast<int64_t>((memory + 2 * kHalf - 1) >> 32 << 32);
  int64_t sum = 0, result = 0;
  for (int64_t value : {0, 1, 40, 4096, 1 << 20}) {
    int64_t number = half | value;
    sum += number;
    ASSERT_EQ(launch("add_number", 1, 1, {&data, &number}), 0);
  }
  ASSERT_EQ(driver().MemcpyAsync(reinterpret_cast<cuda::Pointer>(&result),
                                 memory, sizeof(result), stream.handle),
            0);
  ASSERT_EQ(stream.wait(), 0);
  EXPECT_EQ(result, sum);
  EXPECT_EQ(driver().MemFree(memory), 0);
  EXPECT_EQ(munmap(above, 2 * kHalf), 0);
  if (between)
    EXPECT_EQ(munmap(between, distance - kHalf), 0);
}

TEST_F(ModuleTest, ThreadsRunInTheOrderOfTheSeed) {
  auto getOrder = [&](const char *seed) {
    Variable variable("MOERT_STAND_IN_SEED", seed);
    order = 0;
    Array<int64_t> array(std::vector<int64_t>(64));
    int64_t *data = array.data();
    EXPECT_EQ(launch("write_order", 1, 64, {&data}), 0);
    EXPECT_EQ(stream.wait(), 0);
    return array.read();
  };
  std::vector<int64_t> ascending(64);
  std::iota(ascending.begin(), ascending.end(), 0);
  EXPECT_EQ(getOrder("0"), ascending);
  EXPECT_NE(getOrder("5"), ascending);
  EXPECT_EQ(getOrder("5"), getOrder("5"));
}

TEST_F(ModuleTest, WhatNoEventOrdersComesInAnyOrderWithJitter) {
  Stream second;
  cuda::Event event = nullptr;
  ASSERT_EQ(driver().EventCreate(&event, 2), 0);
  Array<int64_t> array(std::vector<int64_t>(2));
  Variable jitter("MOERT_STAND_IN_JITTER", "2000");
  auto isSecondLater = [&](int seed, bool isOrdered) {
    Variable variable("MOERT_STAND_IN_SEED", std::to_string(seed).c_str());
    int64_t *own = array.data(), *others = own + 1;
    EXPECT_EQ(launch("write_order", 1, 1, {&own}), 0);
    if (isOrdered) {
      EXPECT_EQ(driver().EventRecord(event, stream.handle), 0);
      EXPECT_EQ(driver().StreamWaitEvent(second.handle, event, 0), 0);
    }
    void *arguments[] = {&others};
    EXPECT_EQ(driver().LaunchKernel(get("write_order"), 1, 1, 1, 1, 1, 1, 0,
                                    second.handle, arguments, nullptr),
              0);
    EXPECT_EQ(stream.wait(), 0);
    EXPECT_EQ(second.wait(), 0);
    std::vector<int64_t> orders = array.read();
    return orders[0] < orders[1];
  };
  int numLater = 0;
  for (int seed = 1; seed <= 32; ++seed) {
    numLater += isSecondLater(seed, false);
    EXPECT_TRUE(isSecondLater(seed, true));
  }
  EXPECT_GT(numLater, 0);
  EXPECT_LT(numLater, 32);
  EXPECT_EQ(driver().EventDestroy(event), 0);
}

TEST_F(ModuleTest, RefusesLaunchesThatNoDeviceTakes) {
  int64_t *data = nullptr;
  EXPECT_EQ(launch("write_order", 0, 1, {&data}), 1);
  EXPECT_EQ(launch("write_order", 1, 1025, {&data}), 1);
  EXPECT_EQ(launch("write_order", 1, 1, {&data}, 64 << 10), 1);
}

TEST_F(ModuleTest, RefusesImagesThatItCannotRun) {
  cuda::Module other = nullptr;
  EXPECT_EQ(driver().ModuleLoadData(&other, "nothing known"), 200);
  EXPECT_EQ(driver().ModuleLoadData(&other, "// Made by\n.version 8.0\n"), 209);
  EXPECT_EQ(driver().ModuleLoadData(&other, ".version 8.0\n"), 209);
  // All cubins begin with a header of 64 bytes.
  std::string cubin = "\x7f"
                      "ELF\x02";
  cubin.resize(64);
  EXPECT_EQ(driver().ModuleLoadData(&other, cubin.data()), 209);
  cuda::Function function = nullptr;
  EXPECT_EQ(driver().ModuleGetFunction(&function, module, "absent"), 500);
}

/// After a kernel with an error, every call in its context fails. Here, a
/// thread writes after the shared memory that the launch requested.
TEST(DriverTest, AContextIsSpoiltByAKernelThatGoesWrong) {
  Device device(7);
  Stream stream;
  const void *own = find<const void *()>("moert_driver_kernel_image")();
  ASSERT_NE(own, nullptr);
  cuda::Module module = nullptr;
  ASSERT_EQ(driver().ModuleLoadData(&module, own), 0);
  cuda::Function function = nullptr;
  EXPECT_EQ(driver().ModuleGetFunction(&function, module, "absent"), 500);
  ASSERT_EQ(
      driver().ModuleGetFunction(&function, module, "moert_choose_experts"), 0);
  // Logits, numbers and weights. They are never freed, because the context has
  // failed.
  cuda::Pointer memory = 0;
  ASSERT_EQ(driver().MemAlloc(&memory, 512), 0);
  ASSERT_EQ(driver().MemsetD8Async(memory, 0, 512, stream.handle), 0);
  cuda::ChooseArgs args{};
  args.gate.tokens = 1;
  args.gate.experts = 64;
  args.gate.top_k = 2;
  args.gate.num_groups = args.gate.top_groups = 1;
  args.gate.ids = reinterpret_cast<void *>(memory + 256);
  args.gate.weights = reinterpret_cast<void *>(memory + 384);
  args.gate.ids_type = MOERT_I32;
  args.gate.weights_type = MOERT_F32;
  args.logits = reinterpret_cast<void *>(memory);
  void *arguments[] = {&args};
  ASSERT_EQ(driver().LaunchKernel(function, 1, 1, 1, 32, 1, 1, 16,
                                  stream.handle, arguments, nullptr),
            0);
  EXPECT_EQ(stream.wait(), 719);
  EXPECT_EQ(driver().StreamQuery(stream.handle), 719);
  cuda::Pointer pointer = 0;
  EXPECT_EQ(driver().MemAlloc(&pointer, 8), 719);
  // Other devices are not affected, and a new context works.
  Device other(6);
  EXPECT_EQ(driver().MemAlloc(&pointer, 8), 0);
  EXPECT_EQ(driver().MemFree(pointer), 0);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST(DriverTest, CallsFailWhenTheyShall) {
  Device device;
  cuda::Pointer pointer = 0;
  std::string third =
      "cuMemAlloc:" + std::to_string(getCalls("cuMemAlloc") + 3) + "=2";
  Variable variable("MOERT_STAND_IN_FAIL",
                    (third + ",cuModuleLoadData:1+=222").c_str());
  for (int i = 0; i < 4; ++i) {
    int result = driver().MemAlloc(&pointer, 8);
    EXPECT_EQ(result, i == 2 ? 2 : 0) << i;
    if (result == 0) {
      EXPECT_EQ(driver().MemFree(pointer), 0);
    }
  }
  cuda::Module module = nullptr;
  EXPECT_EQ(driver().ModuleLoadData(&module, &image), 222);
  EXPECT_EQ(driver().ModuleLoadData(&module, &image), 222);
}

/// Freeing memory and loading modules wait for all work on the device.
TEST(DriverTest, FreeingMemoryWaitsForTheDevice) {
  Device device;
  Stream stream, other;
  cuda::Event gate = nullptr;
  cuda::Pointer pointer = 0;
  ASSERT_EQ(driver().EventCreate(&gate, 0), 0);
  ASSERT_EQ(driver().MemAlloc(&pointer, 8), 0);
  // A stream waits for a kernel of 2 s on another stream.
  const void *own = find<const void *()>("moert_driver_kernel_image")();
  cuda::Module module = nullptr;
  cuda::Function function = nullptr;
  ASSERT_EQ(driver().ModuleLoadData(&module, own), 0);
  ASSERT_EQ(driver().ModuleGetFunction(&function, module, "moert_delay_ns"), 0);
  long long nanoseconds = 2000000000;
  void *arguments[] = {&nanoseconds};
  ASSERT_EQ(driver().LaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream.handle,
                                  arguments, nullptr),
            0);
  ASSERT_EQ(driver().EventRecord(gate, stream.handle), 0);
  ASSERT_EQ(driver().StreamWaitEvent(other.handle, gate, 0), 0);
  EXPECT_EQ(driver().StreamQuery(other.handle), 600);
  EXPECT_EQ(driver().MemFree(pointer), 0);
  EXPECT_EQ(driver().StreamQuery(other.handle), 0);
  EXPECT_EQ(driver().EventQuery(gate), 0);
  EXPECT_EQ(driver().EventDestroy(gate), 0);
  EXPECT_EQ(driver().ModuleUnload(module), 0);
}

TEST(DriverTest, CallsAreCounted) {
  Device device;
  uint64_t streams = getCalls("cuStreamQuery"), threads, more;
  auto getThreads = find<uint64_t()>("moert_stand_in_threads");
  {
    Stream stream;
    EXPECT_EQ(driver().StreamQuery(stream.handle), 0);
    threads = getThreads();
    std::thread([&] {
      device.enter();
      driver().StreamQuery(stream.handle);
    }).join();
    more = getThreads();
  }
  EXPECT_EQ(getCalls("cuStreamQuery"), streams + 2);
  EXPECT_EQ(more, threads + 1);
  EXPECT_EQ(getCalls("cuNothing"), 0u);
}
