// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs that no order meets a deadline.

#include "moe/Schedule/EdgeFinding.h"
#include "moe/Cost/TieTolerance.h"

#include <cassert>
#include <limits>

using namespace moe::schedule;
using moe::cost::kRounding;

EdgeFinding::EdgeFinding(const TaskGraph &graph)
    : graph(graph), byStream(graph.getNumStreams()),
      users(graph.getNumTasks()) {
  LowerBound bound;
  [[maybe_unused]] bool ran = bounds.run(graph, bound);
  assert(ran && "expected a graph that can run");
  auto heads = bounds.getHeadsUs(), tails = bounds.getTailsUs();
  least = {{heads.begin(), heads.end()}, {tails.begin(), tails.end()}};
  std::vector<unsigned> missing(graph.getNumTasks());
  for (TaskId id = 0; id < graph.getNumTasks(); ++id) {
    byStream[graph.getTask(id).stream].push_back(id);
    graph.forEachDependent(id, [&](TaskId later) {
      users[id].push_back(later);
      ++missing[later];
    });
  }
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    if (missing[id] == 0)
      order.push_back(id);
  for (size_t i = 0; i < order.size(); ++i)
    for (TaskId later : users[order[i]])
      if (--missing[later] == 0)
        order.push_back(later);
}

/// Considers, for each deadline, the set of tasks that must end by it. A task
/// that cannot precede all of the set's tasks with heads no less than its own,
/// or no less than an earlier one, must run after them (Baptiste, Le Pape and
/// Nuijten, Constraint-Based Scheduling, 2001, algorithm 2.3).
bool EdgeFinding::raiseByEdges(std::span<const TaskId> tasks,
                               std::vector<double> &headUs,
                               const std::vector<double> &tailUs,
                               bool &changed) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  sorted.assign(tasks.begin(), tasks.end());
  std::sort(sorted.begin(), sorted.end(), [&](TaskId a, TaskId b) {
    return headUs[a] != headUs[b] ? headUs[a] < headUs[b] : a < b;
  });
  size_t count = sorted.size();
  auto getDuration = [&](size_t i) {
    return graph.getTask(sorted[i]).durationUs;
  };
  endUs.resize(count);
  raisedUs.resize(count);
  completedUs.resize(count);
  for (size_t i = 0; i < count; ++i) {
    endUs[i] = us - tailUs[sorted[i]];
    raisedUs[i] = headUs[sorted[i]];
  }
  for (size_t k = 0; k < count; ++k) {
    double deadlineUs = endUs[k], workUs = 0, completeUs = kNever;
    for (size_t i = count; i-- > 0;) {
      if (endUs[i] <= deadlineUs) {
        workUs += getDuration(i);
        completeUs = std::max(completeUs, headUs[sorted[i]] + workUs);
        if (completeUs > deadlineUs + slackUs)
          return false;
      }
      completedUs[i] = completeUs;
    }
    double mostUs = kNever;
    for (size_t i = 0; i < count; ++i) {
      double startUs = headUs[sorted[i]];
      if (endUs[i] <= deadlineUs) {
        mostUs = std::max(mostUs, startUs + workUs);
        workUs -= getDuration(i);
        continue;
      }
      if (startUs + workUs + getDuration(i) > deadlineUs + slackUs)
        raisedUs[i] = std::max(raisedUs[i], completedUs[i]);
      if (mostUs + getDuration(i) > deadlineUs + slackUs)
        raisedUs[i] = std::max(raisedUs[i], completeUs);
    }
  }
  for (size_t i = 0; i < count; ++i)
    if (raisedUs[i] > headUs[sorted[i]] + slackUs) {
      headUs[sorted[i]] = raisedUs[i];
      changed = true;
    }
  return true;
}

bool EdgeFinding::follow(Windows &windows, bool &changed) {
  auto raise = [&](double &us, double toUs) {
    if (toUs > us + slackUs) {
      us = toUs;
      changed = true;
    }
  };
  for (TaskId id : order)
    for (TaskId later : users[id])
      raise(windows.headUs[later],
            windows.headUs[id] + graph.getTask(id).durationUs);
  for (size_t i = order.size(); i-- > 0;)
    for (TaskId later : users[order[i]])
      raise(windows.tailUs[order[i]],
            windows.tailUs[later] + graph.getTask(later).durationUs);
  for (TaskId id : order)
    if (windows.headUs[id] + graph.getTask(id).durationUs + windows.tailUs[id] >
        us + slackUs)
      return false;
  return true;
}

bool EdgeFinding::narrowByEdges(Windows &windows, bool &changed) {
  for (const std::vector<TaskId> &tasks : byStream)
    if (!raiseByEdges(tasks, windows.headUs, windows.tailUs, changed) ||
        !raiseByEdges(tasks, windows.tailUs, windows.headUs, changed))
      return false;
  return true;
}

bool EdgeFinding::narrow(Windows &windows, bool staged) {
  // Windows may keep narrowing by ever smaller amounts.
  constexpr unsigned kMostPasses = 100;
  for (unsigned pass = 0; pass < kMostPasses; ++pass) {
    bool changed = false;
    if (staged)
      bounds.raise(graph, windows.headUs, windows.tailUs);
    if (!follow(windows, changed) || !narrowByEdges(windows, changed))
      return false;
    if (!changed)
      break;
  }
  return true;
}

bool EdgeFinding::cut(Windows &windows, TaskId id, bool front, bool &changed) {
  double durationUs = graph.getTask(id).durationUs;
  for (double share : {1.0, 0.5, 0.25, 0.1}) {
    double roomUs = us - windows.tailUs[id] - durationUs - windows.headUs[id];
    if (roomUs <= us * 1e-3)
      break;
    // Assume that the task is in the part to cut off.
    Windows part = windows;
    std::vector<double> &other = front ? part.tailUs : part.headUs;
    other[id] += (1 - 0.5 * share) * roomUs;
    if (narrow(part, /*staged=*/false))
      continue;
    (front ? windows.headUs : windows.tailUs)[id] += 0.5 * share * roomUs;
    changed = true;
    return narrow(windows, /*staged=*/false);
  }
  return true;
}

bool EdgeFinding::isImpossible(double givenUs, unsigned rounds) {
  us = givenUs;
  slackUs = us * 1e-9;
  Windows windows = least;
  if (!narrow(windows, /*staged=*/true))
    return true;
  for (unsigned round = 0; round < rounds; ++round) {
    bool changed = false;
    for (TaskId id : order)
      for (bool front : {true, false})
        if (!cut(windows, id, front, changed))
          return true;
    if (!changed)
      break;
    if (!narrow(windows, /*staged=*/true))
      return true;
  }
  return false;
}

double moe::schedule::raiseBound(const TaskGraph &graph, double boundUs,
                                 double bestUs, unsigned rounds) {
  if (graph.getNumTasks() == 0)
    return boundUs;
  EdgeFinding windows(graph);
  double possibleUs = bestUs;
  while (possibleUs - boundUs > 1e-3 * possibleUs) {
    double us = (boundUs + possibleUs) / 2;
    (windows.isImpossible(us, rounds) ? boundUs : possibleUs) = us;
  }
  return boundUs;
}
