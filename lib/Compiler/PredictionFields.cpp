// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as JSON, written and read.
//
// Each record of PredictionReport.h has one list of fields, in the order in
// which they are written. A new field must be added to the record and to this
// file.

#include "moe/Compiler/PredictionReport.h"
#include "moe/Support/Fields.h"
#include "moe/Support/ReportPage.h"
#include <cmath>

using namespace mlir;
using namespace moe;
using support::FieldReader;
using support::FieldWriter;
using support::JsonValue;
using support::kMaxInteger;
using support::ObjectReader;

/// Maximum number of tasks; exceeds any program.
static constexpr int64_t kMaxTasks = int64_t(1) << 28;

namespace moe {

template <typename IO> void visitFields(IO &io, ReportedSpread &spread) {
  io.required("file", spread.file);
  io.required("steps", spread.steps, 1);
  io.required("mean_us", spread.meanUs);
  io.required("p95_us", spread.p95Us);
  io.required("worst_us", spread.worstUs);
  io.required("worst_step", spread.worstStep);
}

template <typename IO>
void visitFields(IO &io, ReportedTraffic::Counts &counts) {
  io.required("step", counts.step);
  io.required("layer", counts.layer);
  io.required("rows", counts.rows);
}

template <typename IO> void visitFields(IO &io, ReportedTraffic &traffic) {
  io.required("file", traffic.file);
  io.required("steps", traffic.steps, 1);
  io.optional("step", traffic.step);
  io.required("layers", traffic.layers);
  io.required("padded_layers", traffic.paddedLayers);
  io.optional("why_no_counts", traffic.whyNoCounts);
  std::string columns = traffic.isRankToRank ? "ranks" : "experts";
  io.required("columns", columns);
  traffic.isRankToRank = columns == "ranks";
  io.required("counts", traffic.counts);
}

template <typename IO> void visitFields(IO &io, ReportedStages &stages) {
  io.required("stages", stages.stages, 1);
  io.required("virtual_stages", stages.virtualStages, 1);
  io.required("micro_batches", stages.microBatches, 1);
  io.required("order", stages.order);
  io.required("waits_for_sends", stages.waitsForSends);
  io.required("forward_us", stages.forwardUs);
  io.required("backward_us", stages.backwardUs);
  io.required("send_us", stages.sendUs);
  io.required("gradients_us", stages.gradientsUs);
  io.required("step_us", stages.stepUs);
  io.required("bubble_us", stages.bubbleUs);
  io.required("held_micro_batches", stages.heldMicroBatches);
}

template <typename IO> void visitFields(IO &io, ReportedOrders &orders) {
  io.required("best_us", orders.bestUs);
  io.required("bound_us", orders.boundUs);
  io.required("exact", orders.isExact);
}

static void visitFields(FieldWriter &io, ReportedNetwork &network) {
  network.section->write(io);
}

static void visitFields(FieldReader &io, ReportedNetwork &network) {
  network.section = makeNetworkSection();
  io.check("kind", network.section != nullptr,
           "expected a report without a fabric, which this program was built "
           "without (MOE_ENABLE_CIRCUITS)");
  if (network.section)
    network.section->read(io);
}

template <typename IO>
void visitFields(IO &io, ReportedExchange::Level &level) {
  io.required("name", level.name);
  io.required("rank_bytes", level.rankBytes);
  io.required("endpoint_bytes", level.endpointBytes);
  io.required("us", level.us);
}

template <typename IO> void visitFields(IO &io, ReportedExchange &exchange) {
  io.required("kind", exchange.kind);
  io.required("axes", exchange.axes);
  io.optional("bytes", exchange.bytes);
  io.required("bound", exchange.bound);
  io.required("levels", exchange.levels);
  io.place("slowest", exchange.slowest, exchange.levels.size());
  io.optional("extrapolated", exchange.extrapolation);
  if (IO::kReads || !exchange.circuits.empty())
    io.lines("circuits", exchange.circuits,
             "[from, to, circuits, carried, bytes], numbers of at least 0");
}

template <typename IO> void visitFields(IO &io, ReportedStream &stream) {
  io.required("name", stream.name);
  io.required("resource", stream.resource);
  io.required("busy_us", stream.busyUs);
}

template <typename IO>
void visitFields(IO &io, ReportedKind &kind, const ReportedProgram &program) {
  io.required("name", kind.name);
  io.required("phase", kind.phase);
  io.place("stream", kind.stream, program.streams.size());
  io.required("chunks", kind.chunks, 1);
  io.optional("us", kind.us);
  io.places("exchanges", kind.exchanges, program.exchanges.size());
  io.optional("extrapolated", kind.isExtrapolated);
  io.optional("routed", kind.isRouted);
  io.optional("over_circuits", kind.isOverCircuits);
}

/// There are many tasks, so each is one line.
template <typename IO>
bool visitLine(IO &io, ReportedTask &task, size_t numKinds, size_t numTasks) {
  io.place(task.kind, numKinds);
  io.text(task.layer);
  io.integer(task.chunk, std::numeric_limits<int64_t>::min() / 2, kMaxInteger);
  io.number(task.startUs);
  io.number(task.endUs);
  io.places(task.after, numTasks);
  return task.endUs >= task.startUs;
}

template <typename IO> bool visitLine(IO &io, BytesFrom &use) {
  io.number(use.us, -std::numeric_limits<double>::infinity());
  io.integer(use.bytes, -kMaxInteger, kMaxInteger);
  return true;
}

template <typename IO>
void visitFields(IO &io, ReportedCircuits &circuits, size_t numTasks) {
  io.place("task", circuits.task, numTasks);
  io.optional("expected", circuits.isExpected);
  io.required("regions", circuits.regions);
}

template <typename IO> void visitFields(IO &io, ReportedLimits &limits) {
  io.required("layers", limits.layers);
  io.required("copies", limits.copies, 1);
  io.required("rows", limits.limits);
}

namespace cost {

template <typename IO> bool visitLine(IO &io, PairLoad &load) {
  io.integer(load.from, 0, std::numeric_limits<int32_t>::max());
  io.integer(load.to, 0, std::numeric_limits<int32_t>::max());
  io.integer(load.links, 0, std::numeric_limits<int32_t>::max());
  io.number(load.carried);
  io.number(load.demand);
  return true;
}

} // namespace cost

/// The tasks of a program, as a separate object.
struct TimelineOf {
  ReportedProgram &program;
};

template <typename IO> void visitFields(IO &io, TimelineOf &timeline) {
  ReportedProgram &program = timeline.program;
  auto numTasks = static_cast<size_t>(program.numTasks);
  io.required("kinds", program.kinds, program);
  size_t numKinds = program.kinds.size();
  io.lines("tasks", program.tasks,
           "[kind, layer, chunk, start_us, end_us, after], the kind in [0, " +
               std::to_string(numKinds) + ") and no end before its start",
           numKinds, numTasks);
  io.check("tasks", program.tasks.size() == numTasks,
           "expected " + std::to_string(numTasks) + " of them, got " +
               std::to_string(program.tasks.size()));
  io.placesInLine("critical_path", program.criticalPath, numTasks);
  io.lines("memory", program.bytesOverTime, "[us, bytes]");
}

/// Visits the model's work per run, and derived rates.
template <typename IO>
static void visitWork(IO &io, ReportedProgram &program,
                      const PredictionReport &report) {
  std::optional<int64_t> tokens;
  std::optional<double> flops, peak;
  std::string origin;
  if (program.work) {
    tokens = program.work->tokens;
    flops = program.work->flops;
  }
  io.optional("step_tokens", tokens, 1);
  io.optional("model_flops", flops, support::Range::Positive);
  io.check("model_flops", tokens.has_value() == flops.has_value(),
           "expected it with step_tokens");
  if (tokens && flops)
    program.work = ModelWork{*tokens, *flops};
  std::optional<double> used;
  if constexpr (!IO::kReads) {
    used = program.getUtilisation(report.ranks, report.platform);
    if (used) {
      auto stated = report.platform.getPeakTflops();
      peak = stated->value;
      origin = stated->origin;
    }
  }
  io.derived("tokens_per_s", program.getTokensPerSecond());
  io.derived("mfu", used);
  io.derived("peak_tflops", peak);
  io.derived("peak_origin", origin);
  io.derived("leaves_out", program.describeLeftOut(report.platform));
}

template <typename IO>
static void visitTotals(IO &io, ReportedProgram &program,
                        const PredictionReport &report) {
  io.required("tasks", program.numTasks, 0, kMaxTasks);
  io.required("makespan_us", program.makespanUs);
  io.required("lower_bound_us", program.lowerBoundUs);
  io.required("critical_path_us", program.longestChainUs);
  io.required("peak_bytes", program.peakBytes);
  std::optional<double> rowRoom;
  if (program.rowRoom > 1)
    rowRoom = program.rowRoom;
  io.optional("row_room", rowRoom, support::Range::Positive);
  program.rowRoom = rowRoom.value_or(1);
  io.optional("extrapolated_tasks", program.numExtrapolated, 0,
              program.numTasks);
  io.optional("circuit_changes", program.numCircuitChanges, 0,
              program.numTasks);
  io.optional("orders", program.orders);
  io.optional("stages", program.stages);
  io.optional("fabric", program.network);
  visitWork(io, program, report);
}

template <typename IO>
static void visitTasks(IO &io, ReportedProgram &program) {
  io.required("streams", program.streams);
  io.required("exchanges", program.exchanges);
  TimelineOf timeline{program};
  io.required("timeline", timeline);
  io.optional("circuits", program.circuits,
              static_cast<size_t>(program.numTasks));
  io.optional("limits", program.limits);
}

/// Visits a baseline or measured program.
template <typename IO>
void visitFields(IO &io, ReportedProgram &program,
                 const PredictionReport &report) {
  io.required("file", program.file);
  visitTotals(io, program, report);
  io.optional("over_trace", program.overTrace);
  visitTasks(io, program);
}

/// Visits metrics of remarks, as numbers if possible, in the order of the
/// remark.
static void visitMetrics(FieldWriter &io, ReportedChoice &choice) {
  io.getStream().attributeObject("metrics", [&] {
    for (const auto &[name, value] : choice.metrics) {
      double number;
      if (StringRef(value).getAsDouble(number) || !std::isfinite(number))
        io.getStream().attribute(name, value);
      else
        io.getStream().attribute(name, number);
    }
  });
}

static void visitMetrics(FieldReader &io, ReportedChoice &choice) {
  const JsonValue *metrics = io.getObject().findObject("metrics");
  if (!metrics)
    return;
  for (const JsonValue::Member &metric : metrics->members)
    choice.metrics.emplace_back(metric.key,
                                metric.value.kind == JsonValue::Kind::String
                                    ? metric.value.text
                                    : support::formatJson(metric.value));
}

template <typename IO> void visitFields(IO &io, ReportedChoice &choice) {
  io.required("pass", choice.pass);
  io.optional("missed", choice.isMissed);
  // The decision contains the layers, too.
  std::vector<std::string> layers;
  for (const DecidedLayer &layer : choice.getLayers())
    layers.push_back(layer.str());
  io.optional("layers", layers);
  io.required("text", choice.text);
  io.optional("decision", choice.decision);
  visitMetrics(io, choice);
}

template <typename IO> void visitFields(IO &io, PredictionReport &report) {
  ReportedProgram &program = report.program;
  std::string name = report.platform.machine.name;
  io.required("platform", name);
  io.required("file", program.file);
  io.required("ranks", report.ranks, 1);
  visitTotals(io, program, report);
  io.optional("traffic", report.traffic);
  io.optional("over_trace", program.overTrace);
  // Taken from the first baseline.
  std::optional<ReportedSpread> baselineOverTrace;
  std::optional<double> baselineUs, speedup;
  if (!report.baselines.empty()) {
    baselineOverTrace = report.baselines.front().overTrace;
    baselineUs = report.baselines.front().makespanUs;
    if (program.makespanUs > 0)
      speedup = *baselineUs / program.makespanUs;
  }
  io.derivedRecord("baseline_over_trace", baselineOverTrace);
  io.derived("baseline_us", baselineUs);
  io.derived("speedup", speedup);
  visitTasks(io, program);
  io.optional("baselines", report.baselines, report);
  io.optional("measured", report.measured, report);
  io.optional("choices", report.choices);
}

} // namespace moe

