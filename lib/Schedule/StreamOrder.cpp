// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What streams and events order.

#include "moe/Schedule/StreamOrder.h"
#include <algorithm>
#include <cassert>

using namespace moe::schedule;

using Clock = StreamClocks::Clock;

/// Takes the later of both clocks, stream by stream.
static void join(Clock &clock, const Clock &other) {
  if (clock.size() < other.size())
    clock.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

template <typename Element>
static Element &at(std::vector<Element> &elements, size_t index) {
  if (elements.size() <= index)
    elements.resize(index + 1);
  return elements[index];
}

const Clock &StreamClocks::getStream(unsigned stream) {
  Clock &clock = at(streams, stream);
  join(clock, host);
  return clock;
}

const Clock &StreamClocks::getEvent(unsigned event) {
  return at(events, event);
}

void StreamClocks::add(const StreamStep &step) {
  if (step.kind == StreamStep::Kind::Await) {
    join(host, getEvent(step.event));
    return;
  }
  getStream(step.stream);
  Clock &clock = streams[step.stream];
  switch (step.kind) {
  case StreamStep::Kind::Work:
    at(clock, step.stream) = ++at(numWorks, step.stream);
    break;
  case StreamStep::Kind::Record:
    at(events, step.event) = clock;
    break;
  case StreamStep::Kind::Wait:
    join(clock, getEvent(step.event));
    break;
  case StreamStep::Kind::Synchronize:
    join(host, clock);
    break;
  case StreamStep::Kind::Await:
    break;
  }
}

HappensBefore::HappensBefore(std::span<const StreamStep> steps) {
  for (const StreamStep &step : steps)
    numStreams = std::max(numStreams, step.stream + 1);
  StreamClocks clocks;
  for (const StreamStep &step : steps) {
    if (step.kind == StreamStep::Kind::Work) {
      streams.push_back(step.stream);
      positions.push_back(clocks.getNumWorks(step.stream));
      const Clock &clock = clocks.getStream(step.stream);
      ended.insert(ended.end(), clock.begin(), clock.end());
      ended.resize(streams.size() * numStreams);
    }
    clocks.add(step);
  }
}

std::vector<std::vector<unsigned>>
moe::schedule::findNecessaryWaits(std::span<const StreamTask> tasks) {
  unsigned numStreams = 0;
  for (const StreamTask &task : tasks)
    numStreams = std::max(numStreams, task.stream + 1);
  // What has ended when a task has: its own clock with itself.
  std::vector<Clock> ends(tasks.size());
  std::vector<unsigned> positions(tasks.size());
  std::vector<Clock> streams(numStreams, Clock(numStreams));
  std::vector<std::vector<unsigned>> waits(tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    const StreamTask &task = tasks[i];
    Clock &clock = streams[task.stream];
    std::vector<unsigned> missing;
    for (unsigned other : task.after) {
      assert(other < i && "a task waits for tasks before it");
      if (clock[tasks[other].stream] <= positions[other])
        missing.push_back(other);
    }
    // A later task may imply an earlier one, never the other way round.
    std::sort(missing.begin(), missing.end(), std::greater<>());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    for (unsigned other : missing)
      if (clock[tasks[other].stream] <= positions[other]) {
        join(clock, ends[other]);
        waits[i].push_back(other);
      }
    std::reverse(waits[i].begin(), waits[i].end());
    positions[i] = clock[task.stream]++;
    ends[i] = clock;
  }
  return waits;
}
