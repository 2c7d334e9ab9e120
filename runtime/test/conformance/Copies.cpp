// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests copies between strided boxes.

#include "Rank.h"
#include <algorithm>
#include <cstring>

using namespace conformance;

namespace {
struct Copy {
  const char *name;
  std::vector<int64_t> sizes, targetStrides, sourceStrides;
  int64_t targetOffset, sourceOffset, targetSize, sourceSize;
};
} // namespace

static const std::vector<Copy> &getCopies() {
  static const std::vector<Copy> copies = {
      {"scalar", {}, {}, {}, 2, 1, 4, 3},
      {"contiguous", {3000}, {1}, {1}, 0, 0, 3000, 3000},
      {"transpose", {70, 130}, {1, 70}, {130, 1}, 0, 0, 9100, 9100},
      {"rows of whole words", {5, 64}, {128, 1}, {96, 1}, 0, 16, 640, 480},
      {"rows of half words", {5, 12}, {20, 1}, {28, 1}, 4, 8, 112, 160},
      {"transposes of planes",
       {3, 33, 40},
       {1400, 1, 35},
       {1320, 40, 1},
       0,
       0,
       4200,
       3960},
      {"drop of a middle dim",
       {5, 3, 8},
       {24, 8, 1},
       {48, 8, 1},
       0,
       24,
       120,
       240},
      {"assemble of a last dim", {6, 7}, {20, 1}, {7, 1}, 13, 0, 126, 42},
      {"permutation of three dims",
       {9, 10, 11},
       {1, 9, 90},
       {110, 11, 1},
       0,
       0,
       990,
       990},
      {"permutation of five dims",
       {2, 3, 4, 5, 6},
       {3, 1, 180, 36, 6},
       {360, 120, 30, 6, 1},
       0,
       0,
       720,
       720},
      {"reversal", {50}, {-1}, {1}, 49, 0, 50, 50},
      {"broadcast", {4, 25}, {25, 1}, {0, 1}, 0, 3, 100, 28},
      {"every third", {40}, {3}, {2}, 1, 0, 120, 80},
      {"nothing", {4, 0, 3}, {3, 3, 1}, {3, 3, 1}, 0, 0, 12, 12},
  };
  return copies;
}

static void testCopy(Rank &rank, Stream &stream, const Copy &copy,
                     moert_type type) {
  size_t size = moert_type_size(type);
  Bytes source = randomBits(type, copy.sourceSize, 11);
  Bytes before = randomBits(type, copy.targetSize, 13), expected = before;
  std::vector<int64_t> at(copy.sizes.size(), 0);
  // Visits the box one element at a time.
  bool more =
      std::find(copy.sizes.begin(), copy.sizes.end(), 0) == copy.sizes.end();
  while (more) {
    int64_t from = copy.sourceOffset, to = copy.targetOffset;
    for (size_t d = 0; d < at.size(); ++d) {
      from += at[d] * copy.sourceStrides[d];
      to += at[d] * copy.targetStrides[d];
    }
    std::memcpy(&expected[to * size], &source[from * size], size);
    size_t d = at.size();
    while (d > 0 && ++at[d - 1] == copy.sizes[d - 1])
      at[--d] = 0;
    more = d > 0;
  }
  Array from(rank, stream, source.size()), to(rank, stream, before.size());
  from.write(source);
  to.write(before);
  REQUIRE(rank,
          moert_copy_strided(stream, to.data(copy.targetOffset * size),
                             copy.targetStrides.data(),
                             from.data(copy.sourceOffset * size),
                             copy.sourceStrides.data(), copy.sizes.data(),
                             static_cast<int32_t>(copy.sizes.size()), type));
  rank.check(std::string("copy, ") + copy.name + ", of " + nameOf(type), type,
             expected, to.read());
}

void conformance::testCopies(Rank &rank) {
  Stream stream(rank, "copies");
  for (moert_type type : allTypes()) {
    for (const Copy &copy : getCopies())
      testCopy(rank, stream, copy, type);
    Bytes content = randomBits(type, 100, 17), expected = content;
    Array array(rank, stream, content.size());
    array.write(content);
    size_t size = moert_type_size(type);
    std::fill_n(expected.begin(), 60 * size, 0);
    REQUIRE(rank, moert_fill_zero(stream, array.data(), 60, type));
    rank.check("zeros of " + nameOf(type), type, expected, array.read());
  }
}
