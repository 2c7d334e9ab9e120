//===- Cuda.h - What the stand-ins share ------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_TEST_DOUBLE_CUDA_H
#define MOERT_TEST_DOUBLE_CUDA_H

#include "nccl/CudaDriver.h"
#include <functional>

/// Where the stand-ins reach what a pointer that they were given points to:
/// device memory at its second address, other memory at its own. Ends the
/// process when `bytes` bytes reach beyond the piece of device memory.
__attribute__((visibility("default"))) void *doubleReach(const void *pointer,
                                                         size_t bytes);

/// Puts work on a stream of the stand-in for the driver.
__attribute__((visibility("default"))) void
doubleEnqueue(moert::cuda::Stream stream, std::function<void()> work);

#endif // MOERT_TEST_DOUBLE_CUDA_H
