//===- Cuda.cpp - A stand-in for the CUDA driver ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Lets the backend 'nccl' run where there is no device. A stream is a thread;
// kernels are the library's own, compiled for the CPU (shim/). What it shows is
// that calls are made in the right order and ended when the job fails, and what
// kernels compute; nothing about a device's speed.

#include "Kernels.h"
#include "StandIn.h"
#include "shim/Block.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace moert;
using namespace moert::cuda;

constexpr Result kInvalidValue = 1, kNotFound = 500, kLaunchFailed = 719;

/// What a kernel did wrong, from then on the answer to every question.
static std::atomic<Result> deviceError{kSuccess};

namespace {

/// One record of an event.
struct Mark {
  std::mutex mutex;
  std::condition_variable changed;
  bool reached = false;
  std::chrono::steady_clock::time_point time;
};

struct StandInEvent {
  std::mutex mutex;
  std::shared_ptr<Mark> last;
};

struct StandInStream {
  StandInStream() : thread([this] { loop(); }) {}
  ~StandInStream() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stopping = true;
    }
    changed.notify_all();
    thread.join();
  }
  void enqueue(std::function<void()> work) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      queue.push_back(std::move(work));
    }
    changed.notify_all();
  }
  bool isIdle() {
    std::lock_guard<std::mutex> lock(mutex);
    return queue.empty() && !busy;
  }

private:
  void loop() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return stopping || !queue.empty(); });
      if (queue.empty())
        return;
      std::function<void()> work = std::move(queue.front());
      queue.pop_front();
      busy = true;
      lock.unlock();
      work();
      lock.lock();
      busy = false;
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> queue;
  bool busy = false, stopping = false;
  std::thread thread;
};

} // namespace

static StandInStream *get(Stream stream) {
  return reinterpret_cast<StandInStream *>(stream);
}
static StandInEvent *get(Event event) {
  return reinterpret_cast<StandInEvent *>(event);
}

void standin::enqueue(Stream stream, std::function<void()> work) {
  get(stream)->enqueue(std::move(work));
}

STAND_IN_API Result cuInit(unsigned) { return kSuccess; }
STAND_IN_API Result cuDriverGetVersion(int *version) {
  const char *wanted = std::getenv("MOERT_STAND_IN_CUDA_VERSION");
  *version = wanted ? std::atoi(wanted) : 12000;
  return kSuccess;
}
STAND_IN_API Result cuGetErrorString(Result, const char **text) {
  *text = "an error of the stand-in";
  return kSuccess;
}
STAND_IN_API Result cuDeviceGetCount(int *count) {
  const char *wanted = std::getenv("MOERT_STAND_IN_DEVICES");
  *count = wanted ? std::atoi(wanted) : 64;
  return kSuccess;
}
STAND_IN_API Result cuDeviceGet(Device *device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}
STAND_IN_API Result cuDeviceGetName(char *name, int size, Device) {
  std::snprintf(name, static_cast<size_t>(size), "a stand-in");
  return kSuccess;
}
STAND_IN_API Result cuDevicePrimaryCtxRetain(Context *context, Device) {
  static char token;
  *context = reinterpret_cast<Context>(&token);
  return kSuccess;
}
STAND_IN_API Result cuDevicePrimaryCtxRelease_v2(Device) { return kSuccess; }
static thread_local bool hasContext = false;
STAND_IN_API Result cuCtxSetCurrent(Context context) {
  hasContext = context != nullptr;
  return kSuccess;
}

/// As with the driver, a thread that never chose a device cannot use one.
#define NEEDS_CONTEXT                                                          \
  if (!hasContext)                                                             \
  return 201

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void *reach(Pointer pointer, size_t bytes) {
  return standin::reach(reinterpret_cast<void *>(pointer), bytes);
}
static void release(Pointer pointer) {
  standin::release(reinterpret_cast<void *>(pointer));
}

STAND_IN_API Result cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  NEEDS_CONTEXT;
  void *data = standin::allocate(bytes);
  *pointer = reinterpret_cast<Pointer>(data);
  return data ? kSuccess : kOutOfMemory;
}
STAND_IN_API Result cuMemFree_v2(Pointer pointer) {
  NEEDS_CONTEXT;
  if (!pointer || standin::release(reinterpret_cast<void *>(pointer)))
    return kSuccess;
  return kInvalidValue;
}
STAND_IN_API Result cuMemAllocAsync(Pointer *pointer, size_t bytes, Stream) {
  return cuMemAlloc_v2(pointer, bytes);
}
STAND_IN_API Result cuMemFreeAsync(Pointer pointer, Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue([=] { release(pointer); });
  return kSuccess;
}
STAND_IN_API Result cuMemAllocHost_v2(void **pointer, size_t bytes) {
  *pointer = std::malloc(bytes);
  return *pointer ? kSuccess : kOutOfMemory;
}
STAND_IN_API Result cuMemFreeHost(void *pointer) {
  std::free(pointer);
  return kSuccess;
}
STAND_IN_API Result cuMemcpyAsync(Pointer to, Pointer from, size_t bytes,
                                  Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue(
      [=] { std::memmove(reach(to, bytes), reach(from, bytes), bytes); });
  return kSuccess;
}
STAND_IN_API Result cuMemsetD8Async(Pointer to, unsigned char value,
                                    size_t bytes, Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue([=] { std::memset(reach(to, bytes), value, bytes); });
  return kSuccess;
}
//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

