// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the emulation.

#ifndef MOERT_STANDINS_STANDIN_H
#define MOERT_STANDINS_STANDIN_H

#include "nccl/CudaDriver.h"
#include <functional>
#include <string>

#define STAND_IN_SHARED __attribute__((visibility("default")))
#define STAND_IN_API extern "C" STAND_IN_SHARED

namespace moert::standin {

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Counts a call, writes it to the log if there is one, and returns the error
/// that it should fail with: 0 for none. A version suffix of `function` ("_v2")
/// is omitted; `detail` follows it in the log.
STAND_IN_SHARED int note(const char *function, cuda::Stream stream = nullptr,
                         const std::string &detail = "");
/// Counts an event that is not a function call, for example a kernel launch.
STAND_IN_SHARED void count(const std::string &name);

/// Must be the first statement of a function of the interface, so that calls
/// are logged and can be made to fail.
#define CALL(...)                                                              \
  if (int wanted = standin::note(__func__ __VA_OPT__(, ) __VA_ARGS__))         \
  return wanted

/// Ends the process with exit code 2 and an error about an environment
/// variable: the expected and the actual value.
[[noreturn]] STAND_IN_SHARED void refuse(const std::string &variable,
                                         const std::string &expected,
                                         const std::string &got);
/// Returns the number in an environment variable, or `otherwise` if it is not
/// set. Ends the process if the number is out of range (Variables.cpp).
STAND_IN_SHARED long long getNumber(const char *variable, long long otherwise);
/// MOERT_STAND_IN_NCCL_ERROR=RANK=CODE: returns the error that this rank of any
/// communicator gets after its first collective; 0 for none.
STAND_IN_SHARED int getLaterError(int rank);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Allocates device memory and returns the address for callers, which is not
/// readable or writable. Returns null if there is no memory left.
void *allocate(size_t bytes);
/// Frees device memory; returns false if `known` is not an allocation. Ends the
/// process if memory after the allocation was overwritten.
bool release(void *known);

/// Converts a pointer of the caller to the emulation's address: the second
/// address for device memory, the same address for other memory. Ends the
/// process if `bytes` bytes exceed the allocation of device memory.
STAND_IN_SHARED void *reach(const void *pointer, size_t bytes);

/// Replaces every aligned 8-byte word of a kernel's parameter that is an
/// address in device memory by the emulation's address. Numbers are never this
/// large, an int with padding is no such address (Memory.cpp), and pointers to
/// other memory do not change.
void reachAll(void *parameter, size_t bytes);

//===----------------------------------------------------------------------===//
// Streams and devices
//===----------------------------------------------------------------------===//

/// Enqueues work on a stream of the emulated driver.
STAND_IN_SHARED void enqueue(cuda::Stream stream, std::function<void()> work);

/// Returns the calling thread's context; null if there is none.
STAND_IN_SHARED cuda::Context getContext();
/// Waits until all streams of a context have run all work that was enqueued
/// before, as freeing memory does. This includes kernels that wait for other
/// ranks.
STAND_IN_SHARED void synchronize(cuda::Context context);

} // namespace moert::standin

#endif // MOERT_STANDINS_STANDIN_H
