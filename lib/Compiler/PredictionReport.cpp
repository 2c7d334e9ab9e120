// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as plain numbers.

#include "moe/Compiler/PredictionReport.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Dialect/MoE/LinkInterfaces.h"
#include "moe/Support/Report.h"
#include "moe/Traffic/Excerpt.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace mlir;
using namespace moe;

/// Returns the index of `value` in `list`, appending it if absent.
template <typename T> static size_t findOrAdd(std::vector<T> &list, T value) {
  auto it = llvm::find(list, value);
  if (it == list.end())
    it = list.insert(list.end(), std::move(value));
  return it - list.begin();
}

static StringRef getName(VolumeBound bound) {
  switch (bound) {
  case VolumeBound::Exact:
    return "exact";
  case VolumeBound::Even:
    return "even";
  case VolumeBound::Upper:
    return "upper";
  case VolumeBound::PerIteration:
    return "per_iteration";
  case VolumeBound::Unread:
    return "unread";
  }
  llvm_unreachable("unknown bound");
}

static ReportedExchange makeExchange(const TaskExchange &exchange,
                                     const cost::Machine &machine) {
  const CollectiveVolume &volume = exchange.volume;
  ReportedExchange reported;
  reported.kind = volume.kind.str();
  reported.axes = volume.axes;
  reported.bytes = volume.getTotalBytes();
  reported.bound = getName(volume.bound).str();
  // All executions are equal.
  auto times = static_cast<double>(volume.times);
  for (const cost::LevelCost &level : exchange.cost.byLevels.levels)
    reported.levels.push_back(
        {machine.levels[level.level].name, times * level.rankBytes.value(),
         times * level.endpointBytes.value(), times * level.time.value()});
  reported.slowest = exchange.cost.byLevels.bottleneck;
  reported.extrapolation = exchange.extrapolation;
  reported.circuits = exchange.circuits;
  for (cost::PairLoad &load : reported.circuits) {
    load.carried *= times;
    load.demand *= times;
  }
  return reported;
}

static void addTasks(ReportedProgram &program, const Prediction &prediction,
                     const cost::Machine &machine) {
  const TimedSchedule &schedule = prediction.schedule;
  std::vector<std::vector<size_t>> exchanges(schedule.tasks.size());
  for (const TaskExchange &exchange : prediction.exchanges) {
    ReportedExchange reported = makeExchange(exchange, machine);
    // Times by level do not apply to circuits.
    if (findLinkOp(schedule.tasks[exchange.task], LinkAction::Use)) {
      reported.levels.clear();
      reported.slowest.reset();
    }
    exchanges[exchange.task].push_back(
        findOrAdd(program.exchanges, std::move(reported)));
  }
  for (auto [i, op] : llvm::enumerate(schedule.tasks)) {
    TaskOp task = op; // Accessors of ops are not const.
    const schedule::Task &timed = schedule.graph.getTask(i);
    ReportedKind kind;
    kind.name = task.getName().str();
    kind.phase = stringifyPhase(task.getPhase()).str();
    kind.stream = timed.stream;
    kind.chunks = static_cast<int64_t>(task.getChunks());
    kind.us = timed.durationUs;
    kind.exchanges = std::move(exchanges[i]);
    kind.isExtrapolated = schedule.extrapolated[i];
    kind.isRouted = schedule.routed[i];
    kind.isOverCircuits = bool(findLinkOp(task, LinkAction::Use));
    program.tasks.push_back({findOrAdd(program.kinds, std::move(kind)),
                             task.getLayer().str(),
                             static_cast<int64_t>(task.getChunk()),
                             prediction.timeline.startUs[i],
                             prediction.timeline.endUs[i],
                             {}});
  }
  for (size_t i = 0; i < program.tasks.size(); ++i)
    schedule.graph.forEachDependent(i, [&](schedule::TaskId later) {
      std::vector<size_t> &after = program.tasks[later].after;
      if (!llvm::is_contained(after, i))
        after.push_back(i);
    });
}

