// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a collective costs.

#include "Loads.h"
#include "moe/Cost/GroupLayout.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace moe::cost;

//===----------------------------------------------------------------------===//
// Splitting by level
//===----------------------------------------------------------------------===//

namespace {

/// Adds the messages of one group to the loads, as fractions of the buffer.
/// `members` are sorted, so those in one instance of a level are neighbours.
class GroupTraffic {
public:
  GroupTraffic(const std::vector<Level> &levels,
               std::span<const int64_t> members, Loads &loads)
      : levels(levels), members(members), loads(loads),
        size(double(members.size())) {}

  void addAllToAll() {
    for (size_t l = 0; l < levels.size(); ++l)
      forEachInstance(l, 0, members.size(), [&](size_t begin, size_t end) {
        forEachInstance(l - 1, begin, end, [&](size_t from, size_t to) {
          double peers = double((end - begin) - (to - from));
          for (size_t i = from; i < to; ++i)
            loads.add(l, members[i], peers / size, peers / size);
        });
      });
  }

  void addAllGather() {
    for (size_t l = 0; l < levels.size(); ++l)
      forEachInstance(l, 0, members.size(), [&](size_t begin, size_t end) {
        addRing(l, begin, end);
      });
  }

private:
  /// Visits the runs of members in [begin, end) that share an instance of a
  /// level; level -1 has an instance for each rank.
  template <typename Visitor>
  void forEachInstance(size_t level, size_t begin, size_t end,
                       Visitor visit) const {
    int64_t ranks = level == size_t(-1) ? 1 : levels[level].ranks;
    for (size_t from = begin; from < end;) {
      size_t to = from + 1;
      while (to < end && members[to] / ranks == members[from] / ranks)
        ++to;
      visit(from, to);
      from = to;
    }
  }

  /// The ring of the parts of one instance of a level. Levels further out have
  /// left an even share of the whole result with each member.
  void addRing(size_t level, size_t begin, size_t end) {
    std::vector<std::pair<size_t, size_t>> parts;
    forEachInstance(level - 1, begin, end, [&](size_t from, size_t to) {
      parts.push_back({from, to});
    });
    if (parts.size() == 1)
      return;
    double all = double(end - begin);
    for (size_t p = 0; p < parts.size(); ++p) {
      auto [from, to] = parts[p];
      auto [nextFrom, nextTo] = parts[(p + 1) % parts.size()];
      double own = double(to - from), next = double(nextTo - nextFrom);
      for (size_t i = from; i < to; ++i)
        loads.add(level, members[i], (all - next) / (all * own),
                  (all - own) / (all * own));
    }
  }

  const std::vector<Level> &levels;
  std::span<const int64_t> members;
  Loads &loads;
  double size;
};

} // namespace

