// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments sorted by expert.

#ifndef MOERT_NCCL_KERNELS_SORT_CUH
#define MOERT_NCCL_KERNELS_SORT_CUH

#include "nccl/kernels/Warps.cuh"

// A warp processes its tile in order, 32 assignments at a time, with its own
// cursor for each expert. No two warps add to the same cursor, so the places do
// not depend on timing. The work is O(assignments + experts * tiles).

/// Initializes the cursors of a tile, one line of memory: with 0, or from
/// memory, where rows are packed after the rows of the previous experts.
template <bool counts>
__device__ void beginCursors(const SortArgs &args, const long long *line,
                             long long *cursors) {
  // Process several cursors per lane at a time, so that few steps wait for
  // memory.
  constexpr int kEach = 8;
  int lane = getLane();
  long long before = 0;
  for (long long begin = 0; begin < args.experts; begin += 32 * kEach) {
    long long first = begin + lane * kEach, starts[kEach], sizes[kEach];
    long long sum = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      bool isThere = first + i < args.experts;
      starts[i] = counts || !isThere ? 0 : line[first + i];
      sizes[i] =
          counts || !isThere || !args.counts ? 0 : args.counts[first + i];
      sum += sizes[i];
    }
    long long upTo = sum;
    if (!counts && args.counts)
      for (int offset = 1; offset < 32; offset *= 2) {
        long long other = __shfl_up_sync(kWholeWarp, upTo, offset);
        upTo += lane >= offset ? other : 0;
      }
    long long next = before + upTo - sum;
    if (!counts && args.counts)
      before += __shfl_sync(kWholeWarp, upTo, 31);
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      if (first + i < args.experts)
        cursors[first + i] = starts[i] + next;
      next += sizes[i];
    }
  }
  __syncwarp();
}

/// Calls `body(at, expert, number)` for each assignment of the warps' tiles to
/// a valid expert: `at` is its index in the ids, and `number` is the value of
/// the cursor. `other(at, id)` receives the other assignments. With `counts`,
/// cursors begin at 0 and are stored to memory.
template <bool counts, typename Id, typename Body, typename Other>
__device__ void forCopies(const SortArgs &args, const Id *ids, const Body &body,
                          const Other &other) {
  long long total = args.tokens * args.perToken, E = args.experts;
  int lane = getLane();
  for (long long own = firstWarp(); own < args.parts * args.tiles;
       own += warpStep()) {
    long long part = own / args.tiles, tile = own % args.tiles;
    long long *line = args.cursors + own * E, *cursors = line;
    if (args.isShared)
      cursors =
          reinterpret_cast<long long *>(sharedMemory) + threadIdx.x / 32 * E;
    beginCursors<counts>(args, line, cursors);
    long long begin = tile * args.tileSize, end = begin + args.tileSize;
    end = end < total ? end : total;
    auto locate = [&](long long copy) {
      return part * total +
             (args.byChoice
                  ? copy % args.tokens * args.perToken + copy / args.tokens
                  : copy);
    };
    // Read the ids of several steps at once to hide memory latency.
    constexpr int kSteps = 4;
    for (; begin < end; begin += 32 * kSteps) {
      long long found[kSteps];
#pragma unroll
      for (int i = 0; i < kSteps; ++i) {
        long long copy = begin + 32 * i + lane;
        found[i] = copy < end ? ids[locate(copy)] : -1;
      }
#pragma unroll
      for (int i = 0; i < kSteps; ++i) {
        long long copy = begin + 32 * i + lane, id = found[i];
        bool isThere = copy < end;
        int expert = -1;
        if (isThere && id >= 0 && id < E * args.idsPerExpert)
          expert = static_cast<int>(
              args.idsPerExpert == 1 ? id : id / args.idsPerExpert);
        if (isThere && expert < 0)
          other(locate(copy), id);
        unsigned same = __match_any_sync(kWholeWarp, expert);
        int before = __popc(same & ((1u << lane) - 1));
        long long *cursor = cursors + (expert < 0 ? 0 : expert);
        long long first = *cursor;
        // All lanes must read the cursor before the first lane advances it.
        __syncwarp();
        if (expert >= 0 && before == 0)
          *cursor = first + __popc(same);
        __syncwarp();
        if (expert >= 0)
          body(locate(copy), expert, first + before);
      }
    }
    if (counts && args.isShared)
      for (long long e = lane; e < E; e += 32)
        line[e] = cursors[e];
    // The cursors of the next tile use the same memory.
    __syncwarp();
  }
}

