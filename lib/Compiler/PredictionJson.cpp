// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as JSON.

#include "moe/Support/Fields.h"
#include "moe/Compiler/FabricReport.h"
#include "moe/Compiler/PredictionReport.h"
#include "moe/Support/Json.h"
#include "moe/Support/ReportPage.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir;
using namespace moe;
using llvm::json::OStream;

static void writeSpread(OStream &json, StringRef key,
                        const ReportedSpread &spread) {
  json.attributeObject(key, [&] {
    json.attribute("file", spread.file);
    json.attribute("steps", spread.steps);
    json.attribute("mean_us", spread.meanUs);
    json.attribute("p95_us", spread.p95Us);
    json.attribute("worst_us", spread.worstUs);
    json.attribute("worst_step", spread.worstStep);
  });
}

/// A row a line, of an array that is open.
static void writeRows(OStream &json, const ReportedMatrix &matrix) {
  for (const std::vector<double> &row : matrix)
    json.rawValue([&](raw_ostream &os) {
      os << "[";
      llvm::interleave(
          row, os, [&](double number) { os << support::formatNumber(number); },
          ",");
      os << "]";
    });
}

static void writeTraffic(OStream &json, const ReportedTraffic &traffic) {
  json.attributeObject("traffic", [&] {
    json.attribute("file", traffic.file);
    json.attribute("steps", traffic.steps);
    if (traffic.step)
      json.attribute("step", *traffic.step);
    json.attribute("layers", llvm::json::Array(traffic.layers));
    json.attribute("padded_layers", llvm::json::Array(traffic.paddedLayers));
    if (!traffic.whyNoCounts.empty())
      json.attribute("why_no_counts", traffic.whyNoCounts);
    json.attribute("columns", traffic.isRankToRank ? "ranks" : "experts");
    json.attributeArray("counts", [&] {
      for (const ReportedTraffic::Counts &counts : traffic.counts)
        json.object([&] {
          json.attribute("step", counts.step);
          json.attribute("layer", counts.layer);
          json.attributeArray("rows", [&] { writeRows(json, counts.rows); });
        });
    });
  });
}

static void writeStages(OStream &json, const ReportedStages &stages) {
  json.attributeObject("stages", [&] {
    json.attribute("stages", stages.stages);
    json.attribute("virtual_stages", stages.virtualStages);
    json.attribute("micro_batches", stages.microBatches);
    json.attribute("order", stages.order);
    json.attribute("waits_for_sends", stages.waitsForSends);
    json.attribute("forward_us", stages.forwardUs);
    json.attribute("backward_us", stages.backwardUs);
    json.attribute("send_us", stages.sendUs);
    json.attribute("gradients_us", stages.gradientsUs);
    json.attribute("step_us", stages.stepUs);
    json.attribute("bubble_us", stages.bubbleUs);
    json.attribute("held_micro_batches", stages.heldMicroBatches);
  });
}

static void writeFabric(OStream &json, const ReportedFabric &fabric) {
  const fabric::NetworkOptions &network = fabric.options.network;
  json.attributeObject("fabric", [&] {
    json.attribute("kind", StringRef(fabric::getName(network.kind)));
    json.attribute("servers", network.servers);
    json.attribute("ranks_per_server", fabric.options.serverRanks);
    json.attribute("nics_per_server", network.nics);
    json.attribute("rate_gbps", network.nicRate / 125);
    json.attribute("oversubscription", network.oversubscription);
    json.attribute("copies", fabric.copies);
    if (!fabric.circuits.empty())
      json.attribute("circuits", fabric.circuits);
    if (fabric.beforeFailureUs)
      json.attribute("before_failure_us", *fabric.beforeFailureUs);
    json.attributeArray(
        "classes", [&] { makeClassReport(fabric.loads).printItems(json); });
    json.attributeArray("busiest", [&] {
      makeBusiestReport(fabric.loads, fabric.loads.links.size())
          .printItems(json);
    });
  });
}

