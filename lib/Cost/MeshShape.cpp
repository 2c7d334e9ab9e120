// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank numbers and coordinates of a mesh.

#include "moe/Cost/MeshShape.h"

#include <algorithm>

using namespace moe::cost;

int64_t moe::cost::getStride(std::span<const int64_t> shape, unsigned axis) {
  int64_t stride = 1;
  for (int64_t size : shape.subspan(axis + 1))
    stride *= size;
  return stride;
}

std::vector<int64_t> moe::cost::getStrides(std::span<const int64_t> shape) {
  std::vector<int64_t> strides;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    strides.push_back(getStride(shape, axis));
  return strides;
}

int64_t moe::cost::getGroupSize(std::span<const int64_t> shape,
                                std::span<const unsigned> axes) {
  int64_t size = 1;
  for (unsigned axis : axes)
    size *= shape[axis];
  return size;
}

int64_t moe::cost::projectRank(std::span<const int64_t> shape, int64_t rank,
                               uint64_t axes) {
  int64_t projected = 0;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (axes >> axis & 1) {
      int64_t stride = getStride(shape, axis);
      projected += rank / stride % shape[axis] * stride;
    }
  return projected;
}

uint64_t moe::cost::findDifferentAxes(std::span<const int64_t> shape,
                                      int64_t rank, int64_t other) {
  uint64_t axes = 0;
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    uint64_t bit = uint64_t(1) << axis;
    if (projectRank(shape, rank, bit) != projectRank(shape, other, bit))
      axes |= bit;
  }
  return axes;
}

std::vector<int64_t> moe::cost::listGroups(std::span<const int64_t> shape,
                                           std::span<const unsigned> axes) {
  std::vector<int64_t> ranks = {0};
  // Replace each rank so far by one rank per coordinate along the axis.
  auto extend = [&](unsigned axis) {
    int64_t stride = getStride(shape, axis);
    std::vector<int64_t> longer;
    longer.reserve(ranks.size() * size_t(shape[axis]));
    for (int64_t rank : ranks)
      for (int64_t place = 0; place < shape[axis]; ++place)
        longer.push_back(rank + place * stride);
    ranks = std::move(longer);
  };
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (std::find(axes.begin(), axes.end(), axis) == axes.end())
      extend(axis);
  for (unsigned axis : axes)
    extend(axis);
  return ranks;
}
