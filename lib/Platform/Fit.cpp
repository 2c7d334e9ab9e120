// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits models to measurements.

#include "FitUncertainty.h"
#include "moe/Cost/Collectives.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Cost/GroupLayout.h"
#include "moe/Support/Json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;
using namespace moe::support;

namespace {

/// Fits the logs of all collectives and levels into one platform.
class Fitter {
public:
  Fitter(std::span<const NcclLog> logs, const FitOptions &options,
         FitResult &result)
      : logs(logs), options(options), result(result),
        machine(result.platform.stated) {}

  /// Returns a failure if the logs cannot be fitted.
  std::optional<Failure> run(const Platform *base) {
    for (const NcclLog &log : logs)
      if (auto failure = check(log))
        return failure;
    if (base)
      result.platform = *base;
    else if (auto failure = makeLevels())
      return failure;
    if (auto failure = checkRepeated())
      return failure;
    // Logs of one collective at one level form one measurement if they have
    // equally many ranks with the same layout.
    std::map<std::tuple<size_t, CollectiveKind, int64_t, int64_t>,
             std::vector<const NcclLog *>>
        measured;
    for (const NcclLog &log : logs) {
      Result<size_t> level = getLevel(log);
      if (!level)
        return level.getFailure();
      measured[{*level, getKind(log), log.numRanks,
                getRanksTogether(log, *level)
                    .value_or(std::numeric_limits<int64_t>::max())}]
          .push_back(&log);
    }
    // All-reduces are the last collective of each level.
    for (const auto &[key, of] : measured)
      if (auto failure = fit(std::get<0>(key), std::get<1>(key), of))
        return failure;
    // The bandwidth of each level is only known now.
    for (size_t i = 0; i < result.reports.size(); ++i)
      if (auto failure = finish(i))
        return failure;
    if (base) {
      std::vector<std::string> files;
      for (const NcclLog &log : logs)
        files.push_back(log.file);
      handDownOrigin(result.platform,
                     "fitted to logs of nccl-tests: " + join(files));
      // New measurements make it another platform.
      machine.name += "-measured";
    }
    if (options.model == FitModel::AlphaBeta)
      setUncertainty(machine, result);
    if (options.name)
      machine.name = *options.name;
    result.platform.machine = applyFitted(machine, result.platform.fitted);
    return std::nullopt;
  }

private:
  CollectiveKind getKind(const NcclLog &log) const {
    return log.kind ? *log.kind : *options.kind;
  }

  std::optional<Failure> check(const NcclLog &log) const {
    if (!log.kind && !options.kind)
      return Failure{log.file + ": expected a log that names its test, got an "
                                "old one: say which collective it is of "
                                "(--collective=NAME)"};
    if (log.kind && options.kind && *log.kind != *options.kind)
      return Failure{log.file + ": expected a log of " +
                     std::string(getName(*options.kind)) + ", got one of " +
                     std::string(getName(*log.kind))};
    return std::nullopt;
  }

  /// One measurement must not count twice.
  std::optional<Failure> checkRepeated() const {
    for (size_t i = 0; i < logs.size(); ++i)
      for (size_t other = 0; other < i; ++other)
        if (getKind(logs[i]) == getKind(logs[other]) &&
            logs[i].numRanks == logs[other].numRanks &&
            logs[i].numHosts == logs[other].numHosts &&
            logs[i].samples == logs[other].samples)
          return Failure{logs[i].file +
                         ": expected another measurement than that of " +
                         logs[other].file + ", got the same times"};
    return std::nullopt;
  }

  static std::string describeRanks(const NcclLog &log) {
    return std::to_string(log.numRanks) + " ranks on " +
           std::to_string(log.numHosts) +
           (log.numHosts == 1 ? " host" : " hosts");
  }

