//===- Order.cuh - Tokens to experts and back -------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_ORDER_CUH
#define MOERT_NCCL_KERNELS_ORDER_CUH

#include "nccl/kernels/Elements.cuh"

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

/// Copies or clears rows of whole 16-byte words where they allow it.
template <typename Word>
__device__ void copyRows(const long long *sources, long long rows,
                         long long words, const Word *x, Word *buffer) {
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    long long source = sources[row];
    Word *to = buffer + row * words;
    const Word *from = x + source * words;
    for (long long i = threadIdx.x; i < words; i += blockDim.x)
      to[i] = source < 0 ? Word{} : from[i];
  }
}

extern "C" __global__ void moert_order_rows(const long long *sources,
                                            long long rows, long long rowBytes,
                                            const void *x, void *buffer) {
  bool wide = (rowBytes | reinterpret_cast<unsigned long long>(x) |
               reinterpret_cast<unsigned long long>(buffer)) %
                  16 ==
              0;
  if (wide)
    copyRows(sources, rows, rowBytes / 16, static_cast<const uint4 *>(x),
             static_cast<uint4 *>(buffer));
  else
    copyRows(sources, rows, rowBytes, static_cast<const unsigned char *>(x),
             static_cast<unsigned char *>(buffer));
}

template <typename T>
__device__ void unorder(const moert_unorder_args &args, Error *error) {
  long long M = args.hidden, k = args.top_k;
  for (long long s = blockIdx.x; s < args.tokens; s += gridDim.x)
    for (long long m = threadIdx.x; m < M; m += blockDim.x) {
      T sum = 0;
      for (long long j = 0; j < k; ++j) {
        long long slot = loadInteger(args.slots_type, args.slots, s * k + j);
        if (slot < -1 || slot >= args.rows) {
          report(error, kUnorderSlot, slot, s * k + j, k, args.rows);
          continue;
        }
        if (slot >= 0)
          sum += load<T>(args.weights_type, args.weights, s * k + j) *
                 load<T>(args.type, args.buffer, slot * M + m);
      }
      store<T>(args.type, args.result, s * M + m, sum);
    }
}

/// Rows of 16-bit floats, eight elements at a time.
template <typename Pair>
__device__ void unorderWide(const moert_unorder_args &args, Error *error) {
  long long words = args.hidden / 8, k = args.top_k;
  const uint4 *buffer = static_cast<const uint4 *>(args.buffer);
  uint4 *result = static_cast<uint4 *>(args.result);
  for (long long s = blockIdx.x; s < args.tokens; s += gridDim.x)
    for (long long i = threadIdx.x; i < words; i += blockDim.x) {
      float sums[8] = {};
      for (long long j = 0; j < k; ++j) {
        long long slot = loadInteger(args.slots_type, args.slots, s * k + j);
        if (slot < -1 || slot >= args.rows) {
          report(error, kUnorderSlot, slot, s * k + j, k, args.rows);
          continue;
        }
        if (slot < 0)
          continue;
        float weight = load<float>(args.weights_type, args.weights, s * k + j);
        uint4 word = buffer[slot * words + i];
        const Pair *pairs = reinterpret_cast<const Pair *>(&word);
        for (int p = 0; p < 4; ++p) {
          float2 two = Pair::toFloats(pairs[p]);
          sums[2 * p] += weight * two.x;
          sums[2 * p + 1] += weight * two.y;
        }
      }
      uint4 word;
      Pair *pairs = reinterpret_cast<Pair *>(&word);
      for (int p = 0; p < 4; ++p)
        pairs[p] = Pair::fromFloats(sums[2 * p], sums[2 * p + 1]);
      result[s * words + i] = word;
    }
}

extern "C" __global__ void moert_unorder_kernel(moert_unorder_args args,
                                                Error *error) {
  bool wide = args.hidden % 8 == 0 &&
              (reinterpret_cast<unsigned long long>(args.buffer) |
               reinterpret_cast<unsigned long long>(args.result)) %
                      16 ==
                  0;
  if (args.type == MOERT_F64)
    unorder<double>(args, error);
  else if (wide && args.type == MOERT_BF16)
    unorderWide<BFloatPair>(args, error);
  else if (wide && args.type == MOERT_F16)
    unorderWide<HalfPair>(args, error);
  else
    unorder<float>(args, error);
}

#endif // MOERT_NCCL_KERNELS_ORDER_CUH
