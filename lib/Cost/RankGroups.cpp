// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of ranks that act at once.

#include "moe/Cost/Collectives.h"

#include <algorithm>

using namespace moe::cost;

/// Ranks of a mesh; keeps every count and every product far from overflow.
static constexpr int64_t kMaxRanks = int64_t(1) << 24;

Result<RankGroups> RankGroups::fromMesh(std::span<const int64_t> shape,
                                        std::span<const unsigned> axes) {
  int64_t numRanks = 1;
  for (int64_t size : shape) {
    if (size < 1)
      return Failure{"mesh: expected axes of at least 1 rank, got " +
                     std::to_string(size)};
    if (size > kMaxRanks / numRanks)
      return Failure{"mesh: expected at most " + std::to_string(kMaxRanks) +
                     " ranks, got more"};
    numRanks *= size;
  }
  std::vector<bool> inGroup(shape.size(), false);
  for (unsigned axis : axes) {
    if (axis >= shape.size())
      return Failure{"group: expected an axis below " +
                     std::to_string(int64_t(shape.size())) + ", got " +
                     std::to_string(axis)};
    if (inGroup[axis])
      return Failure{"group: expected each axis at most once, got axis " +
                     std::to_string(axis) + " twice"};
    inGroup[axis] = true;
  }

  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  // Offsets of the places that some axes make, the last axis fastest.
  auto getOffsets = [&](const std::vector<unsigned> &of) {
    std::vector<int64_t> offsets = {0};
    for (unsigned axis : of) {
      std::vector<int64_t> longer;
      longer.reserve(offsets.size() * size_t(shape[axis]));
      for (int64_t offset : offsets)
        for (int64_t place = 0; place < shape[axis]; ++place)
          longer.push_back(offset + place * strides[axis]);
      offsets = std::move(longer);
    }
    return offsets;
  };
  std::vector<unsigned> others;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (!inGroup[axis])
      others.push_back(axis);
  std::vector<int64_t> members =
      getOffsets(std::vector<unsigned>(axes.begin(), axes.end()));
  std::vector<int64_t> ranks;
  ranks.reserve(size_t(numRanks));
  for (int64_t base : getOffsets(others))
    for (int64_t member : members)
      ranks.push_back(base + member);
  return RankGroups(std::move(ranks), int64_t(members.size()), numRanks);
}

Result<RankGroups> RankGroups::fromLists(std::vector<int64_t> ranks,
                                         int64_t groupSize) {
  if (groupSize < 1)
    return Failure{"groups: expected at least 1 rank a group, got " +
                   std::to_string(groupSize)};
  if (ranks.empty() || int64_t(ranks.size()) % groupSize != 0)
    return Failure{"groups: expected a positive multiple of " +
                   std::to_string(groupSize) + " ranks, got " +
                   std::to_string(int64_t(ranks.size()))};
  auto [least, greatest] = std::minmax_element(ranks.begin(), ranks.end());
  if (*least < 0 || *greatest >= kMaxRanks)
    return Failure{"groups: expected ranks in [0, " +
                   std::to_string(kMaxRanks) + "), got " +
                   std::to_string(*least < 0 ? *least : *greatest)};
  int64_t limit = *greatest + 1;
  std::vector<bool> seen(size_t(limit), false);
  for (int64_t rank : ranks) {
    if (seen[size_t(rank)])
      return Failure{"groups: expected each rank at most once, got rank " +
                     std::to_string(rank) + " twice"};
    seen[size_t(rank)] = true;
  }
  return RankGroups(std::move(ranks), groupSize, limit);
}

std::optional<int64_t> RankGroups::countTogether(int64_t levelRanks) const {
  std::optional<int64_t> together;
  for (int64_t g = 0; g < getNumGroups(); ++g) {
    std::span<const int64_t> group = getGroup(g);
    for (size_t first = 0; first < group.size();) {
      int64_t instance = group[first] / levelRanks;
      size_t end = first;
      while (end < group.size() && group[end] / levelRanks == instance)
        ++end;
      int64_t length = int64_t(end - first);
      if (together.value_or(length) != length)
        return std::nullopt;
      together = length;
      first = end;
    }
  }
  return together;
}