static double getRowRoom(const TimedSchedule &schedule) {
  double room = 1;
  auto countRows = [](Value value) {
    return cast<ShapedType>(value.getType()).getDimSize(0);
  };
  for (TaskOp task : schedule.tasks)
    task->walk([&](RaggedAllToAllOp op) {
      int64_t sent = countRows(op.getOperand()), held = countRows(op.getInit());
      if (sent > 0 && held > 0)
        room = std::max(room, double(held) / double(sent));
    });
  return room;
}

static void addCircuits(ReportedProgram &program,
                        const TimedSchedule &schedule) {
  for (auto [i, task] : llvm::enumerate(schedule.tasks)) {
    LinkOpInterface op = findLinkOp(task, LinkAction::Change);
    std::optional<LinkChange> change = op ? op.getLinkChange() : std::nullopt;
    if (!change)
      continue;
    program.circuits.push_back(
        {i, change->isExpected, std::move(change->regions)});
  }
}

/// Adds the limits of layers; layers with equal limits share an entry.
static void addLimits(ReportedProgram &program,
                      ArrayRef<LayerLimits> limitsOfLayers) {
  for (const auto &[layer, limits] : limitsOfLayers) {
    std::span<const int64_t> values = limits.limits.getValues();
    auto rows = cost::Matrix<double>::fromValues(
        limits.limits.getNumColumns(), {values.begin(), values.end()});
    auto same = llvm::find_if(program.limits, [&](const ReportedLimits &known) {
      return known.copies == limits.copies && known.limits == rows;
    });
    if (same == program.limits.end())
      program.limits.push_back({{layer}, limits.copies, std::move(rows)});
    else
      same->layers.push_back(layer);
  }
}

static ReportedTraffic makeTraffic(const GivenTraffic &given,
                                   const TrafficUse &use) {
  const traffic::Trace &trace = *given.trace;
  ReportedTraffic traffic;
  traffic.file = given.name;
  traffic.steps = trace.steps.size();
  if (given.step)
    traffic.step = trace.steps[*given.step].step;
  llvm::append_range(traffic.layers, use.routed);
  llvm::append_range(traffic.paddedLayers, use.padded);
  traffic.isRankToRank = trace.isRankToRank;
  traffic::Excerpt excerpt = traffic::takeExcerpt(trace, given.step);
  traffic.whyNoCounts = excerpt.whyNone;
  for (size_t step : excerpt.steps)
    for (const traffic::LayerTraffic &layer : trace.steps[step].layers)
      traffic.counts.push_back(
          {trace.steps[step].step, layer.layer, layer.counts});
  return traffic;
}

static ReportedProgram makeProgram(const Prediction &prediction,
                                   const cost::Machine &machine) {
  const schedule::Timeline &timeline = prediction.timeline;
  ReportedProgram program;
  program.file = prediction.file;
  program.numTasks = prediction.schedule.tasks.size();
  program.numExtrapolated = llvm::count(prediction.schedule.extrapolated, true);
  program.numCircuitChanges =
      llvm::count_if(prediction.schedule.tasks, [](TaskOp task) {
        return bool(findLinkOp(task, LinkAction::Change));
      });
  program.makespanUs = timeline.makespanUs;
  program.lowerBoundUs = prediction.bound.getUs();
  // The bound on all orders is also a bound on this one.
  if (const auto &orders = prediction.orders)
    program.lowerBoundUs = std::max(program.lowerBoundUs, orders->lowerBoundUs);
  // Summation in another order may round the bound above the time.
  if (double rounded = timeline.makespanUs * (1 + 1e-12);
      program.lowerBoundUs <= rounded)
    program.lowerBoundUs = std::min(program.lowerBoundUs, timeline.makespanUs);
  program.longestChainUs = prediction.bound.criticalPathUs;
  program.peakBytes = prediction.peakBytes;
  program.rowRoom = getRowRoom(prediction.schedule);
  program.work = prediction.work;
  for (auto [i, op] : llvm::enumerate(prediction.schedule.streams)) {
    StreamOp stream = op;
    program.streams.push_back(
        {stream.getSymName().str(),
         stringifyResourceKind(stream.getResource()).str(),
         timeline.busyUs[i]});
  }
  addTasks(program, prediction, machine);
  addCircuits(program, prediction.schedule);
  addLimits(program, prediction.limits);
  program.criticalPath.assign(timeline.criticalPath.begin(),
                              timeline.criticalPath.end());
  llvm::append_range(program.bytesOverTime, prediction.bytesOverTime);
  if (const auto &over = prediction.overTrace)
    program.overTrace = {over->file,         int64_t(over->us.size()),
                         over->spread.mean,  over->spread.p95,
                         over->spread.worst, over->worstStep};
  if (const auto &stages = prediction.stages) {
    const schedule::StagedStep &step = stages->step;
    const schedule::PassTimes &piece = step.pieces.front();
    auto pieces = static_cast<double>(step.virtualStages);
    program.stages = {step.stages,
                      step.virtualStages,
                      step.microBatches,
                      schedule::getName(step.order),
                      step.waitsForSends,
                      piece.forwardUs * pieces,
                      piece.backwardUs * pieces,
                      step.sendUs,
                      step.endUs,
                      stages->time.stepUs,
                      stages->time.bubbleUs,
                      stages->time.heldMicroBatches};
  }
  if (prediction.network)
    program.network = {prediction.network};
  if (const auto &orders = prediction.orders)
    program.orders = {orders->best.timeUs, orders->lowerBoundUs,
                      orders->isExact};
  return program;
}

