// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a warp.

#ifndef MOERT_NCCL_KERNELS_WARPS_CUH
#define MOERT_NCCL_KERNELS_WARPS_CUH

#include "kernels/Scores.h"
#include "nccl/kernels/Elements.cuh"

// All 32 threads of a warp take part, and each gets the result. The order of
// operands does not depend on data, so results have the same bits each time.

constexpr unsigned kWholeWarp = 0xffffffff;

__device__ inline int getLane() { return threadIdx.x % 32; }
/// Return the number of the warp in the grid, and the number of warps.
__device__ inline long long firstWarp() { return firstIndex() / 32; }
__device__ inline long long warpStep() { return indexStep() / 32; }

/// Processes rows of `words` words in pieces with `each` words per lane, so
/// that a lane waits for several at once. Warps take pieces and call `body(row,
/// at, left)` for word `at` of all words, which is in `row`. Further words of
/// the lane follow in steps of 32, as long as their distance is below `left`.
template <int each, typename Body>
__device__ void forPieces(long long rows, long long words, const Body &body) {
  constexpr int kPiece = 32 * each;
  long long pieces = (words + kPiece - 1) / kPiece, count = rows * pieces;
  // A 64-bit division takes as long as a memory access.
  bool isNarrow = count < (1LL << 31);
  for (long long unit = firstWarp(); unit < count; unit += warpStep()) {
    long long row =
        isNarrow ? static_cast<unsigned>(unit) / static_cast<unsigned>(pieces)
                 : unit / pieces;
    long long begin = (unit - row * pieces) * kPiece + getLane();
    long long left = words - begin;
    body(row, row * words + begin,
         static_cast<int>(left < kPiece ? left : kPiece));
  }
}

/// Ignores NaN, like the search for the largest value of a softmax.
__device__ inline double maxOfWarp(double value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    double other = __shfl_xor_sync(kWholeWarp, value, offset);
    value = other > value ? other : value;
  }
  return value;
}

__device__ inline double sumOfWarp(double value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kWholeWarp, value, offset);
  return value;
}

/// Returns the sum of `get(row)` over the rows of a column. A block of 256
/// threads processes 32 columns; each of its 8 warps processes every 8th row,
/// and the threads of the first warp get the sum.
template <typename Get>
__device__ double sumOfColumn(long long rows, const Get &get) {
  __shared__ double partial[8][32];
  int lane = getLane(), warp = threadIdx.x / 32;
  double sum = 0;
  for (long long row = warp; row < rows; row += 8)
    sum += get(row);
  partial[warp][lane] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += partial[i][lane];
  __syncthreads();
  return sum;
}

/// A score and its number; -1 means none.
struct Best {
  double score;
  long long number;
};

__device__ inline Best bestOfWarp(Best best) {
  for (int offset = 16; offset > 0; offset /= 2) {
    Best other{__shfl_xor_sync(kWholeWarp, best.score, offset),
               __shfl_xor_sync(kWholeWarp, best.number, offset)};
    if (other.number >= 0 &&
        (best.number < 0 || moert::comesBefore(other.score, other.number,
                                               best.score, best.number)))
      best = other;
  }
  return best;
}

/// Finds the first of `count` scores that comes after `last` and is not
/// `closed` (null means that none is). The scores, which may be infinite or
/// NaN, are not modified. Thread l checks numbers l, l + 32, ...
__device__ inline Best findNext(const double *scores,
                                const unsigned char *closed, long long count,
                                Best last) {
  Best best{0, -1};
  for (long long i = getLane(); i < count; i += 32) {
    double score = scores[i];
    if ((closed && closed[i]) ||
        (last.number >= 0 &&
         !moert::comesBefore(last.score, last.number, score, i)))
      continue;
    if (best.number < 0 || moert::isBetter(score, best.score))
      best = {score, i};
  }
  return bestOfWarp(best);
}

/// One row of logits.
struct Row {
  const void *matrix;
  long long begin;
  int isWide;
  __device__ double operator[](long long i) const {
    return isWide ? static_cast<const double *>(matrix)[begin + i]
                  : static_cast<const float *>(matrix)[begin + i];
  }
};

/// A softmax is exp(x - top) / sum.
struct Softmax {
  double top, sum;
  __device__ double operator()(double x) const { return exp(x - top) / sum; }
};

template <typename Values>
__device__ Softmax softmaxOfWarp(const Values &values, long long count) {
  double top = -INFINITY, sum = 0;
  for (long long i = getLane(); i < count; i += 32)
    top = values[i] > top ? values[i] : top;
  top = maxOfWarp(top);
  for (long long i = getLane(); i < count; i += 32)
    sum += exp(values[i] - top);
  return {top, sumOfWarp(sum)};
}

#endif // MOERT_NCCL_KERNELS_WARPS_CUH
