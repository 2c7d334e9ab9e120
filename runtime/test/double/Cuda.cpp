//===- Cuda.cpp - A stand-in for the CUDA driver ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Lets the host side of the backend 'nccl' run where there is no device: its
// streams, events, deadlines and aborts. A stream is a thread. "Device" memory
// is mapped twice: at the address that callers are given nobody may read or
// write it, so that a host that takes a device's pointer for its own ends right
// there; the stand-ins reach it at the other one. Of the kernels it knows those
// that move data; others are refused. What it shows is that calls are made in
// the right order and ended when the job fails; nothing about a device's speed
// or arithmetic.

#include "Cuda.h"
#include "nccl/CudaDriver.h"
#include "nccl/KernelArgs.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace moert::cuda;

#define DOUBLE_API extern "C" __attribute__((visibility("default")))

constexpr Result kInvalidValue = 1, kNotSupported = 801;

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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// A piece of device memory.
struct Piece {
  size_t bytes, mapped;
  /// Where the stand-ins reach it.
  char *reached;
};

struct Memory {
  std::mutex mutex;
  /// By the address callers know.
  std::map<const char *, Piece> pieces;
};
} // namespace

/// Lives as long as the process: streams may end later than static objects.
static Memory &getMemory() {
  static auto *memory = new Memory;
  return *memory;
}

static void *allocate(size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t mapped = (std::max<size_t>(bytes, 1) + page - 1) / page * page;
  int file = memfd_create("device", MFD_CLOEXEC);
  if (file < 0)
    return nullptr;
  void *known = MAP_FAILED, *reached = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(mapped)) == 0) {
    known = mmap(nullptr, mapped, PROT_NONE, MAP_SHARED, file, 0);
    reached =
        mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (known == MAP_FAILED || reached == MAP_FAILED)
    return nullptr;
  // Fresh memory of a device is not zero.
  std::memset(reached, 0xa5, mapped);
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  memory.pieces[static_cast<char *>(known)] = {bytes, mapped,
                                               static_cast<char *>(reached)};
  return known;
}

static Result release(Pointer pointer) {
  if (!pointer)
    return kSuccess;
  auto *known = reinterpret_cast<char *>(pointer);
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  auto it = memory.pieces.find(known);
  if (it == memory.pieces.end())
    return kInvalidValue;
  munmap(it->second.reached, it->second.mapped);
  munmap(known, it->second.mapped);
  memory.pieces.erase(it);
  return kSuccess;
}

void *doubleReach(const void *pointer, size_t bytes) {
  auto *address = static_cast<const char *>(pointer);
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  auto it = memory.pieces.upper_bound(address);
  if (it != memory.pieces.begin()) {
    const auto &[known, piece] = *--it;
    size_t offset = static_cast<size_t>(address - known);
    if (offset < piece.mapped) {
      if (offset + bytes > piece.bytes) {
        std::fprintf(stderr,
                     "stand-in for CUDA: expected work within %zu bytes of "
                     "device memory, got %zu bytes at %zu\n",
                     piece.bytes, bytes, offset);
        std::abort();
      }
      return piece.reached + offset;
    }
  }
  return const_cast<void *>(pointer);
}

static void *reach(Pointer pointer, size_t bytes) {
  return doubleReach(reinterpret_cast<void *>(pointer), bytes);
}

DOUBLE_API Result cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  NEEDS_CONTEXT;
  void *data = allocate(bytes);
  *pointer = reinterpret_cast<Pointer>(data);
  return data ? kSuccess : kOutOfMemory;
}
DOUBLE_API Result cuMemFree_v2(Pointer pointer) {
  NEEDS_CONTEXT;
  return release(pointer);
}
DOUBLE_API Result cuMemAllocAsync(Pointer *pointer, size_t bytes, Stream) {
  return cuMemAlloc_v2(pointer, bytes);
}
DOUBLE_API Result cuMemFreeAsync(Pointer pointer, Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue([=] { release(pointer); });
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
  get(stream)->enqueue(
      [=] { std::memmove(reach(to, bytes), reach(from, bytes), bytes); });
  return kSuccess;
}
DOUBLE_API Result cuMemsetD8Async(Pointer to, unsigned char value, size_t bytes,
                                  Stream stream) {
  NEEDS_CONTEXT;
  get(stream)->enqueue([=] { std::memset(reach(to, bytes), value, bytes); });
  return kSuccess;
}
//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

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

/// Bytes from the first to the last element of a box.
static size_t getExtent(const BoxArgs &args, const long long *strides) {
  long long last = 0;
  for (int d = 0; d < args.dims; ++d)
    last += (args.sizes[d] - 1) * strides[d];
  return static_cast<size_t>((last + 1) * args.elementBytes);
}

static void copyBox(const BoxArgs &args) {
  if (args.count == 0)
    return;
  auto *target = static_cast<char *>(
      doubleReach(args.target, getExtent(args, args.targetStrides)));
  auto *source = static_cast<const char *>(
      doubleReach(args.source, getExtent(args, args.sourceStrides)));
  for (long long i = 0; i < args.count; ++i) {
    long long rest = i, to = 0, from = 0;
    for (int d = args.dims - 1; d >= 0; rest /= args.sizes[d--]) {
      to += rest % args.sizes[d] * args.targetStrides[d];
      from += rest % args.sizes[d] * args.sourceStrides[d];
    }
    std::memcpy(target + to * args.elementBytes,
                source + from * args.elementBytes,
                static_cast<size_t>(args.elementBytes));
  }
}

static void reduceI16(const short *from, short *to, long long count,
                      int members, int reduction) {
  size_t bytes = static_cast<size_t>(count) * sizeof(short);
  auto *blocks = static_cast<const short *>(
      doubleReach(from, bytes * static_cast<size_t>(members)));
  auto *target = static_cast<short *>(doubleReach(to, bytes));
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
