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

/// A box copy: `count` words of `elementBytes` bytes in all.
struct BoxArgs {
  void *target;
  const void *source;
  long long sizes[MOERT_MAX_DIMS], targetStrides[MOERT_MAX_DIMS],
      sourceStrides[MOERT_MAX_DIMS];
  long long count;
  int dims, elementBytes;
  /// Numbers of words, and where they lie, fit 32 bits.
  int isNarrow;
};

/// How many of an expert's rows count: `counts` has a number of `type` for each
/// expert, or is null where all do.
struct RowCounts {
  const void *counts;
  long long rows;
  int type;
};

/// What stands between the products of experts: `count` elements, `ffn` a row.
struct ActivateArgs {
  void *inner, *up, *gated;
  long long count, ffn;
  RowCounts rows;
  int activation, type;
};

/// What kernels find wrong in their data: of which kernel, and what. Their
/// words are those of the CPU's kernels (KernelErrors.cpp).
enum ErrorCode {
  kNoError = 0,
  kOrderExpert,
  kUnorderSlot,
  kScatterSlot,
  kScatterSlotAgain,
  kUnorderWgradSlot,
  kGateGradExpert,
  kExpertsCount
};

/// The first thing that a kernel found wrong: `value` at element `at` of its
/// ids or slots, of which each token has `perToken`. `limit` is how many
/// experts or rows there are.
struct Error {
  int taken, code;
  long long value, at, perToken, limit;
};

} // namespace moert::cuda

#endif // MOERT_NCCL_KERNELARGS_H
