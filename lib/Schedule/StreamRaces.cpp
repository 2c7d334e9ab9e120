// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection of races between streams.

#include "moe/Schedule/StreamRaces.h"
#include "moe/Schedule/StreamOrder.h"
#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <random>

using namespace moe::schedule;

//===----------------------------------------------------------------------===//
// Order by streams and events
//===----------------------------------------------------------------------===//

using Clock = StreamClocks::Clock;

/// Merges the later of both clocks into `clock`, stream by stream.
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
  // The works that have ended at the end of each task: its own clock and
  // itself.
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
    // A later task may imply an earlier one, but not the reverse.
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

namespace {

/// The memories of a program, cut wherever a range begins or ends, so that an
/// access covers each piece either entirely or not at all.
class Pieces {
public:
  explicit Pieces(const StreamProgram &program) {
    for (const WorkAccesses &work : program.works)
      for (const auto *ranges :
           {&work.reads, &work.writes, &work.partialWrites, &work.begins})
        for (const MemoryRange &range : *ranges)
          if (range.begin < range.end) {
            cuts[range.memory].push_back(range.begin);
            cuts[range.memory].push_back(range.end);
          }
    for (auto &[memory, own] : cuts) {
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      first[memory] = ranges.size();
      for (size_t i = 0; i + 1 < own.size(); ++i)
        ranges.push_back({memory, own[i], own[i + 1]});
    }
  }

  size_t size() const { return ranges.size(); }
  const MemoryRange &operator[](size_t piece) const { return ranges[piece]; }

  /// Returns the numbers of the pieces of a range: [first, last).
  std::pair<size_t, size_t> find(const MemoryRange &range) const {
    if (range.begin >= range.end)
      return {0, 0};
    const std::vector<uint64_t> &own = cuts.at(range.memory);
    auto place = [&](uint64_t at) {
      return first.at(range.memory) +
             (std::lower_bound(own.begin(), own.end(), at) - own.begin());
    };
    return {place(range.begin), place(range.end)};
  }

private:
  std::map<unsigned, std::vector<uint64_t>> cuts;
  std::map<unsigned, size_t> first;
  std::vector<MemoryRange> ranges;
};

uint64_t combine(uint64_t hash, uint64_t value) {
  // SplitMix64's finalizer over a running sum.
  uint64_t z = hash * 0x9e3779b97f4a7c15 + value + 0x632be59bd9b4e019;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

class Memory {
public:
  Memory(const StreamProgram &program, const Pieces &pieces)
      : program(program), pieces(pieces), values(pieces.size()) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = combine(1, i);
  }

  /// Runs a work item and returns a hash of its inputs.
  uint64_t run(unsigned work) {
    const WorkAccesses &accesses = program.works[work];
    uint64_t read = combine(2, work);
    for (const MemoryRange &range : accesses.reads)
      forEach(range, [&](size_t i) { read = combine(read, values[i]); });
    for (const MemoryRange &range : accesses.begins)
      forEach(range, [&](size_t i) { values[i] = combine(3, i); });
    for (const MemoryRange &range : accesses.writes)
      forEach(range, [&](size_t i) { values[i] = combine(read, i); });
    for (const MemoryRange &range : accesses.partialWrites)
      forEach(range, [&](size_t i) {
        values[i] = combine(combine(read, i), values[i]);
      });
    return read;
  }

  const std::vector<uint64_t> &getValues() const { return values; }

private:
  template <typename Function>
  void forEach(const MemoryRange &range, Function function) {
    auto [begin, end] = pieces.find(range);
    for (size_t i = begin; i < end; ++i)
      function(i);
  }

  const StreamProgram &program;
  const Pieces &pieces;
  std::vector<uint64_t> values;
};

/// The queues of a program, which run in some legal order.
class Queues {
public:
  explicit Queues(const StreamProgram &program) : program(program) {
    unsigned numStreams = 0, numEvents = 0, numWorks = 0;
    for (const StreamStep &step : program.steps) {
      numStreams = std::max(numStreams, step.stream + 1);
      numEvents = std::max(numEvents, step.event + 1);
    }
    queues.resize(numStreams);
    // A wait waits for the event's last record before it.
    std::vector<std::optional<size_t>> records(numEvents);
    for (size_t i = 0; i < program.steps.size(); ++i) {
      const StreamStep &step = program.steps[i];
      works.push_back(numWorks);
      awaited.push_back(std::nullopt);
      if (step.kind == StreamStep::Kind::Work)
        ++numWorks;
      else if (step.kind == StreamStep::Kind::Record)
        records[step.event] = i;
      else if (step.kind == StreamStep::Kind::Wait ||
               step.kind == StreamStep::Kind::Await)
        awaited.back() = records[step.event];
    }
  }

  unsigned getNumStreams() const { return queues.size(); }

