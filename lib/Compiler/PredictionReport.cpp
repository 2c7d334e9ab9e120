//===- PredictionReport.cpp - Predictions for people ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Compiler/Prediction.h"
#include "moe/Support/ChromeTrace.h"
#include "moe/Support/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace moe;

/// How much longer than the bound the makespan is, in percent.
static double getGap(const Prediction &prediction) {
  double bound = prediction.bound.getUs();
  if (bound <= 0)
    return 0;
  // Equal but for rounding is equal.
  return std::max(0.0, (prediction.timeline.makespanUs / bound - 1) * 100);
}

/// Tasks of which the time rests on sizes that the platform was not measured
/// at.
static int64_t countExtrapolated(const Prediction &prediction) {
  return llvm::count(prediction.schedule.extrapolated, true);
}

/// Per column the part of its time a stream is busy: '#' over half, '-' some,
/// '.' none.
static std::string drawBar(const Prediction &prediction, unsigned stream,
                           unsigned columns) {
  const schedule::Timeline &timeline = prediction.timeline;
  double width = timeline.makespanUs / columns;
  std::vector<double> busy(columns, 0.0);
  if (width > 0)
    for (unsigned i = 0; i < prediction.schedule.tasks.size(); ++i) {
      if (prediction.schedule.graph.getTask(i).stream != stream)
        continue;
      double start = timeline.startUs[i], end = timeline.endUs[i];
      auto first = static_cast<unsigned>(start / width);
      for (unsigned c = first; c < columns && c * width < end; ++c)
        busy[c] += std::max(0.0, std::min(end, (c + 1) * width) -
                                     std::max(start, c * width));
    }
  std::string bar;
  for (double part : busy)
    bar += part > width / 2 ? '#' : part > 0 ? '-' : '.';
  return bar;
}

/// What each stream does.
static support::Report makeStreams(const Prediction &prediction) {
  using support::Column;
  support::Report report(
      {Column("name", "stream").atLeast(10),
       Column("resource", "occupies").atLeast(8).after(1),
       Column("busy_us", "busy us").fixed(3).atLeast(14).after(1),
       Column("", "busy %").fixed(1).atLeast(7).after(1), Column("", "")});
  const schedule::Timeline &timeline = prediction.timeline;
  for (auto [i, op] : llvm::enumerate(prediction.schedule.streams)) {
    StreamOp stream = op; // accessors of ops are not const
    double busy = timeline.busyUs[i];
    report.addRow(
        {stream.getSymName().str(),
         stringifyResourceKind(stream.getResource()).str(), busy,
         timeline.makespanUs > 0 ? busy / timeline.makespanUs * 100 : 0.0,
         drawBar(prediction, i, 60)});
  }
  return report;
}

/// What traffic was taken, and what of the program depends on it.
static void printTraffic(raw_ostream &os, const Prediction &prediction) {
  const GivenTraffic &traffic = *prediction.given;
  os << "traffic      " << traffic.name;
  if (traffic.step)
    os << ", step " << traffic.trace->steps[*traffic.step].step;
  else if (traffic.trace->steps.size() > 1)
    os << ", all " << traffic.trace->steps.size() << " steps together";
  const TrafficUse &use = prediction.traffic;
  if (use.routed.empty())
    os << ": changes nothing, no exchange of the program depends on it";
  else
    os << ": layers " << llvm::join(use.routed, ", ");
  os << "\n";
  if (!use.padded.empty())
    os << "padded       layers " << llvm::join(use.padded, ", ")
       << ": buffers are exchanged and computed whole, whatever the traffic\n";
}

static void printOverTrace(raw_ostream &os, StringRef title,
                           const OverTrace &over) {
  os << title
     << llvm::format("%zu steps: mean %.3f us, p95 %.3f us, worst %.3f us",
                     over.us.size(), over.spread.mean, over.spread.p95,
                     over.spread.worst)
     << " (step " << over.worstStep << ")\n";
}

static void printOverTrace(llvm::json::OStream &json, StringRef key,
                           const OverTrace &over) {
  json.attributeObject(key, [&] {
    json.attribute("file", over.file);
    json.attribute("steps", static_cast<int64_t>(over.us.size()));
    json.attribute("mean_us", over.spread.mean);
    json.attribute("p95_us", over.spread.p95);
    json.attribute("worst_us", over.spread.worst);
    json.attribute("worst_step", over.worstStep);
  });
}

