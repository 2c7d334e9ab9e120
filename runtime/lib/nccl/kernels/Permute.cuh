// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutation of tokens.

#ifndef MOERT_NCCL_KERNELS_ORDER_CUH
#define MOERT_NCCL_KERNELS_ORDER_CUH

#include "nccl/kernels/Rows.cuh"

/// Reads each token once, independently of the number of its slots.
template <typename Word> __device__ void moveTokens(const MoveArgs &args) {
  auto *x = static_cast<const Word *>(args.x);
  auto *buffer = static_cast<Word *>(args.buffer);
  long long words = args.rowBytes / static_cast<long long>(sizeof(Word));
  long long k = args.perToken;
  forPieces<kMoveWords>(
      args.tokens, words, [&](long long token, long long at, int left) {
        Word values[kMoveWords];
#pragma unroll
        for (int i = 0; i < kMoveWords; ++i)
          if (32 * i < left)
            values[i] = x[at + 32 * i];
        long long inRow = at - token * words;
        for (long long first = 0; first < k; first += 32) {
          int count = static_cast<int>(k - first < 32 ? k - first : 32);
          long long own = getLane() < count
                              ? loadInteger(args.slotsType, args.slots,
                                            token * k + first + getLane())
                              : -1;
          for (int j = 0; j < count; ++j) {
            long long slot = __shfl_sync(kWholeWarp, own, j);
            if (slot < 0)
              continue;
            Word *to = buffer + slot * words + inRow;
#pragma unroll
            for (int i = 0; i < kMoveWords; ++i)
              if (32 * i < left)
                to[32 * i] = values[i];
          }
        }
      });
}

extern "C" __global__ void moert_move_tokens(MoveArgs args) {
  unsigned long long bits = reinterpret_cast<unsigned long long>(args.x) |
                            reinterpret_cast<unsigned long long>(args.buffer) |
                            static_cast<unsigned long long>(args.rowBytes);
  if (bits % 16 == 0)
    moveTokens<uint4>(args);
  else if (bits % 4 == 0)
    moveTokens<unsigned>(args);
  else if (bits % 2 == 0)
    moveTokens<unsigned short>(args);
  else
    moveTokens<unsigned char>(args);
}

/// Clears free slots with one warp per slot: those after the `counts[e]`
/// assignments of expert e, up to `capacity`.
extern "C" __global__ void
moert_clear_free_slots(const long long *counts, long long experts,
                       long long capacity, long long rowBytes, void *buffer) {
  for (long long slot = firstWarp(); slot < experts * capacity;
       slot += warpStep()) {
    long long expert = slot / capacity;
    if (slot - expert * capacity >= counts[expert])
      copyRow(static_cast<char *>(buffer) + slot * rowBytes, nullptr, rowBytes);
  }
}

/// Sums the weighted rows of each token's assignments, in the order of
/// assignments, n elements at a time. If slots are i32 and weights f32
/// (`areUsual`), a lane waits for both at once; a choice of types would wait
/// for each.
template <int n, typename Element, bool areUsual>
__device__ void unorder(const moert_unorder_args &args, Error *error) {
  using T = Sum<Element>;
  // Unconverted elements need at most half of the registers.
  using Word = typename Raw<n, Element>::Type;
  long long k = args.top_k, words = args.hidden / n;
  auto *buffer = static_cast<const Word *>(args.buffer);
  auto *result = static_cast<Word *>(args.result);
  forPieces<kUnorderWords>(
      args.tokens, words, [&](long long token, long long at, int left) {
        const Word *rows = buffer + (at - token * words);
        T sums[kUnorderWords][n] = {};
        for (long long first = 0; first < k; first += 32) {
          int count = static_cast<int>(k - first < 32 ? k - first : 32);
          long long slot = -1, copy = token * k + first + getLane();
          T weight = 0;
          if (getLane() < count) {
            if constexpr (areUsual) {
              slot = static_cast<const int *>(args.slots)[copy];
              weight = static_cast<const float *>(args.weights)[copy];
            } else {
              slot = loadInteger(args.slots_type, args.slots, copy);
              weight = load<T>(args.weights_type, args.weights, copy);
            }
            if (slot < -1 || slot >= args.rows) {
              report(error, kUnorderSlot, slot, copy, k, args.rows);
              slot = -1;
            }
          }
          for (int j = 0; j < count; ++j) {
            long long row = __shfl_sync(kWholeWarp, slot, j);
            T factor = __shfl_sync(kWholeWarp, weight, j);
            if (row < 0)
              continue;
            const Word *from = rows + row * words;
            Word raw[kUnorderWords];
#pragma unroll
            for (int i = 0; i < kUnorderWords; ++i)
              if (32 * i < left)
                raw[i] = from[32 * i];
#pragma unroll
            for (int i = 0; i < kUnorderWords; ++i)
              if (32 * i < left) {
                T values[n];
                widenMany<n, Element>(raw[i], values);
#pragma unroll
                for (int l = 0; l < n; ++l)
                  sums[i][l] += factor * values[l];
              }
          }
        }
#pragma unroll
        for (int i = 0; i < kUnorderWords; ++i)
          if (32 * i < left)
            storeMany<n>(sums[i],
                         reinterpret_cast<Element *>(result + at + 32 * i));
      });
}

extern "C" __global__ void __launch_bounds__(256, 4)
    moert_unorder_kernel(moert_unorder_args args, Error *error) {
  withElement(args.type, [&](auto *element) {
    using Element = std::remove_pointer_t<decltype(element)>;
    bool wide = isWide<Element>(args.hidden, args.buffer, args.result);
    bool areUsual =
        args.slots_type == MOERT_I32 && args.weights_type == MOERT_F32;
    if (wide && areUsual)
      unorder<kWide<Element>, Element, true>(args, error);
    else if (wide)
      unorder<kWide<Element>, Element, false>(args, error);
    else
      unorder<1, Element, false>(args, error);
  });
}

#endif // MOERT_NCCL_KERNELS_ORDER_CUH
