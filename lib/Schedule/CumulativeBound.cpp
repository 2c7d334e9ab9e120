// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds for streams that take turns.

#include "moe/Schedule/CumulativeBound.h"

using namespace moe::schedule;

namespace {

/// The machine of each resource.
class Machines {
public:
  static constexpr unsigned kNone = ~0u;

  Machines(const TaskGraph &graph, const Contention &contention);

  unsigned get(ResourceId resource) const {
    return isJoined(ofResource[resource]) ? ofResource[resource] : kNone;
  }
  unsigned getNum() const { return numMachines; }

private:
  bool isJoined(unsigned machine) const {
    return machine != kNone && numStreams[machine] > 1;
  }

  std::array<unsigned, kMaxResources> ofResource;
  unsigned numMachines = 0;
  /// Number of streams with tasks of each machine.
  std::array<unsigned, kMaxResources> numStreams = {};
};

} // namespace

Machines::Machines(const TaskGraph &graph, const Contention &contention) {
  std::array<std::vector<bool>, kMaxResources> uses;
  uses.fill(std::vector<bool>(graph.getNumStreams()));
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    uses[graph.getTask(id).resource][graph.getTask(id).stream] = true;
  auto countStreams = [&](ResourceId id) {
    return unsigned(std::count(uses[id].begin(), uses[id].end(), true));
  };
  auto runInTurn = [&](ResourceId a, ResourceId b) {
    return 1 / contention.get(a, b) + 1 / contention.get(b, a) <=
           1 + kJoinSlack;
  };
  ofResource.fill(kNone);
  for (ResourceId id = 1; id < kMaxResources; ++id) {
    unsigned streams = countStreams(id);
    if (streams == 0 || (streams > 1 && contention.get(id, id) < streams))
      continue;
    // The first machine with only resources that take turns with this one.
    unsigned machine = 0;
    for (; machine < numMachines; ++machine) {
      bool fits = true;
      for (ResourceId other = 1; other < id; ++other)
        fits &= ofResource[other] != machine || runInTurn(id, other);
      if (fits)
        break;
    }
    numMachines = std::max(numMachines, machine + 1);
    ofResource[id] = machine;
    numStreams[machine] += streams;
  }
}

std::optional<TaskGraph>
moe::schedule::joinStreams(const TaskGraph &graph,
                           const Contention &contention) {
  if (!contention.hasAny())
    return std::nullopt;
  Machines machines(graph, contention);
  TaskGraph joined;
  for (uint32_t i = 0; i < graph.getNumStreams() + machines.getNum(); ++i)
    joined.addStream();
  bool isAny = false;
  for (TaskId id = 0; id < graph.getNumTasks(); ++id) {
    Task task = graph.getTask(id);
    if (unsigned machine = machines.get(task.resource);
        machine != Machines::kNone) {
      task.stream = graph.getNumStreams() + machine;
      isAny = true;
    }
    joined.addTask(task);
  }
  if (!isAny)
    return std::nullopt;
  for (TaskId id = 0; id < graph.getNumTasks(); ++id)
    graph.forEachDependent(
        id, [&](TaskId later) { joined.addDependency(id, later); });
  return joined;
}

bool moe::schedule::findBound(BoundFinder &finder, const TaskGraph &graph,
                              const std::optional<TaskGraph> &joined,
                              LowerBound &bound, Tails &tails,
                              BoundEffort effort) {
  if (!finder.run(graph, bound, effort))
    return false;
  auto copy = [](std::span<const double> us) {
    return std::vector<double>(us.begin(), us.end());
  };
  tails.ownUs = copy(finder.getTailsUs());
  LowerBound inTurn;
  if (joined && finder.run(*joined, inTurn, effort)) {
    tails.joinedUs = copy(finder.getTailsUs());
    bound.stagedUs =
        std::max(bound.stagedUs, inTurn.getUs() * (1 - kJoinSlack));
  }
  return true;
}

bool moe::schedule::findBound(BoundFinder &finder, const TaskGraph &graph,
                              const Contention &contention, LowerBound &bound,
                              BoundEffort effort) {
  Tails unused;
  return findBound(finder, graph, joinStreams(graph, contention), bound, unused,
                   effort);
}