std::optional<Failure> moe::cost::checkMachine(const Machine &machine,
                                               int64_t numRanks) {
  if (auto problem = checkLevels(machine.levels))
    return Failure{
        "platform '" + machine.name + "': " +
        (problem->level
             ? "levels[" + std::to_string(*problem->level) + "]." + problem->key
             : std::string("levels")) +
        ": " + problem->reason};
  if (numRanks > machine.getNumRanks())
    return Failure{"platform '" + machine.name + "': expected at most " +
                   std::to_string(machine.getNumRanks()) +
                   " ranks, which the outermost level spans, got " +
                   std::to_string(numRanks)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

std::vector<CollectivePlan::PlannedLevel>
CollectivePlan::listLevels(const Machine &machine, const RankGroups &groups,
                           CollectiveKind kind) {
  Loads loads(machine.levels, groups.getRankLimit());
  std::vector<int64_t> members;
  for (int64_t g = 0; g < groups.getNumGroups(); ++g) {
    std::span<const int64_t> group = groups.getGroup(g);
    members.assign(group.begin(), group.end());
    std::sort(members.begin(), members.end());
    GroupTraffic traffic(machine.levels, members, loads);
    if (kind == CollectiveKind::AllToAll)
      traffic.addAllToAll();
    else
      traffic.addAllGather();
  }

  std::vector<PlannedLevel> levels;
  // A reduce-scatter swaps egress and ingress, which leaves the larger of the
  // two as it is; an all-reduce is one after the other.
  double passes = kind == CollectiveKind::AllReduce ? 2 : 1;
  for (unsigned l = 0; l < machine.levels.size(); ++l) {
    Loads::Busiest busiest = loads.getBusiest(l);
    if (busiest.endpointBytes == 0)
      continue;
    const Level &level = machine.levels[l];
    levels.push_back({l, passes * busiest.rankBytes,
                      passes * busiest.endpointBytes, busiest.endpoint,
                      level.bandwidth, level.efficiency,
                      level.getContainedLatency()});
  }
  return levels;
}

Result<CollectivePlan> CollectivePlan::create(const Machine &machine,
                                              const RankGroups &groups,
                                              CollectiveKind kind) {
  if (auto failure = checkMachine(machine, groups.getRankLimit()))
    return *failure;
  CollectivePlan plan;
  plan.groupSize = groups.getGroupSize();
  plan.isInside = groups.stayInside(machine.levels.front().ranks);
  plan.levels = listLevels(machine, groups, kind);
  if (plan.levels.empty())
    return plan;

  const Level &outermost = machine.levels[plan.levels.back().level];
  plan.alpha = outermost.getCountedLatency();
  if (const std::optional<CollectiveFit> &fit = outermost.getFit(kind))
    plan.takeLine(machine, groups, kind, *fit);
  return plan;
}

/// Whether the slopes of lines are scaled to a group's size by what its busiest
/// link carries of a buffer, `getRatio` times that of a line, instead of by
/// what a rank sends: outside of the sizes that were measured, and between two
/// of them where their slopes so differ less.
static bool
isSlopeByLinks(const std::vector<CollectiveFit> &lines, int64_t groupSize,
               const std::function<double(const CollectiveFit &)> &getRatio) {
  NearestLines nearest{groupSize};
  for (const CollectiveFit &line : lines)
    nearest.look(line);
  const CollectiveFit *below = nearest.below, *above = nearest.above;
  if (!below || !above)
    return true;
  if (below == above)
    return false;
  auto differ = [&](auto scale) {
    return std::abs(std::log(below->beta.value() * scale(*below)) -
                    std::log(above->beta.value() * scale(*above)));
  };
  auto getSentRatio = [&](const CollectiveFit &line) {
    return getSentFraction(groupSize) / getSentFraction(*line.groupRanks);
  };
  return differ(getRatio) < differ(getSentRatio);
}

void CollectivePlan::takeLine(const Machine &machine, const RankGroups &groups,
                              CollectiveKind kind,
                              const CollectiveFit &stated) {
  unsigned outermost = levels.back().level;
  int64_t inner = outermost == 0 ? 1 : machine.levels[outermost - 1].ranks;
  std::optional<int64_t> together = groups.countTogether(inner);
  if (!stated.groupRanks) {
    fit = stated;
    return;
  }
  auto getSlowest = [](const std::vector<PlannedLevel> &of, Bytes buffer) {
    Microseconds slowest;
    for (const PlannedLevel &level : of)
      slowest = std::max(slowest, level.getTime(buffer));
    return slowest;
  };
  // How much longer these groups take than that of a line, by levels.
  auto getRatio = [&](const CollectiveFit &line, int64_t size) {
    int64_t lay = line.getRanksTogether(inner);
    auto one = RankGroups::fromLists(layOutGroup(size, lay, inner), size);
    Bytes buffer = line.maxBytes.value_or(Bytes(1 << 30));
    Microseconds measured =
        one ? getSlowest(listLevels(machine, *one, kind), buffer)
            : Microseconds(0);
    return measured > Microseconds(0) ? getSlowest(levels, buffer) / measured
                                      : 1.0;
  };
  std::vector<CollectiveFit> all = stated.others, alike;
  all.insert(all.begin(), stated);
  all.front().others.clear();
  for (const CollectiveFit &line : all)
    if (line.getRanksTogether(inner) == together)
      alike.push_back(line);
  bool lieAlike = !alike.empty();
  // `getLine` scales by what a rank sends. The links of a ring carry as much,
  // whichever they are; of an all-to-all those between nodes carry only what
  // leaves one, which is half on two nodes and nearly all on many.
  bool isCounted = !lieAlike;
  if (lieAlike && kind == CollectiveKind::AllToAll && inner > 1)
    isCounted =
        isSlopeByLinks(alike, groupSize, [&](const CollectiveFit &line) {
          return getRatio(line, *line.groupRanks);
        });
  for (CollectiveFit &line : lieAlike ? alike : all) {
    // Groups between whose ranks lie others' may share NICs, which the one
    // that was measured did not.
    if (!isCounted && together == inner)
      continue;
    int64_t size = isCounted ? *line.groupRanks : groupSize;
    line.beta = line.beta * getRatio(line, size);
    if (isCounted)
      line.beta = line.beta * (getSentFraction(size) /
                               getSentFraction(groupSize));
  }
  std::vector<CollectiveFit> &taken = lieAlike ? alike : all;
  CollectiveFit lines = taken.front();
  lines.others.assign(taken.begin() + 1, taken.end());
  fit = getLine(lines, groupSize, isOutsideOfFits);
  isOutsideOfFits |= !lieAlike;
}

Microseconds CollectivePlan::getTime(Bytes buffer) const {
  if (fit)
    return fit->alpha + buffer * fit->beta;
  Microseconds slowest;
  for (const PlannedLevel &level : levels)
    slowest = std::max(slowest, level.getTime(buffer));
  return alpha + slowest;
}

bool CollectivePlan::isExtrapolated(Bytes buffer) const {
  if (fit)
    return isOutsideOfFits || (fit->minBytes && buffer < *fit->minBytes) ||
           (fit->maxBytes && buffer > *fit->maxBytes);
  auto slowest =
      std::max_element(levels.begin(), levels.end(),
                       [&](const PlannedLevel &a, const PlannedLevel &b) {
                         return a.getTime(buffer) < b.getTime(buffer);
                       });
  return slowest != levels.end() &&
         slowest->efficiency.isExtrapolatedAt(buffer);
}

double moe::cost::getReached(const EfficiencyCurve &curve, Bytes buffer,
                             Bytes moved, GBps bandwidth, Microseconds time) {
  const auto &points = curve.getPoints();
  return points.empty() || buffer.value() >= points.front().bytes ||
                 time == Microseconds(0)
             ? curve.at(buffer)
             : moved / bandwidth / time;
}

CostBreakdown CollectivePlan::explain(Bytes buffer) const {
  CostBreakdown cost;
  for (const PlannedLevel &level : levels) {
    Bytes endpointBytes = buffer * level.endpointFraction;
    Microseconds time = level.getTime(buffer);
    cost.levels.push_back({level.level, buffer * level.rankFraction,
                           endpointBytes, level.endpoint,
                           getReached(level.efficiency, buffer, endpointBytes,
                                      level.bandwidth, time),
                           time});
    if (!cost.bottleneck ||
        cost.levels.back().time > cost.levels[*cost.bottleneck].time)
      cost.bottleneck = cost.levels.size() - 1;
  }
  cost.time = getTime(buffer);
  if (fit) {
    cost.isFit = true;
    cost.alpha = fit->alpha;
  } else {
    cost.alpha = alpha;
  }
  cost.isExtrapolated = isExtrapolated(buffer);
  return cost;
}

double CollectivePlan::getRankFraction(unsigned level) const {
  for (const PlannedLevel &planned : levels)
    if (planned.level == level)
      return planned.rankFraction;
  return 0;
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

size_t CostModel::Hash::operator()(const Key &key) const {
  // FNV-1a over the ranks.
  uint64_t hash = 14695981039346656037u;
  auto mix = [&](uint64_t number) { hash = (hash ^ number) * 1099511628211u; };
  mix(uint64_t(key.kind));
  mix(uint64_t(key.groups.getGroupSize()));
  for (int64_t rank : key.groups.getRanks())
    mix(uint64_t(rank));
  return size_t(hash);
}

Result<const CollectivePlan *> CostModel::getPlan(const RankGroups &groups,
                                                  CollectiveKind kind) {
  Key key{groups, kind};
  auto found = plans.find(key);
  if (found == plans.end()) {
    Result<CollectivePlan> plan = CollectivePlan::create(machine, groups, kind);
    if (!plan)
      return plan.getFailure();
    found = plans
                .emplace(std::move(key),
                         std::make_unique<CollectivePlan>(std::move(*plan)))
                .first;
  }
  return static_cast<const CollectivePlan *>(found->second.get());
}
