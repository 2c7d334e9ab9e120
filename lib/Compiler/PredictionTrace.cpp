// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as traces for Perfetto.

#include "moe/Compiler/Prediction.h"
#include "moe/Dialect/MoE/LinkInterfaces.h"
#include "moe/Support/ChromeTrace.h"

using namespace mlir;
using namespace moe;

/// Returns the links between servers, for example "0-1 x2, 2-3" for a region.
static std::string describeLinks(LinkOpInterface op) {
  std::optional<LinkChange> change = op.getLinkChange();
  if (!change)
    return "planned at run time";
  const auto &regions = change->regions;
  std::string text;
  for (auto [r, matrix] : llvm::enumerate(regions)) {
    if (regions.size() > 1)
      text +=
          (text.empty() ? "region " : "; region ") + std::to_string(r) + ":";
    bool isFirst = regions.size() == 1;
    bool isDark = true;
    for (int64_t i = 0; i < matrix.getSize(); ++i)
      for (int64_t j = i + 1; j < matrix.getSize(); ++j)
        if (auto count = static_cast<int64_t>(matrix.at(i, j))) {
          text += (isFirst  ? ""
                   : isDark ? " "
                            : ", ") +
                  std::to_string(i) + "-" + std::to_string(j);
          if (count > 1)
            text += " x" + std::to_string(count);
          isFirst = isDark = false;
        }
    if (isDark)
      text += isFirst ? "dark" : " dark";
  }
  return text;
}

/// Adds a lane with the active circuits and the times of their changes.
static void traceCircuits(const Prediction &prediction, int64_t lane,
                          support::ChromeTrace &trace) {
  const schedule::Timeline &timeline = prediction.timeline;
  double us = 0;
  std::string up = "dark";
  bool isNamed = false;
  auto add = [&](StringRef name, double endUs) {
    if (endUs > us)
      trace.addEvent(0, lane, name, us, endUs, std::nullopt);
    us = std::max(us, endUs);
  };
  // Changes have a total order.
  for (auto [i, op] : llvm::enumerate(prediction.schedule.tasks)) {
    LinkOpInterface change = findLinkOp(op, LinkAction::Change);
    if (!change)
      continue;
    if (!isNamed)
      trace.nameThread(0, lane, "circuits");
    isNamed = true;
    add(up, timeline.startUs[i]);
    add("change", timeline.endUs[i]);
    up = describeLinks(change);
  }
  if (isNamed)
    add(up, timeline.makespanUs);
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
  traceCircuits(prediction, int64_t(prediction.schedule.streams.size()), trace);
}
