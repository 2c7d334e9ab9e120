// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates that mix or choose tokens.

#ifndef MOERT_NCCL_KERNELS_SOFTGATES_CUH
#define MOERT_NCCL_KERNELS_SOFTGATES_CUH

#include "nccl/GateArgs.h"
#include "nccl/kernels/Warps.cuh"

//===----------------------------------------------------------------------===//
// Softmaxes of the rows and columns of a matrix
//===----------------------------------------------------------------------===//

/// One warp processes one row.
extern "C" __global__ void moert_softmax_rows(LinesArgs args) {
  for (long long row = firstWarp(); row < args.rows; row += warpStep()) {
    Softmax softmax = softmaxOfWarp(
        Row{args.matrix, row * args.columns, args.isWide}, args.columns);
    if (getLane() == 0) {
      args.tops[row] = softmax.top;
      args.sums[row] = softmax.sum;
    }
  }
}

/// Computes a part of the columns' largest elements, or of the sums relative to
/// `tops`, which must be complete. A block of 256 threads processes 32 columns
/// of a slab; each of its 8 warps processes every 8th row.
__device__ inline void reduceSlabs(const LinesArgs &args, bool isSum) {
  __shared__ double parts[8][32];
  int lane = getLane(), warp = threadIdx.x / 32;
  long long across = (args.columns + 31) / 32;
  long long height = (args.rows + args.slabs - 1) / args.slabs;
  for (long long block = blockIdx.x; block < args.slabs * across;
       block += gridDim.x) {
    long long slab = block / across, column = block % across * 32 + lane;
    bool isThere = column < args.columns;
    long long end =
        (slab + 1) * height < args.rows ? (slab + 1) * height : args.rows;
    double top = isSum && isThere ? args.tops[column] : 0;
    double part = isSum ? 0.0 : -INFINITY;
    for (long long row = slab * height + warp; isThere && row < end; row += 8) {
      double value = Row{args.matrix, row * args.columns, args.isWide}[column];
      if (isSum)
        part += exp(value - top);
      else
        part = value > part ? value : part;
    }
    parts[warp][lane] = part;
    __syncthreads();
    for (int i = 1; warp == 0 && i < 8; ++i) {
      double other = parts[i][lane];
      part = isSum ? part + other : other > part ? other : part;
    }
    if (warp == 0 && isThere)
      args.partial[slab * args.columns + column] = part;
    __syncthreads();
  }
}

extern "C" __global__ void moert_column_tops(LinesArgs args) {
  reduceSlabs(args, /*isSum=*/false);
}
extern "C" __global__ void moert_column_sums(LinesArgs args) {
  reduceSlabs(args, /*isSum=*/true);
}

/// Joins the slabs of each column, first to last.
__device__ inline void joinSlabs(const LinesArgs &args, bool isSum) {
  for (long long column = firstIndex(); column < args.columns;
       column += indexStep()) {
    double whole = isSum ? 0.0 : -INFINITY;
    for (long long slab = 0; slab < args.slabs; ++slab) {
      double part = args.partial[slab * args.columns + column];
      whole = isSum ? whole + part : part > whole ? part : whole;
    }
    (isSum ? args.sums : args.tops)[column] = whole;
  }
}

extern "C" __global__ void moert_join_tops(LinesArgs args) {
  joinSlabs(args, /*isSum=*/false);
}
extern "C" __global__ void moert_join_sums(LinesArgs args) {
  joinSlabs(args, /*isSum=*/true);
}

/// One warp processes one token.
extern "C" __global__ void moert_soft_weights(SoftGateArgs args) {
  const moert_soft_gate_args &gate = args.gate;
  long long N = gate.slots;
  for (long long token = firstWarp(); token < gate.tokens;
       token += warpStep()) {
    Row logits{args.logits, token * N, args.isWide};
    Softmax ofRow = softmaxOfWarp(logits, N);
    for (long long slot = getLane(); slot < N; slot += 32) {
      Softmax ofColumn{args.tops[slot], args.sums[slot]};
      long long at = token * N + slot;
      store<double>(gate.dispatch_type, gate.dispatch, at,
                    ofColumn(logits[slot]));
      store<double>(gate.combine_type, gate.combine, at, ofRow(logits[slot]));
    }
  }
}