STAND_IN_API Result cuStreamCreateWithPriority(Stream *stream, unsigned, int) {
  NEEDS_CONTEXT;
  *stream = reinterpret_cast<Stream>(new StandInStream);
  return kSuccess;
}
STAND_IN_API Result cuStreamDestroy_v2(Stream stream) {
  delete get(stream);
  return kSuccess;
}
STAND_IN_API Result cuStreamQuery(Stream stream) {
  NEEDS_CONTEXT;
  if (Result error = deviceError.load())
    return error;
  return get(stream)->isIdle() ? kSuccess : kNotReady;
}
STAND_IN_API Result cuEventCreate(Event *event, unsigned) {
  NEEDS_CONTEXT;
  *event = reinterpret_cast<Event>(new StandInEvent);
  return kSuccess;
}
STAND_IN_API Result cuEventDestroy_v2(Event event) {
  delete get(event);
  return kSuccess;
}
STAND_IN_API Result cuEventRecord(Event event, Stream stream) {
  NEEDS_CONTEXT;
  auto mark = std::make_shared<Mark>();
  {
    std::lock_guard<std::mutex> lock(get(event)->mutex);
    get(event)->last = mark;
  }
  get(stream)->enqueue([mark] {
    std::lock_guard<std::mutex> lock(mark->mutex);
    mark->reached = true;
    mark->time = std::chrono::steady_clock::now();
    mark->changed.notify_all();
  });
  return kSuccess;
}
static std::shared_ptr<Mark> getMark(Event event) {
  std::lock_guard<std::mutex> lock(get(event)->mutex);
  return get(event)->last;
}
STAND_IN_API Result cuEventQuery(Event event) {
  NEEDS_CONTEXT;
  std::shared_ptr<Mark> mark = getMark(event);
  if (!mark)
    return kSuccess;
  if (Result error = deviceError.load())
    return error;
  std::lock_guard<std::mutex> lock(mark->mutex);
  return mark->reached ? kSuccess : kNotReady;
}
STAND_IN_API Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  NEEDS_CONTEXT;
  if (std::shared_ptr<Mark> mark = getMark(event))
    get(stream)->enqueue([mark] {
      std::unique_lock<std::mutex> lock(mark->mutex);
      mark->changed.wait(lock, [&] { return mark->reached; });
    });
  return kSuccess;
}
STAND_IN_API Result cuEventElapsedTime(float *ms, Event start, Event end) {
  std::shared_ptr<Mark> from = getMark(start), to = getMark(end);
  if (cuEventQuery(start) != kSuccess || cuEventQuery(end) != kSuccess ||
      !from || !to)
    return kNotReady;
  *ms = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

STAND_IN_API Result cuModuleLoadData(Module *module, const void *) {
  static char token;
  *module = reinterpret_cast<Module>(&token);
  return kSuccess;
}
STAND_IN_API Result cuModuleUnload(Module) { return kSuccess; }
STAND_IN_API Result cuModuleGetFunction(Function *function, Module,
                                        const char *name) {
  const standin::Kernel *kernel = standin::findKernel(name);
  *function = reinterpret_cast<Function>(const_cast<standin::Kernel *>(kernel));
  return kernel ? kSuccess : kNotFound;
}

/// As the devices that there are.
static bool isPossible(const shim::Dim3 &grid, const shim::Dim3 &block,
                       unsigned sharedBytes) {
  return grid.count() && block.count() && grid.x <= INT32_MAX &&
         grid.y <= 65535 && grid.z <= 65535 && block.count() <= 1024 &&
         block.z <= 64 && sharedBytes <= (48 << 10);
}

/// In which order threads run: a number by the variable, 1 without.
static uint64_t getSeed() {
  const char *wanted = std::getenv("MOERT_STAND_IN_SEED");
  return wanted ? std::strtoull(wanted, nullptr, 10) : 1;
}

/// The values of a kernel's parameters when it was launched, with its pointers
/// where the stand-ins reach device memory.
namespace {
class Parameters {
public:
  Parameters(const standin::Kernel &kernel, void **values) {
    for (size_t size : kernel.sizes) {
      // Aligned for any type.
      auto &copy =
          copies.emplace_back((size + sizeof(Word) - 1) / sizeof(Word));
      std::memcpy(copy.data(), *values++, size);
      standin::reachAll(copy.data(), size);
    }
    for (auto &copy : copies)
      pointers.push_back(copy.data());
  }
  Parameters(const Parameters &) = delete;
  void *const *data() const { return pointers.data(); }

private:
  using Word = std::max_align_t;
  std::vector<std::vector<Word>> copies;
  std::vector<void *> pointers;
};
} // namespace

STAND_IN_API Result cuLaunchKernel(Function function, unsigned gridX,
                                   unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes,
                                   Stream stream, void **parameters, void **) {
  NEEDS_CONTEXT;
  auto *kernel = reinterpret_cast<const standin::Kernel *>(function);
  shim::Launch launch;
  launch.name = kernel->name;
  launch.grid = {gridX, gridY, gridZ};
  launch.block = {blockX, blockY, blockZ};
  launch.sharedBytes = sharedBytes;
  launch.seed = getSeed();
  if (!isPossible(launch.grid, launch.block, sharedBytes))
    return kInvalidValue;
  auto values = std::make_shared<Parameters>(*kernel, parameters);
  get(stream)->enqueue([=]() mutable {
    launch.shared = standin::getSharedMemory();
    std::string problem =
        shim::run(launch, [&] { kernel->run(values->data()); });
    if (problem.empty())
      return;
    std::fprintf(stderr, "stand-in for CUDA: %s\n", problem.c_str());
    deviceError.store(kLaunchFailed);
  });
  return kSuccess;
}
