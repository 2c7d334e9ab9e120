//===- PredictionTrace.cpp - Predictions for Perfetto -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Compiler/Prediction.h"
#include "moe/Support/ChromeTrace.h"

using namespace mlir;
using namespace moe;

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
