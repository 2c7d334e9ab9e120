// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of tokens by expert.

#ifndef MOERT_NCCL_KERNELS_SORT_CUH
#define MOERT_NCCL_KERNELS_SORT_CUH

#include "nccl/kernels/Warps.cuh"

// A warp goes over its tile in order, 32 copies at a time, and counts on from a
// cursor of its own for each expert: nothing is added by two warps, so places
// do not depend on who comes first. Work is O(copies + experts * tiles).

/// The cursors of a tile, a line of memory: all 0, or as they are in memory,
/// where rows are packed behind those of the experts before.
template <bool counts>
__device__ void beginCursors(const SortArgs &args, const long long *line,
                             long long *cursors) {
  // As many of a lane's at a time, so that few steps wait for memory.
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

/// Calls `body(at, expert, number)` for each copy of the warps' tiles whose
/// expert there is: `at` is its place in the ids, `number` the cursor's when
/// its turn comes. `other(at, id)` gets those of no expert there is. Where it
/// `counts`, cursors begin at 0 and are left in memory.
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
    // Ids of a few steps are read at once: memory is far.
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
        // All have read it before the first of them counts on, and see that.
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
    // The next tile's begin in the same place.
    __syncwarp();
  }
}

/// Copies of each expert in each tile.
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

/// A block of 32 warps takes 32 columns of a part's counts, [tiles, columns]:
/// each becomes the sum of those above it, and the sum of all goes to `sums`,
/// [parts, columns] of `type`, unless that is null.
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
    // A few at a time: memory is far. Where these are all, they are read once.
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

/// Where each copy goes; cursors are what `moert_add_up` made of them. Copies
/// of no expert go nowhere; wrong ones have been reported.
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

/// Copies within the limit of their expert keep it, the others get -1; cursors
/// are as above, `slots` is the result.
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