static void writeTotals(OStream &json, const ReportedProgram &program,
                        const PredictionReport &report) {
  json.attribute("tasks", program.numTasks);
  json.attribute("makespan_us", program.makespanUs);
  json.attribute("lower_bound_us", program.lowerBoundUs);
  json.attribute("critical_path_us", program.longestChainUs);
  json.attribute("peak_bytes", program.peakBytes);
  if (program.rowRoom > 1)
    json.attribute("row_room", program.rowRoom);
  if (program.numExtrapolated)
    json.attribute("extrapolated_tasks", program.numExtrapolated);
  if (program.numCircuitChanges)
    json.attribute("circuit_changes", program.numCircuitChanges);
  if (const auto &orders = program.orders)
    json.attributeObject("orders", [&] {
      json.attribute("best_us", orders->bestUs);
      json.attribute("bound_us", orders->boundUs);
      json.attribute("exact", orders->isExact);
    });
  if (program.stages)
    writeStages(json, *program.stages);
  if (program.fabric)
    writeFabric(json, *program.fabric);
  if (!program.work)
    return;
  json.attribute("step_tokens", program.work->tokens);
  json.attribute("model_flops", program.work->flops);
  if (auto rate = program.getTokensPerSecond())
    json.attribute("tokens_per_s", *rate);
  if (auto used = program.getUtilisation(report.ranks, report.platform)) {
    json.attribute("mfu", *used);
    auto peak = report.platform.getPeakTflops();
    json.attribute("peak_tflops", peak->value);
    json.attribute("peak_origin", peak->origin);
  }
}

static void writeStreams(OStream &json, const ReportedProgram &program) {
  json.attributeArray("streams", [&] {
    for (const ReportedStream &stream : program.streams)
      json.object([&] {
        json.attribute("name", stream.name);
        json.attribute("resource", stream.resource);
        json.attribute("busy_us", stream.busyUs);
      });
  });
}

static void writeExchange(OStream &json, const ReportedExchange &exchange) {
  json.object([&] {
    json.attribute("kind", exchange.kind);
    json.attribute("axes", exchange.axes);
    if (exchange.bytes)
      json.attribute("bytes", *exchange.bytes);
    json.attribute("bound", exchange.bound);
    json.attributeArray("levels", [&] {
      for (const ReportedExchange::Level &level : exchange.levels)
        json.object([&] {
          json.attribute("name", level.name);
          json.attribute("rank_bytes", level.rankBytes);
          json.attribute("endpoint_bytes", level.endpointBytes);
          json.attribute("us", level.us);
        });
    });
    if (exchange.slowest)
      json.attribute("slowest", static_cast<int64_t>(*exchange.slowest));
    if (!exchange.extrapolation.empty())
      json.attribute("extrapolated", exchange.extrapolation);
    if (!exchange.circuits.empty())
      json.attributeArray("circuits", [&] {
        for (const fabric::CircuitLoad &load : exchange.circuits)
          json.rawValue([&](raw_ostream &os) {
            os << "[" << load.from << "," << load.to << "," << load.circuits
               << "," << support::formatNumber(load.carried) << ","
               << support::formatNumber(load.demand) << "]";
          });
      });
  });
}

static void writeKind(OStream &json, const ReportedKind &kind) {
  json.object([&] {
    json.attribute("name", kind.name);
    json.attribute("phase", kind.phase);
    json.attribute("stream", static_cast<int64_t>(kind.stream));
    json.attribute("chunks", kind.chunks);
    if (kind.us)
      json.attribute("us", *kind.us);
    if (!kind.exchanges.empty())
      json.attributeArray("exchanges", [&] {
        for (size_t exchange : kind.exchanges)
          json.value(static_cast<int64_t>(exchange));
      });
    if (kind.isExtrapolated)
      json.attribute("extrapolated", true);
    if (kind.isRouted)
      json.attribute("routed", true);
    if (kind.isOverCircuits)
      json.attribute("over_circuits", true);
  });
}

static std::string join(ArrayRef<size_t> places) {
  std::string text = "[";
  for (size_t place : places)
    text += (text.size() > 1 ? "," : "") + std::to_string(place);
  return text + "]";
}

/// Tasks are many: one is a line, its fields in the order that docs/Planning.md
/// tells.
static void writeTimeline(OStream &json, const ReportedProgram &program) {
  json.attributeObject("timeline", [&] {
    json.attributeArray("kinds", [&] {
      for (const ReportedKind &kind : program.kinds)
        writeKind(json, kind);
    });
    json.attributeArray("tasks", [&] {
      for (const ReportedTask &task : program.tasks)
        json.rawValue([&](raw_ostream &os) {
          os << "[" << task.kind << "," << llvm::json::Value(task.layer) << ","
             << task.chunk << "," << support::formatNumber(task.startUs) << ","
             << support::formatNumber(task.endUs) << "," << join(task.after)
             << "]";
        });
    });
    json.attributeBegin("critical_path");
    json.rawValue(join(program.criticalPath));
    json.attributeEnd();
    json.attributeArray("memory", [&] {
      for (const BytesFrom &use : program.bytesOverTime)
        json.rawValue("[" + support::formatNumber(use.us) + "," +
                      std::to_string(use.bytes) + "]");
    });
  });
}

