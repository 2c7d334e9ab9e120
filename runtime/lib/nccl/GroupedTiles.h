// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of grouped products, which the host, the device and the CPU emulation
// share.

#ifndef MOERT_NCCL_GROUPEDTILES_H
#define MOERT_NCCL_GROUPEDTILES_H

#include "kernels/Scores.h"

namespace moert::cuda {

/// A grouped product has one product per group, which is an expert.
enum class GroupedKind {
  /// result rows = rows of a, times b[group], which is [inner, columns].
  Rows,
  /// The same, with b[group] transposed in memory: [columns, inner].
  TurnedRows,
  /// result[group] = rows of a, transposed, times the same rows of b.
  Columns
};

/// A block computes one tile of a result at a time, as the sum of products of
/// slices with `kSliceInner` elements.
constexpr int kTileRows = 128, kTileColumns = 256, kSliceInner = 64;
/// Elements of a line in shared memory, 128 bytes.
constexpr int kTileLine = 64;
/// Threads of a block: one warpgroup loads slices, and two multiply.
constexpr int kGroupedThreads = 384;
/// A block has the groups' tiles in shared memory.
constexpr int kMostGroups = 2048;
/// Dynamic shared memory of a block, the most that sm_90 has.
constexpr int kGroupedSharedBytes = 227 << 10;

/// The driver's description of a matrix in memory, CUtensorMap.
struct alignas(64) TensorMap {
  unsigned long long words[16];
};

/// The rows of one group: `rows` rows from row `first` of `a`, and from row
/// `other` of the result; of `b` for `GroupedKind::Columns`.
struct GroupRows {
  long long first, other, rows;
};

struct GroupedArgs {
  TensorMap a, b;
  void *result;
  /// The rows of each group in device memory; null if all groups have
  /// `evenRows` rows, one group after another.
  const GroupRows *groups;
  int evenRows, numGroups;
  /// Add to the result instead of replacing it.
  int adds;
  /// Elements of each sum; the group's rows for `GroupedKind::Columns`.
  int inner;
  int columns;
  /// For `GroupedKind::Columns`: the rows of each group's result, and the
  /// distance between results in rows.
  int height, resultStep;
};

/// Row numbers for the list of a grouped product in device memory. A launch
/// accepts a limited number of groups.
struct WriteGroupsArgs {
  static constexpr int kMost = 128;
  GroupRows groups[kMost];
  int count;
  GroupRows *list;
};

/// Converts counts of rows in device memory to a list: each group's rows follow
/// the rows of the group before it.
struct CountGroupsArgs {
  const void *counts;
  int countsType, numGroups;
  /// The largest sum of the counts.
  long long rows;
  GroupRows *list;
};

//===----------------------------------------------------------------------===//
// Which tile a block computes
//===----------------------------------------------------------------------===//

MOERT_ANYWHERE constexpr int countTiles(long long size, int tile) {
  return static_cast<int>((size + tile - 1) / tile);
}

MOERT_ANYWHERE inline GroupRows getGroup(const GroupedArgs &args, int group) {
  if (args.groups)
    return args.groups[group];
  long long rows = args.evenRows, first = group * rows;
  return {first, first, rows};
}

/// A tile of one group's result.
struct GroupedTile {
  int group, row, column;
};

/// The tiles of all results, numbered from 0. Block i of n computes the tiles
/// i, i + n, i + 2n and so on, so the tiles may be uneven and their number
/// needs to be known only on the device.
class GroupedTiles {
public:
  /// `ends[g]` is the number of tiles down the results of groups 0 to g.
  MOERT_ANYWHERE GroupedTiles(const int *ends, int numGroups, int columns)
      : ends(ends), numGroups(numGroups),
        across(countTiles(columns, kTileColumns)) {}

  MOERT_ANYWHERE int count() const {
    return numGroups ? ends[numGroups - 1] * across : 0;
  }

