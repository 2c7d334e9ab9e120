// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks on streams.

#include "moe/Schedule/TaskGraph.h"
#include "moe/Cost/FormatNumber.h"

#include <algorithm>
#include <limits>

using namespace moe::schedule;

std::string moe::schedule::checkTasks(const TaskGraph &graph) {
  constexpr int64_t kMaxBytes = std::numeric_limits<int64_t>::max();
  int64_t allocated = 0, freed = 0;
  for (TaskId id = 0; id < graph.getNumTasks(); ++id) {
    const Task &task = graph.getTask(id);
    auto expected = [id](const std::string &what, const std::string &got) {
      return "task " + std::to_string(id) + ": expected " + what + ", got " +
             got;
    };
    if (!(task.durationUs >= 0 && task.durationUs <= kMaxDurationUs))
      return expected("a duration in [0, 1e15] us",
                      moe::cost::toText(task.durationUs));
    if (task.resource >= kMaxResources)
      return expected("a resource below " + std::to_string(kMaxResources),
                      std::to_string(task.resource));
    for (int64_t bytes : {task.allocatedBytes, task.freedBytes})
      if (bytes < 0)
        return expected("memory >= 0 bytes", std::to_string(bytes));
    if (task.allocatedBytes > kMaxBytes - allocated ||
        task.freedBytes > kMaxBytes - freed)
      return expected("less than 2^63 bytes in all tasks together", "more");
    allocated += task.allocatedBytes;
    freed += task.freedBytes;
  }
  return "";
}

std::vector<TaskId>
moe::schedule::findCycle(const TaskGraph &graph,
                         std::span<const uint32_t> waitingFor,
                         bool alongStreams) {
  std::vector<TaskId> waitsOn(graph.getNumTasks(), kNoTask);
  TaskId at = kNoTask;
  for (TaskId id = 0; id < graph.getNumTasks(); ++id) {
    if (waitingFor[id] == 0)
      continue;
    if (at == kNoTask)
      at = id;
    if (TaskId next = graph.getNextOnStream(id);
        alongStreams && next != kNoTask)
      waitsOn[next] = id;
    graph.forEachDependent(id, [&](TaskId dependent) {
      if (waitsOn[dependent] == kNoTask)
        waitsOn[dependent] = id;
    });
  }
  // Each of these tasks waits for another one, so following the waits must
  // reach a cycle.
  std::vector<bool> seen(graph.getNumTasks());
  for (; !seen[at]; at = waitsOn[at])
    seen[at] = true;
  std::vector<TaskId> cycle = {at};
  for (TaskId id = waitsOn[at]; id != at; id = waitsOn[id])
    cycle.push_back(id);
  // A cycle has several representations; starting with the least id makes
  // messages stable.
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()),
              cycle.end());
  return cycle;
}

std::string
moe::schedule::describeCycle(const TaskGraph &graph,
                             std::span<const TaskId> cycle,
                             const std::function<std::string(TaskId)> &name) {
  auto nameOf = [&](TaskId task) {
    return name ? name(task) : "task " + std::to_string(task);
  };
  std::string text;
  for (size_t i = 0; i < cycle.size(); ++i) {
    TaskId from = cycle[i], to = cycle[(i + 1) % cycle.size()];
    text += i == 0 ? nameOf(from) + " waits for " : ", which waits for ";
    text += nameOf(to);
    text += graph.getPreviousOnStream(from) == to
                ? " (before it on stream " +
                      std::to_string(graph.getTask(from).stream) + ")"
                : " (a dependency)";
  }
  return text;
}
