// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank numbers and coordinates of a mesh.
//
// A shape has the number of ranks per axis, at least 1. Ranks are numbered in
// row-major order, so the last axis varies fastest. Bit `1 << axis` represents
// an axis in a set; a mesh may have at most 64 axes where sets are used.
// Callers must reject shapes with more ranks than fit an int64_t.

#ifndef MOE_COST_MESHSHAPE_H
#define MOE_COST_MESHSHAPE_H

#include <cstdint>
#include <span>
#include <vector>

namespace moe::cost {

/// Returns the difference between the numbers of neighbouring ranks along an
/// axis.
int64_t getStride(std::span<const int64_t> shape, unsigned axis);

/// Returns the stride of each axis.
std::vector<int64_t> getStrides(std::span<const int64_t> shape);

/// Returns the number of ranks that differ only along `axes`.
int64_t getGroupSize(std::span<const int64_t> shape,
                     std::span<const unsigned> axes);

/// Returns the rank with the coordinates of `rank` along `axes` and coordinate
/// 0 along the others.
int64_t projectRank(std::span<const int64_t> shape, int64_t rank,
                    uint64_t axes);

/// Returns the axes along which two ranks have different coordinates.
uint64_t findDifferentAxes(std::span<const int64_t> shape, int64_t rank,
                           int64_t other);

/// Returns all ranks, group by group. Ranks of one group differ only along
/// `axes`, which must have no duplicates; the last of these axes varies
/// fastest. Groups are sorted by their first ranks.
std::vector<int64_t> listGroups(std::span<const int64_t> shape,
                                std::span<const unsigned> axes);

} // namespace moe::cost

#endif // MOE_COST_MESHSHAPE_H
