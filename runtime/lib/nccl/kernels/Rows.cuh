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

/// Rows of an expert that are used, within [0, rows].
__device__ long long getUsedRows(const RowCounts &rows, long long expert) {
  if (!rows.counts)
    return rows.rows;
  long long used = loadInteger(rows.type, rows.counts, expert);
  return used < 0 ? 0 : used > rows.rows ? rows.rows : used;
}

/// Whether element `at` of rows of `rowSize` elements is one of a used row.
__device__ bool isUsed(const RowCounts &rows, long long at, long long rowSize) {
  if (!rows.counts)
    return true;
  long long row = at / rowSize;
  return row % rows.rows < getUsedRows(rows, row / rows.rows);
}

/// Rows that are not used become zeros; the others come from `source`, or stay
/// as they are without one. Reports counts out of their range.
extern "C" __global__ void moert_use_rows(RowCounts rows, long long experts,
                                          long long rowBytes,
                                          const void *source, void *target,
                                          Error *error) {
  for (long long e = firstIndex(); e < experts; e += indexStep()) {
    long long used = loadInteger(rows.type, rows.counts, e);
    if (used < 0 || used > rows.rows)
      report(error, kExpertsCount, used, e, 1, rows.rows);
  }
  for (long long row = firstWarp(); row < experts * rows.rows;
       row += warpStep()) {
    bool used = row % rows.rows < getUsedRows(rows, row / rows.rows);
    if (used && !source)
      continue;
    const char *from = static_cast<const char *>(source) + row * rowBytes;
    copyRow(static_cast<char *>(target) + row * rowBytes, used ? from : nullptr,
            rowBytes);
  }
}

#endif // MOERT_NCCL_KERNELS_ROWS_CUH