void moe::printPredictionTable(raw_ostream &os, const Prediction &prediction,
                               const cost::Machine &machine,
                               const Prediction *baseline) {
  const schedule::Timeline &timeline = prediction.timeline;
  os << "platform     " << machine.name << "\n";
  os << "ranks        " << prediction.ranks << "\n";
  os << "tasks        " << prediction.schedule.tasks.size() << "\n";
  os << llvm::format("makespan     %.3f us\n", timeline.makespanUs);
  os << llvm::format("lower bound  %.3f us (makespan %.2f %% above)\n",
                     prediction.bound.getUs(), getGap(prediction));
  os << "peak memory  " << prediction.peakBytes << " bytes of values";
  if (machine.memoryPerRank &&
      double(prediction.peakBytes) > machine.memoryPerRank->value.value())
    os << llvm::format(", more than the %.0f of a rank",
                       machine.memoryPerRank->value.value());
  os << "\n";
  if (int64_t count = countExtrapolated(prediction))
    os << "extrapolated " << count << " of " << prediction.schedule.tasks.size()
       << " tasks: their sizes are outside of what the platform was measured "
          "at\n";
  if (prediction.given)
    printTraffic(os, prediction);
  if (prediction.overTrace)
    printOverTrace(os, "over trace   ", *prediction.overTrace);
  if (baseline) {
    os << llvm::format("baseline     %.3f us", baseline->timeline.makespanUs)
       << " (" << baseline->file << ")\n";
    if (timeline.makespanUs > 0)
      os << llvm::format("speedup      %.3f\n",
                         baseline->timeline.makespanUs / timeline.makespanUs);
    if (baseline->overTrace)
      printOverTrace(os, "its trace    ", *baseline->overTrace);
  }
  os << "\n";
  makeStreams(prediction).printTable(os);
}

void moe::printPredictionJSON(raw_ostream &os, const Prediction &prediction,
                              const cost::Machine &machine,
                              const Prediction *baseline) {
  const schedule::Timeline &timeline = prediction.timeline;
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("platform", machine.name);
    json.attribute("ranks", prediction.ranks);
    json.attribute("tasks",
                   static_cast<int64_t>(prediction.schedule.tasks.size()));
    json.attribute("makespan_us", timeline.makespanUs);
    json.attribute("lower_bound_us", prediction.bound.getUs());
    json.attribute("critical_path_us", prediction.bound.criticalPathUs);
    json.attribute("peak_bytes", prediction.peakBytes);
    if (int64_t count = countExtrapolated(prediction))
      json.attribute("extrapolated_tasks", count);
    if (const auto &traffic = prediction.given)
      json.attributeObject("traffic", [&] {
        json.attribute("file", traffic->name);
        json.attribute("steps",
                       static_cast<int64_t>(traffic->trace->steps.size()));
        if (traffic->step)
          json.attribute("step", traffic->trace->steps[*traffic->step].step);
        json.attribute("layers", llvm::json::Array(prediction.traffic.routed));
        json.attribute("padded_layers",
                       llvm::json::Array(prediction.traffic.padded));
      });
    if (prediction.overTrace)
      printOverTrace(json, "over_trace", *prediction.overTrace);
    if (baseline && baseline->overTrace)
      printOverTrace(json, "baseline_over_trace", *baseline->overTrace);
    if (baseline) {
      json.attribute("baseline_us", baseline->timeline.makespanUs);
      if (timeline.makespanUs > 0)
        json.attribute("speedup",
                       baseline->timeline.makespanUs / timeline.makespanUs);
    }
    json.attributeArray("streams",
                        [&] { makeStreams(prediction).printItems(json); });
  });
  os << "\n";
}

void moe::printPredictionTrace(raw_ostream &os, const Prediction &prediction,
                               const cost::Machine &machine) {
  const schedule::Timeline &timeline = prediction.timeline;
  support::ChromeTrace trace(
      os, {{"platform", machine.name}, {"file", prediction.file}});
  trace.nameProcess(0, "every rank");
  for (auto [i, op] : llvm::enumerate(prediction.schedule.streams)) {
    StreamOp stream = op;
    trace.nameThread(0, i, stream.getSymName());
  }
  for (auto [i, op] : llvm::enumerate(prediction.schedule.tasks)) {
    TaskOp task = op;
    trace.addEvent(0, prediction.schedule.graph.getTask(i).stream,
                   task.getName(), timeline.startUs[i], timeline.endUs[i],
                   support::TracedTask{task.getLayer().str(),
                                       stringifyPhase(task.getPhase()).str(),
                                       static_cast<int64_t>(task.getChunk()),
                                       static_cast<int64_t>(task.getChunks()),
                                       prediction.schedule.extrapolated[i]});
  }
}
