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

/// One block an expert. Goes over all copies in the order of their places, a
/// block of threads at a time, and numbers those of its expert. `sources` says
/// for each slot which token fills it, -1 for none.
extern "C" __global__ void moert_order_slots(moert_order_args args,
                                             long long *sources, Error *error) {
  __shared__ int counts[32];
  long long expert = blockIdx.x, S = args.tokens, k = args.top_k;
  long long total = S * k, used = 0;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;
  for (long long begin = 0; begin < total; begin += blockDim.x) {
    long long step = begin + threadIdx.x;
    bool byChoice = args.kind == MOERT_ORDER_CHOICE;
    long long token = byChoice ? step % S : step / k;
    long long at = byChoice ? token * k + step / S : step;
    bool mine = false;
    if (step < total) {
      long long id = loadInteger(args.ids_type, args.ids, at);
      mine = id == expert;
      if (expert == 0 && (id < 0 || id >= args.experts))
        report(error, kOrderExpert, id, at, k, args.experts);
    }
    unsigned votes = __ballot_sync(0xffffffff, mine);
    if (lane == 0)
      counts[warp] = __popc(votes);
    __syncthreads();
    long long before = used + __popc(votes & ((1u << lane) - 1));
    long long sum = 0;
    for (int w = 0; w < warps; ++w) {
      before += w < warp ? counts[w] : 0;
      sum += counts[w];
    }
    if (mine) {
      bool fits = before < args.capacity;
      long long slot = expert * args.capacity + before;
      storeInteger(args.ids_type, args.slots, at, fits ? slot : -1);
      if (fits)
        sources[slot] = token;
    }
    used += sum;
    __syncthreads();
  }
  for (long long c = used + threadIdx.x; c < args.capacity; c += blockDim.x)
    sources[expert * args.capacity + c] = -1;
}

/// A warp a row of the buffer: its token, or zeros.
extern "C" __global__ void moert_order_rows(const long long *sources,
                                            long long rows, long long rowBytes,
                                            const void *x, void *buffer) {
  for (long long row = firstWarp(); row < rows; row += warpStep()) {
    long long source = sources[row];
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
