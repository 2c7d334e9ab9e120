// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stand-ins share.

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

/// Counts a call of the stand-ins, writes it to the log when there is one, and
/// says what it shall fail with: 0 for nothing. `function` may have a version
/// behind it ("_v2"), which is left out; `detail` stands behind it in the log.
STAND_IN_SHARED int note(const char *function, cuda::Stream stream = nullptr,
                         const std::string &detail = "");
/// Counts something that is no call of a function, as a kernel that is
/// launched.
STAND_IN_SHARED void count(const std::string &name);

/// First thing in a function of the interface, so that calls are seen and can
/// be made to fail.
#define CALL(...)                                                              \
  if (int wanted = standin::note(__func__ __VA_OPT__(, ) __VA_ARGS__))         \
  return wanted

/// Ends the process with exit code 2 and words about a variable of the
/// environment: what it may be, and what it is.
[[noreturn]] STAND_IN_SHARED void refuse(const std::string &variable,
                                         const std::string &expected,
                                         const std::string &got);
/// The number that a variable of the environment has, or another one. It is
/// refused outside of what the variable may be (Variables.cpp).
STAND_IN_SHARED long long getNumber(const char *variable, long long otherwise);
/// MOERT_STAND_IN_NCCL_ERROR=RANK=CODE: what that rank of any communicator is
/// told after its first collective; 0 for nothing.
STAND_IN_SHARED int getLaterError(int rank);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Takes device memory: the address that callers know, at which nobody may
/// read or write. Null when there is none.
void *allocate(size_t bytes);
/// Gives it back; false when it is no piece of device memory. Ends the process
/// when something was written behind the piece.
bool release(void *known);

/// Where the stand-ins reach what a pointer that they were given points to:
/// device memory at its second address, other memory at its own. Ends the
/// process when `bytes` bytes reach beyond the piece of device memory.
STAND_IN_SHARED void *reach(const void *pointer, size_t bytes);

/// Replaces every aligned 8-byte word of a kernel's parameter that is an
/// address in device memory by where the stand-ins reach it. Numbers are
/// never that large, an int beside other bytes is no such address (Memory.cpp),
/// and pointers elsewhere in a program are not touched.
void reachAll(void *parameter, size_t bytes);

//===----------------------------------------------------------------------===//
// Streams and devices
//===----------------------------------------------------------------------===//

/// Puts work on a stream of the stand-in for the driver.
STAND_IN_SHARED void enqueue(cuda::Stream stream, std::function<void()> work);

/// The calling thread's context; null when it has none.
STAND_IN_SHARED cuda::Context getContext();
/// Waits, as freeing memory does, until all streams of a context have done what
/// was put on them before. A kernel that waits for somebody is waited for.
STAND_IN_SHARED void synchronize(cuda::Context context);

} // namespace moert::standin

#endif // MOERT_STANDINS_STANDIN_H