/// Counts the assignments to each expert in each tile.
extern "C" __global__ void moert_count_copies(SortArgs args, Error *error) {
  withInteger(args.idsType, args.ids, [&](auto *ids) {
    forCopies</*counts=*/true>(
        args, ids, [](long long, long long, long long) {},
        [&](long long at, long long id) {
          if (id != -1 || !args.allowsNone)
            report(error, args.code, id, at, args.perToken,
                   args.experts * args.idsPerExpert);
        });
  });
}

/// A block of 32 warps processes 32 columns of a part's counts, [tiles,
/// columns]. Each count becomes the sum of the counts above it, and the total
/// is stored in `sums`, [parts, columns] of `type`, unless it is null.
extern "C" __global__ void moert_add_up(long long *counts, long long parts,
                                        long long tiles, long long columns,
                                        void *sums, int type) {
  __shared__ long long partial[32][32];
  int lane = getLane(), warp = threadIdx.x / 32;
  long long groups = (columns + 31) / 32, each = (tiles + 31) / 32;
  long long first = warp * each;
  long long last = first + each < tiles ? first + each : tiles;
  for (long long unit = blockIdx.x; unit < parts * groups; unit += gridDim.x) {
    long long part = unit / groups, column = unit % groups * 32 + lane;
    bool isThere = column < columns;
    long long *own = counts + part * tiles * columns + column, sum = 0;
    // Read several at a time to hide memory latency; if these are all, read
    // them once.
    constexpr int kEach = 8;
    long long values[kEach];
    auto forTiles = [&](bool reads, const auto &body) {
      for (long long tile = first; isThere && tile < last; tile += kEach) {
#pragma unroll
        for (int i = 0; i < kEach; ++i)
          if (reads)
            values[i] = tile + i < last ? own[(tile + i) * columns] : 0;
#pragma unroll
        for (int i = 0; i < kEach; ++i)
          if (tile + i < last)
            body(tile + i, values[i]);
      }
    };
    forTiles(true, [&](long long, long long value) { sum += value; });
    partial[warp][lane] = sum;
    __syncthreads();
    long long before = 0;
#pragma unroll
    for (int w = 0; w < 31; ++w)
      before += w < warp ? partial[w][lane] : 0;
    forTiles(each > kEach, [&](long long tile, long long value) {
      own[tile * columns] = before;
      before += value;
    });
    if (warp == 31 && isThere && sums)
      storeInteger(type, sums, part * columns + column, before);
    __syncthreads();
  }
}

/// Stores the slot of each assignment, with the cursors of `moert_add_up`.
/// Assignments to no expert get no slot; invalid ones have been reported.
extern "C" __global__ void moert_place_copies(SortArgs args) {
  withInteger(args.idsType, args.ids, [&](auto *ids) {
    forCopies</*counts=*/false>(
        args, ids,
        [&](long long at, long long id, long long number) {
          bool fits = args.counts || number < args.capacity;
          long long slot = args.counts ? number : id * args.capacity + number;
          storeInteger(args.idsType, args.slots, at, fits ? slot : -1);
        },
        [&](long long at, long long) {
          storeInteger(args.idsType, args.slots, at, -1);
        });
  });
}

/// Assignments within the limit of their expert keep it, and the others get -1.
/// Cursors are as above, and `slots` is the result.
extern "C" __global__ void moert_limit_copies(SortArgs args, const void *limits,
                                              int limitsType, Error *error) {
  for (long long i = firstIndex(); i < args.experts; i += indexStep()) {
    long long limit = loadInteger(limitsType, limits, i);
    if (limit < 0)
      report(error, kLimitChoicesLimit, limit, i, 1, args.experts);
  }
  withInteger(args.idsType, args.ids, [&](auto *ids) {
    forCopies</*counts=*/false>(
        args, ids,
        [&](long long at, long long id, long long number) {
          bool fits = number < loadInteger(limitsType, limits, id);
          storeInteger(args.idsType, args.slots, at, fits ? ids[at] : -1);
        },
        [&](long long at, long long) {
          storeInteger(args.idsType, args.slots, at, -1);
        });
  });
}

#endif // MOERT_NCCL_KERNELS_SORT_CUH
