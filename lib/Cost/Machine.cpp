// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine model of the planners.

#include "Loads.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <cmath>

using namespace moe::cost;

std::string moe::cost::explainTooSmall(double bytes, int64_t chunks,
                                       double minimumBytes) {
  return "messages of " + formatDigits(bytes, 10) + " bytes with " +
         toText(chunks) + (chunks == 1 ? " chunk" : " chunks") + ", at least " +
         formatDigits(minimumBytes, 10) + " expected";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr std::string_view kKindNames[kNumCollectiveKinds] = {
    "all_to_all", "all_gather", "reduce_scatter", "all_reduce"};

static constexpr std::string_view kResourceNames[kNumResources] = {
    "inter", "intra", "copy", "compute"};

std::string_view moe::cost::getName(CollectiveKind kind) {
  return kKindNames[unsigned(kind)];
}

std::optional<CollectiveKind>
moe::cost::parseCollectiveKind(std::string_view name) {
  for (unsigned i = 0; i < kNumCollectiveKinds; ++i)
    if (kKindNames[i] == name)
      return CollectiveKind(i);
  return std::nullopt;
}

static constexpr std::string_view kAlgorithmNames[] = {"ring", "tree",
                                                       "nvls-tree"};

std::string_view moe::cost::getName(StepAlgorithm algorithm) {
  return kAlgorithmNames[unsigned(algorithm)];
}

std::optional<StepAlgorithm>
moe::cost::parseStepAlgorithm(std::string_view name) {
  for (unsigned i = 0; i < std::size(kAlgorithmNames); ++i)
    if (kAlgorithmNames[i] == name)
      return StepAlgorithm(i);
  return std::nullopt;
}

std::string_view moe::cost::getName(Resource resource) {
  return kResourceNames[unsigned(resource)];
}

std::optional<Resource> moe::cost::parseResource(std::string_view name) {
  for (unsigned i = 0; i < kNumResources; ++i)
    if (kResourceNames[i] == name)
      return Resource(i);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

EfficiencyCurve::EfficiencyCurve(std::vector<CurvePoint> points)
    : points(std::move(points)) {
  logBytes.reserve(this->points.size());
  for (const CurvePoint &point : this->points)
    logBytes.push_back(std::log(point.bytes));
}

double EfficiencyCurve::at(Bytes size) const {
  if (points.empty())
    return 1;
  if (!(size.value() > points.front().bytes))
    return points.front().ratio;
  if (size.value() >= points.back().bytes)
    return points.back().ratio;
  auto above = std::upper_bound(points.begin(), points.end(), size.value(),
                                [](double bytes, const CurvePoint &point) {
                                  return bytes < point.bytes;
                                });
  size_t right = size_t(above - points.begin()), left = right - 1;
  // A point itself gives its own ratio, whatever logarithms round to.
  if (size.value() == points[left].bytes)
    return points[left].ratio;
  double share = (std::log(size.value()) - logBytes[left]) /
                 (logBytes[right] - logBytes[left]);
  return points[left].ratio +
         share * (points[right].ratio - points[left].ratio);
}

bool EfficiencyCurve::isExtrapolatedAt(Bytes size) const {
  // One point is a constant, which holds for all sizes.
  return points.size() > 1 && (size.value() < points.front().bytes ||
                               size.value() > points.back().bytes);
}

Microseconds
EfficiencyCurve::getTime(Bytes size, double fraction, GBps bandwidth,
                         std::optional<Microseconds> contained) const {
  Microseconds flat = size * fraction / (bandwidth * at(size));
  if (!contained || points.empty() || size.value() >= points.front().bytes)
    return flat;
  const CurvePoint &first = points.front();
  Microseconds firstTime =
      Bytes(first.bytes) * fraction / (bandwidth * first.ratio);
  return std::min(std::max(flat, *contained), firstTime);
}

std::optional<std::pair<size_t, std::string>>
EfficiencyCurve::check(const std::vector<CurvePoint> &points) {
  for (size_t i = 0; i < points.size(); ++i) {
    auto [bytes, ratio] = points[i];
    if (!(bytes > 0) || !std::isfinite(bytes))
      return std::pair(i, "expected bytes > 0, got " + formatShortest(bytes));
    if (!(ratio > 0 && ratio <= 1))
      return std::pair(i, "expected an efficiency above 0 and at most 1, got " +
                              formatShortest(ratio));
    if (i > 0 && !(bytes > points[i - 1].bytes))
      return std::pair(i, "expected more bytes than the point before, " +
                              formatShortest(points[i - 1].bytes) + ", got " +
                              formatShortest(bytes));
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Measured lines
//===----------------------------------------------------------------------===//

CollectiveFit moe::cost::getLine(const CollectiveFit &fit, int64_t groupSize,
                                 bool &isOutside) {
  isOutside = false;
  CollectiveFit line = fit;
  line.others.clear();
  if (!fit.groupRanks || *fit.groupRanks < 2)
    return line;
  auto scale = [&](const CollectiveFit &of) {
    return of.beta *
           (getSentFraction(groupSize) / getSentFraction(*of.groupRanks));
  };
  NearestLines nearest{groupSize};
  nearest.look(fit);
  for (const CollectiveFit &other : fit.others)
    nearest.look(other);
  const CollectiveFit *below = nearest.below, *above = nearest.above;
  if (!below || !above) {
    isOutside = true;
    line = below ? *below : *above;
    line.others.clear();
    line.beta = scale(line);
    return line;
  }
  line = *below;
  line.others.clear();
  line.beta = scale(*below);
  if (below == above)
    return line;
  double share =
      std::log(double(groupSize) / double(*below->groupRanks)) /
      std::log(double(*above->groupRanks) / double(*below->groupRanks));
  line.alpha = below->alpha * (1 - share) + above->alpha * share;
  line.beta = scale(*below) * (1 - share) + scale(*above) * share;
  line.groupRanks = groupSize;
  // Keep the sizes at which both lines were measured.
  if (above->minBytes)
    line.minBytes =
        std::max(line.minBytes.value_or(Bytes(0)), *above->minBytes);
  if (above->maxBytes)
    line.maxBytes =
        std::min(line.maxBytes.value_or(*above->maxBytes), *above->maxBytes);
  line.rSquared.reset();
  line.origin = below->origin + "; " + above->origin;
  return line;
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// Returns the key of the first invalid field of a protocol, and the reason.
static std::optional<std::pair<std::string, std::string>>
checkProtocol(const StepProtocol &protocol) {
  for (auto [key, time] : {std::pair("start_us", protocol.start),
                           {"inner_step_us", protocol.innerStep},
                           {"step_us", protocol.step}})
    if (!(time.value() >= 0) || !std::isfinite(time.value()))
      return std::pair(std::string(key), "expected a number >= 0, got " +
                                             formatNumber(time.value()));
  if (!(protocol.share > 0 && protocol.share <= 1))
    return std::pair(std::string("bandwidth_share"),
                     "expected a share above 0 and at most 1, got " +
                         formatNumber(protocol.share));
  double most = protocol.mostRate.value_or(GBps(1)).value();
  if (!(most > 0) || !std::isfinite(most))
    return std::pair(std::string("max_GBps"),
                     "expected a number > 0, got " + formatNumber(most));
  if (auto problem = EfficiencyCurve::check(protocol.efficiency.getPoints()))
    return std::pair("efficiency[" + std::to_string(problem->first) + "]",
                     problem->second);
  return std::nullopt;
}

std::optional<LevelProblem>
moe::cost::checkLevels(const std::vector<Level> &levels) {
  if (levels.empty())
    return LevelProblem{std::nullopt, "", "expected at least one level"};
  int64_t inner = 1;
  for (size_t i = 0; i < levels.size(); ++i) {
    const Level &level = levels[i];
    auto fail = [&](std::string key, std::string reason) {
      return LevelProblem{i, std::move(key), std::move(reason)};
    };
    if (level.ranks <= inner || level.ranks % inner != 0)
      return fail("ranks",
                  "expected levels from the innermost outward, each of a "
                  "multiple of the ranks before it (" +
                      std::to_string(inner) + "), got " +
                      std::to_string(level.ranks));
    if (level.ranksPerNic < 1 || inner % level.ranksPerNic != 0)
      return fail("ranks_per_nic",
                  "expected a divisor of the ranks of the level before (" +
                      std::to_string(inner) + "), got " +
                      std::to_string(level.ranksPerNic));
    double rate = level.bandwidth.value();
    if (!(rate > 0) || !std::isfinite(rate))
      return fail("bandwidth_GBps",
                  "expected a number > 0, got " + formatShortest(rate));
    double port = level.portRate.value_or(level.bandwidth).value();
    if (!(port > 0) || !std::isfinite(port))
      return fail("port_GBps",
                  "expected a number > 0, got " + formatShortest(port));
    double latency = level.latency.value();
    if (!(latency >= 0) || !std::isfinite(latency))
      return fail("latency_us",
                  "expected a number >= 0, got " + formatShortest(latency));
    if (auto problem = EfficiencyCurve::check(level.efficiency.getPoints()))
      return fail("efficiency[" + std::to_string(problem->first) + "]",
                  problem->second);
    for (size_t j = 0; j < level.protocols.size(); ++j) {
      std::string of = "protocols[" + std::to_string(j) + "].";
      if (auto problem = checkProtocol(level.protocols[j]))
        return fail(of + problem->first, problem->second);
      // The switches belong to the level before.
      if (i == 0 && level.protocols[j].algorithm == StepAlgorithm::NvlsTree)
        return fail(of + "algorithm",
                    "expected ring or tree at the innermost level, got "
                    "nvls-tree");
    }
    for (size_t j = 0; j < i; ++j)
      if (levels[j].name == level.name)
        return fail("name", "expected a name of its own, got '" + level.name +
                                "' as levels[" + std::to_string(j) + "]");
    inner = level.ranks;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

double Machine::getContention(Resource slowed, Resource by) const {
  double factor = 1;
  for (const ContentionFactor &entry : contention)
    if (entry.slowed == slowed && entry.by == by)
      factor *= entry.factor;
  return factor;
}

Microseconds moe::cost::getCopyTime(const CopyEngine &copy, Bytes bytes) {
  Microseconds counted =
      copy.efficiency.isEmpty() ? copy.latency : Microseconds(0);
  return counted +
         copy.efficiency.getTime(bytes, 1, copy.bandwidth, copy.latency);
}

bool moe::cost::isCopyExtrapolated(const CopyEngine &copy, Bytes bytes) {
  return copy.efficiency.isExtrapolatedAt(bytes);
}

Microseconds moe::cost::getGemmTime(const GemmCost &gemm, Macs macs,
                                    int64_t gemms) {
  return double(gemms) * gemm.alpha + macs * gemm.beta;
}