  /// Runs the whole program. `choose` selects one of the streams that can
  /// continue. `visit` is called for each work item and ends the run by
  /// returning false.
  void run(const std::function<unsigned(const std::vector<unsigned> &)> &choose,
           const std::function<bool(unsigned)> &visit) {
    std::vector<size_t> next(queues.size());
    std::vector<char> done(program.steps.size());
    for (std::vector<size_t> &queue : queues)
      queue.clear();
    size_t host = 0;
    while (true) {
      // The host continues until it has to wait.
      while (host < program.steps.size()) {
        const StreamStep &step = program.steps[host];
        std::vector<size_t> &queue = queues[step.stream];
        if (step.kind == StreamStep::Kind::Synchronize) {
          if (next[step.stream] < queue.size())
            break;
        } else if (step.kind == StreamStep::Kind::Await) {
          if (awaited[host] && !done[*awaited[host]])
            break;
        } else {
          queue.push_back(host);
        }
        ++host;
      }
      std::vector<unsigned> ready;
      for (unsigned s = 0; s < queues.size(); ++s) {
        if (next[s] == queues[s].size())
          continue;
        size_t step = queues[s][next[s]];
        if (!awaited[step] || done[*awaited[step]])
          ready.push_back(s);
      }
      // Waits only wait for earlier records, so some queue can always continue.
      if (ready.empty())
        return;
      unsigned stream = choose(ready);
      size_t step = queues[stream][next[stream]++];
      done[step] = 1;
      if (program.steps[step].kind == StreamStep::Kind::Work &&
          !visit(works[step]))
        return;
    }
  }

private:
  const StreamProgram &program;
  std::vector<std::vector<size_t>> queues;
  /// For each step, the number of its work or the record that it waits for.
  std::vector<unsigned> works;
  std::vector<std::optional<size_t>> awaited;
};

} // namespace

std::optional<Race> moe::schedule::findRace(const StreamProgram &program) {
  Pieces pieces(program);
  HappensBefore order(program.steps);
  // For each piece, the last work that wrote it and the works that have read it
  // since. If each of these is ordered after its predecessors, all are.
  struct History {
    std::optional<unsigned> writer;
    std::vector<unsigned> readers;
  };
  std::vector<History> histories(pieces.size());
  for (unsigned work = 0; work < program.works.size(); ++work) {
    const WorkAccesses &accesses = program.works[work];
    std::optional<Race> race;
    auto check = [&](unsigned other, size_t piece) {
      if (!race && other != work && !order.isBefore(other, work))
        race = Race{other, work, pieces[piece]};
    };
    auto visit = [&](const std::vector<MemoryRange> &ranges, bool writes) {
      for (const MemoryRange &range : ranges) {
        auto [begin, end] = pieces.find(range);
        for (size_t i = begin; i < end; ++i) {
          History &history = histories[i];
          if (history.writer)
            check(*history.writer, i);
          if (!writes) {
            history.readers.push_back(work);
            continue;
          }
          for (unsigned reader : history.readers)
            check(reader, i);
          history = {work, {}};
        }
      }
    };
    visit(accesses.reads, false);
    visit(accesses.begins, true);
    visit(accesses.partialWrites, true);
    visit(accesses.writes, true);
    if (race)
      return race;
  }
  return std::nullopt;
}

std::optional<OrderDifference>
moe::schedule::checkOrders(const StreamProgram &program, unsigned orders,
                           uint64_t seed) {
  Pieces pieces(program);
  Memory reference(program, pieces);
  std::vector<uint64_t> expected;
  for (unsigned work = 0; work < program.works.size(); ++work)
    expected.push_back(reference.run(work));

  Queues queues(program);
  std::mt19937_64 random(seed);
  unsigned numStreams = queues.getNumStreams();
  for (unsigned run = 0; run < numStreams + orders; ++run) {
    Memory memory(program, pieces);
    OrderDifference difference;
    // The ready stream with the lowest place continues. In random orders, the
    // places change occasionally.
    std::vector<unsigned> places(numStreams);
    for (unsigned s = 0; s < numStreams; ++s)
      places[s] = run < numStreams && s == run ? numStreams : s;
    auto shuffle = [&] {
      for (unsigned s = numStreams; s > 1; --s)
        std::swap(places[s - 1], places[random() % s]);
    };
    if (run >= numStreams)
      shuffle();
    queues.run(
        [&](const std::vector<unsigned> &ready) {
          if (run >= numStreams && random() % 8 == 0)
            shuffle();
          return *std::min_element(
              ready.begin(), ready.end(),
              [&](unsigned a, unsigned b) { return places[a] < places[b]; });
        },
        [&](unsigned work) {
          difference.order.push_back(work);
          if (memory.run(work) == expected[work])
            return true;
          difference.work = work;
          return false;
        });
    if (difference.work || memory.getValues() != reference.getValues())
      return difference;
  }
  return std::nullopt;
}
