//===- Order.cuh - Tokens to experts and back -------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_ORDER_CUH
#define MOERT_NCCL_KERNELS_ORDER_CUH

#include "nccl/kernels/Rows.cuh"

/// A warp a row of the buffer: its token, or, where it has none, zeros if free
/// rows are to be cleared.
extern "C" __global__ void moert_move_rows(const long long *sources,
                                           long long rows, long long rowBytes,
                                           const void *x, void *buffer,
                                           int clears) {
  for (long long row = firstWarp(); row < rows; row += warpStep()) {
    long long source = sources[row];
    if (source < 0 && !clears)
      continue;
    copyRow(static_cast<char *>(buffer) + row * rowBytes,
            source < 0 ? nullptr
                       : static_cast<const char *>(x) + source * rowBytes,
            rowBytes);
  }
}

/// A block a token: its copies' rows, weighted, in the order of the copies.
template <typename Element>
__device__ void unorder(const moert_unorder_args &args, Error *error) {
  using T = Sum<Element>;
  long long M = args.hidden, k = args.top_k;
  auto *buffer = static_cast<const Element *>(args.buffer);
  bool wide = isWide<Element>(M, args.buffer, args.result);
  for (long long s = blockIdx.x; s < args.tokens; s += gridDim.x)
    forElements<Element>(
        M, wide, threadIdx.x, blockDim.x, [&](long long m, auto lanes) {
          constexpr int n = decltype(lanes)::kCount;
          T sums[n] = {}, values[n];
          for (long long at = s * k; at < (s + 1) * k; ++at) {
            long long slot = loadInteger(args.slots_type, args.slots, at);
            if (slot < -1 || slot >= args.rows) {
              report(error, kUnorderSlot, slot, at, k, args.rows);
              continue;
            }
            if (slot < 0)
              continue;
            T weight = load<T>(args.weights_type, args.weights, at);
            loadMany<n>(buffer + slot * M + m, values);
#pragma unroll
            for (int i = 0; i < n; ++i)
              sums[i] += weight * values[i];
          }
          storeMany<n>(sums, static_cast<Element *>(args.result) + s * M + m);
        });
}

extern "C" __global__ void moert_unorder_kernel(moert_unorder_args args,
                                                Error *error) {
  withElement(args.type, [&](auto *element) {
    unorder<std::remove_pointer_t<decltype(element)>>(args, error);
  });
}

#endif // MOERT_NCCL_KERNELS_ORDER_CUH
