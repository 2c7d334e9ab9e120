// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of layers with varying chunk sizes.

#include "SizedSchedule.h"

using namespace mlir;
using namespace moe;

/// Maximum number of chunkings per search.
static constexpr int64_t kMostSizes = 2000;

FailureOr<SizedSchedule> SizedSchedule::create(ModuleOp alone,
                                               ScheduleEvaluator &evaluator,
                                               const LayerVariant &form,
                                               const PartedLayer &parted) {
  FailureOr<SimulatedVariant> simulated =
      simulateVariant(alone, evaluator, form);
  if (failed(simulated))
    return failure();
  TimedSchedule &timed = simulated->schedule.schedule;
  const schedule::TaskGraph &made = timed.graph;
  SizedSchedule sized;
  sized.parted = &parted;
  sized.numStreams = made.getNumStreams();
  sized.contention = timed.contention;
  for (auto [id, op] : llvm::enumerate(timed.tasks)) {
    Entry &entry = sized.entries.emplace_back();
    entry.task = made.getTask(id);
    if (op.getChunks() > 1) {
      entry.times = parted.getTaskTimes(op.getName());
      entry.chunk = op.getChunk();
    }
    made.forEachDependent(id, [&](schedule::TaskId after) {
      sized.dependencies.push_back({schedule::TaskId(id), after});
    });
  }
  return sized;
}

double SizedSchedule::getUs(ArrayRef<int64_t> parts) {
  graph.clear();
  for (unsigned i = 0; i < numStreams; ++i)
    graph.addStream();
  for (Entry &entry : entries) {
    if (entry.times)
      entry.task.durationUs = (*entry.times)[parts[entry.chunk] - 1];
    graph.addTask(entry.task);
  }
  for (auto [before, after] : dependencies)
    graph.addDependency(before, after);
  bool runs = simulator.run(graph, contention, timeline);
  assert(runs && "expected a schedule to run whatever its tasks take");
  (void)runs;
  return timeline.makespanUs;
}

void SizedSchedule::improve(MutableArrayRef<int64_t> parts) {
  constexpr double kLeastGain = 1e-9;
  double bestUs = getUs(parts);
  int64_t looked = 1, step = 1;
  while (step * 4 <= parted->getNumParts() / int64_t(parts.size()))
    step *= 2;
  for (; step > 0; step /= 2)
    for (bool gained = true; gained;) {
      gained = false;
      for (int64_t &from : parts)
        for (int64_t &to : parts) {
          if (&from == &to || from - step < parted->getLeastParts())
            continue;
          if (++looked > kMostSizes)
            return;
          from -= step;
          to += step;
          double us = getUs(parts);
          if (us < bestUs * (1 - kLeastGain)) {
            bestUs = us;
            gained = true;
            continue;
          }
          from += step;
          to -= step;
        }
    }
}
