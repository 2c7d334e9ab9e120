// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a platform from measurements.

#include "moe/Platform/MeasuredPlatform.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <limits>

using namespace moe;
using namespace moe::cost;
using namespace moe::platform;

std::string moe::platform::describe(const NcclLog &log) {
  return std::string(getName(*log.kind)) + " of " +
         std::to_string(log.numRanks) + " ranks on " +
         (log.numHosts == 1 ? "one node"
                            : std::to_string(log.numHosts) + " nodes");
}

/// Creates the levels without figures.
static Platform makeLevels(const Nodes &nodes, const std::string &origin) {
  Platform base;
  base.origin = origin;
  Machine &machine = base.stated;
  int64_t perNode = nodes.getRanksPerNode();
  auto add = [&](const char *name, int64_t ranks, int64_t ranksPerNic) {
    Level level;
    level.name = name;
    level.ranks = ranks;
    level.ranksPerNic = ranksPerNic;
    machine.levels.push_back(std::move(level));
  };
  if (perNode > 1)
    add("node", perNode, 1);
  // All ranks of one node share its links to other nodes.
  if (nodes.numNodes > 1)
    add("network", nodes.numRanks, perNode);
  return base;
}

/// Adds a curve of copies, which contains their latency.
static void addCopies(const std::vector<Sample> &samples,
                      const std::string &origin, Machine &machine) {
  GBps best;
  for (const Sample &sample : samples)
    best = std::max(best, sample.size / sample.time);
  std::vector<CurvePoint> points;
  for (const Sample &sample : samples)
    points.push_back(
        {sample.size.value(), std::min(1.0, sample.size / sample.time / best)});
  machine.copy = CopyEngine{best, Microseconds(0),
                            EfficiencyCurve(std::move(points)), origin, origin};
}

static std::optional<Failure> addGemms(const std::vector<Sample> &samples,
                                       const std::string &origin,
                                       Machine &machine) {
  Result<LineFit> line = fitLine(samples);
  if (!line)
    return Failure{"GEMMs: " + line.getError()};
  // Each sample is the time of two GEMMs.
  machine.gemm =
      GemmCost{line->alpha / 2.0, MicrosecondsPerMac(line->beta.value()),
               origin + ", r_squared " + formatFixed(line->rSquared, 6)};
  return std::nullopt;
}

/// Extrapolates the line through the first two times to zero bytes.
static Microseconds getLatency(const std::vector<Sample> &samples) {
  const Sample &first = samples[0], &second = samples[1];
  double share = first.size / (second.size - first.size);
  return std::max(Microseconds(0),
                  first.time - share * (second.time - first.time));
}

/// Returns the smallest buffer of the measured collectives.
static Bytes getSmallestSize(const Measurements &measurements) {
  Bytes smallest(std::numeric_limits<double>::infinity());
  for (const NcclLog &log : measurements.collectives)
    smallest = std::min(smallest, log.samples.front().size);
  return smallest;
}

static std::string describeRun(const std::string &backend, const Nodes &nodes) {
  return "measured on backend " + backend + ", " +
         std::to_string(nodes.numRanks) +
         (nodes.numRanks == 1 ? " rank on " : " ranks on ") +
         std::to_string(nodes.numNodes) +
         (nodes.numNodes == 1 ? " node" : " nodes");
}

Result<Platform> moe::platform::replaceDevice(Platform base,
                                              const Measurements &measurements,
                                              const std::string &backend,
                                              const std::string &name) {
  std::string origin = describeRun(backend, measurements.nodes);
  addCopies(measurements.copies, origin, base.stated);
  if (auto failure = addGemms(measurements.gemms, origin, base.stated))
    return *failure;
  handDownOrigin(base, "copies and GEMMs " + origin);
  if (!name.empty())
    base.stated.name = name;
  return base;
}