double ReportedProgram::getRunUs() const {
  return stages ? stages->stepUs / static_cast<double>(stages->microBatches)
                : makespanUs;
}

std::string
ReportedProgram::describeLeftOut(const platform::Platform &platform) const {
  if (!work)
    return "";
  std::set<StringRef> layers;
  for (const ReportedTask &task : tasks)
    if (!task.layer.empty())
      layers.insert(task.layer);
  bool trains = llvm::any_of(kinds, [](const ReportedKind &kind) {
    return kind.phase == stringifyPhase(Phase::Backward);
  });
  // The forward pass has a third of the layers' host time, as in the estimate.
  int64_t runs = stages ? stages->microBatches : 1;
  double share = double(layers.size()) * double(runs) * (trains ? 1 : 1.0 / 3);
  std::vector<std::string> hosts;
  for (const platform::HostCost &host : platform.rates.hosts) {
    double least = host.layers.front().layer.value(), most = least;
    for (const auto &[tp, layer] : host.layers) {
      least = std::min(least, layer.value());
      most = std::max(most, layer.value());
    }
    double stepUs = trains ? host.step.value() : 0;
    auto format = [&](double us) {
      return cost::formatFixed((share * us + stepUs) / 1e3, 1);
    };
    hosts.push_back(
        host.framework + (host.cudaGraphs ? " with CUDA graphs " : " ") +
        format(least) + (most > least ? " to " + format(most) : "") + " ms");
  }
  return "host time (" +
         (hosts.empty() ? "the platform states none"
                        : llvm::join(hosts, ", ")) +
         "), embedding, output layer, " + (trains ? "optimizer, " : "") +
         "rates by product size: see moe-plan step";
}

std::optional<double> ReportedProgram::getTokensPerSecond() const {
  if (!work || getRunUs() <= 0)
    return std::nullopt;
  return static_cast<double>(work->tokens) / (getRunUs() * 1e-6);
}

std::optional<double>
ReportedProgram::getUtilisation(int64_t ranks,
                                const platform::Platform &platform) const {
  auto peak = platform.getPeakTflops();
  if (!work || getRunUs() <= 0 || !peak)
    return std::nullopt;
  // 1e12 operations per second are 1e6 per microsecond.
  return work->flops /
         (getRunUs() * static_cast<double>(ranks) * peak->value * 1e6);
}

PredictionReport moe::makeReport(const Prediction &prediction,
                                 ArrayRef<Prediction> baselines,
                                 const platform::Platform &platform) {
  PredictionReport report;
  report.platform = platform;
  report.ranks = prediction.ranks;
  report.program = makeProgram(prediction, platform.machine);
  for (const Prediction &baseline : baselines)
    report.baselines.push_back(makeProgram(baseline, platform.machine));
  if (prediction.given)
    report.traffic = makeTraffic(*prediction.given, prediction.traffic);
  return report;
}