  /// Returns tile `number`, which must be less than `count()`.
  MOERT_ANYWHERE GroupedTile get(int number) const {
    // The first group that ends after the tile; groups without rows do not.
    int line = number / across, low = 0, high = numGroups - 1;
    while (low < high) {
      int middle = (low + high) / 2;
      if (ends[middle] > line)
        high = middle;
      else
        low = middle + 1;
    }
    int begin = low ? ends[low - 1] : 0, down = ends[low] - begin;
    // Blocks that run at the same time compute neighboring tiles, at most
    // `kBand` down, so that they share rows of both operands in the L2 cache.
    int at = number - begin * across, band = at / (kBand * across);
    int left = down - band * kBand, tall = left < kBand ? left : kBand;
    int inside = at - band * kBand * across;
    return {low, (band * kBand + inside % tall) * kTileRows,
            inside / tall * kTileColumns};
  }

private:
  static constexpr int kBand = 16;
  const int *ends;
  int numGroups, across;
};

/// Returns the number of tiles down the result of a group.
MOERT_ANYWHERE inline int getTilesDown(GroupedKind kind,
                                       const GroupedArgs &args, int group) {
  return countTiles(kind == GroupedKind::Columns ? args.height
                                                 : getGroup(args, group).rows,
                    kTileRows);
}

//===----------------------------------------------------------------------===//
// What a tile loads and stores
//===----------------------------------------------------------------------===//

/// Returns true if consecutive elements of an operand in memory belong to one
/// sum.
MOERT_ANYWHERE constexpr bool isInnerA(GroupedKind kind) {
  return kind != GroupedKind::Columns;
}
MOERT_ANYWHERE constexpr bool isInnerB(GroupedKind kind) {
  return kind == GroupedKind::TurnedRows;
}

/// The first element of a box, from the innermost dim.
struct BoxPlace {
  int at[3];
};

/// The loads of a slice of one operand of a tile: `kCount` boxes of `kLines`
/// lines of `kTileLine` elements. Elements outside of the matrix are zeros.
template <bool isInner, int extent> struct SliceBoxes {
  static constexpr int kCount = isInner ? 1 : extent / kTileLine;
  static constexpr int kLines = isInner ? extent : kSliceInner;
  /// `place` is the first row or column of the tile in the matrix, and `inner`
  /// the first element of its sums.
  MOERT_ANYWHERE static BoxPlace get(int box, int place, int inner,
                                     int matrix) {
    if (isInner)
      return {{inner, place, matrix}};
    return {{place + box * kTileLine, inner, matrix}};
  }
};

/// One tile's numbers.
template <GroupedKind kind> struct TileWork {
  using BoxesA = SliceBoxes<isInnerA(kind), kTileRows>;
  using BoxesB = SliceBoxes<isInnerB(kind), kTileColumns>;

  MOERT_ANYWHERE TileWork(const GroupedArgs &args, const GroupedTile &tile)
      : tile(tile), rows(getGroup(args, tile.group)) {
    isTurned = kind == GroupedKind::Columns;
    inner = isTurned ? static_cast<int>(rows.rows) : args.inner;
    numRows = (isTurned ? args.height : static_cast<int>(rows.rows)) - tile.row;
    numColumns = args.columns - tile.column;
    firstRow = (isTurned ? static_cast<long long>(tile.group) * args.resultStep
                         : rows.other) +
               tile.row;
  }

  MOERT_ANYWHERE int countSlices() const {
    return countTiles(inner, kSliceInner);
  }
  /// Elements of a slice that belong to the sums. Later ones are zero, except
  /// in lines of `GroupedKind::Columns`, which then belong to other groups.
  MOERT_ANYWHERE int getDepth(int slice) const {
    int left = inner - slice * kSliceInner;
    return left < kSliceInner ? left : kSliceInner;
  }
  MOERT_ANYWHERE BoxPlace getBoxOfA(int slice, int box) const {
    int at = slice * kSliceInner, first = static_cast<int>(rows.first);
    return isTurned ? BoxesA::get(box, tile.row, first + at, 0)
                    : BoxesA::get(box, first + tile.row, at, 0);
  }
  MOERT_ANYWHERE BoxPlace getBoxOfB(int slice, int box) const {
    int at = slice * kSliceInner;
    return isTurned ? BoxesB::get(box, tile.column,
                                  static_cast<int>(rows.other) + at, 0)
                    : BoxesB::get(box, tile.column, at, tile.group);
  }

  GroupedTile tile;
  GroupRows rows;
  bool isTurned;
  int inner;
  /// Rows and columns of the result from the tile's first on.
  int numRows, numColumns;
  /// The tile's first row in the memory of all results.
  long long firstRow;
};

} // namespace moert::cuda

#endif // MOERT_NCCL_GROUPEDTILES_H
