// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is registered with communicators.

// Registration as in NCCL since 2.19: device memory is registered with one
// communicator and has a handle. It must be deregistered before the memory is
// freed or the communicator is destroyed. Otherwise the process ends, because
// NCCL would then access memory that may belong to others.

#include "NcclMemory.h"
#include "NcclComm.h"
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

using namespace moert;
using namespace moert::nccl;
using namespace moert::standin;

namespace {
struct Registration {
  Comm comm;
  const char *data;
  size_t bytes;
};
struct Registrations {
  std::mutex mutex;
  std::map<void *, Registration> all;
  uintptr_t next = 0;
};
} // namespace

static Registrations &getRegistrations() {
  static auto *registrations = new Registrations;
  return *registrations;
}

[[noreturn]] static void end(const char *words, const void *data) {
  std::fprintf(stderr, "stand-in for NCCL: %p: %s\n", data, words);
  std::abort();
}

void standin::verifyNoneRegistered(Comm comm) {
  Registrations &own = getRegistrations();
  std::lock_guard<std::mutex> lock(own.mutex);
  for (const auto &[handle, registration] : own.all)
    if (registration.comm == comm)
      end("is registered with a communicator that is destroyed",
          registration.data);
}

void standin::dropRegistrations(Comm comm) {
  Registrations &own = getRegistrations();
  std::lock_guard<std::mutex> lock(own.mutex);
  std::erase_if(own.all,
                [&](const auto &entry) { return entry.second.comm == comm; });
}

STAND_IN_API Result ncclCommRegister(Comm comm, void *data, size_t bytes,
                                     void **handle) {
  CALL(nullptr, "bytes=" + std::to_string(bytes));
  if (!comm || !data || !bytes || !handle)
    return kInvalidArgument;
  // Ends the process if the allocation is smaller.
  if (standin::reach(data, bytes) == data)
    return kInvalidArgument;
  Registrations &own = getRegistrations();
  std::lock_guard<std::mutex> lock(own.mutex);
  *handle = reinterpret_cast<void *>(++own.next);
  own.all[*handle] = {comm, static_cast<const char *>(data), bytes};
  return kSuccess;
}

STAND_IN_API Result ncclCommDeregister(Comm comm, void *handle) {
  CALL();
  Registrations &own = getRegistrations();
  std::lock_guard<std::mutex> lock(own.mutex);
  auto it = own.all.find(handle);
  if (it == own.all.end() || it->second.comm != comm)
    return kInvalidArgument;
  own.all.erase(it);
  return kSuccess;
}

STAND_IN_API int cuMemAlloc_v2(cuda::Pointer *pointer, size_t bytes);
STAND_IN_API int cuMemFree_v2(cuda::Pointer pointer);

STAND_IN_API Result ncclMemAlloc(void **pointer, size_t bytes) {
  CALL(nullptr, "bytes=" + std::to_string(bytes));
  cuda::Pointer made = 0;
  if (cuMemAlloc_v2(&made, bytes))
    return kUnhandledCudaError;
  *pointer = reinterpret_cast<void *>(made);
  return kSuccess;
}

STAND_IN_API Result ncclMemFree(void *pointer) {
  CALL();
  Registrations &own = getRegistrations();
  {
    std::lock_guard<std::mutex> lock(own.mutex);
    for (const auto &[handle, registration] : own.all)
      if (registration.data == pointer)
        end("is freed while a communicator has it registered", pointer);
  }
  return cuMemFree_v2(reinterpret_cast<cuda::Pointer>(pointer))
             ? kUnhandledCudaError
             : kSuccess;
}
