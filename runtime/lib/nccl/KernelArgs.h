//===- KernelArgs.h - What host and device kernels agree on -----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELARGS_H
#define MOERT_NCCL_KERNELARGS_H

#include "moert.h"

namespace moert::cuda {

/// A box copy: `count` elements in all.
struct BoxArgs {
  void *target;
  const void *source;
  long long sizes[MOERT_MAX_DIMS], targetStrides[MOERT_MAX_DIMS],
      sourceStrides[MOERT_MAX_DIMS];
  long long count;
  int dims, elementBytes;
};

enum ErrorCode { kNoError = 0, kBadExpert = 1, kBadSlot = 2 };

/// The first thing that a kernel found wrong in its data.
struct Error {
  int taken, code;
  long long value, at, limit;
};

} // namespace moert::cuda

#endif // MOERT_NCCL_KERNELARGS_H
