// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of boxes.

#ifndef MOERT_NCCL_KERNELS_COPIES_CUH
#define MOERT_NCCL_KERNELS_COPIES_CUH

#include "nccl/kernels/Elements.cuh"

/// Finds the offsets of word number `i` of the first `dims` dims on both sides.
/// Numbers have 32 bits if those suffice, because their division is faster.
template <typename Number>
__device__ void findWord(const BoxArgs &args, int dims, Number i, Number &to,
                         Number &from) {
  to = from = 0;
  for (int d = dims - 1; d >= 0; --d) {
    Number size = static_cast<Number>(args.sizes[d]);
    Number at = i % size;
    i /= size;
    to += at * static_cast<Number>(args.targetStrides[d]);
    from += at * static_cast<Number>(args.sourceStrides[d]);
  }
}

template <typename Word, typename Number>
__device__ void copyWordsOfBox(const BoxArgs &args) {
  auto *target = static_cast<Word *>(args.target);
  auto *source = static_cast<const Word *>(args.source);
  auto count = static_cast<Number>(args.count);
  auto step = static_cast<Number>(indexStep());
  for (auto i = static_cast<Number>(firstIndex()); i < count; i += step) {
    Number to, from;
    findWord(args, args.dims, i, to, from);
    target[to] = source[from];
  }
}

/// One additional column, so that reads down a column use different banks.
constexpr int kTileRow = 33;

/// Copies tiles of 32 x 32 of the last two dims: reads along the last but one,
/// in which the source is contiguous, and writes along the last. Requires 256
/// threads.
template <typename Word, typename Number>
__device__ void copyTilesOfBox(const BoxArgs &args, void *space) {
  auto *tile = static_cast<Word *>(space);
  auto *target = static_cast<Word *>(args.target);
  auto *source = static_cast<const Word *>(args.source);
  int last = args.dims - 1, x = threadIdx.x % 32, y = threadIdx.x / 32;
  auto rows = static_cast<Number>(args.sizes[last - 1]);
  auto columns = static_cast<Number>(args.sizes[last]);
  auto targetRow = static_cast<Number>(args.targetStrides[last - 1]);
  auto sourceColumn = static_cast<Number>(args.sourceStrides[last]);
  Number down = (rows + 31) / 32, across = (columns + 31) / 32;
  Number planes = static_cast<Number>(args.count) / (rows * columns);
  for (Number t = blockIdx.x; t < planes * down * across; t += gridDim.x) {
    Number to, from;
    findWord(args, last - 1, t / (down * across), to, from);
    Number r0 = t / across % down * 32, c0 = t % across * 32;
    for (int i = y; i < 32; i += 8)
      if (r0 + x < rows && c0 + i < columns)
        tile[i * kTileRow + x] =
            source[from + r0 + x + (c0 + i) * sourceColumn];
    __syncthreads();
    for (int i = y; i < 32; i += 8)
      if (r0 + i < rows && c0 + x < columns)
        target[to + (r0 + i) * targetRow + c0 + x] = tile[x * kTileRow + i];
    __syncthreads();
  }
}

extern "C" __global__ void moert_copy_box(BoxArgs args) {
#define MOERT_COPY(Word)                                                       \
  return args.isNarrow ? copyWordsOfBox<Word, int>(args)                       \
                       : copyWordsOfBox<Word, long long>(args)
  switch (args.elementBytes) {
  case 1:
    MOERT_COPY(unsigned char);
  case 2:
    MOERT_COPY(unsigned short);
  case 4:
    MOERT_COPY(unsigned);
  case 8:
    MOERT_COPY(unsigned long long);
  default:
    MOERT_COPY(uint4);
  }
#undef MOERT_COPY
}

extern "C" __global__ void moert_copy_tiles(BoxArgs args) {
  __shared__ unsigned long long tile[32 * kTileRow];
#define MOERT_COPY(Word)                                                       \
  return args.isNarrow ? copyTilesOfBox<Word, int>(args, tile)                 \
                       : copyTilesOfBox<Word, long long>(args, tile)
  switch (args.elementBytes) {
  case 1:
    MOERT_COPY(unsigned char);
  case 2:
    MOERT_COPY(unsigned short);
  case 4:
    MOERT_COPY(unsigned);
  default:
    MOERT_COPY(unsigned long long);
  }
#undef MOERT_COPY
}

#endif // MOERT_NCCL_KERNELS_COPIES_CUH
