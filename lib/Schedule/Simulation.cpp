// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulation of task graphs.

#include "moe/Schedule/Simulation.h"

#include <algorithm>
#include <limits>

using namespace moe::schedule;

/// Heap order: the first to end on top, and the lower id first among equals, so
/// that a run is the same on all platforms.
constexpr auto endsLater = [](const auto &a, const auto &b) {
  return a.endWork > b.endWork || (a.endWork == b.endWork && a.task > b.task);
};

void Simulator::start(const TaskGraph &graph, TaskId id, double nowUs,
                      Timeline &timeline) {
  const Task &task = graph.getTask(id);
  timeline.startUs[id] = nowUs;
  bytes += task.allocatedBytes;
  timeline.peakBytes = std::max(timeline.peakBytes, bytes);
  Clock &clock = clocks[task.resource];
  clock.running.push_back({clock.workAt(nowUs) + task.durationUs, id});
  std::push_heap(clock.running.begin(), clock.running.end(), endsLater);
}

void Simulator::setSlowdowns(const Contention &contention, double nowUs) {
  for (ResourceId slowed = 1; slowed < numResources; ++slowed) {
    Clock &clock = clocks[slowed];
    if (clock.running.empty())
      continue;
    double slowdown = 1.0;
    for (ResourceId by = 1; by < numResources; ++by) {
      size_t others = clocks[by].running.size() - (by == slowed ? 1 : 0);
      if (others != 0)
        slowdown *= contention.get(slowed, by);
    }
    if (slowdown == clock.slowdown)
      continue;
    clock.sinceWork = clock.workAt(nowUs);
    clock.sinceUs = nowUs;
    clock.slowdown = slowdown;
  }
}

bool Simulator::run(const TaskGraph &graph, const Contention &contention,
                    Timeline &timeline) {
  cycle.clear();
  error = checkTasks(graph);
  if (!error.empty())
    return false;

  uint32_t numTasks = graph.getNumTasks();
  timeline.startUs.assign(numTasks, 0);
  timeline.endUs.assign(numTasks, 0);
  timeline.busyUs.assign(graph.getNumStreams(), 0);
  timeline.makespanUs = 0;
  timeline.peakBytes = 0;
  timeline.criticalPath.clear();
  bytes = 0;
  cause.assign(numTasks, kNoTask);
  waitingFor.assign(numTasks, 0);
  numResources = 1;
  for (TaskId id = 0; id < numTasks; ++id)
    numResources = std::max(numResources, graph.getTask(id).resource + 1);
  std::span<Clock> used(clocks.data(), numResources);
  for (Clock &clock : used) {
    clock.slowdown = 1.0;
    clock.sinceUs = clock.sinceWork = 0;
    clock.running.clear();
  }

  for (TaskId id = 0; id < numTasks; ++id) {
    waitingFor[id] += graph.getPreviousOnStream(id) != kNoTask;
    graph.forEachDependent(id,
                           [&](TaskId dependent) { ++waitingFor[dependent]; });
  }
  ready.clear();
  for (TaskId id = 0; id < numTasks; ++id)
    if (waitingFor[id] == 0)
      ready.push_back(id);

  double nowUs = 0;
  uint32_t numEnded = 0;
  TaskId last = kNoTask;
  while (true) {
    for (TaskId id : ready)
      start(graph, id, nowUs, timeline);
    if (contention.hasAny())
      setSlowdowns(contention, nowUs);

    bool anyRuns = false;
    double nextUs = std::numeric_limits<double>::infinity();
    for (const Clock &clock : used) {
      if (clock.running.empty())
        continue;
      anyRuns = true;
      nextUs = std::min(nextUs, clock.nextEndUs());
    }
    if (!anyRuns)
      break;
    // A change of slowdown may round the end of a task to slightly before this
    // time.
    nowUs = std::max(nowUs, nextUs);

    // All tasks that end now end before any task starts, so their freed memory
    // can be used at once, and the order of simultaneous events does not
    // matter.
    ended.clear();
    for (Clock &clock : used) {
      while (!clock.running.empty() && clock.nextEndUs() <= nowUs) {
        ended.push_back(clock.running.front().task);
        std::pop_heap(clock.running.begin(), clock.running.end(), endsLater);
        clock.running.pop_back();
      }
    }
    ready.clear();
    for (TaskId id : ended) {
      const Task &task = graph.getTask(id);
      timeline.endUs[id] = nowUs;
      timeline.busyUs[task.stream] += nowUs - timeline.startUs[id];
      bytes -= task.freedBytes;
      last = id;
      ++numEnded;
      auto release = [&](TaskId waiting) {
        if (--waitingFor[waiting] != 0)
          return;
        cause[waiting] = id;
        ready.push_back(waiting);
      };
      if (TaskId next = graph.getNextOnStream(id); next != kNoTask)
        release(next);
      graph.forEachDependent(id, release);
    }
  }
  if (numEnded != numTasks) {
    cycle = findCycle(graph, waitingFor, /*alongStreams=*/true);
    error = "expected an order in which every task can run, but " +
            describeCycle(graph, cycle);
    return false;
  }

  timeline.makespanUs = nowUs;
  for (TaskId id = last; id != kNoTask; id = cause[id])
    timeline.criticalPath.push_back(id);
  std::reverse(timeline.criticalPath.begin(), timeline.criticalPath.end());
  return true;
}
