// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds on schedules.

#include "moe/Schedule/Bounds.h"

#include <algorithm>
#include <bit>

using namespace moe::schedule;

void PlaceSet::reset(size_t numPlaces) {
  words.assign(numPlaces / kBits + 1, 0);
  size = 0;
  last = 0;
}

void PlaceSet::add(uint32_t place) {
  uint64_t &word = words[place / kBits];
  uint64_t bit = uint64_t(1) << place % kBits;
  size += (word & bit) == 0;
  word |= bit;
  last = std::max<size_t>(last, place / kBits);
}

uint32_t PlaceSet::takeLast() {
  while (words[last] == 0)
    --last;
  unsigned bit = kBits - 1 - std::countl_zero(words[last]);
  words[last] &= ~(uint64_t(1) << bit);
  --size;
  return uint32_t(last * kBits + bit);
}

double StreamBound::getUs(const TaskGraph &graph, std::span<const TaskId> tasks,
                          std::span<const double> headUs,
                          std::span<const double> tailUs) {
  // Always run the available task with the longest tail.
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

void BoundFinder::findNeighbours(const TaskGraph &graph) {
  uint32_t numTasks = graph.getNumTasks();
  for (Neighbours *neighbours : {&makers, &users}) {
    neighbours->begin.assign(numTasks + 1, 0);
    neighbours->tasks.resize(graph.getNumDependencies());
  }
  auto forEach = [&](auto visit) {
    for (TaskId id = 0; id < numTasks; ++id)
      graph.forEachDependent(id, [&](TaskId later) { visit(id, later); });
  };
  forEach([&](TaskId id, TaskId later) {
    ++makers.begin[later];
    ++users.begin[id];
  });
  // `begin` changes from the end of each list to its beginning.
  for (TaskId id = 0; id < numTasks; ++id) {
    makers.begin[id + 1] += makers.begin[id];
    users.begin[id + 1] += users.begin[id];
  }
  forEach([&](TaskId id, TaskId later) {
    makers.tasks[--makers.begin[later]] = id;
    users.tasks[--users.begin[id]] = later;
  });
}

/// Returns the time that the streams need for the predecessors of `id`,
/// considering at most the `most` nearest ones. Predecessors are visited from
/// the last one on, so that all paths from a predecessor to the task are known
/// at its visit.
double BoundFinder::getStageUs(const TaskGraph &graph, TaskId id, size_t most,
                               const Neighbours &before,
                               std::span<const double> us) {
  near.clear();
  auto reach = [&](TaskId maker, double byUs) {
    reached.add(places[maker]);
    wayUs[maker] = std::max(wayUs[maker], byUs);
  };
  for (TaskId maker : before.get(id))
    reach(maker, 0);
  while (!reached.isEmpty() && near.size() < most) {
    TaskId next = order[reached.takeLast()];
    near.push_back(next);
    for (TaskId maker : before.get(next))
      reach(maker, wayUs[next] + graph.getTask(next).durationUs);
  }
  // A separate copy of the times is sorted, because sorting takes most of the
  // time.
  nearByStream.resize(graph.getNumStreams());
  for (TaskId task : near)
    nearByStream[graph.getTask(task).stream].push_back({us[task], task});
  double boundUs = us[id];
  for (std::vector<Near> &tasks : nearByStream) {
    std::sort(tasks.begin(), tasks.end(), [](const Near &a, const Near &b) {
      return a.us != b.us ? a.us < b.us : a.id < b.id;
    });
    sorted.clear();
    for (const Near &task : tasks)
      sorted.push_back(task.id);
    tasks.clear();
    boundUs = std::max(boundUs, streamBound.getUs(graph, sorted, us, wayUs));
  }
  for (TaskId task : near)
    wayUs[task] = -1;
  while (!reached.isEmpty())
    wayUs[order[reached.takeLast()]] = -1;
  return boundUs;
}

void BoundFinder::stage(const TaskGraph &graph, const Neighbours &before,
                        std::vector<double> &us) {
  // Graphs with up to some thousands of tasks use all predecessors of each
  // task, and larger graphs fewer.
  size_t most = std::max<size_t>(128, 8000000 / (order.size() + 1));
  wayUs.assign(order.size(), -1);
  reached.reset(order.size());
  for (TaskId id : order) {
    for (TaskId maker : before.get(id))
      us[id] = std::max(us[id], us[maker] + graph.getTask(maker).durationUs);
    // A task with one dependency can start right after it, so nothing is
    // gained.
    if (before.get(id).size() > 1)
      us[id] = getStageUs(graph, id, most, before, us);
  }
}

double BoundFinder::getBusiestUs(const TaskGraph &graph, StreamId &busiest) {
  uint32_t numTasks = graph.getNumTasks();
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
  double mostUs = 0;
  for (size_t first = 0; first < numTasks;) {
    StreamId stream = graph.getTask(byStream[first]).stream;
    size_t end = first;
    while (end < numTasks && graph.getTask(byStream[end]).stream == stream)
      ++end;
    double us = streamBound.getUs(
        graph, std::span(byStream).subspan(first, end - first), headUs, tailUs);
    if (us > mostUs) {
      mostUs = us;
      busiest = stream;
    }
    first = end;
  }
  return mostUs;
}

bool BoundFinder::run(const TaskGraph &graph, LowerBound &bound,
                      BoundEffort effort) {
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

  bound.busiestStreamUs = getBusiestUs(graph, bound.busiestStream);
  if (effort == BoundEffort::Unstaged)
    return true;

  findNeighbours(graph);
  places.resize(numTasks);
  raise(graph, headUs, tailUs);
  StreamId ignored = 0;
  bound.stagedUs = getBusiestUs(graph, ignored);
  return true;
}

void BoundFinder::raise(const TaskGraph &graph, std::vector<double> &headUs,
                        std::vector<double> &tailUs) {
  for (auto [neighbours, us] :
       {std::pair(&makers, &headUs), std::pair(&users, &tailUs)}) {
    for (size_t i = 0; i < order.size(); ++i)
      places[order[i]] = uint32_t(i);
    stage(graph, *neighbours, *us);
    std::reverse(order.begin(), order.end());
  }
}
