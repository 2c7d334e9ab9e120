// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the tiles of grouped products.

#include "nccl/GroupedTiles.h"
#include <gtest/gtest.h>
#include <set>
#include <tuple>
#include <vector>

using namespace moert::cuda;

namespace {

using Place = std::tuple<int, int, int>;

/// Lists the tiles of all groups by their definition.
std::set<Place> listTiles(const std::vector<long long> &rows, int columns) {
  std::set<Place> all;
  for (size_t g = 0; g < rows.size(); ++g)
    for (long long row = 0; row < rows[g]; row += kTileRows)
      for (int column = 0; column < columns; column += kTileColumns)
        all.insert({static_cast<int>(g), static_cast<int>(row), column});
  return all;
}

std::vector<int> sumTiles(const std::vector<long long> &rows) {
  std::vector<int> ends;
  for (long long count : rows)
    ends.push_back((ends.empty() ? 0 : ends.back()) +
                   countTiles(count, kTileRows));
  return ends;
}

/// Checks that any number of blocks computes each tile once and no other.
void check(const std::vector<long long> &rows, int columns) {
  SCOPED_TRACE("columns: " + std::to_string(columns));
  std::set<Place> expected = listTiles(rows, columns);
  std::vector<int> ends = sumTiles(rows);
  GroupedTiles tiles(ends.data(), static_cast<int>(rows.size()), columns);
  ASSERT_EQ(tiles.count(), static_cast<int>(expected.size()));
  for (int blocks : {1, 2, 7, 131, 132, 5000}) {
    std::set<Place> found;
    for (int block = 0; block < blocks; ++block)
      for (int number = block; number < tiles.count(); number += blocks) {
        GroupedTile tile = tiles.get(number);
        EXPECT_TRUE(found.insert({tile.group, tile.row, tile.column}).second)
            << "tile " << number << " again";
      }
    EXPECT_EQ(found, expected) << blocks << " blocks";
  }
}

} // namespace

TEST(GroupedTilesTest, CoverUnevenGroupsOnce) {
  for (int columns : {1, 8, 255, 256, 257, 768, 14336}) {
    check({}, columns);
    check({0}, columns);
    check({0, 0, 0}, columns);
    check({1}, columns);
    check({0, 1, 0, 0, 128, 129, 0}, columns);
    check({127, 128, 129, 255, 256, 257}, columns);
    // More row tiles than a band, and a last band of each height.
    for (long long down = 15; down <= 33; ++down)
      check({3, down * kTileRows, 0, down * kTileRows - 1}, columns);
  }
  // One expert has nearly all rows.
  check({1, 0, 1000000, 5, 0}, 2048);
  std::vector<long long> many(256);
  for (size_t g = 0; g < many.size(); ++g)
    many[g] = g % 3 == 0 ? 0 : static_cast<long long>(g * g % 1000);
  check(many, 768);
}

/// Tiles of a band are next to each other, so that blocks which run at the same
/// time share operands.
TEST(GroupedTilesTest, StayInABand) {
  std::vector<int> ends = sumTiles({64 * kTileRows});
  GroupedTiles tiles(ends.data(), 1, 8 * kTileColumns);
  for (int first = 0; first + 16 <= tiles.count(); first += 16)
    for (int i = 0; i < 16; ++i) {
      GroupedTile tile = tiles.get(first + i);
      EXPECT_EQ(tile.column, tiles.get(first).column);
      EXPECT_EQ(tile.row, tiles.get(first).row + i * kTileRows);
    }
}

/// The loads of each kind, at an expert in the middle with rows that no tile
/// divides.
TEST(GroupedTilesTest, LoadTheRowsOfTheirGroup) {
  GroupRows groups[] = {{0, 0, 300}, {300, 500, 200}};
  GroupedArgs args = {};
  args.groups = groups;
  args.numGroups = 2;
  args.inner = 100;
  args.columns = 520;
  auto expect = [](const BoxPlace &box, std::vector<int> at) {
    EXPECT_EQ(std::vector<int>(box.at, box.at + 3), at);
  };
  TileWork<GroupedKind::Rows> rows(args, {1, 128, 256});
  EXPECT_EQ(rows.countSlices(), 2);
  EXPECT_EQ(rows.getDepth(0), 64);
  EXPECT_EQ(rows.getDepth(1), 36);
  EXPECT_EQ(rows.numRows, 72);
  EXPECT_EQ(rows.numColumns, 264);
  EXPECT_EQ(rows.firstRow, 628);
  expect(rows.getBoxOfA(1, 0), {64, 428, 0});
  expect(rows.getBoxOfB(1, 3), {256 + 192, 64, 1});
  TileWork<GroupedKind::TurnedRows> turned(args, {1, 128, 256});
  expect(turned.getBoxOfA(1, 0), {64, 428, 0});
  expect(turned.getBoxOfB(1, 0), {64, 256, 1});

  args.height = 100;
  args.resultStep = 101;
  TileWork<GroupedKind::Columns> columns(args, {1, 0, 256});
  EXPECT_EQ(columns.countSlices(), 4);
  EXPECT_EQ(columns.getDepth(3), 8);
  EXPECT_EQ(columns.numRows, 100);
  EXPECT_EQ(columns.numColumns, 264);
  EXPECT_EQ(columns.firstRow, 101);
  expect(columns.getBoxOfA(3, 1), {64, 300 + 192, 0});
  expect(columns.getBoxOfB(3, 2), {256 + 128, 500 + 192, 0});

  args.groups = nullptr;
  args.evenRows = 40;
  TileWork<GroupedKind::Rows> even(args, {3, 0, 0});
  EXPECT_EQ(even.rows.first, 120);
  EXPECT_EQ(even.rows.other, 120);
  EXPECT_EQ(even.numRows, 40);
}
