// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was not measured.

#include "moe/Cost/Extrapolation.h"

#include <algorithm>
#include <cstdio>

using namespace moe::cost;

static std::string formatBytes(Bytes size) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.12g", size.value());
  return text;
}

/// "8", or "16 (1 of each node)" where ranks do not fill instances of the level
/// before, of `inner` ranks.
static std::string describeGroup(int64_t ranks, std::optional<int64_t> together,
                                 int64_t inner, const std::string &innerName) {
  std::string text = std::to_string(ranks);
  if (inner > 1 && together && *together != inner)
    text += " (" + std::to_string(*together) + " of each " + innerName + ")";
  return text;
}

/// Where no line is of groups that lie as these, or all are of smaller ones or
/// all of larger ones; else empty.
static std::string describeGroups(const Machine &machine, unsigned level,
                                  const RankGroups &groups,
                                  const std::vector<CollectiveFit> &lines) {
  int64_t inner = level == 0 ? 1 : machine.levels[level - 1].ranks;
  const std::string innerName = level == 0 ? "" : machine.levels[level - 1].name;
  std::optional<int64_t> together = groups.countTogether(inner);
  int64_t size = groups.getGroupSize();
  bool isAbove = false, isBelow = false;
  std::string measured;
  for (const CollectiveFit &line : lines) {
    int64_t ranks = *line.groupRanks, lie = line.getRanksTogether(inner);
    if (together == lie) {
      isAbove |= ranks >= size;
      isBelow |= ranks <= size;
    }
    measured += (measured.empty()        ? ""
                 : &line == &lines.back() ? " and "
                                          : ", ") +
                describeGroup(ranks, lie, inner, innerName);
  }
  if (isAbove && isBelow)
    return "";
  return "groups of " + describeGroup(size, together, inner, innerName) +
         " ranks, where " + measured + " were measured";
}

std::string moe::cost::describeExtrapolation(const Machine &machine,
                                             const RankGroups &groups,
                                             CollectiveKind kind,
                                             std::optional<Bytes> buffer) {
  Result<CollectivePlan> plan = CollectivePlan::create(machine, groups, kind);
  if (!plan)
    return "";
  CostBreakdown cost = plan->explain(buffer.value_or(Bytes(1)));
  if (cost.levels.empty())
    return "";
  unsigned outermost = cost.levels.back().level;
  std::optional<Bytes> least, most;
  if (const std::optional<CollectiveFit> &fit =
          machine.levels[outermost].getFit(kind)) {
    std::vector<CollectiveFit> lines = fit->others;
    lines.insert(lines.begin(), *fit);
    if (fit->groupRanks)
      if (std::string groupsOf =
              describeGroups(machine, outermost, groups, lines);
          !groupsOf.empty())
        return groupsOf;
    for (const CollectiveFit &line : lines) {
      if (line.minBytes)
        least = least ? std::max(*least, *line.minBytes) : *line.minBytes;
      if (line.maxBytes)
        most = most ? std::min(*most, *line.maxBytes) : *line.maxBytes;
    }
  } else if (const auto &points =
                 machine.levels[cost.levels[*cost.bottleneck].level]
                     .efficiency.getPoints();
             !points.empty()) {
    least = Bytes(points.front().bytes);
    most = Bytes(points.back().bytes);
  }
  std::string size = buffer ? formatBytes(*buffer) + " bytes"
                            : std::string("rows of uneven runs");
  if (!least || !most)
    return size + ", outside of what was measured";
  return size + ", where " + formatBytes(*least) + " to " +
         formatBytes(*most) + " bytes were measured";
}
