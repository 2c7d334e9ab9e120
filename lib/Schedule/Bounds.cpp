//===- Bounds.cpp - What no schedule can beat -----------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Schedule/Bounds.h"

#include <algorithm>

using namespace moe::schedule;

double BoundFinder::boundStream(const TaskGraph &graph,
                                std::span<const TaskId> tasks) {
  // Always run, of the tasks that can, the one with the longest tail.
  auto shorterTail = [](const Open &a, const Open &b) {
    return a.tailUs < b.tailUs;
  };
  double nowUs = 0, boundUs = 0;
  open.clear();
  for (size_t next = 0; next < tasks.size() || !open.empty();) {
    if (open.empty())
      nowUs = std::max(nowUs, headUs[tasks[next]]);
    for (; next < tasks.size() && headUs[tasks[next]] <= nowUs; ++next) {
      open.push_back(
          {tailUs[tasks[next]], graph.getTask(tasks[next]).durationUs});
      std::push_heap(open.begin(), open.end(), shorterTail);
    }
    Open &top = open.front();
    double endUs = nowUs + top.leftUs;
    if (next < tasks.size() && headUs[tasks[next]] < endUs) {
      top.leftUs -= headUs[tasks[next]] - nowUs;
      nowUs = headUs[tasks[next]];
      continue;
    }
    nowUs = endUs;
    boundUs = std::max(boundUs, endUs + top.tailUs);
    std::pop_heap(open.begin(), open.end(), shorterTail);
    open.pop_back();
  }
  return boundUs;
}

bool BoundFinder::run(const TaskGraph &graph, LowerBound &bound) {
  bound = LowerBound();
  error = checkTasks(graph);
  if (!error.empty())
    return false;

  uint32_t numTasks = graph.getNumTasks();
  waitingFor.assign(numTasks, 0);
  headUs.assign(numTasks, 0);
  tailUs.assign(numTasks, 0);
  for (TaskId id = 0; id < numTasks; ++id)
    graph.forEachDependent(id,
                           [&](TaskId dependent) { ++waitingFor[dependent]; });
  order.clear();
  for (TaskId id = 0; id < numTasks; ++id)
    if (waitingFor[id] == 0)
      order.push_back(id);
  for (size_t i = 0; i < order.size(); ++i) {
    TaskId id = order[i];
    double endUs = headUs[id] + graph.getTask(id).durationUs;
    bound.criticalPathUs = std::max(bound.criticalPathUs, endUs);
    graph.forEachDependent(id, [&](TaskId dependent) {
      headUs[dependent] = std::max(headUs[dependent], endUs);
      if (--waitingFor[dependent] == 0)
        order.push_back(dependent);
    });
  }
  if (order.size() != numTasks) {
    error = "expected dependencies without a cycle, but " +
            describeCycle(graph, findCycle(graph, waitingFor,
                                           /*alongStreams=*/false));
    return false;
  }
  for (size_t i = order.size(); i-- > 0;) {
    TaskId id = order[i];
    graph.forEachDependent(id, [&](TaskId dependent) {
      tailUs[id] = std::max(
          tailUs[id], tailUs[dependent] + graph.getTask(dependent).durationUs);
    });
  }

  byStream.resize(numTasks);
  for (TaskId id = 0; id < numTasks; ++id)
    byStream[id] = id;
  std::sort(byStream.begin(), byStream.end(), [&](TaskId a, TaskId b) {
    StreamId streamA = graph.getTask(a).stream;
    StreamId streamB = graph.getTask(b).stream;
    if (streamA != streamB)
      return streamA < streamB;
    return headUs[a] != headUs[b] ? headUs[a] < headUs[b] : a < b;
  });
  for (size_t first = 0; first < numTasks;) {
    StreamId stream = graph.getTask(byStream[first]).stream;
    size_t end = first;
    while (end < numTasks && graph.getTask(byStream[end]).stream == stream)
      ++end;
    double us =
        boundStream(graph, std::span(byStream).subspan(first, end - first));
    if (us > bound.busiestStreamUs) {
      bound.busiestStreamUs = us;
      bound.busiestStream = stream;
    }
    first = end;
  }
  return true;
}
