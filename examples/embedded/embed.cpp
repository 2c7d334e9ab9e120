// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training job that calls a compiled program.
//
// The job has a stream, memory and a communicator of its own, and a compiled
// program works with them: on nccl those of CUDA and NCCL, on host the
// runtime's. Ranks are threads here, and processes in a job of yours; README.md
// has the commands.

#include "device.h"
#include "step.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>

static constexpr int kRanks = moe_step_NUM_RANKS, kElements = 12, kSteps = 50;
static constexpr size_t kBytes = kElements * sizeof(float);
static pthread_barrier_t barrier;
static ncclUniqueId identity;

/// Ends the program when a call has failed, of the device or of the runtime.
static void require(int status, const char *what,
                    const moert_context *context = nullptr) {
  if (status == 0)
    return;
  std::fprintf(stderr, "%s: error %d: %s\n", what, status,
               moert_last_error(context));
  std::exit(1);
}

/// How many threads this process has.
static int countThreads() {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  while (tasks && readdir(tasks))
    ++count;
  if (tasks)
    closedir(tasks);
  return count - 2;
}

/// What may not happen in a step, as far as it is counted: by the stand-ins for
/// a device, where they are, and by the runtime.
static std::string count(const moert_context *context) {
  std::string text = "threads " + std::to_string(countThreads());
  auto *getCount = reinterpret_cast<unsigned long long (*)(const char *)>(
      dlsym(RTLD_DEFAULT, "moert_stand_in_count"));
  for (const char *name :
       {"cuMemAlloc", "cuMemAllocAsync", "cuMemAllocHost", "cuMemFree",
        "cuMemFreeAsync", "cuStreamCreateWithPriority", "cuStreamSynchronize",
        "cuStreamQuery", "cuEventSynchronize", "cuCtxSynchronize",
        "cuModuleLoadData", "ncclCommInitRankConfig"})
    if (getCount)
      text += ", " + std::string(name) + " " + std::to_string(getCount(name));
  moert_counts counts;
  counts.size = sizeof(counts);
  require(moert_context_counts(context, &counts), "counts", context);
  for (int64_t number : {counts.buffers, counts.streams, counts.events,
                         counts.communicators, counts.host_waits})
    text += ", " + std::to_string(number);
  return text;
}

/// What a rank has of its own: memory, and the stream it works on.
struct Rank {
  moert_context *context = nullptr;
  moert_stream *stream = nullptr;
  CUcontext device = nullptr;
  CUstream native = nullptr;
  ncclComm_t comm = nullptr;

  bool isOnDevice() const { return native != nullptr; }

  void *allocate(size_t bytes) {
    if (isOnDevice()) {
      CUdeviceptr pointer = 0;
      require(cuMemAlloc_v2(&pointer, bytes), "cuMemAlloc");
      return reinterpret_cast<void *>(pointer);
    }
    return std::aligned_alloc(MOERT_WORKSPACE_ALIGNMENT,
                              (bytes + 63) / 64 * 64);
  }
  void free(void *pointer) {
    if (isOnDevice())
      require(cuMemFree_v2(reinterpret_cast<CUdeviceptr>(pointer)),
              "cuMemFree");
    else
      std::free(pointer);
  }
  void copy(void *to, const void *from) {
    require(moert_copy(stream, to, from, kBytes), "copy", context);
  }
  void synchronize() {
    require(isOnDevice()
                ? cuStreamSynchronize(native)
                : moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT),
            "the job's stream", context);
  }
};

static void bringDevice(Rank &own, int rank) {
  CUdevice device = 0;
  require(cuInit(0), "cuInit");
  require(cuDeviceGet(&device, rank), "cuDeviceGet");
  require(cuDevicePrimaryCtxRetain(&own.device, device), "context");
  require(cuCtxSetCurrent(own.device), "cuCtxSetCurrent");
  require(cuStreamCreate(&own.native, 0), "cuStreamCreate");
  if (rank == 0)
    require(ncclGetUniqueId(&identity), "ncclGetUniqueId");
  pthread_barrier_wait(&barrier);
  require(ncclCommInitRank(&own.comm, kRanks, identity, rank), "ncclComm");
}

