// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events for property tests.

#ifndef MOE_UNITTESTS_SCHEDULE_RANDOMSTREAMS_H
#define MOE_UNITTESTS_SCHEDULE_RANDOMSTREAMS_H

#include "RandomGraph.h"
#include "moe/Schedule/StreamOrder.h"

namespace moe::schedule::test {

/// Returns up to `maxSteps` steps on up to four streams and events. Events may
/// be recorded repeatedly and waited for before any record.
inline std::vector<StreamStep> makeRandomSteps(std::mt19937_64 &random,
                                               int64_t maxSteps) {
  unsigned numStreams = unsigned(pick(random, 1, 4));
  unsigned numEvents = unsigned(pick(random, 1, 4));
  std::vector<StreamStep> steps(size_t(pick(random, 0, maxSteps)));
  for (StreamStep &step : steps) {
    // Mostly work; the host rarely waits.
    int64_t kind = pick(random, 0, 16);
    step.kind = kind < 8    ? StreamStep::Kind::Work
                : kind < 11 ? StreamStep::Kind::Record
                : kind < 15 ? StreamStep::Kind::Wait
                : kind < 16 ? StreamStep::Kind::Synchronize
                            : StreamStep::Kind::Await;
    step.stream = unsigned(pick(random, 0, numStreams - 1));
    if (step.kind == StreamStep::Kind::Record ||
        step.kind == StreamStep::Kind::Wait ||
        step.kind == StreamStep::Kind::Await)
      step.event = unsigned(pick(random, 0, numEvents - 1));
  }
  return steps;
}

/// The relation "ends before the other starts" between steps, from the
/// definitions alone: the transitive closure of stream order, waits for events
/// and waits of the host.
class StepOrder {
public:
  explicit StepOrder(const std::vector<StreamStep> &steps)
      : before(steps.size(), std::vector<char>(steps.size())) {
    for (size_t i = 0; i < steps.size(); ++i) {
      bool recorded = false;
      auto isAwait = [&](size_t step) {
        return steps[step].kind == StreamStep::Kind::Await;
      };
      for (size_t j = i; j-- > 0;) {
        bool isOneStream = steps[j].stream == steps[i].stream && !isAwait(i);
        if (isOneStream || isAwait(j) ||
            steps[j].kind == StreamStep::Kind::Synchronize)
          before[j][i] = 1;
        if ((steps[i].kind == StreamStep::Kind::Wait || isAwait(i)) &&
            !recorded && steps[j].kind == StreamStep::Kind::Record &&
            steps[j].event == steps[i].event) {
          before[j][i] = 1;
          recorded = true;
        }
      }
    }
    for (size_t k = 0; k < steps.size(); ++k)
      for (size_t i = 0; i < steps.size(); ++i)
        for (size_t j = 0; before[i][k] && j < steps.size(); ++j)
          before[i][j] |= before[k][j];
    for (size_t i = 0; i < steps.size(); ++i)
      if (steps[i].kind == StreamStep::Kind::Work)
        works.push_back(i);
  }

  size_t getNumWorks() const { return works.size(); }
  /// Compares two work items by their numbers.
  bool isBefore(unsigned a, unsigned b) const {
    return before[works[a]][works[b]];
  }

private:
  std::vector<std::vector<char>> before;
  std::vector<size_t> works;
};

} // namespace moe::schedule::test

#endif // MOE_UNITTESTS_SCHEDULE_RANDOMSTREAMS_H
