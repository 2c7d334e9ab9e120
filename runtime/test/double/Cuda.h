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

/// Puts work on a stream of the stand-in for the driver.
__attribute__((visibility("default"))) void
doubleEnqueue(moert::cuda::Stream stream, std::function<void()> work);

#endif // MOERT_TEST_DOUBLE_CUDA_H