  /// Without a base, creates a level for the ranks of one host and one for all
  /// hosts.
  std::optional<Failure> makeLevels() {
    if (options.level)
      return Failure{"expected a platform to find level '" + *options.level +
                     "' in, got none"};
    int64_t perHost = 1, all = 1;
    for (const NcclLog &log : logs)
      perHost = std::max(perHost, log.numRanks / log.numHosts);
    for (const NcclLog &log : logs)
      if (log.numHosts > 1)
        all = std::max(all, log.numHosts * perHost);
    machine.name = "measured";
    result.platform.origin = "fitted to logs of nccl-tests";
    auto add = [&](const char *name, int64_t ranks) {
      Level level;
      level.name = name;
      level.ranks = ranks;
      level.origin = "the greatest that was measured";
      level.latencyOrigin = "contained in what was measured";
      machine.levels.push_back(std::move(level));
    };
    if (perHost > 1) {
      if (std::none_of(logs.begin(), logs.end(),
                       [](const NcclLog &log) { return log.numHosts == 1; }))
        return Failure{"expected a log of one host, or a platform that says "
                       "what links " +
                       std::to_string(perHost) +
                       " ranks of a host, got neither"};
      add("node", perHost);
    }
    if (all > 1) {
      if (all % perHost != 0 || all == perHost)
        return Failure{"expected hosts of " + std::to_string(perHost) +
                       " ranks each, got " + std::to_string(all) +
                       " ranks in all"};
      add("network", all);
    }
    return std::nullopt;
  }

  /// Returns the number of ranks in an instance of the next inner level.
  int64_t getInnerRanks(size_t level) const {
    return level == 0 ? 1 : machine.levels[level - 1].ranks;
  }

  /// Returns a log's ranks per instance of the next inner level, or nothing if
  /// they fill it.
  std::optional<int64_t> getRanksTogether(const NcclLog &log,
                                          size_t level) const {
    int64_t perHost = log.numRanks / log.numHosts;
    if (log.numHosts == 1 || perHost >= getInnerRanks(level))
      return std::nullopt;
    return perHost;
  }

  /// Returns the outermost level that the ranks of a log cross.
  Result<size_t> getLevel(const NcclLog &log) const {
    const std::vector<Level> &levels = machine.levels;
    if (options.level) {
      for (size_t i = 0; i < levels.size(); ++i)
        if (levels[i].name == *options.level) {
          if (log.numRanks > levels[i].ranks)
            return Failure{log.file + ": expected at most the " +
                           std::to_string(levels[i].ranks) +
                           " ranks that level '" + levels[i].name +
                           "' spans, got " + describeRanks(log)};
          return i;
        }
      std::vector<std::string> names;
      for (const Level &level : levels)
        names.push_back(level.name);
      return Failure{"expected one of the levels " + join(names) + ", got '" +
                     *options.level + "'"};
    }
    int64_t perHost = log.numRanks / log.numHosts;
    // A host has at least the most ranks per host of any log.
    int64_t mostOfHost = 1;
    for (const NcclLog &other : logs)
      mostOfHost = std::max(mostOfHost, other.numRanks / other.numHosts);
    for (size_t i = 0; i < levels.size(); ++i) {
      int64_t inner = getInnerRanks(i);
      // Ranks of one host share an instance; with several hosts, each host has
      // its own.
      if (log.numHosts == 1 ? log.numRanks <= levels[i].ranks
                            : perHost <= inner && mostOfHost <= inner &&
                                  log.numHosts * inner <= levels[i].ranks) {
        // The innermost level may connect hosts of one rank, or be inside
        // hosts.
        bool isUnclear = log.numHosts > 1 && i == 0 && levels.size() > 1;
        if (!isUnclear)
          return i;
        break;
      }
    }
    return Failure{log.file +
                   ": expected ranks that fill levels of platform '" +
                   machine.name + "', got " + describeRanks(log) +
                   ": say which level they measure"};
  }

