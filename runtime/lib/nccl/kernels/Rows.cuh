//===- Rows.cuh - Rows that are moved as they are ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_ROWS_CUH
#define MOERT_NCCL_KERNELS_ROWS_CUH

#include "nccl/kernels/Warps.cuh"

template <typename Word>
__device__ void copyWords(void *to, const void *from, long long words) {
  auto *__restrict__ target = static_cast<Word *>(to);
  const auto *__restrict__ source = static_cast<const Word *>(from);
#pragma unroll 4
  for (long long i = getLane(); i < words; i += 32)
    target[i] = source ? source[i] : Word{};
}

/// A warp copies a row, or clears it when there is no source, in the widest
/// words that its place and size allow.
__device__ void copyRow(void *to, const void *from, long long bytes) {
  unsigned long long bits = reinterpret_cast<unsigned long long>(to) |
                            reinterpret_cast<unsigned long long>(from) |
                            static_cast<unsigned long long>(bytes);
  if (bits % 16 == 0)
    copyWords<uint4>(to, from, bytes / 16);
  else if (bits % 4 == 0)
    copyWords<unsigned>(to, from, bytes / 4);
  else if (bits % 2 == 0)
    copyWords<unsigned short>(to, from, bytes / 2);
  else
    copyWords<unsigned char>(to, from, bytes);
}

/// A warp a row of the runs.
extern "C" __global__ void moert_copy_runs(RunsArgs args) {
  long long rows = args.ends[args.runs - 1];
  for (long long row = firstWarp(); row < rows; row += warpStep()) {
    // The first run that ends behind the row.
    int low = 0, high = args.runs - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (row < args.ends[middle])
        high = middle;
      else
        low = middle + 1;
    }
    long long before = low ? args.ends[low - 1] : 0;
    char *one = static_cast<char *>(args.buffer) +
                (args.begins[low] + row - before) * args.rowBytes;
    char *other = static_cast<char *>(args.packed) + row * args.rowBytes;
    copyRow(args.unpacks ? one : other, args.unpacks ? other : one,
            args.rowBytes);
  }
}

#endif // MOERT_NCCL_KERNELS_ROWS_CUH
