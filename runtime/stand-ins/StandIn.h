//===- StandIn.h - What the stand-ins share ---------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_STANDINS_STANDIN_H
#define MOERT_STANDINS_STANDIN_H

#include "nccl/CudaDriver.h"
#include <functional>

#define STAND_IN_API extern "C" __attribute__((visibility("default")))
#define STAND_IN_SHARED __attribute__((visibility("default")))

namespace moert::standin {

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
/// never that large, and pointers elsewhere in a program are not touched.
void reachAll(void *parameter, size_t bytes);

/// Puts work on a stream of the stand-in for the driver.
STAND_IN_SHARED void enqueue(moert::cuda::Stream stream,
                             std::function<void()> work);

} // namespace moert::standin

#endif // MOERT_STANDINS_STANDIN_H
