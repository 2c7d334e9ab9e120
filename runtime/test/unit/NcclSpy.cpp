//===- NcclSpy.cpp - What the backend 'nccl' calls --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcclSpy.h"
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/syscall.h>

using namespace moert;
using namespace moert::spy;

static thread_local bool isCounting = false;

/// Messages on sockets count, too: this stands before the C library's.
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

/// The stand-ins are loaded from their folder: who looks for the libraries by
/// name finds those that are there already.
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
  CUDA(CtxGetCurrent);
  CUDA(CtxSetCurrent);
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
  CUDA(LaunchKernel);
#undef CUDA
#define NCCL(name)                                                             \
  Hook<&nccl::Library::name>::install(spy::library(), "nccl" #name)
  NCCL(CommInitRankConfig);
  NCCL(CommSplit);
  NCCL(CommGetAsyncError);
  NCCL(CommAbort);
  NCCL(CommFinalize);
  NCCL(CommDestroy);
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
  for (int tries = 0; tries < 200; ++tries) {
    Socket probe;
    address = "127.0.0.1:" +
              std::to_string(20000 + (getpid() * 41 + tries * 103) % 40000);
    if (listenAt(address, probe).ok())
      return;
  }
  FAIL() << "no port is free";
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
  config.deadline_us = 20000000;
  return config;
}

void Spy::runRanks(int32_t count, moert_config config,
                   const std::function<void(moert_context *)> &body,
                   bool isWell) {
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < count; ++rank)
    threads.emplace_back([=, &body] {
      moert_config own = config;
      own.rank = rank;
      own.world_size = count;
      moert_context *context = nullptr;
      ASSERT_EQ(moert_init(&own, &context), MOERT_OK)
          << moert_last_error(nullptr);
      body(context);
      EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT) == MOERT_OK,
                isWell)
          << moert_last_error(nullptr);
    });
  for (std::thread &thread : threads)
    thread.join();
}
