// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory calls of the emulated driver.

#include "Capture.h"
#include "Driver.h"
#include <cstdlib>
#include <cstring>

using namespace moert;
using namespace moert::cuda;
using namespace moert::standin;

static void *reach(Pointer pointer, size_t bytes) {
  return standin::reach(reinterpret_cast<void *>(pointer), bytes);
}
static std::string printBytes(size_t bytes) {
  return "bytes=" + std::to_string(bytes);
}
static Result take(Pointer *pointer, size_t bytes) {
  if (bytes == 0)
    return kInvalidValue;
  void *data = allocate(bytes);
  *pointer = reinterpret_cast<Pointer>(data);
  return data ? kSuccess : kOutOfMemory;
}

STAND_IN_API Result cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  CALL(nullptr, printBytes(bytes));
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  return take(pointer, bytes);
}
/// Waits for all work on the device, as the driver does.
STAND_IN_API Result cuMemFree_v2(Pointer pointer) {
  CALL();
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  if (!pointer)
    return kSuccess;
  synchronize(getContext());
  return release(reinterpret_cast<void *>(pointer)) ? kSuccess : kInvalidValue;
}
STAND_IN_API Result cuMemAllocAsync(Pointer *pointer, size_t bytes,
                                    Stream stream) {
  CALL(stream, printBytes(bytes));
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context))
    return wrong;
  Result result = take(pointer, bytes);
  if (result == kSuccess)
    recordMemory(*get(stream), reinterpret_cast<void *>(*pointer));
  return result;
}
STAND_IN_API Result cuMemFreeAsync(Pointer pointer, Stream stream) {
  CALL(stream);
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context))
    return wrong;
  auto *data = reinterpret_cast<void *>(pointer);
  Result result = kSuccess;
  if (recordFree(*get(stream), data, result))
    return result;
  get(stream)->enqueue([=] { (void)release(data); });
  return kSuccess;
}
STAND_IN_API Result cuMemAllocHost_v2(void **pointer, size_t bytes) {
  CALL(nullptr, printBytes(bytes));
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  *pointer = std::malloc(bytes);
  return *pointer ? kSuccess : kOutOfMemory;
}
/// Waits for the device, because it may still be using the memory.
STAND_IN_API Result cuMemFreeHost(void *pointer) {
  CALL();
  NEEDS_CONTEXT;
  NEEDS_NO_CAPTURE;
  synchronize(getContext());
  std::free(pointer);
  return kSuccess;
}
STAND_IN_API Result cuMemcpyAsync(Pointer to, Pointer from, size_t bytes,
                                  Stream stream) {
  CALL(stream, printBytes(bytes));
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context))
    return wrong;
  get(stream)->enqueue(
      [=] { std::memmove(reach(to, bytes), reach(from, bytes), bytes); });
  return kSuccess;
}
STAND_IN_API Result cuMemsetD8Async(Pointer to, unsigned char value,
                                    size_t bytes, Stream stream) {
  CALL(stream, printBytes(bytes));
  NEEDS_CONTEXT;
  if (Result wrong = verifyStream(stream, *context))
    return wrong;
  get(stream)->enqueue([=] { std::memset(reach(to, bytes), value, bytes); });
  return kSuccess;
}
