// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes how far a prediction is from the measurements.

#include "moe/Cost/Extrapolation.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <tuple>

using namespace moe::cost;

/// Returns "8", or "16 (1 of each node)" if the ranks do not fill the instances
/// of the next inner level, which has `inner` ranks.
static std::string describeGroup(int64_t ranks, std::optional<int64_t> together,
                                 int64_t inner, const std::string &innerName) {
  std::string text = std::to_string(ranks);
  if (inner > 1 && together && *together != inner)
    text += " (" + std::to_string(*together) + " of each " + innerName + ")";
  return text;
}

/// Returns a description if no line has groups with the same layout, or if all
/// such lines have smaller groups or all have larger ones. Otherwise returns an
/// empty string.
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

/// Returns a description if the groups of all lines have fewer than `ranks`
/// ranks, or if all have more. Otherwise returns an empty string.
static std::string describeSizes(int64_t ranks,
                                 const std::vector<CollectiveFit> &lines) {
  bool isAbove = false, isBelow = false;
  std::string measured;
  for (const CollectiveFit &line : lines) {
    isAbove |= *line.groupRanks >= ranks;
    isBelow |= *line.groupRanks <= ranks;
    measured += (measured.empty()         ? ""
                 : &line == &lines.back() ? " and "
                                          : ", ") +
                std::to_string(*line.groupRanks);
  }
  if (isAbove && isBelow)
    return "";
  return "groups of " + std::to_string(ranks) + " ranks, where " + measured +
         " were measured";
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
  const LevelCost &slowest = cost.levels[*cost.bottleneck];
  // A protocol takes the slopes of lines inside of the outermost level.
  bool isByLine = slowest.lineRanks.has_value() && !cost.isAtProtocolLimit;
  std::optional<Bytes> least, most;
  if (cost.isFit || isByLine) {
    const CollectiveFit &fit =
        *machine.levels[isByLine ? slowest.level : outermost].getFit(kind);
    std::vector<CollectiveFit> lines = fit.others;
    lines.insert(lines.begin(), fit);
    std::string groupsOf;
    if (fit.groupRanks && cost.isFit)
      groupsOf = describeGroups(machine, outermost, groups, lines);
    else if (fit.groupRanks)
      groupsOf = describeSizes(*slowest.lineRanks, lines);
    if (!groupsOf.empty())
      return groupsOf;
    for (const CollectiveFit &line : lines) {
      if (line.minBytes)
        least = least ? std::max(*least, *line.minBytes) : *line.minBytes;
      if (line.maxBytes)
        most = most ? std::min(*most, *line.maxBytes) : *line.maxBytes;
    }
  } else if (cost.curveSizes) {
    std::tie(least, most) = *cost.curveSizes;
  }
  std::string size = buffer ? formatDigits(buffer->value(), 12) + " bytes"
                            : std::string("rows of uneven runs");
  if (!least || !most)
    return size + ", outside of what was measured";
  return size + ", where " + formatDigits(least->value(), 12) + " to " +
         formatDigits(most->value(), 12) + " bytes were measured";
}
