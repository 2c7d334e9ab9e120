//===- Sort.cuh - Copies of tokens by expert -------------------------*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_SORT_CUH
#define MOERT_NCCL_KERNELS_SORT_CUH

#include "nccl/kernels/Warps.cuh"

// A warp goes over its tile in order, 32 copies at a time, and counts on from a
// cursor of its own for each expert: nothing is added by two warps, so places
// do not depend on who comes first. Work is O(copies + experts * tiles).

/// Calls `body(at, expert, number)` for each copy of the warps' tiles whose
/// expert there is: `at` is its place in the ids, `number` the cursor's when
/// its turn comes. `other(at, id)` gets those of no expert there is.
template <typename Body, typename Other>
__device__ void forCopies(const SortArgs &args, const Body &body,
                          const Other &other) {
  long long total = args.tokens * args.perToken;
  int lane = getLane();
  for (long long own = firstWarp(); own < args.parts * args.tiles;
       own += warpStep()) {
    long long part = own / args.tiles, tile = own % args.tiles;
    long long *cursors = args.cursors + part * args.experts * args.tiles + tile;
    long long begin = tile * args.tileSize, end = begin + args.tileSize;
    end = end < total ? end : total;
    for (; begin < end; begin += 32) {
      long long step = begin + lane, at = -1, id = -1;
      if (step < end) {
        at = args.byChoice
                 ? step % args.tokens * args.perToken + step / args.tokens
                 : step;
        at += part * total;
        id = loadInteger(args.idsType, args.ids, at);
        if (id < 0 || id >= args.experts * args.idsPerExpert) {
          other(at, id);
          id = -1;
        } else if (args.idsPerExpert != 1) {
          id /= args.idsPerExpert;
        }
      }
      long long before = 0, same = 0;
      for (int l = 0; l < 32; ++l)
        if (__shfl_sync(kWholeWarp, id, l) == id) {
          before += l < lane;
          ++same;
        }
      long long *cursor = cursors + (id < 0 ? 0 : id) * args.tiles;
      long long first = *cursor;
      // All have read it before the first of them counts on, and see that.
      __syncwarp();
      if (id >= 0 && before == 0)
        *cursor = first + same;
      __syncwarp();
      if (id >= 0)
        body(at, id, first + before);
    }
  }
}

/// Copies of each expert in each tile; cursors are 0 before.
extern "C" __global__ void moert_count_copies(SortArgs args, Error *error) {
  forCopies(
      args, [](long long, long long, long long) {},
      [&](long long at, long long id) {
        if (id != -1 || !args.allowsNone)
          report(error, args.code, id, at, args.perToken,
                 args.experts * args.idsPerExpert);
      });
}

/// A warp a line of `length` counts: each becomes the sum of those before it,
/// and the sum of all goes to `sums`, of `type`, unless that is null.
extern "C" __global__ void moert_add_up(long long *counts, long long lines,
                                        long long length, void *sums,
                                        int type) {
  int lane = getLane();
  for (long long line = firstWarp(); line < lines; line += warpStep()) {
    long long *own = counts + line * length, before = 0;
    for (long long begin = 0; begin < length; begin += 32) {
      long long i = begin + lane, count = i < length ? own[i] : 0, sum = count;
      for (int offset = 1; offset < 32; offset *= 2) {
        long long other = __shfl_up_sync(kWholeWarp, sum, offset);
        sum += lane >= offset ? other : 0;
      }
      if (i < length)
        own[i] = before + sum - count;
      before += __shfl_sync(kWholeWarp, sum, 31);
    }
    if (lane == 0 && sums)
      storeInteger(type, sums, line, before);
  }
}

/// Where each copy goes; cursors are what `moert_add_up` made of them. Copies
/// of no expert go nowhere; wrong ones have been reported.
extern "C" __global__ void moert_place_copies(SortArgs args) {
  forCopies(
      args,
      [&](long long at, long long id, long long number) {
        bool fits = args.bases || number < args.capacity;
        long long slot =
            (args.bases ? args.bases[id] : id * args.capacity) + number;
        storeInteger(args.idsType, args.slots, at, fits ? slot : -1);
        if (fits)
          args.sources[slot] = at / args.perToken;
      },
      [&](long long at, long long) {
        storeInteger(args.idsType, args.slots, at, -1);
      });
}

/// Copies within the limit of their expert keep it, the others get -1; cursors
/// are as above, `slots` is the result.
extern "C" __global__ void moert_limit_copies(SortArgs args, const void *limits,
                                              int limitsType, Error *error) {
  for (long long i = firstIndex(); i < args.experts; i += indexStep()) {
    long long limit = loadInteger(limitsType, limits, i);
    if (limit < 0)
      report(error, kLimitChoicesLimit, limit, i, 1, args.experts);
  }
  forCopies(
      args,
      [&](long long at, long long id, long long number) {
        bool fits = number < loadInteger(limitsType, limits, id);
        storeInteger(args.idsType, args.slots, at,
                     fits ? loadInteger(args.idsType, args.ids, at) : -1);
      },
      [&](long long at, long long) {
        storeInteger(args.idsType, args.slots, at, -1);
      });
}

#endif // MOERT_NCCL_KERNELS_SORT_CUH
