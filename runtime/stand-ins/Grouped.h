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

template <GroupedKind kind>
static void multiplyGroups(const GroupedArgs &args, moert_type type) {
  using Work = TileWork<kind>;
  __shared__ int ends[kMostGroups];
  if (threadIdx.x == 0)
    for (int g = 0, end = 0; g < args.numGroups; ++g)
      ends[g] = end += getTilesDown(kind, args, g);
  __syncthreads();
  auto a = moert::standin::getTiledMatrix(args.a);
  auto b = moert::standin::getTiledMatrix(args.b);
  GroupedTiles tiles(ends, args.numGroups, args.columns);
  for (int number = static_cast<int>(blockIdx.x), count = tiles.count();
       number < count; number += static_cast<int>(gridDim.x)) {
    Work work(args, tiles.get(number));
    int rows = min(work.numRows, kTileRows);
    int columns = min(work.numColumns, kTileColumns);
    for (int i = static_cast<int>(threadIdx.x); i < rows * columns;
         i += static_cast<int>(blockDim.x)) {
      int row = i / columns, column = i % columns;
      float sum = 0;
      for (int slice = 0; slice < work.countSlices(); ++slice) {
        BoxPlace boxA =
            work.getBoxOfA(slice, isInnerA(kind) ? 0 : row / kTileLine);
        BoxPlace boxB =
            work.getBoxOfB(slice, isInnerB(kind) ? 0 : column / kTileLine);
        // Slices of Columns are cleared after the group's rows; other slices
        // end with the matrix and are zero after it.
        int depth =
            kind == GroupedKind::Columns ? work.getDepth(slice) : kSliceInner;
        for (int k = 0; k < depth; ++k)
          sum += getSliceElement<typename Work::BoxesA>(a, type, isInnerA(kind),
                                                        boxA, row, k) *
                 getSliceElement<typename Work::BoxesB>(b, type, isInnerB(kind),
                                                        boxB, column, k);
      }
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
