// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether any legal order differs.

#include "moe/Schedule/StreamRaces.h"
#include <algorithm>
#include <functional>
#include <map>
#include <random>

using namespace moe::schedule;

namespace {

/// The memories of a program cut where any range begins or ends: a piece is
/// touched as a whole or not at all.
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

  /// Numbers of the pieces of a range: [first, last).
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

/// Values of memory while work runs.
class Memory {
public:
  Memory(const StreamProgram &program, const Pieces &pieces)
      : program(program), pieces(pieces), values(pieces.size()) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = combine(1, i);
  }

  /// Runs a piece of work; returns what stands for what it read.
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

/// The queues of a program, to be run in some legal order.
class Queues {
public:
  explicit Queues(const StreamProgram &program) : program(program) {
    unsigned numStreams = 0, numEvents = 0, numWorks = 0;
    for (const StreamStep &step : program.steps) {
      numStreams = std::max(numStreams, step.stream + 1);
      numEvents = std::max(numEvents, step.event + 1);
    }
    queues.resize(numStreams);
    // The record a wait waits for is the event's last one before it.
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

  /// Runs everything; `choose` picks one of the streams that can go on.
  /// `visit` gets each piece of work and ends the run by returning false.
  void run(const std::function<unsigned(const std::vector<unsigned> &)> &choose,
           const std::function<bool(unsigned)> &visit) {
    std::vector<size_t> next(queues.size());
    std::vector<char> done(program.steps.size());
    for (std::vector<size_t> &queue : queues)
      queue.clear();
    size_t host = 0;
    while (true) {
      // The host goes on until it has to wait.
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
      // Waits wait for records before them: something can always go on.
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
  /// Of each step: the number of its work, the record it waits for.
  std::vector<unsigned> works;
  std::vector<std::optional<size_t>> awaited;
};

} // namespace

std::optional<Race> moe::schedule::findRace(const StreamProgram &program) {
  Pieces pieces(program);
  HappensBefore order(program.steps);
  // Of each piece the last work that wrote it and those that have read it
  // since. When each is ordered after the ones before it, all are.
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
    // The lowest of the streams that can go on goes on; in random orders the
    // places change now and then.
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
