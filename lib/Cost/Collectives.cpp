// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of collectives.

#include "moe/Cost/Collectives.h"
#include "Loads.h"
#include "moe/Cost/GroupLayout.h"
#include "moe/Cost/MeshShape.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

using namespace moe::cost;

//===----------------------------------------------------------------------===//
// Groups of ranks
//===----------------------------------------------------------------------===//

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

  return RankGroups(listGroups(shape, axes), cost::getGroupSize(shape, axes),
                    numRanks);
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

//===----------------------------------------------------------------------===//
// Splitting by level
//===----------------------------------------------------------------------===//

namespace {

/// Adds the messages of one group to the loads, as fractions of the buffer.
/// `members` are sorted, so members in one instance of a level are adjacent.
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

  /// Adds the bytes that each part of an instance passes on to others under an
  /// algorithm, spread over the members of the part.
  void addSteps(StepAlgorithm algorithm) {
    for (size_t l = 0; l < levels.size(); ++l)
      forEachInstance(l, 0, members.size(), [&](size_t begin, size_t end) {
        int64_t parts = 0;
        forEachInstance(l - 1, begin, end, [&](size_t, size_t) { ++parts; });
        if (parts == 1)
          return;
        double share = getPassedOn(algorithm, l, parts);
        forEachInstance(l - 1, begin, end, [&](size_t from, size_t to) {
          double each = share / double(to - from);
          for (size_t i = from; i < to; ++i)
            loads.add(l, members[i], each, each);
        });
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

  /// Returns the data that one of the `parts` of an instance passes on, as a
  /// fraction of the buffer.
  double getPassedOn(StepAlgorithm algorithm, size_t level,
                     int64_t parts) const {
    if (algorithm == StepAlgorithm::Ring)
      return (size - 1) / size;
    // Each rank gives the switches the buffer, and its own part of the result.
    if (algorithm == StepAlgorithm::NvlsTree && level == 0)
      return 1 + 1 / double(parts);
    // A node of the two trees has 4 neighbours, or 2 or 3 if there are so few
    // nodes, and sends each of them half of the buffer.
    return double(std::min<int64_t>(parts, 4)) / 2;
  }

  /// Adds the ring of the parts of one instance of a level. Outer levels have
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
                           CollectiveKind kind,
                           std::optional<StepAlgorithm> algorithm) {
  Loads loads(machine.levels, groups.getRankLimit());
  std::vector<int64_t> members;
  for (int64_t g = 0; g < groups.getNumGroups(); ++g) {
    std::span<const int64_t> group = groups.getGroup(g);
    members.assign(group.begin(), group.end());
    std::sort(members.begin(), members.end());
    GroupTraffic traffic(machine.levels, members, loads);
    if (algorithm)
      traffic.addSteps(*algorithm);
    else if (kind == CollectiveKind::AllToAll)
      traffic.addAllToAll();
    else
      traffic.addAllGather();
  }

  std::vector<PlannedLevel> levels;
  // A reduce-scatter swaps egress and ingress, which leaves the larger of the
  // two as it is; an all-reduce is one after the other. A tree's share is of
  // both ways.
  double passes =
      kind == CollectiveKind::AllReduce &&
              algorithm.value_or(StepAlgorithm::Ring) == StepAlgorithm::Ring
          ? 2
          : 1;
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
  else if (kind != CollectiveKind::AllToAll)
    plan.takeProtocols(machine, groups, kind);
  return plan;
}

/// Returns true if the slopes of lines must be scaled to a group's size by the
/// bytes on its busiest link, `getRatio` times the bytes of a line's group,
/// instead of by the bytes that each rank sends. This is the case outside of
/// the measured sizes, and between two measured sizes whose slopes agree better
/// after this scaling.
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
  // The time of these groups over the time of a line's group, by levels.
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
  // `getLine` scales by the bytes that each rank sends. All links of a ring
  // carry as many bytes. In an all-to-all, links between nodes carry only the
  // bytes that leave a node: half of them on two nodes, and nearly all on many.
  bool isCounted = !lieAlike;
  if (lieAlike && kind == CollectiveKind::AllToAll && inner > 1)
    isCounted =
        isSlopeByLinks(alike, groupSize, [&](const CollectiveFit &line) {
          return getRatio(line, *line.groupRanks);
        });
  for (CollectiveFit &line : lieAlike ? alike : all) {
    // Interleaved groups may share NICs, which the measured group did not.
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

/// Returns the largest number of instances, each of `ranks` consecutive ranks,
/// that a group spans.
static int64_t countInstances(const RankGroups &groups, int64_t ranks) {
  int64_t most = 1;
  for (int64_t g = 0; g < groups.getNumGroups(); ++g) {
    std::set<int64_t> instances;
    for (int64_t rank : groups.getGroup(g))
      instances.insert(rank / ranks);
    most = std::max(most, int64_t(instances.size()));
  }
  return most;
}

/// Returns the number of ranks of a group in each instance of `ranks`
/// consecutive ranks, independently of their order in the group; nullopt if
/// instances differ.
static std::optional<int64_t> countInInstance(const RankGroups &groups,
                                              int64_t ranks) {
  std::optional<int64_t> count;
  for (int64_t g = 0; g < groups.getNumGroups(); ++g) {
    std::map<int64_t, int64_t> counts;
    for (int64_t rank : groups.getGroup(g))
      ++counts[rank / ranks];
    for (auto [instance, number] : counts) {
      if (count.value_or(number) != number)
        return std::nullopt;
      count = number;
    }
  }
  return count;
}

/// Returns the protocol whose steps over the level replace a protocol's steps
/// if each rank is alone in its node. No step inside the node hides a part of
/// them then, and a ring takes the steps of the tree (NCCL's tuning.cc).
static const StepProtocol &
findExposed(const std::vector<StepProtocol> &protocols,
            const StepProtocol &protocol) {
  auto tree = std::find_if(
      protocols.begin(), protocols.end(), [&](const StepProtocol &other) {
        return other.algorithm == StepAlgorithm::Tree && !other.name.empty() &&
               other.name == protocol.name;
      });
  return tree == protocols.end() ? protocol : *tree;
}

/// The fewest ranks of a group in a node for which NCCL's switches reduce.
/// NCCL's logs of H100 list no such algorithm for 1 and 2 ranks.
static constexpr double kLeastSwitchRanks = 4;

void CollectivePlan::takeProtocols(const Machine &machine,
                                   const RankGroups &groups,
                                   CollectiveKind kind) {
  unsigned outermost = levels.back().level;
  const std::vector<StepProtocol> &protocols =
      machine.levels[outermost].protocols;
  if (protocols.empty())
    return;
  double rounds = kind == CollectiveKind::AllReduce ? 2 : 1;
  double sent = getSentFraction(groupSize);
  int64_t instances = countInstances(
      groups, outermost == 0 ? 1 : machine.levels[outermost - 1].ranks);

  auto list = [&](StepAlgorithm algorithm) {
    std::vector<PlannedLevel> all =
        listLevels(machine, groups, kind, algorithm);
    for (PlannedLevel &level : all) {
      // The steps contain the latency.
      level.containedLatency.reset();
      const Level &of = machine.levels[level.level];
      std::optional<int64_t> together = countInInstance(groups, of.ranks);
      const std::optional<CollectiveFit> &fit = of.getFit(kind);
      // Lines were measured with ranks that reduce, not with switches.
      if (level.level == outermost || algorithm == StepAlgorithm::NvlsTree ||
          !fit || together.value_or(1) < 2)
        continue;
      level.line = getLine(*fit, *together, level.isOutsideOfLines);
      level.lineRanks = *together;
      if (fit->groupRanks)
        level.line->beta =
            level.line->beta * (sent / getSentFraction(*together));
    }
    return all;
  };
  double inNode = double(groupSize) / double(instances);
  double depth = std::floor(std::log2(double(instances)));
  auto getSteps = [&](const StepProtocol &protocol) {
    const StepProtocol &stepped =
        instances == groupSize ? findExposed(protocols, protocol) : protocol;
    switch (protocol.algorithm) {
    case StepAlgorithm::Ring:
      return rounds * (double(groupSize - instances) * protocol.innerStep +
                       double(instances - 1) * stepped.step);
    case StepAlgorithm::Tree:
      return rounds *
             ((inNode - 1) * protocol.innerStep + depth * protocol.step);
    case StepAlgorithm::NvlsTree:
      return protocol.innerStep + rounds * depth * protocol.step;
    }
    return Microseconds(0);
  };

  std::array<std::optional<std::vector<PlannedLevel>>, 3> links;
  for (const StepProtocol &protocol : protocols) {
    bool isRing = protocol.algorithm == StepAlgorithm::Ring;
    if (!isRing && kind != CollectiveKind::AllReduce)
      continue;
    if (protocol.algorithm == StepAlgorithm::NvlsTree &&
        inNode < kLeastSwitchRanks)
      continue;
    auto &listed = links[unsigned(protocol.algorithm)];
    if (!listed)
      listed = list(protocol.algorithm);
    std::string name(getName(protocol.algorithm));
    if (!protocol.name.empty())
      name += ", " + protocol.name;
    Way way{std::move(name),
            protocol.start + getSteps(protocol),
            *listed,
            protocol.share,
            MicrosecondsPerByte(0),
            protocol.efficiency};
    if (!protocol.efficiency.isEmpty())
      way.levels.back().efficiency = protocol.efficiency;
    if (protocol.mostRate)
      way.least = MicrosecondsPerByte(
          (Bytes(isRing ? rounds * sent : 2) / *protocol.mostRate).value());
    ways.push_back(std::move(way));
  }
}

Microseconds CollectivePlan::Way::getTime(Bytes buffer) const {
  Microseconds slowest = getLeastTime(buffer);
  for (const PlannedLevel &level : levels)
    slowest = std::max(slowest, getTime(level, buffer));
  return alpha + slowest;
}

const CollectivePlan::Way *CollectivePlan::findWay(Bytes buffer) const {
  auto fastest = std::min_element(
      ways.begin(), ways.end(), [&](const Way &a, const Way &b) {
        return a.getTime(buffer) < b.getTime(buffer);
      });
  return fastest == ways.end() ? nullptr : &*fastest;
}

bool CollectivePlan::PlannedLevel::isExtrapolatedAt(Bytes buffer) const {
  return line ? isOutsideOfLines ||
                    (line->minBytes && buffer < *line->minBytes) ||
                    (line->maxBytes && buffer > *line->maxBytes)
              : efficiency.isExtrapolatedAt(buffer);
}

Microseconds CollectivePlan::getTime(Bytes buffer) const {
  if (fit)
    return fit->alpha + buffer * fit->beta;
  if (const Way *way = findWay(buffer))
    return way->getTime(buffer);
  Microseconds slowest;
  for (const PlannedLevel &level : levels)
    slowest = std::max(slowest, level.getTime(buffer));
  return alpha + slowest;
}

bool CollectivePlan::isExtrapolated(Bytes buffer) const {
  return isExtrapolated(buffer, findWay(buffer));
}

bool CollectivePlan::isExtrapolated(Bytes buffer, const Way *way) const {
  if (fit)
    return isOutsideOfFits || (fit->minBytes && buffer < *fit->minBytes) ||
           (fit->maxBytes && buffer > *fit->maxBytes);
  const std::vector<PlannedLevel> &used = way ? way->levels : levels;
  auto slowest =
      std::max_element(used.begin(), used.end(),
                       [&](const PlannedLevel &a, const PlannedLevel &b) {
                         return a.getTime(buffer) < b.getTime(buffer);
                       });
  if (way && slowest != used.end() &&
      way->getLeastTime(buffer) > way->getTime(*slowest, buffer))
    return way->efficiency.isExtrapolatedAt(buffer);
  return slowest != used.end() && slowest->isExtrapolatedAt(buffer);
}

/// Returns the sizes of the first and last point of a curve; nullopt if it is
/// empty.
static std::optional<std::pair<Bytes, Bytes>>
getSizes(const EfficiencyCurve &curve) {
  const auto &points = curve.getPoints();
  if (points.empty())
    return std::nullopt;
  return std::pair(Bytes(points.front().bytes), Bytes(points.back().bytes));
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
  const Way *way = findWay(buffer);
  const std::vector<PlannedLevel> &used = way ? way->levels : levels;
  for (const PlannedLevel &level : used) {
    Bytes endpointBytes = buffer * level.endpointFraction;
    Microseconds time =
        way ? way->getTime(level, buffer) : level.getTime(buffer);
    // A protocol's highest rate is a rate over the level that states it.
    bool isLimited =
        way && &level == &used.back() && way->getLeastTime(buffer) > time;
    if (isLimited)
      time = way->getLeastTime(buffer);
    double reached = way && time > Microseconds(0)
                         ? endpointBytes / level.bandwidth / time
                         : getReached(level.efficiency, buffer, endpointBytes,
                                      level.bandwidth, time);
    cost.levels.push_back({level.level, buffer * level.rankFraction,
                           endpointBytes, level.endpoint, reached, time,
                           level.lineRanks});
    if (!cost.bottleneck || time > cost.levels[*cost.bottleneck].time) {
      cost.bottleneck = cost.levels.size() - 1;
      cost.isAtProtocolLimit = isLimited;
      cost.curveSizes = isLimited    ? getSizes(way->efficiency)
                        : level.line ? std::nullopt
                                     : getSizes(level.efficiency);
    }
  }
  cost.time = getTime(buffer);
  if (fit) {
    cost.isFit = true;
    cost.alpha = fit->alpha;
  } else if (way) {
    cost.protocol = way->name;
    cost.alpha = way->alpha;
  } else {
    cost.alpha = alpha;
  }
  cost.isExtrapolated = isExtrapolated(buffer, way);
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
