// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for faster orders by swaps.

#include "moe/Schedule/TaskOrder.h"
#include "moe/Cost/TieTolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <random>

using namespace moe::schedule;
using moe::cost::kRounding;

TaskGraph moe::schedule::permute(const TaskGraph &graph,
                                 std::span<const TaskId> order) {
  TaskGraph made;
  for (uint32_t i = 0; i < graph.getNumStreams(); ++i)
    made.addStream();
  std::vector<TaskId> ids(graph.getNumTasks());
  for (TaskId id : order)
    ids[id] = made.addTask(graph.getTask(id));
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    graph.forEachDependent(
        id, [&](TaskId later) { made.addDependency(ids[id], ids[later]); });
  return made;
}

namespace {

using StreamLists = std::vector<std::vector<TaskId>>;

/// Tasks `first` to `last` of a stream. Either the last one moves to the front
/// of the others, or the first one to their back.
struct Move {
  StreamId stream;
  size_t first, last;
  bool toFront;

  void apply(StreamLists &lists) const {
    auto begin = lists[stream].begin();
    if (toFront)
      std::rotate(begin + first, begin + last, begin + last + 1);
    else
      std::rotate(begin + first, begin + first + 1, begin + last + 1);
  }
};

class SwapSearch {
public:
  SwapSearch(const TaskGraph &graph, const Contention &contention)
      : graph(graph), contention(contention), lists(graph.getNumStreams()),
        places(graph.getNumTasks()) {
    for (TaskId id = 0; id < graph.getNumTasks(); ++id)
      lists[graph.getTask(id).stream].push_back(id);
  }

  TaskOrder run(unsigned trials);

private:
  /// Simulates lists; returns infinity if they cannot run.
  double simulate(const StreamLists &of);
  /// Lists moves of tasks on the critical path of the last simulation, as
  /// positions in `lists`.
  std::vector<Move> listMoves();
  /// Lists the tasks by their starts in the last simulation.
  std::vector<TaskId> listTasks() const;
  /// Calls `visit` for each pair of tasks that a move reverses.
  template <typename Visitor>
  void forEachTurned(const Move &move, Visitor visit) const {
    const std::vector<TaskId> &list = lists[move.stream];
    for (size_t i = move.first; i < move.last; ++i)
      if (move.toFront)
        visit(list[move.last], list[i]);
      else
        visit(list[i + 1], list[move.first]);
  }

  const TaskGraph &graph;
  const Contention &contention;
  StreamLists lists;
  /// Position of each task on its stream.
  std::vector<size_t> places;

  TaskGraph made;
  std::vector<TaskId> ids, byId;
  Simulator simulator;
  Timeline timeline;
};

} // namespace

double SwapSearch::simulate(const StreamLists &of) {
  made.clear();
  ids.resize(graph.getNumTasks());
  byId.clear();
  for (const std::vector<TaskId> &list : of) {
    made.addStream();
    for (TaskId id : list) {
      ids[id] = made.addTask(graph.getTask(id));
      byId.push_back(id);
    }
  }
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    graph.forEachDependent(
        id, [&](TaskId later) { made.addDependency(ids[id], ids[later]); });
  if (!simulator.run(made, contention, timeline))
    return std::numeric_limits<double>::infinity();
  return timeline.makespanUs;
}

std::vector<Move> SwapSearch::listMoves() {
  for (const std::vector<TaskId> &list : lists)
    for (size_t i = 0; i < list.size(); ++i)
      places[list[i]] = i;
  std::vector<Move> moves;
  const std::vector<TaskId> &path = timeline.criticalPath;
  for (size_t begin = 0; begin < path.size();) {
    // Find the end of the run of consecutive tasks on one stream.
    StreamId stream = made.getTask(path[begin]).stream;
    size_t end = begin + 1;
    while (end < path.size() &&
           made.getPreviousOnStream(path[end]) == path[end - 1])
      ++end;
    size_t first = places[byId[path[begin]]], last = first + (end - begin) - 1;
    if (last > first) {
      moves.push_back({stream, first, first + 1, true});
      if (last > first + 1) {
        moves.push_back({stream, last - 1, last, true});
        moves.push_back({stream, first, last, true});
        moves.push_back({stream, first, last, false});
      }
    }
    begin = end;
  }
  return moves;
}

std::vector<TaskId> SwapSearch::listTasks() const {
  // Tasks with the same start follow their dependencies.
  std::vector<uint32_t> waitingFor(made.getNumTasks());
  for (TaskId id = 0; id < made.getNumTasks(); ++id) {
    waitingFor[id] += made.getPreviousOnStream(id) != kNoTask;
    made.forEachDependent(id, [&](TaskId later) { ++waitingFor[later]; });
  }
  using Entry = std::pair<double, TaskId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  auto add = [&](TaskId id) { ready.push({timeline.startUs[id], id}); };
  for (TaskId id = 0; id < made.getNumTasks(); ++id)
    if (waitingFor[id] == 0)
      add(id);
  std::vector<TaskId> order;
  while (!ready.empty()) {
    TaskId id = ready.top().second;
    ready.pop();
    order.push_back(byId[id]);
    auto release = [&](TaskId later) {
      if (--waitingFor[later] == 0)
        add(later);
    };
    if (TaskId next = made.getNextOnStream(id); next != kNoTask)
      release(next);
    made.forEachDependent(id, release);
  }
  return order;
}

TaskOrder SwapSearch::run(unsigned trials) {
  TaskOrder best;
  best.timeUs = simulate(lists);
  best.order = listTasks();
  StreamLists bestLists = lists;
  std::mt19937_64 random;
  // The first round that may reverse each pair of tasks.
  std::map<std::pair<TaskId, TaskId>, unsigned> barred;
  unsigned round = 0, lastGain = 0;
  // After this many rounds without a gain, restart from the best order.
  constexpr unsigned kPatience = 40;
  for (unsigned trial = 0; trial < trials; ++round) {
    std::vector<Move> moves = listMoves();
    const Move *chosen = nullptr;
    double chosenUs = std::numeric_limits<double>::infinity();
    for (const Move &move : moves) {
      if (trial++ >= trials)
        break;
      StreamLists moved = lists;
      move.apply(moved);
      double us = simulate(moved);
      bool isBarred = false;
      forEachTurned(move, [&](TaskId before, TaskId after) {
        auto it = barred.find({before, after});
        isBarred |= it != barred.end() && it->second > round;
      });
      bool isBest = us < best.timeUs * (1 - kRounding);
      // Ties are broken at random.
      if (us > chosenUs || (us == chosenUs && random() % 2) ||
          (isBarred && !isBest))
        continue;
      chosen = &move;
      chosenUs = us;
    }
    if (!std::isfinite(chosenUs) || round - lastGain > kPatience) {
      if (barred.empty())
        break; // nothing can be moved
      if (!std::isfinite(chosenUs))
        barred.clear();
      lists = bestLists;
      lastGain = round;
      simulate(lists);
      ++trial;
      continue;
    }
    unsigned until = round + 6 + unsigned(random() % 8);
    forEachTurned(*chosen, [&](TaskId before, TaskId after) {
      barred[{after, before}] = until;
    });
    chosen->apply(lists);
    simulate(lists);
    if (chosenUs < best.timeUs * (1 - kRounding)) {
      best.timeUs = chosenUs;
      best.order = listTasks();
      bestLists = lists;
      lastGain = round;
    }
  }
  return best;
}

TaskOrder moe::schedule::improveOrder(const TaskGraph &graph,
                                      const Contention &contention,
                                      unsigned trials) {
  return SwapSearch(graph, contention).run(trials);
}