  std::optional<Failure> fit(size_t levelIndex, CollectiveKind kind,
                             const std::vector<const NcclLog *> &of) {
    Level &level = machine.levels[levelIndex];
    FitReport report{level.name,
                     kind,
                     of.front()->numRanks,
                     getRanksTogether(*of.front(), levelIndex),
                     {},
                     {},
                     {},
                     {}};
    std::vector<Sample> samples;
    for (const NcclLog *log : of) {
      samples.insert(samples.end(), log->samples.begin(), log->samples.end());
      report.files.push_back(log->file);
    }
    report.samples = average(samples);
    bool needsLine = options.model == FitModel::AlphaBeta;
    Result<LineFit> line = fitLine(samples);
    if (line)
      report.line = *line;
    else if (needsLine)
      return Failure{of.front()->file + ": " + line.getError() +
                     ": measure again, or fit a curve, which needs no line "
                     "(--model=efficiency)"};
    if (std::optional<std::string> warning = warnOfSlowSize(report);
        warning && !needsLine)
      result.warnings.push_back(*warning);
    if (needsLine && line->worstError > kFarOff)
      result.warnings.push_back(
          "the line of " + describe(report) + " is off by up to " +
          formatNumber(std::round(100 * line->worstError)) +
          " %, at " + formatNumber(line->worstSize.value()) +
          " bytes: look at its table, or take --model=efficiency");
    Result<double> fraction = getFraction(levelIndex, *of.front(), kind);
    if (!fraction)
      return fraction.getFailure();
    fractions.push_back(*fraction);
    origins.push_back("fitted to nccl-tests, " + describeRanks(*of.front()) +
                      ": " + join(report.files));

    GBps best;
    for (const Sample &sample : report.samples)
      best = std::max(best, sample.size * *fraction / sample.time);
    // An all-reduce can exceed the rate of its links because switches with NVLS
    // perform the reduction.
    bool saysNothing = kind == CollectiveKind::AllReduce;
    if (saysNothing && level.bandwidth == GBps(0))
      result.warnings.push_back(
          "level '" + level.name +
          "': its bandwidth is what an all-reduce reached, which is more than "
          "that of its links where switches reduce (NVLS): a log of "
          "alltoall_perf measures these");
    if (best > level.bandwidth &&
        (!saysNothing || level.bandwidth == GBps(0))) {
      if (level.bandwidth > GBps(0))
        result.warnings.push_back(
            "level '" + level.name + "': " + formatNumber(best.value()) +
            " GB/s was measured, more than its bandwidth of " +
            formatNumber(level.bandwidth.value()) + " GB/s, which is raised");
      level.bandwidth = best;
      level.origin = "the greatest that was measured";
    }
    result.reports.push_back(std::move(report));
    return std::nullopt;
  }

  /// Adds the result of one report to its level.
  std::optional<Failure> finish(size_t index) {
    FitReport &report = result.reports[index];
    Level &level = *std::find_if(
        machine.levels.begin(), machine.levels.end(),
        [&](const Level &level) { return level.name == report.level; });
    std::vector<CurvePoint> points;
    for (const Sample &sample : report.samples)
      points.push_back({sample.size.value(),
                        std::min(1.0, sample.size * fractions[index] /
                                          sample.time / level.bandwidth)});
    report.efficiency = EfficiencyCurve(std::move(points));

    std::optional<CollectiveFit> &fit = level.fits[unsigned(report.kind)];
    if (options.model == FitModel::AlphaBeta) {
      CollectiveFit line{
          report.line->alpha,    report.line->beta,    report.numRanks,
          report.ranksTogether,  report.line->minSize, report.line->maxSize,
          report.line->rSquared, origins[index],       {}};
      // Reports of one collective and level are sorted by ranks; the first one
      // replaces the base's line.
      bool isFirst = index == 0 ||
                     result.reports[index - 1].level != report.level ||
                     result.reports[index - 1].kind != report.kind;
      if (isFirst)
        fit = std::move(line);
      else
        fit->others.push_back(std::move(line));
      restrictOrigin(level.origin);
      restrictOrigin(level.latencyOrigin);
      return std::nullopt;
    }
    for (size_t other = 0; other < index; ++other)
      if (result.reports[other].level == report.level &&
          result.reports[other].kind == report.kind)
        return Failure{"expected logs of one number of ranks for the "
                       "efficiency of level '" +
                       report.level + "', got " +
                       std::to_string(result.reports[other].numRanks) +
                       " and " + std::to_string(report.numRanks) +
                       ": fit alpha and beta instead"};
      else if (result.reports[other].level == report.level)
        return Failure{"expected logs of one collective for the efficiency of "
                       "level '" +
                       report.level + "', got " +
                       std::string(getName(result.reports[other].kind)) +
                       " and " + std::string(getName(report.kind)) +
                       ": fit alpha and beta instead"};
    level.efficiency = report.efficiency;
    level.efficiencyOrigin = origins[index];
    level.isCurveLatencyFree = false;
    if (fit)
      result.warnings.push_back("level '" + level.name +
                                "': alpha and beta of " +
                                std::string(getName(report.kind)) +
                                " are dropped, which would hide the curve");
    fit.reset();
    for (auto &fitted : result.platform.fitted.levels) {
      if (fitted.level != level.name || !fitted.efficiency)
        continue;
      result.warnings.push_back("level '" + level.name +
                                "': the fitted efficiency is dropped, which "
                                "would hide the measured one");
      fitted.efficiency.reset();
    }
    return std::nullopt;
  }