std::string moe::formatJSON(const PredictionReport &report) {
  PredictionReport copy = report;
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    FieldWriter writer(json);
    visitFields(writer, copy);
    json.attributeBegin("machine");
    json.rawValue(platform::formatPlatform(report.platform));
    json.attributeEnd();
  });
  os << "\n";
  return support::escapeForPage(text);
}

cost::Result<PredictionReport> moe::readReport(StringRef json,
                                               const std::string &name) {
  cost::Result<JsonValue> root = support::parseJson(json, name);
  if (!root)
    return root.getFailure();
  support::ReaderContext context;
  context.name = name;
  if (root->kind == JsonValue::Kind::Object && !root->find("timeline"))
    return cost::Failure{name + ": expected what moe-sim says of a program, "
                                "got no timeline"};
  ObjectReader object(context, *root, "");
  FieldReader reader(object);
  PredictionReport report;
  visitFields(reader, report);
  const JsonValue *machine = object.findObject("machine");
  object.finish();
  if (!machine)
    object.fail("machine", "expected an object, got none");
  if (context.hasFailed())
    return cost::Failure{context.problem};
  cost::Result<platform::Platform> platform = platform::parsePlatform(
      support::formatJson(*machine), name + ": machine");
  if (!platform)
    return platform.getFailure();
  report.platform = std::move(*platform);
  return report;
}
