//===- Report.cpp - Tables, JSON and traces ---------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prediction.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace moe;
using namespace moe::sim;

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

void moe::sim::printTable(raw_ostream &os, const Prediction &prediction,
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
  if (baseline) {
    os << llvm::format("baseline     %.3f us", baseline->timeline.makespanUs)
       << " (" << baseline->file << ")\n";
    if (timeline.makespanUs > 0)
      os << llvm::format("speedup      %.3f\n",
                         baseline->timeline.makespanUs / timeline.makespanUs);
  }
  os << "\n"
     << llvm::format("%-10s %-8s %14s %7s\n", "stream", "occupies", "busy us",
                     "busy %");
  for (auto [i, op] : llvm::enumerate(prediction.schedule.streams)) {
    StreamOp stream = op; // accessors of ops are not const
    double busy = timeline.busyUs[i];
    os << llvm::format(
              "%-10s %-8s %14.3f %7.1f  ", stream.getSymName().str().c_str(),
              stringifyResourceKind(stream.getResource()).str().c_str(), busy,
              timeline.makespanUs > 0 ? busy / timeline.makespanUs * 100 : 0.0)
       << drawBar(prediction, i, 60) << "\n";
  }
}

void moe::sim::printJSON(raw_ostream &os, const Prediction &prediction,
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
    if (baseline) {
      json.attribute("baseline_us", baseline->timeline.makespanUs);
      if (timeline.makespanUs > 0)
        json.attribute("speedup",
                       baseline->timeline.makespanUs / timeline.makespanUs);
    }
    json.attributeArray("streams", [&] {
      for (auto [i, op] : llvm::enumerate(prediction.schedule.streams)) {
        StreamOp stream = op;
        json.object([&] {
          json.attribute("name", stream.getSymName());
          json.attribute("resource",
                         stringifyResourceKind(stream.getResource()));
          json.attribute("busy_us", timeline.busyUs[i]);
        });
      }
    });
  });
  os << "\n";
}

void moe::sim::printTrace(raw_ostream &os, const Prediction &prediction,
                          const cost::Machine &machine) {
  const schedule::Timeline &timeline = prediction.timeline;
  llvm::json::OStream json(os);
  auto metadata = [&](StringRef what, int64_t thread, StringRef name) {
    json.object([&] {
      json.attribute("name", what);
      json.attribute("ph", "M");
      json.attribute("pid", 0);
      json.attribute("tid", thread);
      json.attributeObject("args", [&] { json.attribute("name", name); });
    });
  };
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeObject("otherData", [&] {
      json.attribute("platform", machine.name);
      json.attribute("file", prediction.file);
    });
    json.attributeArray("traceEvents", [&] {
      metadata("process_name", 0, "every rank");
      for (auto [i, op] : llvm::enumerate(prediction.schedule.streams)) {
        StreamOp stream = op;
        metadata("thread_name", i, stream.getSymName());
      }
      for (auto [i, op] : llvm::enumerate(prediction.schedule.tasks)) {
        TaskOp task = op;
        std::string name = task.getName().str();
        if (task.getChunks() > 1)
          name += "[" + std::to_string(task.getChunk()) + "]";
        json.object([&] {
          json.attribute("name", name);
          json.attribute("cat", stringifyPhase(task.getPhase()));
          json.attribute("ph", "X");
          json.attribute("ts", timeline.startUs[i]);
          json.attribute("dur", timeline.endUs[i] - timeline.startUs[i]);
          json.attribute("pid", 0);
          json.attribute("tid",
                         static_cast<int64_t>(
                             prediction.schedule.graph.getTask(i).stream));
          json.attributeObject("args", [&] {
            json.attribute("layer", task.getLayer());
            json.attribute("phase", stringifyPhase(task.getPhase()));
            json.attribute("chunk", task.getChunk());
            json.attribute("chunks", task.getChunks());
            if (prediction.schedule.extrapolated[i])
              json.attribute("extrapolated", true);
          });
        });
      }
    });
  });
  os << "\n";
}