  /// Restricts the level's origin to collectives without a line.
  static void restrictOrigin(std::string &origin) {
    static constexpr std::string_view kRest =
        "for collectives that have no line";
    if (!std::string_view(origin).ends_with(kRest))
      (origin += origin.empty() ? "" : "; ") += kRest;
  }

  static std::string join(const std::vector<std::string> &words) {
    std::string all;
    for (const std::string &word : words)
      all += (all.empty() ? "" : ", ") + word;
    return all;
  }

  static std::vector<Sample> average(std::vector<Sample> samples) {
    std::sort(samples.begin(), samples.end(),
              [](const Sample &a, const Sample &b) { return a.size < b.size; });
    std::vector<Sample> means;
    for (size_t i = 0; i < samples.size();) {
      size_t first = i;
      Microseconds sum;
      for (; i < samples.size() && samples[i].size == samples[first].size; ++i)
        sum += samples[i].time;
      means.push_back({samples[first].size, sum / double(i - first)});
    }
    return means;
  }

  /// Returns the part of the buffer that the busiest endpoint of a level
  /// carries, according to the cost model.
  Result<double> getFraction(size_t levelIndex, const NcclLog &log,
                             CollectiveKind kind) const {
    // Only bytes matter here, and a level may have no bandwidth yet.
    Machine bare = machine;
    for (Level &level : bare.levels)
      level.bandwidth = GBps(1);
    // The hosts of a log are adjacent.
    int64_t inner = getInnerRanks(levelIndex);
    int64_t together = getRanksTogether(log, levelIndex).value_or(inner);
    Result<RankGroups> groups = RankGroups::fromLists(
        layOutGroup(log.numRanks, together, inner), log.numRanks);
    if (!groups)
      return groups.getFailure();
    Result<CollectivePlan> plan = CollectivePlan::create(bare, *groups, kind);
    if (!plan)
      return Failure{log.file + ": " + plan.getError()};
    for (const LevelCost &cost : plan->explain(Bytes(1)).levels)
      if (cost.level == levelIndex)
        return cost.endpointBytes.value();
    return Failure{log.file + ": expected ranks that cross level '" +
                   machine.levels[levelIndex].name + "', got " +
                   describeRanks(log) + " inside of one"};
  }

  std::span<const NcclLog> logs;
  const FitOptions &options;
  FitResult &result;
  Machine &machine;
  /// One per report.
  std::vector<double> fractions;
  std::vector<std::string> origins;
};

} // namespace

std::optional<std::string>
moe::platform::warnOfSlowSize(const FitReport &report) {
  std::optional<SlowSize> slow = findSlowSize(report.samples);
  if (!slow || slow->slow.time <= slow->greater.time * kSlower)
    return std::nullopt;
  return "the curve of " + describe(report) +
         " falls where a size is slow: " + slow->describe() +
         ": measure again unless these times repeat";
}

void moe::platform::handDownOrigin(Platform &platform, const std::string &how) {
  Machine &machine = platform.stated;
  auto fill = [&](std::string &origin) {
    if (origin.empty())
      origin = platform.origin;
  };
  for (Level &level : machine.levels) {
    fill(level.origin);
    fill(level.latencyOrigin);
  }
  if (machine.copy)
    fill(machine.copy->origin);
  if (machine.gemm)
    fill(machine.gemm->origin);
  if (machine.memoryPerRank)
    fill(machine.memoryPerRank->origin);
  platform.origin =
      (machine.name.empty()
           ? ""
           : "platform " + machine.name +
                 ", whose figures say each where they are from; ") +
      how;
}

Result<FitResult> moe::platform::fitPlatform(std::span<const NcclLog> logs,
                                             const Platform *base,
                                             const FitOptions &options) {
  if (logs.empty())
    return Failure{"expected at least one log, got none"};
  FitResult result;
  if (auto failure = Fitter(logs, options, result).run(base))
    return *failure;
  return result;
}