static void writeCircuits(OStream &json, const ReportedProgram &program) {
  if (program.circuits.empty())
    return;
  json.attributeArray("circuits", [&] {
    for (const ReportedCircuits &circuits : program.circuits)
      json.object([&] {
        json.attribute("task", static_cast<int64_t>(circuits.task));
        if (circuits.isExpected)
          json.attribute("expected", true);
        json.attributeArray("regions", [&] {
          for (const ReportedMatrix &region : circuits.regions)
            json.array([&] { writeRows(json, region); });
        });
      });
  });
}

static void writeLimits(OStream &json, const ReportedProgram &program) {
  if (program.limits.empty())
    return;
  json.attributeArray("limits", [&] {
    for (const ReportedLimits &limits : program.limits)
      json.object([&] {
        json.attribute("layers", llvm::json::Array(limits.layers));
        json.attribute("copies", limits.copies);
        json.attributeArray("rows", [&] { writeRows(json, limits.limits); });
      });
  });
}

static void writeTasks(OStream &json, const ReportedProgram &program) {
  writeStreams(json, program);
  json.attributeArray("exchanges", [&] {
    for (const ReportedExchange &exchange : program.exchanges)
      writeExchange(json, exchange);
  });
  writeTimeline(json, program);
  writeCircuits(json, program);
  writeLimits(json, program);
}

/// A number where it is one.
static llvm::json::Value makeMetric(const std::string &text) {
  double number;
  if (StringRef(text).getAsDouble(number) || !std::isfinite(number))
    return text;
  return number;
}

static void writeChoices(OStream &json, const PredictionReport &report) {
  if (report.choices.empty())
    return;
  json.attributeArray("choices", [&] {
    for (const ReportedChoice &choice : report.choices)
      json.object([&] {
        json.attribute("pass", choice.pass);
        if (choice.isMissed)
          json.attribute("missed", true);
        if (!choice.getLayers().empty())
          json.attribute("layers", llvm::json::Array(choice.getLayers()));
        json.attribute("text", choice.text);
        if (choice.decision)
          json.attributeObject("decision", [&] {
            Decision decision = *choice.decision;
            support::FieldWriter writer(json);
            visitFields(writer, decision);
          });
        json.attributeObject("metrics", [&] {
          for (const auto &[name, value] : choice.metrics)
            json.attribute(name, makeMetric(value));
        });
      });
  });
}

static void writeProgram(OStream &json, const ReportedProgram &program,
                         const PredictionReport &report) {
  json.object([&] {
    json.attribute("file", program.file);
    writeTotals(json, program, report);
    if (program.overTrace)
      writeSpread(json, "over_trace", *program.overTrace);
    writeTasks(json, program);
  });
}

static void writeOthers(OStream &json, const PredictionReport &report) {
  if (!report.baselines.empty())
    json.attributeArray("baselines", [&] {
      for (const ReportedProgram &baseline : report.baselines)
        writeProgram(json, baseline, report);
    });
  if (report.measured) {
    json.attributeBegin("measured");
    writeProgram(json, *report.measured, report);
    json.attributeEnd();
  }
}

std::string moe::formatJSON(const PredictionReport &report) {
  const ReportedProgram &program = report.program;
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("platform", report.platform.machine.name);
    json.attribute("file", program.file);
    json.attribute("ranks", report.ranks);
    writeTotals(json, program, report);
    if (report.traffic)
      writeTraffic(json, *report.traffic);
    if (program.overTrace)
      writeSpread(json, "over_trace", *program.overTrace);
    // The first of them, for those who compare with one.
    if (!report.baselines.empty()) {
      const ReportedProgram &baseline = report.baselines.front();
      if (baseline.overTrace)
        writeSpread(json, "baseline_over_trace", *baseline.overTrace);
      json.attribute("baseline_us", baseline.makespanUs);
      if (program.makespanUs > 0)
        json.attribute("speedup", baseline.makespanUs / program.makespanUs);
    }
    writeTasks(json, program);
    writeOthers(json, report);
    writeChoices(json, report);
    json.attributeBegin("machine");
    json.rawValue(platform::formatPlatform(report.platform));
    json.attributeEnd();
  });
  os << "\n";
  return support::escapeForPage(text);
}
