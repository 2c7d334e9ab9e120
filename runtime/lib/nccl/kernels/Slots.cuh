// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows in slots, and gradients of slot weights.

#ifndef MOERT_NCCL_KERNELS_SLOTS_CUH
#define MOERT_NCCL_KERNELS_SLOTS_CUH

#include "nccl/kernels/Rows.cuh"

/// Records in `sources`, initially -1, the assignment of each slot. If two have
/// the same slot, reports the later one.
extern "C" __global__ void
moert_scatter_slots(moert_scatter_args args, long long *sources, Error *error) {
  long long k = args.top_k;
  for (long long at = firstIndex(); at < args.tokens * k; at += indexStep()) {
    long long slot = loadInteger(args.slots_type, args.slots, at);
    if (slot < -1 || slot >= args.rows) {
      report(error, kScatterSlot, slot, at, k, args.rows);
      continue;
    }
    if (slot < 0)
      continue;
    constexpr unsigned long long kNone = ~0ULL;
    unsigned long long other =
        atomicCAS(reinterpret_cast<unsigned long long *>(&sources[slot]), kNone,
                  static_cast<unsigned long long>(at));
    if (other == kNone)
      continue;
    long long former = static_cast<long long>(other);
    report(error, kScatterSlotAgain, slot, former > at ? former : at, k,
           args.rows);
  }
}

template <typename Element>
__device__ void scatterWeighted(const moert_scatter_args &args,
                                const long long *sources) {
  using T = Sum<Element>;
  long long M = args.hidden;
  bool wide = isWide<Element>(M, args.x, args.buffer);
  for (long long row = firstWarp(); row < args.rows; row += warpStep()) {
    long long at = sources[row];
    auto *to = static_cast<Element *>(args.buffer) + row * M;
    auto *from = static_cast<const Element *>(args.x) +
                 (at < 0 ? 0 : at / args.top_k * M);
    T weight = at < 0 ? T(0) : load<T>(args.weights_type, args.weights, at);
    forElements<Element>(M, wide, getLane(), 32, [&](long long m, auto lanes) {
      constexpr int n = decltype(lanes)::kCount;
      T values[n] = {};
      if (at >= 0) {
        loadMany<n>(from + m, values);
#pragma unroll
        for (int i = 0; i < n; ++i)
          values[i] *= weight;
      }
      storeMany<n>(values, to + m);
    });
  }
}

/// Writes each row of the buffer with one warp: the token of its assignment,
/// times its weight if there are weights, or zeros.
extern "C" __global__ void moert_scatter_rows(moert_scatter_args args,
                                              const long long *sources,
                                              long long rowBytes) {
  if (args.weights)
    return withElement(args.type, [&](auto *element) {
      scatterWeighted<std::remove_pointer_t<decltype(element)>>(args, sources);
    });
  for (long long row = firstWarp(); row < args.rows; row += warpStep()) {
    long long at = sources[row];
    auto *from = static_cast<const char *>(args.x) +
                 (at < 0 ? 0 : at / args.top_k * rowBytes);
    copyRow(static_cast<char *>(args.buffer) + row * rowBytes,
            at < 0 ? nullptr : from, rowBytes);
  }
}

/// Computes the dot product of each assignment's row and its token's gradient
/// with one warp, in an order that depends only on the sizes.
template <typename Element>
__device__ void multiplyRows(const moert_unorder_wgrad_args &args,
                             Error *error) {
  using T = Sum<Element>;
  long long M = args.hidden, k = args.top_k;
  bool wide = isWide<Element>(M, args.dy, args.buffer);
  for (long long at = firstWarp(); at < args.tokens * k; at += warpStep()) {
    long long slot = loadInteger(args.slots_type, args.slots, at);
    if (slot < -1 || slot >= args.rows) {
      report(error, kUnorderWgradSlot, slot, at, k, args.rows);
      slot = -1;
    }
    T sum = 0;
    auto *dy = static_cast<const Element *>(args.dy) + at / k * M;
    auto *row =
        static_cast<const Element *>(args.buffer) + (slot < 0 ? 0 : slot) * M;
    forElements<Element>(slot < 0 ? 0 : M, wide, getLane(), 32,
                         [&](long long m, auto lanes) {
                           constexpr int n = decltype(lanes)::kCount;
                           T a[n], b[n];
                           loadMany<n>(dy + m, a);
                           loadMany<n>(row + m, b);
#pragma unroll
                           for (int i = 0; i < n; ++i)
                             sum += a[i] * b[i];
                         });
    double total = sumOfWarp(sum);
    if (getLane() == 0)
      store(args.result_type, args.result, at, total);
  }
}

extern "C" __global__ void
moert_unorder_wgrad_kernel(moert_unorder_wgrad_args args, Error *error) {
  withElement(args.type, [&](auto *element) {
    multiplyRows<std::remove_pointer_t<decltype(element)>>(args, error);
  });
}

#endif // MOERT_NCCL_KERNELS_SLOTS_CUH
