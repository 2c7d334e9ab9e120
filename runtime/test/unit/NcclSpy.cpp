// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observes the calls of the backend 'nccl'.

#include "NcclSpy.h"
#include "FreeAddress.h"
#include "Ranks.h"
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/syscall.h>

using namespace moert;
using namespace moert::spy;

static thread_local bool isCounting = false;

/// Counts messages on sockets, too. This function replaces the C library's.
extern "C" ssize_t send(int fd, const void *data, size_t size, int flags) {
  Calls::get().note("send");
  return syscall(SYS_sendto, fd, data, size, flags, nullptr, 0);
}

Calls &Calls::get() {
  static Calls calls;
  return calls;
}

void Calls::note(const char *name) {
  if (!isCounting)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  ++counts[name];
}

std::map<std::string, int> Calls::take() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(counts, {});
}

Counting::Counting() { isCounting = true; }
Counting::~Counting() { isCounting = false; }

/// Loads the emulation from its folder. Later searches for the libraries by
/// name find the loaded ones.
static bool loadStandIns(std::string &reason) {
  for (const char *file : {MOERT_STAND_IN_CUDA, MOERT_STAND_IN_NCCL})
    if (!dlopen(file, RTLD_NOW | RTLD_GLOBAL)) {
      reason = dlerror();
      return false;
    }
  return true;
}

cuda::Driver &spy::driver() {
  std::string reason;
  static auto *table = const_cast<cuda::Driver *>(cuda::loadDriver(reason));
  return *table;
}

nccl::Library &spy::library() {
  std::string reason;
  static auto *table = const_cast<nccl::Library *>(nccl::loadNccl(reason));
  return *table;
}

static void installHooks() {
#define CUDA(name) Hook<&cuda::Driver::name>::install(spy::driver(), "cu" #name)
  CUDA(DeviceGetCount);
  CUDA(DeviceGet);
  CUDA(DeviceGetAttribute);
  CUDA(CtxGetCurrent);
  CUDA(CtxSetCurrent);
  CUDA(CtxGetStreamPriorityRange);
  CUDA(MemAlloc);
  CUDA(MemFree);
  CUDA(MemAllocAsync);
  CUDA(MemFreeAsync);
  CUDA(MemAllocHost);
  CUDA(MemFreeHost);
  CUDA(MemcpyAsync);
  CUDA(MemsetD8Async);
  CUDA(StreamQuery);
  CUDA(StreamIsCapturing);
  CUDA(ThreadExchangeStreamCaptureMode);
  CUDA(StreamWaitEvent);
  CUDA(EventCreate);
  CUDA(EventDestroy);
  CUDA(EventRecord);
  CUDA(EventQuery);
  CUDA(EventElapsedTime);
  CUDA(ModuleLoadData);
  CUDA(ModuleGetFunction);
  CUDA(LaunchKernel);
  CUDA(StreamBeginCapture);
  CUDA(StreamEndCapture);
  CUDA(GraphInstantiate);
  CUDA(GraphLaunch);
#undef CUDA
#define NCCL(name)                                                             \
  Hook<&nccl::Library::name>::install(spy::library(), "nccl" #name)
  NCCL(GetUniqueId);
  NCCL(CommInitRankConfig);
  NCCL(CommSplit);
  NCCL(CommGetAsyncError);
  NCCL(CommAbort);
  NCCL(CommFinalize);
  NCCL(CommDestroy);
  NCCL(CommRegister);
  NCCL(CommDeregister);
  NCCL(MemAlloc);
  NCCL(MemFree);
  NCCL(GroupStart);
  NCCL(GroupEnd);
  NCCL(Send);
  NCCL(Recv);
  NCCL(AllGather);
  NCCL(ReduceScatter);
  NCCL(AllReduce);
  NCCL(AlltoAll);
#undef NCCL
}

void Spy::SetUp() {
  std::string reason;
  ASSERT_TRUE(loadStandIns(reason)) << reason;
  ASSERT_NE(cuda::loadDriver(reason), nullptr) << reason;
  ASSERT_NE(nccl::loadNccl(reason), nullptr) << reason;
  installHooks();
  address = test::findFreeAddress();
  ASSERT_NE(address, "") << "no port is free";
}

void Spy::TearDown() {
  installHooks();
  (void)Calls::get().take();
}

moert_config Spy::getConfig() {
  moert_config config;
  moert_config_default(&config);
  config.backend = "nccl";
  config.address = address.c_str();
  config.deadline_us = test::kPatienceUs;
  return config;
}