static int runRank(int rank, const char *backend, const char *address) {
  Rank own;
  bool isOnDevice = std::strcmp(backend, "nccl") == 0;
  if (isOnDevice)
    bringDevice(own, rank);
  moert_config config;
  moert_config_default(&config);
  config.backend = backend;
  config.rank = rank;
  config.world_size = kRanks;
  config.address = address;
  config.device = isOnDevice ? rank : -1;
  require(moert_init(&config, &own.context), "moert_init");
  if (isOnDevice) {
    int32_t all[kRanks];
    for (int i = 0; i < kRanks; ++i)
      all[i] = i;
    require(moert_stream_adopt(own.context, "job", own.native, &own.stream),
            "stream", own.context);
    require(moert_comm_adopt(own.context, all, kRanks, own.comm), "comm",
            own.context);
  } else {
    require(moert_stream_create(own.context, "job", 0, &own.stream), "stream",
            own.context);
  }

  void *x = own.allocate(kBytes), *sum = own.allocate(kBytes);
  void *workspace = own.allocate(moe_step_workspace_bytes() + 64);
  void *inputs[] = {x}, *results[] = {sum};
  std::vector<float> numbers(kElements), got(kElements);
  int wrong = 0;
  std::string before;
  require(moe_step_prepare(own.context), "prepare", own.context);
  for (int step = 0; step <= kSteps; ++step) {
    // The first step makes what all later ones use.
    if (step == 1) {
      own.synchronize();
      pthread_barrier_wait(&barrier);
      before = count(own.context);
      pthread_barrier_wait(&barrier);
    }
    for (int i = 0; i < kElements; ++i)
      numbers[i] = float(1000 * step + 100 * rank + i);
    if (step == 0 || step == kSteps)
      own.copy(x, numbers.data());
    require(
        moe_step_enqueue(own.context, own.stream, inputs, results, workspace),
        "step", own.context);
  }
  // All steps are on the stream, and nothing has waited for any of them.
  pthread_barrier_wait(&barrier);
  std::string after = count(own.context);
  pthread_barrier_wait(&barrier);
  own.copy(got.data(), sum);
  own.synchronize();
  for (int j = 0; j < kRanks; ++j)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 3; ++b)
        wrong += got[(2 * j + a) * 3 + b] !=
                 2 * (1000.f * kSteps + 100.f * j + 6 * a + b) + 3;
  if (before != after) {
    std::printf("rank %d: before: %s\nrank %d: after:  %s\n", rank,
                before.c_str(), rank, after.c_str());
    ++wrong;
  }
  // A thread that works on another device meanwhile is left there.
  if (isOnDevice) {
    CUdevice device = 0;
    CUcontext other = nullptr, current = nullptr;
    require(cuDeviceGet(&device, kRanks + rank), "cuDeviceGet");
    require(cuDevicePrimaryCtxRetain(&other, device), "context");
    require(cuCtxSetCurrent(other), "cuCtxSetCurrent");
    require(
        moe_step_enqueue(own.context, own.stream, inputs, results, workspace),
        "step", own.context);
    require(cuCtxGetCurrent(&current), "cuCtxGetCurrent");
    wrong += current != other;
    require(cuCtxSetCurrent(own.device), "cuCtxSetCurrent");
  }

  // The runtime goes first: it does not end what is the job's.
  require(moert_finalize(own.context, MOERT_DEADLINE_DEFAULT), "finalize");
  for (void *memory : {x, sum, workspace})
    own.free(memory);
  if (isOnDevice) {
    require(ncclCommDestroy(own.comm), "ncclCommDestroy");
    require(cuStreamDestroy_v2(own.native), "cuStreamDestroy");
  }
  return wrong;
}

int main(int argc, char **argv) {
  const char *backend = argc > 1 ? argv[1] : "host";
  const char *address = argc > 2 ? argv[2] : "local";
  pthread_barrier_init(&barrier, nullptr, kRanks);
  std::vector<int> wrong(kRanks);
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < kRanks; ++rank)
    ranks.emplace_back([&wrong, rank, backend, address] {
      wrong[rank] = runRank(rank, backend, address);
    });
  for (std::thread &thread : ranks)
    thread.join();
  int failed = 0;
  for (int number : wrong)
    failed += number;
  std::printf("%s: %d steps, %s\n", backend, kSteps,
              failed ? "wrong" : "nothing made and nothing waited for");
  return failed != 0;
}
