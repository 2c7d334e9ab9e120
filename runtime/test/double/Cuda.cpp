//===- Cuda.cpp - A stand-in for the CUDA driver ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Lets the host side of the backend 'nccl' run where there is no device: its
// streams, events, deadlines and aborts. "Device" memory is ordinary memory and
// a stream is a thread. Of the kernels it knows those that move data; others
// are refused. What it shows is that calls are made in the right order and
// ended when the job fails; nothing about a device's speed or arithmetic.

#include "Cuda.h"
#include "nccl/CudaDriver.h"
#include "nccl/KernelArgs.h"
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace moert::cuda;

#define DOUBLE_API extern "C" __attribute__((visibility("default")))

constexpr Result kNotSupported = 801;

namespace {

/// One record of an event.
struct Mark {
  std::mutex mutex;
  std::condition_variable changed;
  bool reached = false;
  std::chrono::steady_clock::time_point time;
};

struct DoubleEvent {
  std::mutex mutex;
  std::shared_ptr<Mark> last;
};

struct DoubleStream {
  DoubleStream() : thread([this] { loop(); }) {}
  ~DoubleStream() {
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

static DoubleStream *get(Stream stream) {
  return reinterpret_cast<DoubleStream *>(stream);
}
static DoubleEvent *get(Event event) {
  return reinterpret_cast<DoubleEvent *>(event);
}

void doubleEnqueue(Stream stream, std::function<void()> work) {
  get(stream)->enqueue(std::move(work));
}

DOUBLE_API Result cuInit(unsigned) { return kSuccess; }
DOUBLE_API Result cuDriverGetVersion(int *version) {
  const char *wanted = std::getenv("MOERT_DOUBLE_CUDA_VERSION");
  *version = wanted ? std::atoi(wanted) : 12000;
  return kSuccess;
}
DOUBLE_API Result cuGetErrorString(Result, const char **text) {
  *text = "an error of the stand-in";
  return kSuccess;
}
DOUBLE_API Result cuDeviceGetCount(int *count) {
  const char *wanted = std::getenv("MOERT_DOUBLE_DEVICES");
  *count = wanted ? std::atoi(wanted) : 64;
  return kSuccess;
}
DOUBLE_API Result cuDeviceGet(Device *device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}
DOUBLE_API Result cuDeviceGetName(char *name, int size, Device) {
  std::snprintf(name, static_cast<size_t>(size), "a stand-in");
  return kSuccess;
}
DOUBLE_API Result cuDevicePrimaryCtxRetain(Context *context, Device) {
  static char token;
  *context = reinterpret_cast<Context>(&token);
  return kSuccess;
}
DOUBLE_API Result cuDevicePrimaryCtxRelease_v2(Device) { return kSuccess; }
static thread_local bool hasContext = false;
DOUBLE_API Result cuCtxSetCurrent(Context context) {
  hasContext = context != nullptr;
  return kSuccess;
}

/// As with the driver, a thread that never chose a device cannot use one.
#define NEEDS_CONTEXT                                                          \
  if (!hasContext)                                                             \
  return 201

DOUBLE_API Result cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  NEEDS_CONTEXT;
  void *data = std::malloc(bytes);
  *pointer = reinterpret_cast<Pointer>(data);
  return data ? kSuccess : kOutOfMemory;
}
DOUBLE_API Result cuMemFree_v2(Pointer pointer) {
  NEEDS_CONTEXT;
  std::free(reinterpret_cast<void *>(pointer));
  return kSuccess;
}
DOUBLE_API Result cuMemAllocAsync(Pointer *pointer, size_t bytes, Stream) {
  return cuMemAlloc_v2(pointer, bytes);
}
DOUBLE_API Result cuMemFreeAsync(Pointer pointer, Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue([=] { std::free(reinterpret_cast<void *>(pointer)); });
  return kSuccess;
}
DOUBLE_API Result cuMemAllocHost_v2(void **pointer, size_t bytes) {
  *pointer = std::malloc(bytes);
  return *pointer ? kSuccess : kOutOfMemory;
}
DOUBLE_API Result cuMemFreeHost(void *pointer) {
  std::free(pointer);
  return kSuccess;
}
DOUBLE_API Result cuMemcpyAsync(Pointer to, Pointer from, size_t bytes,
                                Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue([=] {
    std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
                 bytes);
  });
  return kSuccess;
}
DOUBLE_API Result cuMemsetD8Async(Pointer to, unsigned char value, size_t bytes,
                                  Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue(
      [=] { std::memset(reinterpret_cast<void *>(to), value, bytes); });
  return kSuccess;
}
DOUBLE_API Result cuStreamCreateWithPriority(Stream *stream, unsigned, int) {
  NEEDS_CONTEXT;
  *stream = reinterpret_cast<Stream>(new DoubleStream);
  return kSuccess;
}
DOUBLE_API Result cuStreamDestroy_v2(Stream stream) {
  delete get(stream);
  return kSuccess;
}
DOUBLE_API Result cuStreamQuery(Stream stream) {
  NEEDS_CONTEXT;
  return get(stream)->isIdle() ? kSuccess : kNotReady;
}
DOUBLE_API Result cuEventCreate(Event *event, unsigned) {
  NEEDS_CONTEXT;
  *event = reinterpret_cast<Event>(new DoubleEvent);
  return kSuccess;
}
DOUBLE_API Result cuEventDestroy_v2(Event event) {
  delete get(event);
  return kSuccess;
}
DOUBLE_API Result cuEventRecord(Event event, Stream stream) {
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
DOUBLE_API Result cuEventQuery(Event event) {
  NEEDS_CONTEXT;
  std::shared_ptr<Mark> mark = getMark(event);
  if (!mark)
    return kSuccess;
  std::lock_guard<std::mutex> lock(mark->mutex);
  return mark->reached ? kSuccess : kNotReady;
}
DOUBLE_API Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  NEEDS_CONTEXT;
  if (std::shared_ptr<Mark> mark = getMark(event))
    get(stream)->enqueue([mark] {
      std::unique_lock<std::mutex> lock(mark->mutex);
      mark->changed.wait(lock, [&] { return mark->reached; });
    });
  return kSuccess;
}
DOUBLE_API Result cuEventElapsedTime(float *ms, Event start, Event end) {
  std::shared_ptr<Mark> from = getMark(start), to = getMark(end);
  if (cuEventQuery(start) != kSuccess || cuEventQuery(end) != kSuccess ||
      !from || !to)
    return kNotReady;
  *ms = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Kernels that move data
//===----------------------------------------------------------------------===//

DOUBLE_API Result cuModuleLoadData(Module *module, const void *) {
  static char token;
  *module = reinterpret_cast<Module>(&token);
  return kSuccess;
}
DOUBLE_API Result cuModuleUnload(Module) { return kSuccess; }
DOUBLE_API Result cuModuleGetFunction(Function *function, Module,
                                      const char *name) {
  for (const char *known :
       {"moert_copy_box", "moert_reduce_i16", "moert_delay_ns"})
    if (std::strcmp(known, name) == 0) {
      *function = reinterpret_cast<Function>(const_cast<char *>(known));
      return kSuccess;
    }
  return kNotSupported;
}

static void copyBox(const BoxArgs &args) {
  for (long long i = 0; i < args.count; ++i) {
    long long rest = i, to = 0, from = 0;
    for (int d = args.dims - 1; d >= 0; rest /= args.sizes[d--]) {
      to += rest % args.sizes[d] * args.targetStrides[d];
      from += rest % args.sizes[d] * args.sourceStrides[d];
    }
    std::memcpy(static_cast<char *>(args.target) + to * args.elementBytes,
                static_cast<const char *>(args.source) +
                    from * args.elementBytes,
                static_cast<size_t>(args.elementBytes));
  }
}

static void reduceI16(const short *blocks, short *target, long long count,
                      int members, int reduction) {
  for (long long i = 0; i < count; ++i) {
    short result = blocks[i];
    for (int m = 1; m < members; ++m) {
      short next = blocks[m * count + i];
      if (reduction == MOERT_SUM)
        result = static_cast<short>(result + next);
      else if (reduction == MOERT_PROD)
        result = static_cast<short>(result * next);
      else if ((next < result) == (reduction == MOERT_MIN))
        result = next;
    }
    target[i] = result;
  }
}

DOUBLE_API Result cuLaunchKernel(Function function, unsigned, unsigned,
                                 unsigned, unsigned, unsigned, unsigned,
                                 unsigned, Stream stream, void **parameters,
                                 void **) {
  NEEDS_CONTEXT;
  std::string name = reinterpret_cast<const char *>(function);
  std::function<void()> work;
  if (name == "moert_copy_box") {
    work = [args = *static_cast<BoxArgs *>(parameters[0])] { copyBox(args); };
  } else if (name == "moert_delay_ns") {
    work = [ns = *static_cast<long long *>(parameters[0])] {
      std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
    };
  } else {
    work = [blocks = *static_cast<const short **>(parameters[0]),
            target = *static_cast<short **>(parameters[1]),
            count = *static_cast<long long *>(parameters[2]),
            members = *static_cast<int *>(parameters[3]),
            reduction = *static_cast<int *>(parameters[4])] {
      reduceI16(blocks, target, count, members, reduction);
    };
  }
  get(stream)->enqueue(std::move(work));
  return kSuccess;
}