Result<FitResult> moe::platform::makePlatform(const Measurements &measurements,
                                              const std::string &backend,
                                              const std::string &name) {
  const Nodes &nodes = measurements.nodes;
  std::string origin = describeRun(backend, nodes);
  Platform base = makeLevels(nodes, origin);
  std::vector<NcclLog> exchanges, others;
  std::vector<std::string> warnings;
  for (const NcclLog &log : measurements.collectives) {
    // An all-to-all gives a curve, which needs no line, but its two smallest
    // sizes must give a latency.
    Result<LineFit> line = fitLine(log.samples);
    if (log.kind == CollectiveKind::AllToAll) {
      if (log.samples.size() < 2)
        return Failure{describe(log) + ": " + line.getError()};
      exchanges.push_back(log);
    } else if (line) {
      others.push_back(log);
    } else {
      warnings.push_back(describe(log) +
                         " gets no line of its own: " + line.getError());
    }
  }

  // Curves are fitted last because they are relative to the bandwidth, the
  // greatest rate of any collective.
  FitOptions options;
  options.model = FitModel::AlphaBeta;
  std::vector<FitReport> reports;
  if (!others.empty()) {
    Result<FitResult> lines = fitPlatform(others, &base, options);
    if (!lines)
      return lines;
    base = std::move(lines->platform);
    reports = std::move(lines->reports);
  }
  options.model = FitModel::Efficiency;
  Result<FitResult> all = fitPlatform(exchanges, &base, options);
  if (!all)
    return all;
  for (const FitReport &curve : all->reports)
    if (std::optional<std::string> warning = warnOfSlowSize(curve))
      warnings.push_back(std::move(*warning));
  all->reports.insert(all->reports.end(), reports.begin(), reports.end());
  Machine &machine = all->platform.stated;
  // This is a new platform and not a change of another one.
  machine.name = name.empty() ? "measured-" + backend : name;
  all->platform.origin = origin;
  for (Level &level : machine.levels) {
    auto place = size_t(&level - machine.levels.data());
    level.origin = origin + ": the greatest rate of a collective";
    double portUs = measurements.portUsPerByte[place];
    if (portUs > 0) {
      level.portRate = toBandwidth(MicrosecondsPerByte(portUs));
      level.portOrigin = origin + ": one endpoint alone";
    } else {
      warnings.push_back("level '" + level.name +
                         "' gets no port rate: four times the bytes took one "
                         "endpoint no longer");
    }
    level.efficiencyOrigin = origin + ": all_to_all";
    // Levels and their all-to-alls have the same order.
    level.latency = getLatency(exchanges[place].samples);
    level.latencyOrigin = origin +
                          ": contained in the curve, what the two smallest "
                          "all_to_all leave at no bytes";
    for (std::optional<CollectiveFit> &fit : level.fits)
      if (fit) {
        fit->origin = origin;
        for (CollectiveFit &other : fit->others)
          other.origin = origin;
      }
  }
  addCopies(measurements.copies, origin, machine);
  if (auto failure = addGemms(measurements.gemms, origin, machine))
    return *failure;
  // Smaller factors are within the variation between repetitions.
  constexpr double kLeastFactor = 1.03;
  for (ContentionFactor factor : measurements.contention) {
    if (factor.factor < kLeastFactor)
      continue;
    factor.origin = origin + ": one operation, while others run beside it";
    machine.contention.push_back(std::move(factor));
  }
  // Times of smaller chunks were not measured.
  machine.minimumMessage = {getSmallestSize(measurements),
                            origin + ": the smallest message measured"};
  if (measurements.stallUs > 0)
    all->platform.fitted.pipelineStall = {
        Microseconds(measurements.stallUs),
        origin + ": pipelines of 2, 4 and 8 chunks on two streams, beside "
                 "simulations of them with the contention measured"};
  if (measurements.getUncertainty() > kMostUncertain)
    warnings.push_back("predictions would be wrong by " +
                       formatFixed(100 * measurements.getUncertainty(), 0) +
                       " %, an uncertainty of " +
                       formatFixed(kMostUncertain, 1) +
                       " is written: measure again when the machine does "
                       "nothing else");
  machine.uncertainty = {
      std::min(kMostUncertain, measurements.getUncertainty()),
      origin + ": all-to-alls again differ by " +
          formatFixed(measurements.repeatError, 3) +
          ", pipelines from simulations by " +
          formatFixed(measurements.pipelineError, 3) + " (medians)"};
  all->warnings = std::move(warnings);
  all->platform.machine = applyFitted(machine, all->platform.fitted);
  return all;
}