//===----------------------------------------------------------------------===//
// Experts that choose tokens
//===----------------------------------------------------------------------===//

/// Sorts in place with a whole block. In this network, each comparison puts the
/// smaller element at the lower place, so it works for any count, as if missing
/// elements were last.
__device__ inline void sortRanked(Ranked *list, long long count) {
  auto exchange = [&](long long low, long long high) {
    if (high >= count)
      return;
    Ranked a = list[low], b = list[high];
    if (moert::comesBefore(b.score, b.token, a.score, a.token)) {
      list[low] = b;
      list[high] = a;
    }
  };
  for (int level = 0; 1LL << level < count; ++level) {
    // First compare mirrored pairs in two sorted halves, ...
    for (long long i = threadIdx.x;; i += blockDim.x) {
      long long base = i >> level << (level + 1);
      long long at = i & ((1LL << level) - 1);
      if (base + at >= count)
        break;
      exchange(base + at, base + (2LL << level) - 1 - at);
    }
    __syncthreads();
    // ... then pairs at decreasing distances.
    for (int step = level - 1; step >= 0; --step) {
      for (long long i = threadIdx.x;; i += blockDim.x) {
        long long low = (i >> step << (step + 1)) + (i & ((1LL << step) - 1));
        if (low >= count)
          break;
        exchange(low, low + (1LL << step));
      }
      __syncthreads();
    }
  }
}

/// Returns the sum over the block's threads, in the order of its warps.
__device__ inline double sumOfBlock(double value) {
  __shared__ double parts[32];
  value = sumOfWarp(value);
  if (getLane() == 0)
    parts[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp)
    sum += parts[warp];
  __syncthreads();
  return sum;
}

/// One block processes one expert: it sorts all tokens by descending score, and
/// the first ones get its slots.
__device__ inline void chooseTokens(const ExpertChoiceArgs &args,
                                    long long expert, Ranked *list) {
  const moert_expert_choice_args &choice = args.choice;
  long long S = choice.tokens, E = choice.experts, C = choice.capacity;
  long long taken = C < S ? C : S;
  auto put = [&](long long token, long long slot, double weight) {
    long long at = token * E + expert;
    storeInteger(choice.slots_type, choice.slots, at, slot);
    store<double>(choice.weights_type, choice.weights, at, weight);
  };
  if (!args.logits) {
    for (long long s = threadIdx.x; s < S; s += blockDim.x)
      put(s, -1, 0);
    return;
  }
  for (long long s = threadIdx.x; s < S; s += blockDim.x) {
    double score = Row{args.logits, s * E, args.isWide}[expert];
    list[s] = {args.tops ? Softmax{args.tops[s], args.sums[s]}(score) : score,
               s};
  }
  __syncthreads();
  sortRanked(list, S);
  Softmax softmax{-INFINITY, 0};
  if (!args.tops) {
    // The best score is the largest, unless all are NaN.
    double best = list[0].score;
    softmax.top = best > softmax.top ? best : softmax.top;
    for (long long c = threadIdx.x; c < taken; c += blockDim.x)
      softmax.sum += exp(list[c].score - softmax.top);
    softmax.sum = sumOfBlock(softmax.sum);
  }
  for (long long c = threadIdx.x; c < S; c += blockDim.x) {
    double score = list[c].score;
    if (c < taken)
      put(list[c].token, expert * C + c, args.tops ? score : softmax(score));
    else
      put(list[c].token, -1, 0);
  }
  __syncthreads();
}

extern "C" __global__ void moert_choose_tokens(ExpertChoiceArgs args) {
  // There is no list if nothing is chosen, because there are no logits.
  Ranked *list =
      args.space ? args.space + blockIdx.x * args.choice.tokens : nullptr;
  for (long long expert = blockIdx.x; expert < args.choice.experts;
       expert += gridDim.x)
    chooseTokens(args, expert, list);
}

#endif // MOERT_NCCL_KERNELS_SOFTGATES_CUH
