// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between strided boxes.

#include "core/StridedCopy.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

using namespace moert;

Box moert::normalizeBox(std::vector<int64_t> sizes,
                        std::vector<int64_t> targetStrides,
                        std::vector<int64_t> sourceStrides) {
  Box box;
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t d) { return sizes[d] == 1; });
  // Traverse the target in the order of its memory, because writes cost more
  // than reads.
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    int64_t x = std::abs(targetStrides[a]), y = std::abs(targetStrides[b]);
    return x != y ? x > y : a < b;
  });
  for (size_t d : order) {
    if (sizes[d] == 0)
      box.isEmpty = true;
    if (!box.sizes.empty() &&
        box.targetStrides.back() == sizes[d] * targetStrides[d] &&
        box.sourceStrides.back() == sizes[d] * sourceStrides[d]) {
      box.sizes.back() *= sizes[d];
      box.targetStrides.back() = targetStrides[d];
      box.sourceStrides.back() = sourceStrides[d];
      continue;
    }
    box.sizes.push_back(sizes[d]);
    box.targetStrides.push_back(targetStrides[d]);
    box.sourceStrides.push_back(sourceStrides[d]);
  }
  // Make the source's fastest remaining dim the last but one, for copying in
  // tiles.
  if (box.sizes.size() > 2) {
    size_t beside = box.sizes.size() - 2, best = beside;
    for (size_t d = 0; d < beside; ++d)
      if (std::abs(box.sourceStrides[d]) < std::abs(box.sourceStrides[best]))
        best = d;
    for (auto *list : {&box.sizes, &box.targetStrides, &box.sourceStrides})
      std::rotate(list->begin() + best, list->begin() + best + 1,
                  list->end() - 1);
  }
  return box;
}

/// Copies the two fastest dims in tiles, so that a transpose also reads whole
/// cache lines.
template <typename T>
static void copyPlane(T *target, const T *source, int64_t rows, int64_t columns,
                      int64_t targetRow, int64_t targetColumn,
                      int64_t sourceRow, int64_t sourceColumn) {
  if (targetColumn == 1 && sourceColumn == 1) {
    for (int64_t r = 0; r < rows; ++r)
      std::memcpy(target + r * targetRow, source + r * sourceRow,
                  static_cast<size_t>(columns) * sizeof(T));
    return;
  }
  constexpr int64_t kTile = 32;
  for (int64_t r0 = 0; r0 < rows; r0 += kTile)
    for (int64_t c0 = 0; c0 < columns; c0 += kTile)
      for (int64_t r = r0; r < std::min(rows, r0 + kTile); ++r)
        for (int64_t c = c0; c < std::min(columns, c0 + kTile); ++c)
          target[r * targetRow + c * targetColumn] =
              source[r * sourceRow + c * sourceColumn];
}

template <typename T>
static void copyDims(const Box &box, size_t dim, T *target, const T *source) {
  size_t left = box.sizes.size() - dim;
  if (left == 0) {
    *target = *source;
    return;
  }
  if (left <= 2) {
    size_t last = box.sizes.size() - 1;
    bool two = left == 2;
    copyPlane(target, source, two ? box.sizes[dim] : 1, box.sizes[last],
              two ? box.targetStrides[dim] : 0, box.targetStrides[last],
              two ? box.sourceStrides[dim] : 0, box.sourceStrides[last]);
    return;
  }
  for (int64_t i = 0; i < box.sizes[dim]; ++i)
    copyDims(box, dim + 1, target + i * box.targetStrides[dim],
             source + i * box.sourceStrides[dim]);
}

void moert::copyBox(const Box &box, void *target, const void *source,
                    size_t elementBytes) {
  if (box.isEmpty)
    return;
  switch (elementBytes) {
  case 1:
    return copyDims(box, 0, static_cast<uint8_t *>(target),
                    static_cast<const uint8_t *>(source));
  case 2:
    return copyDims(box, 0, static_cast<uint16_t *>(target),
                    static_cast<const uint16_t *>(source));
  case 4:
    return copyDims(box, 0, static_cast<uint32_t *>(target),
                    static_cast<const uint32_t *>(source));
  default:
    return copyDims(box, 0, static_cast<uint64_t *>(target),
                    static_cast<const uint64_t *>(source));
  }
}
