// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouped products for the CPU.

// Replaces lib/nccl/grouped.cu, whose instructions exist on sm_90a only: the
// same tiles, the same boxes of the same tensor maps, and f32 sums. It shows
// that the host describes operands correctly and that tiles cover all results.
// Swizzles, barriers and tensor cores appear only on a GPU.

#ifndef MOERT_STANDINS_GROUPED_H
#define MOERT_STANDINS_GROUPED_H

#include "TensorMaps.h"
#include "nccl/kernels/Elements.cuh"
#include <algorithm>

/// Returns an element of a slice that was loaded as boxes.
template <typename Boxes>
static float getSliceElement(const moert::standin::TiledMatrix &matrix,
                             moert_type type, bool isInner, const BoxPlace &box,
                             int place, int inner) {
  const void *element = isInner ? matrix.find(box, inner, place)
                                : matrix.find(box, place % kTileLine, inner);
  // A box that the host described otherwise would be another layout.
  bool isBox = matrix.boxWidth == kTileLine && matrix.boxLines == Boxes::kLines;
  if (!isBox)
    return NAN;
  return element ? load<float>(type, element, 0) : 0;
}

/// One tile's slices of both operands, and its sums.
struct SharedTile {
  float a[kTileRows][kSliceInner], b[kSliceInner][kTileColumns];
  float sums[kTileRows][kTileColumns];
};
static_assert(sizeof(SharedTile) <= kGroupedSharedBytes);

/// Each thread loads some elements of a slice and computes some rows of sums.
template <GroupedKind kind>
static void multiplyGroups(const GroupedArgs &args, moert_type type) {
  using Work = TileWork<kind>;
  __shared__ int ends[kMostGroups];
  auto &shared = *reinterpret_cast<SharedTile *>(sharedMemory);
  if (threadIdx.x == 0)
    for (int g = 0, end = 0; g < args.numGroups; ++g)
      ends[g] = end += getTilesDown(kind, args, g);
  __syncthreads();
  auto a = moert::standin::getTiledMatrix(args.a);
  auto b = moert::standin::getTiledMatrix(args.b);
  int thread = static_cast<int>(threadIdx.x);
  int threads = static_cast<int>(blockDim.x);
  GroupedTiles tiles(ends, args.numGroups, args.columns);
  for (int number = static_cast<int>(blockIdx.x), count = tiles.count();
       number < count; number += static_cast<int>(gridDim.x)) {
    Work work(args, tiles.get(number));
    int rows = min(work.numRows, kTileRows);
    int columns = min(work.numColumns, kTileColumns);
    for (int row = thread; row < rows; row += threads)
      std::fill_n(shared.sums[row], columns, 0.0f);
    for (int slice = 0; slice < work.countSlices(); ++slice) {
      // Slices of Columns are cleared after the group's rows; other slices end
      // with the matrix and are zero after it.
      int depth =
          kind == GroupedKind::Columns ? work.getDepth(slice) : kSliceInner;
      for (int i = thread; i < rows * depth; i += threads) {
        int row = i / depth, k = i % depth;
        BoxPlace box =
            work.getBoxOfA(slice, isInnerA(kind) ? 0 : row / kTileLine);
        shared.a[row][k] = getSliceElement<typename Work::BoxesA>(
            a, type, isInnerA(kind), box, row, k);
      }
      for (int i = thread; i < columns * depth; i += threads) {
        int column = i / depth, k = i % depth;
        BoxPlace box =
            work.getBoxOfB(slice, isInnerB(kind) ? 0 : column / kTileLine);
        shared.b[k][column] = getSliceElement<typename Work::BoxesB>(
            b, type, isInnerB(kind), box, column, k);
      }
      __syncthreads();
      for (int row = thread; row < rows; row += threads)
        for (int k = 0; k < depth; ++k) {
          float factor = shared.a[row][k];
          for (int column = 0; column < columns; ++column)
            shared.sums[row][column] += factor * shared.b[k][column];
        }
      __syncthreads();
    }
    for (int row = thread; row < rows; row += threads)
      for (int column = 0; column < columns; ++column) {
        float sum = shared.sums[row][column];
        long long at =
            (work.firstRow + row) * args.columns + work.tile.column + column;
        if (args.adds)
          sum += load<float>(type, args.result, at);
        store<float>(type, args.result, at, sum);
      }
  }
}

extern "C" __global__ void moert_grouped_rows_bf16(GroupedArgs args) {
  multiplyGroups<GroupedKind::Rows>(args, MOERT_BF16);
}
extern "C" __global__ void moert_grouped_turned_bf16(GroupedArgs args) {
  multiplyGroups<GroupedKind::TurnedRows>(args, MOERT_BF16);
}
extern "C" __global__ void moert_grouped_columns_bf16(GroupedArgs args) {
  multiplyGroups<GroupedKind::Columns>(args, MOERT_BF16);
}
extern "C" __global__ void moert_grouped_rows_f16(GroupedArgs args) {
  multiplyGroups<GroupedKind::Rows>(args, MOERT_F16);
}
extern "C" __global__ void moert_grouped_turned_f16(GroupedArgs args) {
  multiplyGroups<GroupedKind::TurnedRows>(args, MOERT_F16);
}
extern "C" __global__ void moert_grouped_columns_f16(GroupedArgs args) {
  multiplyGroups<GroupedKind::Columns>(args, MOERT_F16);
}

#endif // MOERT_STANDINS_GROUPED_H
