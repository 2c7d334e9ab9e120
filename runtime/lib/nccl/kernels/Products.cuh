// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of any types.

#ifndef MOERT_NCCL_KERNELS_PRODUCTS_CUH
#define MOERT_NCCL_KERNELS_PRODUCTS_CUH

#include "kernels/CounterNoise.h"
#include "nccl/GateArgs.h"
#include "nccl/kernels/Elements.cuh"

constexpr int kTile = 64, kTileInner = 16;

/// A block of 256 threads computes tiles of 64 x 64, with 4 x 4 elements per
/// thread. An element is the sum in ascending order, independently of the
/// sizes.
template <typename Sum> __device__ void multiplyTiles(const ProductArgs &args) {
  // One additional column, so that writes down a column use different banks.
  __shared__ Sum tileA[kTileInner][kTile + 1], tileB[kTileInner][kTile + 1];
  long long R = args.rows, K = args.inner, N = args.columns;
  long long across = (N + kTile - 1) / kTile;
  long long tiles = (R + kTile - 1) / kTile * across;
  int thread = threadIdx.x, row = thread / 16, column = thread % 16;
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    long long firstRow = tile / across * kTile;
    long long firstColumn = tile % across * kTile;
    Sum sums[4][4] = {};
    for (long long begin = 0; begin < K; begin += kTileInner) {
      // Neighboring threads read neighboring elements along the rows in memory.
      for (int i = thread; i < kTile * kTileInner; i += 256) {
        int r = args.turnA ? i % kTile : i / kTileInner;
        int m = args.turnA ? i / kTile : i % kTileInner;
        bool isThere = firstRow + r < R && begin + m < K;
        long long at = args.turnA ? (begin + m) * R + firstRow + r
                                  : (firstRow + r) * K + begin + m;
        tileA[m][r] = isThere ? load<Sum>(args.typeA, args.a, at) : Sum(0);
      }
      for (int i = thread; i < kTile * kTileInner; i += 256) {
        int n = args.turnB ? i / kTileInner : i % kTile;
        int m = args.turnB ? i % kTileInner : i / kTile;
        bool isThere = firstColumn + n < N && begin + m < K;
        long long at = args.turnB ? (firstColumn + n) * K + begin + m
                                  : (begin + m) * N + firstColumn + n;
        tileB[m][n] = isThere ? load<Sum>(args.typeB, args.b, at) : Sum(0);
      }
      __syncthreads();
      // Stop at the end, because 0 times infinity would be NaN.
      int depth =
          static_cast<int>(K - begin < kTileInner ? K - begin : kTileInner);
      for (int m = 0; m < depth; ++m)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            sums[i][j] += tileA[m][row + 16 * i] * tileB[m][column + 16 * j];
      __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        long long r = firstRow + row + 16 * i;
        long long n = firstColumn + column + 16 * j;
        if (r < R && n < N)
          store<Sum>(args.typeResult, args.result, r * N + n, sums[i][j]);
      }
  }
}

extern "C" __global__ void moert_product(ProductArgs args) {
  if (args.typeA == MOERT_F64 || args.typeB == MOERT_F64)
    multiplyTiles<double>(args);
  else
    multiplyTiles<float>(args);
}

/// Subtracts the bf16 next to `value` toward 0 from it, and returns the bf16.
__device__ inline __nv_bfloat16 takeThird(float &value) {
  unsigned bits = __float_as_uint(value);
  // NaN must remain NaN, and nothing may remain of infinity.
  bool isNumber = (bits & 0x7f800000) != 0x7f800000;
  if (value != value)
    bits |= 0x400000;
  float third = __uint_as_float(bits & 0xffff0000);
  value = isNumber ? value - third : 0;
  return __float2bfloat16_rn(third);
}

/// Splits the 24 bits of a number into three times 8, without loss.
extern "C" __global__ void moert_split_thirds(ThirdsArgs args) {
  auto *source = static_cast<const float *>(args.source);
  auto *target = static_cast<__nv_bfloat16 *>(args.target);
  long long N = args.columns;
  for (long long i = firstIndex(); i < args.rows * args.width;
       i += indexStep()) {
    long long row = i / args.width, column = i % args.width;
    __nv_bfloat16 third = __float2bfloat16_rn(0);
    if (column < 3 * N) {
      float value = source[row * N + column % N];
      for (long long n = 0; n <= column / N; ++n)
        third = takeThird(value);
    }
    target[i] = third;
  }
}

/// Adds the small parts first. If the largest part is infinite or NaN, it is
/// the result, because an infinite operand was multiplied by zeros in the other
/// parts.
extern "C" __global__ void moert_join_thirds(ThirdsArgs args) {
  auto *source = static_cast<const float *>(args.source);
  long long N = args.columns;
  for (long long i = firstIndex(); i < args.rows * N; i += indexStep()) {
    const float *own = source + i / N * args.width + i % N;
    bool isNumber = (__float_as_uint(own[0]) & 0x7f800000) != 0x7f800000;
    static_cast<float *>(args.target)[i] =
        isNumber ? own[2 * N] + own[N] + own[0] : own[0];
  }
}

/// Converts between 16-bit and 32-bit floats, one word of the former at a time.
template <typename Element>
__device__ void convertWide(const ConvertArgs &args) {
  constexpr int n = kWide<Element>;
  bool widens = args.targetType == MOERT_F32;
  for (long long i = firstIndex(); i < args.count / n; i += indexStep()) {
    float values[n];
    uint4 words[2];
    if (widens) {
      loadMany<n>(static_cast<const Element *>(args.source) + i * n, values);
      memcpy(words, values, sizeof(words));
      static_cast<uint4 *>(args.target)[2 * i] = words[0];
      static_cast<uint4 *>(args.target)[2 * i + 1] = words[1];
    } else {
      words[0] = static_cast<const uint4 *>(args.source)[2 * i];
      words[1] = static_cast<const uint4 *>(args.source)[2 * i + 1];
      memcpy(values, words, sizeof(words));
      storeMany<n>(values, static_cast<Element *>(args.target) + i * n);
    }
  }
}

extern "C" __global__ void moert_convert(ConvertArgs args) {
  int narrowType =
      args.targetType == MOERT_F32 ? args.sourceType : args.targetType;
  bool isPair = args.sourceType + args.targetType == MOERT_F32 + narrowType &&
                (narrowType == MOERT_F16 || narrowType == MOERT_BF16);
  bool isAligned = args.count % 8 == 0 &&
                   (reinterpret_cast<unsigned long long>(args.source) |
                    reinterpret_cast<unsigned long long>(args.target)) %
                           16 ==
                       0;
  if (isPair && isAligned && args.jitter == 0) {
    if (narrowType == MOERT_F16)
      convertWide<__half>(args);
    else
      convertWide<__nv_bfloat16>(args);
    return;
  }
  bool isWide = args.sourceType == MOERT_F64 || args.jitter != 0;
  unsigned long long seed =
      args.jitter == 0 ? 0
                       : *static_cast<const unsigned long long *>(args.seed);
  for (long long i = firstIndex(); i < args.count; i += indexStep()) {
    if (!isWide) {
      store<float>(args.targetType, args.target, i,
                   load<float>(args.sourceType, args.source, i));
      continue;
    }
    double value = load<double>(args.sourceType, args.source, i);
    if (args.jitter != 0) {
      double u = moert::CounterNoise::uniform(
          seed, args.firstToken + i / args.hidden, i % args.hidden);
      value *= 1.0 + args.jitter * (2.0 * u - 1.0);
    }
    store<double>(args.targetType, args.target, i, value);
  }
}

#endif // MOERT_NCCL_KERNELS_PRODUCTS_CUH
